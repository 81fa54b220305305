// prints: field
// prints: base
// prints: drop spare
// prints: kept [1, 2] (3, 4) 7
// prints: (3, 4) 9
// prints: drop kept
//! `..base` is evaluated once, behind the fields; what is copied stays in it.

use std::rc::Rc;

struct Noisy(&'static str);

impl Drop for Noisy {
    fn drop(&mut self) {
        println!("drop {}", self.0);
    }
}

struct Parts<T> {
    name: Noisy,
    list: Vec<i32>,
    pair: (i32, i32),
    extra: T,
}

fn field() -> Noisy {
    println!("field");
    Noisy("kept")
}

fn base() -> Parts<i32> {
    println!("base");
    Parts { name: Noisy("spare"), list: vec![1, 2], pair: (3, 4), extra: 7 }
}

fn main() {
    let made = Parts { name: field(), ..base() };
    println!("{} {:?} {:?} {}", made.name.0, made.list, made.pair, made.extra);
    let shared = Parts { name: made.name, list: vec![], pair: made.pair, extra: Rc::new(9) };
    let last = Parts { list: vec![5], ..shared };
    println!("{:?} {}", shared.pair, last.extra);
    assert_eq!(Rc::strong_count(&last.extra), 1);
}
