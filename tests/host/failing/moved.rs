// expect: refused
// says: moved.rs:7
// says: `text`
#[test]
fn a_value_is_used_after_it_was_moved() {
    let text = String::from("once"); let other = text;
    assert_eq!(text, other);
}
