// A mapping where a value is expected: its size is offered, unless the text cannot be a mapping.
use furiosa_visa_std::prelude::*;

axes![A = 8];

fn size() -> usize {
    m![A / 2] // expect error: E0407 write <m![A / 2]>::SIZE
}

fn wrapped(x: i32) -> Opt<i32> {
    Opt::m!(x) // expect error: E0407 no replacement
}
