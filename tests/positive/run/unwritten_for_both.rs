//! Run with `--check-oracle` (tests/cli/running.py): half of `out` is never written, and neither executor finds a value there.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

#[device(chip = 1)]
fn half(ctx: &mut Context, x: &HbmTensor<i32, m![1], m![S, A]>) -> HbmTensor<i32, m![1], m![S, A]> {
    let mut out = unsafe { HbmTensor::<i32, m![1], m![S, A]>::from_addr(1 << 30) };
    let from = x.view().tile::<m![A], 4, m![S, A = 4 # 8]>(0);
    let to = out.view_mut().tile::<m![A], 4, m![S, A = 4 # 8]>(4);
    from.to_hbm_view(&mut ctx.tdma, to);
    let dm = out.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0);
    dm.to_hbm(&mut ctx.tdma, 1 << 28)
}
