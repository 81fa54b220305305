// A number is no function.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

#[device(chip = 1)]
fn copy(ctx: &mut Context, a: &HbmTensor<i32, m![1], m![S, A]>) -> HbmTensor<i32, m![1], m![S, A]> {
    let place = 1u64 << 28;
    a.to_hbm(&mut ctx.tdma, place(0)) // expect error: E0438 an u64 cannot be called
}
