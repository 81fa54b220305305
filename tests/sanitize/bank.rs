// A pass reads one word of each row of all banks, 64 of them, while a DMA that has nothing to do with it fills another
// buffer.
// reports: E0868
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 64, B = 32];

type Chip = m![1];
type Cluster = m![1 # 2];

#[device(chip = 1)]
fn fault(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![S, A, B]>, y: &HbmTensor<i32, Chip, m![S, B]>) -> (HbmTensor<i32, Chip, m![S, B, A]>, HbmTensor<i32, Chip, m![S, B]>) {
    let dm = x.to_dm::<Cluster, m![S], m![A, B]>(&mut ctx.tdma, 0);
    let columns: DmTensor<i32, Chip, Cluster, m![S], m![B / 2, A, B % 2]> = ctx
        .main
        .begin(dm.view())
        .fetch::<i32, m![B / 2, A / 4], m![A % 4, B % 2]>()
        .collect::<m![B / 2, A / 4], m![A % 4, B % 2]>()
        .commit(0x4000);
    let other = y.to_dm::<Cluster, m![S], m![B]>(&mut ctx.tdma, 0x8000);
    (columns.to_hbm(&mut ctx.tdma, 1 << 28), other.to_hbm(&mut ctx.tdma, 1 << 29))
}

#[device(chip = 1)]
fn clean(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![S, A, B]>, y: &HbmTensor<i32, Chip, m![S, B]>) -> (HbmTensor<i32, Chip, m![S, B, A]>, HbmTensor<i32, Chip, m![S, B]>) {
    let other = y.to_dm::<Cluster, m![S], m![B]>(&mut ctx.tdma, 0x8000);
    let second = other.to_hbm(&mut ctx.tdma, 1 << 29);
    let dm = x.to_dm::<Cluster, m![S], m![A, B]>(&mut ctx.tdma, 0);
    let columns: DmTensor<i32, Chip, Cluster, m![S], m![B / 2, A, B % 2]> = ctx
        .main
        .begin(dm.view())
        .fetch::<i32, m![B / 2, A / 4], m![A % 4, B % 2]>()
        .collect::<m![B / 2, A / 4], m![A % 4, B % 2]>()
        .commit(0x4000);
    (columns.to_hbm(&mut ctx.tdma, 1 << 28), second)
}
