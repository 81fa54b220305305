// A variant with a field is named without it.
enum Step {
    Skip,
    By(u64),
}

fn offset(step: Step) -> u64 {
    match step {
        Step::Skip => 0,
        Step::By => 1, // expect error: E0439 Step::By(..)
    }
}
