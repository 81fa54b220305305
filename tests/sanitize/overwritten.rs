// A second tensor is committed over one that is moved to HBM afterwards.
// options: --relax=overlap
// reports: E0864
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 64];

type Chip = m![1];
type Cluster = m![1 # 2];
type Buffer = DmTensor<i8, Chip, Cluster, m![S], m![A]>;

fn copy(ctx: &mut Context, from: &Buffer, address: u64) -> Buffer {
    ctx.main
        .begin(from.view())
        .fetch::<i8, m![A / 32], m![A % 32]>()
        .collect::<m![A / 32], m![A % 32]>()
        .commit(address)
}

#[device(chip = 1)]
fn fault(ctx: &mut Context, x: &HbmTensor<i8, Chip, m![S, A]>) -> HbmTensor<i8, Chip, m![S, A]> {
    let dm = x.to_dm::<Cluster, m![S], m![A]>(&mut ctx.tdma, 0);
    let first = copy(ctx, &dm, 0x1000);
    let second = copy(ctx, &dm, 0x1020);
    let _other: HbmTensor<i8, Chip, m![S, A]> = second.to_hbm(&mut ctx.tdma, 1 << 29);
    first.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn clean(ctx: &mut Context, x: &HbmTensor<i8, Chip, m![S, A]>) -> HbmTensor<i8, Chip, m![S, A]> {
    let dm = x.to_dm::<Cluster, m![S], m![A]>(&mut ctx.tdma, 0);
    let first = copy(ctx, &dm, 0x1000);
    let out = first.to_hbm(&mut ctx.tdma, 1 << 28);
    let second = copy(ctx, &dm, 0x1020);
    let _other: HbmTensor<i8, Chip, m![S, A]> = second.to_hbm(&mut ctx.tdma, 1 << 29);
    out
}
