// expect: 2 passed, 2 failed, 0 ignored
// options: --timeout 2
// says: 2 s
use furiosa_visa_std::prelude::*;

#[test]
fn before() {
    assert_eq!(1 + 1, 2);
}

#[test]
fn never_ends() {
    let mut n = 0u64;
    loop {
        n = n.wrapping_add(1);
    }
}

#[tokio::test]
async fn never_ends_while_holding_the_context() {
    let _ctx = Context::acquire();
    while "".is_empty() {}
}

#[tokio::test]
async fn zz_after() {
    let _ctx = Context::acquire();
}
