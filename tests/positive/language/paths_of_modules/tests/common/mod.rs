pub mod nested;
pub fn check(x: i32) { assert!(x > 0); }
