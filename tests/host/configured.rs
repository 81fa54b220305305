//! `#[cfg(..)]` removes code whose predicate does not hold, and keeps the rest.
use furiosa_visa_std::prelude::*;

#[cfg(not(test))]
fn answer() -> i32 {
    missing()
}

#[cfg(test)]
fn answer() -> i32 {
    42
}

#[cfg(all(unix, not(any(furiosa_opt, feature = "fast"))))]
mod chosen {
    pub const NAME: &str = "plain";
}

#[cfg(any(furiosa_opt, feature = "fast"))]
mod chosen {
    pub const NAME: &str = "fast";
}

#[cfg(any())]
mod not_there;

mod inner {
    #![cfg(feature = "inner")]
    pub fn answer() -> Missing {}
}

#[cfg_attr(furiosa_opt, derive(Missing))]
#[cfg_attr(not(furiosa_opt), derive(Debug, Clone, PartialEq))]
struct Pair {
    left: i32,
    #[cfg(windows)]
    middle: Missing,
    right: i32,
}

#[derive(Debug, PartialEq)]
enum Kind {
    #[cfg(target_os = "macos")]
    First,
    Second,
}

impl Pair {
    #[cfg(windows)]
    fn sum(&self) -> Missing {
        self.middle
    }

    #[cfg(unix)]
    fn sum(&self) -> i32 {
        self.left + self.right
    }
}

fn add(left: i32, #[cfg(windows)] middle: Missing, right: i32) -> i32 {
    left + right
}

#[test]
fn items() {
    assert_eq!(answer(), 42);
    assert_eq!(chosen::NAME, "plain");
}

#[test]
fn parts_of_types() {
    let pair = Pair {
        left: 1,
        #[cfg(windows)]
        middle: missing(),
        right: 2,
    };
    assert_eq!(pair.clone(), pair);
    assert_eq!(pair.sum(), 3);
    assert_eq!(Kind::Second as i32, 0);
    assert_eq!(add(1, 2), 3);
}

fn sized<#[cfg(windows)] T: Missing, #[cfg(unix)] const N: usize>() -> usize {
    N
}

struct Wrapper<#[cfg(windows)] 'a, #[cfg(unix)] T>(T);

#[test]
fn parameters_and_patterns() {
    let scale = |#[cfg(windows)] by: Missing, #[cfg(unix)] by: i32, value| by * value;
    assert_eq!(scale(3, 4), 12);
    assert_eq!(sized::<5>(), 5);
    assert_eq!(Wrapper::<i32>(6).0, 6);
    let Pair {
        left,
        #[cfg(windows)]
        middle,
        #[cfg(unix)]
        right,
    } = Pair { left: 1, right: 2 };
    assert_eq!(left + right, 3);
    let Pair {
        #[cfg(windows)]
            left: Missing { .. },
        right: last,
        #[cfg(unix)]
        ..
    } = Pair { left: 1, right: 4 };
    assert_eq!(last, 4);
}

#[test]
fn statements_and_expressions() {
    let mut sum = 1;
    #[cfg(windows)]
    let sum = missing();
    #[cfg(unix)]
    {
        sum += 1;
    }
    #[cfg(windows)]
    {
        sum += missing();
    }
    let list = [
        1,
        #[cfg(windows)]
        missing(),
        3,
    ];
    let word = match sum {
        #[cfg(windows)]
        2 => "wrong",
        2 => "two",
        _ => "other",
    };
    assert_eq!(sum, 2);
    assert_eq!(list.len(), 2);
    assert_eq!(word, "two");
}

#[test]
fn as_a_value() {
    assert!(cfg!(test));
    assert!(!cfg!(furiosa_opt));
    assert!(cfg!(all(unix, target_pointer_width = "64", not(windows))));
    assert!(!cfg!(debug_assertions));
    assert!(if cfg!(feature = "fast") { false } else { true });
}

#[cfg(all())]
macro_rules! chosen_macro {
    () => {
        "declared"
    };
}

#[cfg(any())]
macro_rules! chosen_macro {
    () => {
        "left out"
    };
}

#[test]
fn macros_that_are_left_out_are_not_declared() {
    #[cfg(all())]
    macro_rules! inner {
        () => {
            1
        };
    }
    #[cfg(any())]
    macro_rules! inner {
        () => {
            2
        };
    }
    assert_eq!((chosen_macro!(), inner!()), ("declared", 1));
}

#[test]
fn elements_of_tuples() {
    assert_eq!((1, #[cfg(windows)] 2, 3), (1, 3));
    assert_eq!((1, #[cfg(windows)] 2), (1,));
    assert_eq!((#[cfg(unix)] 1, 2), (1, 2));
}

#[cfg(/* always, in tests */ test)]
#[cfg(not(
    windows // not here
))]
#[cfg_attr(test /* a, b */, /* c */ should_panic(/* d) */ expected = "one, /* two */"))]
#[test]
fn comments_between() {
    assert!(cfg!(/* e */ test /* f */));
    panic!("one, /* two */");
}
