// What a `use` in a body names must be there, like anywhere else.
mod places {
    pub const START: u64 = 0;
}

fn start() -> u64 {
    use places::FIRST; // expect error: E0421 no FIRST in places
    FIRST
}
