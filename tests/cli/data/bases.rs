// Addresses that are not multiples of four, each in a different base.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

const PLACE: u64 = 0x3001;

type Numbers = HbmTensor<i32, m![1], m![S, A]>;

#[device(chip = 1)]
fn k(ctx: &mut Context) {
    let _hexadecimal = unsafe { Numbers::from_addr(0x10_001) };
    let _decimal = unsafe { Numbers::from_addr(20_001) };
    let _octal = unsafe { Numbers::from_addr(0o40001) };
    let _binary = unsafe { Numbers::from_addr(0b10000000000000001) };
    let _named = unsafe { Numbers::from_addr(PLACE) };
    let _sum = unsafe { Numbers::from_addr(0x20000 + 8 * 32 + 1) };
    let _shift = unsafe { Numbers::from_addr((1 << 28) + 1) };
    let _small = unsafe { Numbers::from_addr(5) };
}
