// u32 is no scalar type of the machine.
use furiosa_visa_std::prelude::*;

axes![A = 2048];

#[device(chip = 1)]
fn load(
    ctx: &mut Context,
    input: &HbmTensor<u32, m![1], m![A]>, // expect error: E0433 u32 is no scalar type
) {
    let _ = ctx;
    let _ = input;
}
