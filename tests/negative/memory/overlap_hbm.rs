// Two results at one HBM address, and the first is fetched again.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

#[device(chip = 1)]
fn spill(
    ctx: &mut Context,
    a: &HbmTensor<i32, m![1], m![S, A]>,
    b: &HbmTensor<i32, m![1], m![S, A]>,
) -> HbmTensor<i32, m![1], m![S, A]> {
    let a = a.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0);
    let b = b.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0x1000);
    let spilled: HbmTensor<i32, m![1], m![S, A]> = a.to_hbm(&mut ctx.tdma, 1 << 28);
    let result: HbmTensor<i32, m![1], m![S, A]> = b.to_hbm(&mut ctx.tdma, 1 << 28); // expect error: E0571 overlaps spilled, which is read later
    let _again = spilled.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0x2000);
    result
}
