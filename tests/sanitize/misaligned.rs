// A move to DM reads HBM from the middle of a word on.
// options: --relax=dma-alignment
// reports: E0867
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

type Chip = m![1];
type Cluster = m![1 # 2];

fn through_dm(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![S, A]>, part: u64) -> HbmTensor<i32, Chip, m![S, A]> {
    let dm = x.to_dm::<Cluster, m![S], m![A]>(&mut ctx.tdma, 0);
    let _first = dm.to_hbm::<m![S, A]>(&mut ctx.tdma, 1 << 28);
    let moved = unsafe { HbmTensor::<i32, Chip, m![S, A]>::from_addr((1 << 28) + part) };
    let again = moved.to_dm::<Cluster, m![S], m![A]>(&mut ctx.tdma, 0x1000);
    again.to_hbm(&mut ctx.tdma, 1 << 29)
}

#[device(chip = 1)]
fn fault(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![S, A]>) -> HbmTensor<i32, Chip, m![S, A]> {
    through_dm(ctx, x, 4)
}

#[device(chip = 1)]
fn clean(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![S, A]>) -> HbmTensor<i32, Chip, m![S, A]> {
    through_dm(ctx, x, 0)
}
