// Fields and variants have names of their own.
struct Place {
    slot: u64,
    slot: u32, // expect error: E0422 slot again
}

enum Step {
    Skip,
    By(u64),
    Skip, // expect error: E0422 Skip again
}
