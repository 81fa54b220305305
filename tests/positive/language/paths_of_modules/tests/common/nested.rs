pub fn deep() -> i32 { super::check(1); 1 }
