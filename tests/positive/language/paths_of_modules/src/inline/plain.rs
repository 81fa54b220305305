pub fn y() -> i32 { super::outside::x() }
