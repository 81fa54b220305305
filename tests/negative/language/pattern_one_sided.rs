// Each side of `|` must bind the same names.
enum Step {
    Skip,
    By(u64),
}

fn offset(step: Step) -> u64 {
    match step {
        Step::By(bytes) | Step::Skip => bytes, // expect error: E0439 Skip binds nothing
    }
}
