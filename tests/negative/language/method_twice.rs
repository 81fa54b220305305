// A type has one function of a name, in whichever of its blocks.
struct Place(u64);

impl Place {
    fn start(&self) -> u64 {
        self.0
    }
    fn start(&self) -> u64 { // expect error: E0422 start again
        0
    }
    fn end(&self) -> u64 {
        self.0 + 64
    }
}

impl Place {
    fn end(&self) -> u64 { // expect error: E0422 end again
        self.0
    }
}
