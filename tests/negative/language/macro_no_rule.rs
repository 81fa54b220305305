// What a macro of the program is given must fit one of its rules.
macro_rules! doubled {
    ($x:expr) => {
        2 * $x
    };
}

fn eight() -> usize {
    doubled!(4, 5) // expect error: E0401 no rule of `doubled!` fits
}
