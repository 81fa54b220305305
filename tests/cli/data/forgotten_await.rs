// A test that passes because nothing is awaited.
async fn later() {
    panic!("nobody sees this");
}

#[tokio::test]
async fn passes() {
    later();
}
