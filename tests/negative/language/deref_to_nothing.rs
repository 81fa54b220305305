// An impl of Deref that does not say what the type derefs to.
use std::ops::Deref;

struct Buf {
    inner: Vec<i32>,
}

impl Deref for Buf {
    fn deref(&self) -> &Vec<i32> {
        &self.inner
    }
}

fn total(items: &[i32]) -> i32 {
    items.iter().sum()
}

fn main() {
    let buf = Buf { inner: vec![1] };
    println!("{}", total(&buf)); // expect error: E0430 expected found Buf
}
