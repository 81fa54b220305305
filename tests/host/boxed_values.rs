// A reference to a box is one to what is in it, wherever that is wanted.
use std::rc::Rc;
use std::sync::Arc;

enum List {
    Nil,
    Cons(u64, Box<List>),
}

fn build(count: u64) -> List {
    (0..count).fold(List::Nil, |rest, i| List::Cons(i, Box::new(rest)))
}

fn sum(list: &List) -> u64 {
    match list {
        List::Nil => 0,
        List::Cons(item, rest) => item + sum(rest),
    }
}

fn grow(list: &mut List) {
    match list {
        List::Nil => *list = List::Cons(100, Box::new(List::Nil)),
        List::Cons(_, rest) => grow(rest),
    }
}

fn total(items: &[u64]) -> u64 {
    items.iter().sum()
}

fn length(text: &str) -> usize {
    text.len()
}

#[test]
fn lists() {
    let mut list = build(10);
    assert_eq!(sum(&list), 45);
    grow(&mut list);
    assert_eq!(sum(&list), 145);
    let boxed = Box::new(build(4));
    assert_eq!(sum(&boxed), 6);
}

#[test]
fn what_is_shared() {
    let items = Rc::new(vec![1, 2, 3]);
    assert_eq!(total(&items), 6);
    let words = Arc::new(String::from("four"));
    assert_eq!(length(&words), 4);
    let twice = Box::new(Box::new(7u64));
    fn double(x: &u64) -> u64 {
        x * 2
    }
    assert_eq!(double(&twice), 14);
}
