pub fn halve(value: i32) -> i32 {
    value / 2
}

/// Calls what is in this file, and what is in the other one.
pub fn quarter(value: i32) -> i32 {
    let halves = crate::halve_all(&[value]);
    halve(halves[0])
}
