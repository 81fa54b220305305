pub fn two() -> i32 { crate::gen::parts::one() + super::one() }
