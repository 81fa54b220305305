// expect: 0 passed, 1 failed, 0 ignored
// says: syntax.rs:5
#[test]
fn an_open_bracket() {
    let v = vec![1, 2;
    assert_eq!(v[0], 1);
}
