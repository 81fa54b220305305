// Twice as long in every round.
fn grow() {
    let mut list = vec![0];
    loop { // expect error: E0452 the loop does not end
        list.extend_from_within(..);
    }
}
