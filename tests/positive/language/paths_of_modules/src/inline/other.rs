pub fn x() -> i32 { 4 }
