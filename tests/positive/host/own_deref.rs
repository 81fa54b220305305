// A type that lends what it holds.
use std::ops::{Deref, DerefMut};
struct Buf { inner: Vec<i32> }

impl Deref for Buf {
    type Target = Vec<i32>;
    fn deref(&self) -> &Self::Target {
        &self.inner
    }
}

impl DerefMut for Buf {
    fn deref_mut(&mut self) -> &mut Vec<i32> {
        &mut self.inner
    }
}

fn total(items: &[i32]) -> i32 {
    items.iter().sum()
}

#[test]
fn works() {
    let mut b = Buf { inner: vec![1, 2, 3] };
    b.push(4);
    assert_eq!(b.len(), 4);
    assert_eq!(b.iter().sum::<i32>(), 10);
    assert_eq!((*b)[0], 1);
    assert_eq!(b[1], 2);
    assert_eq!(total(&b), 10);
    let v: &Vec<i32> = &b;
    assert_eq!(v.len(), 4);
}
