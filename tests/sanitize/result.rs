// What the kernel gives back lies where a later tensor goes.
// options: --relax=overlap
// reports: E0864
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 64];

type Chip = m![1];
type Cluster = m![1 # 2];

#[device(chip = 1)]
fn fault(ctx: &mut Context, x: &HbmTensor<i8, Chip, m![S, A]>) -> HbmTensor<i8, Chip, m![S, A]> {
    let dm = x.to_dm::<Cluster, m![S], m![A]>(&mut ctx.tdma, 0);
    let out = dm.to_hbm(&mut ctx.tdma, 1 << 28);
    let _other: HbmTensor<i8, Chip, m![S, A]> = dm.to_hbm(&mut ctx.tdma, (1 << 28) + 256);
    out
}

#[device(chip = 1)]
fn clean(ctx: &mut Context, x: &HbmTensor<i8, Chip, m![S, A]>) -> HbmTensor<i8, Chip, m![S, A]> {
    let dm = x.to_dm::<Cluster, m![S], m![A]>(&mut ctx.tdma, 0);
    let _other: HbmTensor<i8, Chip, m![S, A]> = dm.to_hbm(&mut ctx.tdma, (1 << 28) + 256);
    dm.to_hbm(&mut ctx.tdma, 1 << 28)
}
