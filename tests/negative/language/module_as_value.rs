// A module holds values; it is none.
use furiosa_visa_std::prelude::*;

mod places {
    fn start() -> u64 {
        super // expect error: E0429 a module is no value
    }
}
