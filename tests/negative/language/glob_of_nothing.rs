// A glob of a module that is not there, in the very module that should have it.
use crate::kernels::*; // expect error: E0421 `kernels` is not in

fn main() {
    let three = 1 + 2;
    assert_eq!(three, 3);
}
