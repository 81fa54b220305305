// What was committed as padding is read as data, at the same address with another mapping.
// reports: E0862
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 24, B = 32];

type Chip = m![1];
type Cluster = m![1 # 2];

fn commit_padded(ctx: &mut Context, x: &HbmTensor<i8, Chip, m![S, A]>) -> DmTensor<i8, Chip, Cluster, m![S], m![A # 32]> {
    let dm = x.to_dm::<Cluster, m![S], m![A]>(&mut ctx.tdma, 0);
    ctx.main
        .begin(dm.view())
        .fetch::<i8, m![1], m![A]>()
        .collect::<m![1], m![A # 32]>()
        .commit(0x1000)
}

#[device(chip = 1)]
fn fault(ctx: &mut Context, x: &HbmTensor<i8, Chip, m![S, A]>) -> HbmTensor<i8, Chip, m![S, B]> {
    let _padded = commit_padded(ctx, x);
    let whole = unsafe { DmTensor::<i8, Chip, Cluster, m![S], m![B]>::from_addr(0x1000) };
    let out: DmTensor<i8, Chip, Cluster, m![S], m![B]> = ctx
        .main
        .begin(whole.view())
        .fetch::<i8, m![1], m![B]>()
        .collect::<m![1], m![B]>()
        .commit(0x2000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn clean(ctx: &mut Context, x: &HbmTensor<i8, Chip, m![S, A]>) -> HbmTensor<i8, Chip, m![S, A # 32]> {
    let padded = commit_padded(ctx, x);
    let out: DmTensor<i8, Chip, Cluster, m![S], m![A # 32]> = ctx
        .main
        .begin(padded.view())
        .fetch::<i8, m![1], m![A # 32]>()
        .collect::<m![1], m![A # 32]>()
        .commit(0x2000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}
