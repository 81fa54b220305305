// options: --cfg furiosa_opt,feature=fast
// expect: 1 passed, 1 failed, 0 ignored
// says: there is no value or function `missing` in scope
#[cfg(all(furiosa_opt, feature = "fast"))]
fn answer() -> i32 {
    missing()
}

#[cfg(not(furiosa_opt))]
fn answer() -> i32 {
    2
}

#[test]
fn uses_what_is_configured() {
    assert_eq!(answer(), 2);
}

#[test]
fn sees_what_is_set() {
    assert!(cfg!(furiosa_opt) && cfg!(feature = "fast") && !cfg!(feature = "slow"));
}
