// A buffer begins in DM and ends beyond it.
// options: --relax=capacity
// reports: E0866
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 32];

type Chip = m![1];
type Cluster = m![1 # 2];

fn copy_end(ctx: &mut Context, x: &HbmTensor<i8, Chip, m![S, A]>, address: u64) -> HbmTensor<i8, Chip, m![S, A]> {
    let _dm = x.to_dm::<Cluster, m![S], m![A]>(&mut ctx.tdma, 512 * 1024 - 32);
    let end = unsafe { DmTensor::<i8, Chip, Cluster, m![S], m![A]>::from_addr(address) };
    let out: DmTensor<i8, Chip, Cluster, m![S], m![A]> = ctx
        .main
        .begin(end.view())
        .fetch::<i8, m![1], m![A]>()
        .collect::<m![1], m![A]>()
        .commit(0);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn fault(ctx: &mut Context, x: &HbmTensor<i8, Chip, m![S, A]>) -> HbmTensor<i8, Chip, m![S, A]> {
    copy_end(ctx, x, 512 * 1024 - 16)
}

#[device(chip = 1)]
fn clean(ctx: &mut Context, x: &HbmTensor<i8, Chip, m![S, A]>) -> HbmTensor<i8, Chip, m![S, A]> {
    copy_end(ctx, x, 512 * 1024 - 32)
}
