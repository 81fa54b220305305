//! Run with `--check-oracle` (tests/cli/running.py): tensors in bytes of their own, of which both read the same.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

#[device(chip = 1)]
fn both(
    ctx: &mut Context,
    a: &HbmTensor<i32, m![1], m![S, A]>,
    b: &HbmTensor<i32, m![1], m![S, A]>,
) -> HbmTensor<i32, m![1], m![S, A]> {
    let first = a.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0);
    let _second = b.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 32);
    first.to_hbm(&mut ctx.tdma, 1 << 28)
}
