//! Tests that end in every way a test can end.
#[test]
fn passes() {
    println!("all is well");
    assert_eq!(2 + 2, 4);
}

#[test]
fn differs() {
    let sum = 2 + 2;
    println!("about to differ");
    assert_eq!(sum, 5, "arithmetic");
}

#[test]
#[should_panic(expected = "empty")]
fn panics_as_it_should() {
    let none: Option<i32> = None;
    none.expect("it is empty");
}

#[test]
#[should_panic(expected = "empty")]
fn panics_otherwise() {
    panic!("full");
}

#[test]
#[should_panic]
fn does_not_panic() {}

#[test]
#[ignore = "never ends"]
fn endless() {
    loop {}
}

mod inner {
    #[test]
    fn passes_too() {
        assert!(true);
    }
}
