// expect: 1 passed, 1 failed, 0 ignored
// says: printed by the one that fails
// says: on standard error, too
// lacks: printed by the one that passes
#[test]
fn passes() {
    println!("printed by the one that passes");
}

#[test]
fn fails() {
    println!("printed by the one that {}", "fails");
    eprintln!("on standard error, too");
    assert_eq!(1, 2);
}
