// A macro of the program is known behind its declaration: the diagnostic says where that is.
fn eight() -> usize {
    doubled!(4) // expect error: E0447 doubled
}

macro_rules! doubled {
    ($x:expr) => {
        2 * $x
    };
}

fn ten() -> usize {
    doubled!(5)
}
