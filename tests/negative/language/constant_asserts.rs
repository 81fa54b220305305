// A constant without a name is worked out though nobody asks for it: so a file can say which sizes it takes.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

const LINES: usize = S::SIZE / 2;
const _: () = assert!(LINES % 64 == 0);
const _: () = assert!(A::SIZE % 16 == 0, "A has {} numbers, which fill no flit", A::SIZE); // expect error: E0454
const _: () = assert_eq!(<m![S, A]>::SIZE, 2048);
const _: () = { // of both kinds
    if LINES > 100 {
        panic!("too many") // expect error: E0454 too many
    }
};

mod inside {
    const _: () = assert!(super::LINES == 127); // expect error: E0454
}
