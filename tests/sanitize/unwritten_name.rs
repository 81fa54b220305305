// A tensor is only a name for bytes, and nobody ever wrote them.
// reports: E0861
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 32];

type Chip = m![1];
type Cluster = m![1 # 2];
type Rows = HbmTensor<i8, Chip, m![S, A]>;
type Buffer = DmTensor<i8, Chip, Cluster, m![S], m![A]>;

fn copy(ctx: &mut Context, from: &Buffer) -> Buffer {
    ctx.main.begin(from.view()).fetch::<i8, m![1], m![A]>().collect::<m![1], m![A]>().commit(0x4000)
}

#[device(chip = 1)]
fn fault(ctx: &mut Context, x: &Rows) -> Rows {
    let _moved = x.to_dm::<Cluster, m![S], m![A]>(&mut ctx.tdma, 0);
    let nothing = unsafe { Buffer::from_addr(0x1000) };
    copy(ctx, &nothing).to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn clean(ctx: &mut Context, x: &Rows) -> Rows {
    let _moved = x.to_dm::<Cluster, m![S], m![A]>(&mut ctx.tdma, 0);
    let moved = unsafe { Buffer::from_addr(0) };
    copy(ctx, &moved).to_hbm(&mut ctx.tdma, 1 << 28)
}
