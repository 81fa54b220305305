// Predicates of `#[cfg(..)]` that are none. What stands after them stays in the program.
#[cfg] // expect error: E0411
fn bare() {}

#[cfg(not())] // expect error: E0411
fn not_nothing() {}

#[cfg(unix, test)] // expect error: E0411
fn two() {}

#[cfg(none(unix))] // expect error: E0411
fn no_operator() {}

#[cfg("unix")] // expect error: E0411
fn no_name() {}

#[cfg(feature = fast)] // expect error: E0411
fn no_string() {}

#[cfg_attr(not(unix, test), test)] // expect error: E0411
fn added() {}

struct Pair {
    #[cfg(any(unix windows))] // expect error: E0411
    left: i32,
}

fn uses(pair: Pair) -> bool {
    bare();
    not_nothing();
    two();
    no_operator();
    no_name();
    no_string();
    added();
    cfg!() && pair.left == 0 // expect error: E0411
}
