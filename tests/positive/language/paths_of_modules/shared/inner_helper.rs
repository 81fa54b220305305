pub fn z() -> i32 { 1 }
