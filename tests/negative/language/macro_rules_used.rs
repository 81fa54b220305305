// A macro of the program is not carried out: the diagnostic says where it is declared.
macro_rules! doubled {
    ($x:expr) => {
        2 * $x
    };
}

fn eight() -> usize {
    doubled!(4) // expect error: E0447 doubled
}
