// What is private is seen in its module and inside of that.
mod outer {
    fn hidden() -> u64 {
        0
    }
    pub mod inner {
        pub(super) const STEP: u64 = 64;
        pub(in crate::outer) fn first() -> u64 {
            super::hidden()
        }
        pub(self) struct Unseen;
        mod deepest {
            pub fn last() -> u64 {
                0
            }
        }
        pub use std::cmp::max as larger;
        use std::cmp::min as smaller;
    }
    pub struct Place {
        pub slot: u64,
        row: u64,
    }
    pub struct Rows(u64);
    impl Place {
        pub fn new() -> Place {
            Place { slot: inner::STEP, row: inner::first() }
        }
        fn start(&self) -> u64 {
            self.slot + self.row
        }
        const WIDTH: u64 = 8;
    }
    pub enum Way {
        Near(u64),
    }
}

use outer::hidden; // expect error: E0472 hidden is private to outer
use outer::*;

fn paths() -> u64 {
    let a = outer::inner::STEP; // expect error: E0472 for outer alone
    let b = outer::inner::first(); // expect error: E0472 for outer alone
    let c = outer::inner::deepest::last(); // expect error: E0472 the module is private
    let d = outer::inner::larger(a, b);
    let e = outer::inner::smaller(a, b); // expect error: E0472 the `use` is private
    let f: Option<outer::inner::Unseen> = None; // expect error: E0472 for inner alone
    d + e + hidden()
}

fn members(place: Place) -> u64 {
    let width = Place::WIDTH; // expect error: E0472 a private constant
    let Place { slot, row: there } = place; // expect error: E0472 a private field
    let made = Place { slot: 0, row: 1 }; // expect error: E0472 a private field
    let rows = Rows(1); // expect error: E0472 its field is private
    let Way::Near(n) = Way::Near(slot);
    made.row + made.start() // expect error: E0472 a private field // expect error: E0472 a private method
}
