// expect: 0 passed, 0 failed, 0 ignored
//! A file without tests is no failure.
fn unused() -> i32 {
    3
}
