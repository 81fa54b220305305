// expect: 0 passed, 1 failed, 0 ignored
// says: a lazy value that is not a static is not carried out
// says: make it a `static` of type `LazyLock`
use std::cell::LazyCell;

#[test]
fn made_when_it_is_used() {
    let lazy = LazyCell::new(|| 1);
    assert_eq!(*lazy, 1);
}
