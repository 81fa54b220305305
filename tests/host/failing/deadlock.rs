// expect: 1 passed, 1 failed, 0 ignored
// options: --timeout 5
// says: deadlock.rs:9
use furiosa_visa_std::prelude::*;

#[test]
fn waits_for_itself() {
    let first = Context::acquire();
    let second = Context::acquire();
    drop((first, second));
}

#[test]
fn takes_turns() {
    let first = Context::acquire();
    drop(first);
    let _second = Context::acquire();
}
