// The result is written over an operand that is stored to HBM afterwards.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

#[device(chip = 1)]
fn bump(
    ctx: &mut Context,
    a: &HbmTensor<i32, m![1], m![S, A]>,
    copy: &HbmTensor<i32, m![1], m![S, A]>,
) -> (HbmTensor<i32, m![1], m![S, A]>, HbmTensor<i32, m![1], m![S, A]>) {
    let a = a.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0);
    let copy = copy.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0x1000);
    let out = ctx
        .main
        .begin(a.view())
        .fetch::<i32, m![1], m![A]>()
        .collect::<m![1], m![A]>()
        .commit::<m![A]>(0x1010); // expect error: E0571 overlaps copy, which is read later
    (out.to_hbm(&mut ctx.tdma, 1 << 28), copy.to_hbm(&mut ctx.tdma, 2 << 28))
}
