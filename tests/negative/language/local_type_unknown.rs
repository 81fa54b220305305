// An item of a body that nobody uses is looked at.
fn start() -> u64 {
    struct Place {
        slot: Slot, // expect error: E0420 no type Slot
    }
    const STEP: u64 = 1.5; // expect error: E0430 a float
    0
}
