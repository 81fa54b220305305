//! A kernel with twenty parameters, and a program that runs it.

use furiosa_visa_std::prelude::*;

axes![S = 256, L = 8];

pub type Chip = m![1];
type Cluster = m![1 # 2];
type Row = HbmTensor<i32, Chip, m![L]>;
type Table = HbmTensor<i32, Chip, m![S, L]>;

/// Writes the row to every slice and adds the sum so far.
fn add_row(ctx: &mut Context, row: &Row, sum: DmTensor<i32, Chip, Cluster, m![S], m![L]>, turn: u64) -> DmTensor<i32, Chip, Cluster, m![S], m![L]> {
    let row = row.to_dm::<Cluster, m![S], m![L]>(&mut ctx.tdma, 0x100 + 0x40 * turn);
    let row: VrfTensor<i32, Chip, Cluster, m![S], m![L]> =
        ctx.sub.begin(row.view()).fetch::<i32, m![1], m![L]>().collect::<m![1], m![L]>().to_vrf(0x20 * turn);
    ctx.main
        .begin(sum.view())
        .fetch::<i32, m![1], m![L]>()
        .collect::<m![1], m![L]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_fxp(FxpBinaryOp::AddFxp, &row)
        .vector_final()
        .commit(0x8000 + 0x40 * turn)
}

#[device(chip = 1)]
#[allow(clippy::too_many_arguments)]
pub fn add_rows(
    ctx: &mut Context,
    x: &Table,
    r0: &Row,
    r1: &Row,
    r2: &Row,
    r3: &Row,
    r4: &Row,
    r5: &Row,
    r6: &Row,
    r7: &Row,
    r8: &Row,
    r9: &Row,
    r10: &Row,
    r11: &Row,
    r12: &Row,
    r13: &Row,
    r14: &Row,
    r15: &Row,
    r16: &Row,
    out: &mut Table,
) {
    let mut sum = x.to_dm::<Cluster, m![S], m![L]>(&mut ctx.tdma, 0);
    sum = add_row(ctx, r0, sum, 0);
    sum = add_row(ctx, r1, sum, 1);
    sum = add_row(ctx, r2, sum, 2);
    sum = add_row(ctx, r3, sum, 3);
    sum = add_row(ctx, r4, sum, 4);
    sum = add_row(ctx, r5, sum, 5);
    sum = add_row(ctx, r6, sum, 6);
    sum = add_row(ctx, r7, sum, 7);
    sum = add_row(ctx, r8, sum, 8);
    sum = add_row(ctx, r9, sum, 9);
    sum = add_row(ctx, r10, sum, 10);
    sum = add_row(ctx, r11, sum, 11);
    sum = add_row(ctx, r12, sum, 12);
    sum = add_row(ctx, r13, sum, 13);
    sum = add_row(ctx, r14, sum, 14);
    sum = add_row(ctx, r15, sum, 15);
    sum = add_row(ctx, r16, sum, 16);
    sum.view().to_hbm_view(&mut ctx.tdma, out.view_mut());
}
