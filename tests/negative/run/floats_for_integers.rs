// command: run --in input=x.npy
// file: x.npy <f4 256x8 zeros
// Nobody said how to round.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

#[device(chip = 1)]
fn copy(
    ctx: &mut Context,
    input: &HbmTensor<i32, m![1], m![S, A]>, // expect error: E0963 integers are wanted
) -> HbmTensor<i32, m![1], m![S, A]> {
    let dm = input.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0);
    dm.to_hbm(&mut ctx.tdma, 1 << 28)
}
