// options: --memory=detached
// The second tensor lies where the first one still is.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

#[device(chip = 1)]
fn both(ctx: &mut Context, a: &HbmTensor<i32, m![1], m![S, A]>, b: &HbmTensor<i32, m![1], m![S, A]>) {
    let first = a.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0);
    let _second = b.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 16); // expect warning: E0574 shares 16 bytes with it
    let _out: HbmTensor<i32, m![1], m![S, A]> = first.to_hbm(&mut ctx.tdma, 1 << 28);
}
