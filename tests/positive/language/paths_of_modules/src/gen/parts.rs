pub fn one() -> i32 { 1 }
pub fn two() -> i32 { inner::two() }
mod inner;
