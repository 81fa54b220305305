// What stays where it is and what is changed there: `ref mut`, assignments that are left early, keys of
// maps, what threads took.
use std::collections::{HashMap, HashSet};
use std::hash::{Hash, Hasher};
use std::io::Write;
use std::panic;
use std::sync::{Arc, Mutex};
use std::thread;

struct Pair {
    many: Vec<i32>,
    one: Option<i32>,
}

#[test]
fn a_name_by_reference_changes_the_place() {
    let mut some = Some(1);
    if let Some(ref mut x) = some {
        *x += 1;
    }
    match some {
        Some(ref mut x) if *x > 1 => *x *= 10,
        _ => {}
    }
    assert_eq!(some, Some(20));
    let mut list = vec![Ok(1), Err('x')];
    for i in 0..2 {
        if let Ok(ref mut x) = list[i] {
            *x += 5;
        }
    }
    assert_eq!(list, [Ok(6), Err('x')]);
    let mut pair = Pair { many: vec![1], one: Some(2) };
    if let Some(ref mut x) = pair.one {
        *x = 7;
    }
    let Pair { ref mut many, ref one } = pair;
    many.push(one.unwrap());
    assert_eq!((pair.many, pair.one), (vec![1, 7], Some(7)));
    let copied = some;
    if let Some(ref mut x) = some {
        *x = 0;
    }
    assert_eq!((copied, some), (Some(20), Some(0)));
}

#[test]
fn an_assignment_that_is_left_changes_nothing() {
    let mut sum = 0;
    let mut add = |words: &str| -> Result<(), std::num::ParseIntError> {
        for word in words.split(' ') {
            sum += word.parse::<i32>()?;
        }
        Ok(())
    };
    assert!(add("1 2").is_ok());
    assert!(add("4 x 8").is_err());
    assert_eq!(sum, 7);
    let mut last = 5;
    for i in 0..3 {
        last = if i == 2 { break } else { i };
    }
    assert_eq!(last, 1);
}

#[derive(Debug, Clone)]
struct Caseless(&'static str);
impl PartialEq for Caseless {
    fn eq(&self, other: &Self) -> bool {
        self.0.eq_ignore_ascii_case(other.0)
    }
}
impl Eq for Caseless {}
impl Hash for Caseless {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.to_ascii_lowercase().hash(state);
    }
}

#[test]
fn keys_are_equal_as_the_program_says() {
    let mut count = HashMap::new();
    for word in ["Ab", "x", "aB", "AB", "X"] {
        *count.entry(Caseless(word)).or_insert(0) += 1;
    }
    assert_eq!(count.len(), 2);
    assert_eq!(count[&Caseless("ab")], 3);
    let set: HashSet<Caseless> = ["q", "Q", "r"].into_iter().map(Caseless).collect();
    assert_eq!(set.len(), 2);
}

#[test]
fn orders_are_numbers() {
    assert_eq!(1.cmp(&2) as i32, -1);
    assert_eq!("b".cmp("a") as i8, 1);
    assert_eq!(2.5f32.total_cmp(&2.5) as isize, 0);
}

#[test]
fn what_threads_took_ends_with_them() {
    let all = Arc::new(Mutex::new(vec![]));
    let handles: Vec<_> = (0..3)
        .map(|i| {
            let all = Arc::clone(&all);
            thread::spawn(move || all.lock().unwrap().push(i))
        })
        .collect();
    for handle in handles {
        handle.join().unwrap();
    }
    let all = Arc::try_unwrap(all).unwrap().into_inner().unwrap();
    assert_eq!(all, [0, 1, 2]);
    let sum = thread::scope(|scope| {
        let first = scope.spawn(|| all[1] + all[2]);
        first.join().unwrap() + all[0]
    });
    assert_eq!(sum, 3);
}

#[test]
fn panics_may_be_silenced() {
    let before = panic::take_hook();
    panic::set_hook(Box::new(|_| {}));
    let result = panic::catch_unwind(|| panic!("silently"));
    panic::set_hook(before);
    assert!(result.is_err());
}

#[test]
fn bytes_are_written_to_lists() {
    let mut bytes: Vec<u8> = Vec::new();
    write!(&mut bytes, "{:03}", 7).unwrap();
    bytes.write_all(b"!\n").unwrap();
    assert_eq!(bytes, b"007!\n");
}
