// The argument list is left open.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

#[device(chip = 1)]
fn copy(ctx: &mut Context, a: &HbmTensor<i32, m![1], m![S, A]>) -> HbmTensor<i32, m![1], m![S, A]> {
    let dm = a.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0; // expect error: E0403 `(` is not closed
    dm.to_hbm(&mut ctx.tdma, 1 << 28)
}
