// Reading is a matter of the shared view: a mutable HBM view has no to_dm.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 32];

#[device(chip = 1)]
fn load(ctx: &mut Context, data: &mut HbmTensor<i8, m![1], m![S, A]>) {
    let _dm: DmTensor<i8, m![1], m![1 # 2], m![S], m![A]> = data
        .view_mut()
        .to_dm(&mut ctx.tdma, 0); // expect error: E0434 no to_dm on a mutable view
}
