// Who sees what in nested modules; constants that are worked out.
//! crate docs
#![allow(unused_imports)]
extern crate std as mystd;

mod outer {
    pub mod inner {
        pub(in crate::outer) fn hidden() -> i32 {
            1
        }
        pub(crate) fn shown() -> i32 {
            hidden() + super::up() + self::deep::x() + crate::top()
        }
        pub mod deep {
            pub fn x() -> i32 {
                super::super::up()
            }
        }
    }
    fn up() -> i32 {
        2
    }
    pub use self::inner::shown as re;
    pub use inner::deep::{self, x};
    pub(crate) use inner::*;
    pub struct S { pub a: i32, b: i32 }
    impl S {
        pub const fn new(a: i32) -> Self {
            S { a, b: a }
        }
        pub fn b(&self) -> i32 {
            self.b
        }
    }
}

use outer::{deep as d, inner::{self as i2, shown}, re, x as xx, S};

fn top() -> i32 {
    3
}

const S1: S = S::new(4);
static NAMES: [&str; 2] = ["a", "b"];
static mut COUNT: i32 = 0;
const TABLE: &[(&str, i32)] = &[("x", 1), ("y", 2)];

const fn fib(n: usize) -> usize {
    if n < 2 { n } else { fib(n - 1) + fib(n - 2) }
}

const FIBS: [usize; 3] = [fib(5), fib(6), fib(7)];
const LEN: usize = {
    let mut i = 0;
    let mut n = 1;
    while i < 3 {
        n *= 2;
        i += 1;
    }
    n
};

type Arr = [u8; LEN];

#[test]
fn works() {
    assert_eq!(re() + shown() + i2::shown() + d::x() + xx(), 8 * 3 + 4);
    assert_eq!(S1.a + S1.b(), 8);
    for (name, v) in TABLE {
        assert!(name.len() as i32 <= *v);
    }
    for n in NAMES.iter() {
        assert_eq!(n.len(), 1);
    }
    unsafe {
        COUNT += 1;
    }
    assert_eq!(FIBS[2], 13);
    let a: Arr = [0; 8];
    assert_eq!(a.len(), LEN);
    let b = [[0i32; 3]; fib(4)];
    assert_eq!(b.len(), 3);
}
