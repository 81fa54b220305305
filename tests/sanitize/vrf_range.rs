// An operand is used after another one was loaded into a part of its range.
// options: --relax=overlap
// reports: E0865
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 16];

type Chip = m![1];
type Cluster = m![1 # 2];
type Row = DmTensor<i32, Chip, Cluster, m![S], m![A]>;
type Operand = VrfTensor<i32, Chip, Cluster, m![S], m![A]>;

fn load(ctx: &mut Context, row: &Row, address: u64) -> Operand {
    ctx.sub
        .begin(row.view())
        .fetch::<i32, m![A / 8], m![A % 8]>()
        .collect::<m![A / 8], m![A % 8]>()
        .to_vrf(address)
}

fn add(ctx: &mut Context, row: &Row, operand: &Operand) -> Row {
    ctx.main
        .begin(row.view())
        .fetch::<i32, m![A / 8], m![A % 8]>()
        .collect::<m![A / 8], m![A % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_fxp(FxpBinaryOp::AddFxp, operand)
        .vector_final()
        .commit(0x2000)
}

#[device(chip = 1)]
fn fault(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![S, A]>) -> HbmTensor<i32, Chip, m![S, A]> {
    let row = x.to_dm::<Cluster, m![S], m![A]>(&mut ctx.tdma, 0);
    let first = load(ctx, &row, 0);
    let _second = load(ctx, &row, 32);
    add(ctx, &row, &first).to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn clean(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![S, A]>) -> HbmTensor<i32, Chip, m![S, A]> {
    let row = x.to_dm::<Cluster, m![S], m![A]>(&mut ctx.tdma, 0);
    let first = load(ctx, &row, 0);
    let _second = load(ctx, &row, 64);
    add(ctx, &row, &first).to_hbm(&mut ctx.tdma, 1 << 28)
}
