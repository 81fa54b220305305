pub fn three() -> i32 { 3 }
