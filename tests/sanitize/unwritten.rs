// A pass fetches a buffer of which only half was filled.
// reports: E0861
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 16, B = 32];

type Chip = m![1];
type Cluster = m![1 # 2];
type Buffer = DmTensor<i8, Chip, Cluster, m![S], m![A, B]>;

fn copy_half(ctx: &mut Context, from: &Buffer, to: &mut Buffer, half: usize) {
    ctx.main
        .begin(from.view().tile::<m![A / 8], 1, m![1 # 2, A % 8, B]>(half))
        .fetch::<i8, m![1 # 2, A % 8], m![B]>()
        .collect::<m![1 # 2, A % 8], m![B]>()
        .commit_view(to.view_mut().tile::<m![A / 8], 1, m![1 # 2, A % 8, B]>(half));
}

fn copy_all(ctx: &mut Context, from: &Buffer) -> Buffer {
    ctx.main
        .begin(from.view())
        .fetch::<i8, m![A], m![B]>()
        .collect::<m![A], m![B]>()
        .commit(0x4000)
}

#[device(chip = 1)]
fn fault(ctx: &mut Context, x: &HbmTensor<i8, Chip, m![S, A, B]>) -> HbmTensor<i8, Chip, m![S, A, B]> {
    let dm = x.to_dm::<Cluster, m![S], m![A, B]>(&mut ctx.tdma, 0);
    let mut half = unsafe { Buffer::from_addr(0x1000) };
    copy_half(ctx, &dm, &mut half, 0);
    copy_all(ctx, &half).to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn clean(ctx: &mut Context, x: &HbmTensor<i8, Chip, m![S, A, B]>) -> HbmTensor<i8, Chip, m![S, A, B]> {
    let dm = x.to_dm::<Cluster, m![S], m![A, B]>(&mut ctx.tdma, 0);
    let mut whole = unsafe { Buffer::from_addr(0x1000) };
    copy_half(ctx, &dm, &mut whole, 0);
    copy_half(ctx, &dm, &mut whole, 1);
    copy_all(ctx, &whole).to_hbm(&mut ctx.tdma, 1 << 28)
}
