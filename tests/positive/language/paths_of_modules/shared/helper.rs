pub mod inner_helper; pub fn h() -> i32 { inner_helper::z() }
