// Four chips share A; the element names it again.
use furiosa_visa_std::prelude::*;

axes![A = 4, B = 64];

#[device(chip = 4)]
fn note(ctx: &mut Context) {
    let _ = ctx;
    let _all = unsafe { HbmTensor::<i8, m![A], m![A, B]>::from_addr(0) }; // expect error: E0501 axis A is in Chip and in Element
}
