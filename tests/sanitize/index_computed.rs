// A kernel computes the index of its gather, and counts from 1.
// reports: E0872
use furiosa_visa_std::prelude::*;

axes![V = 100, P = 8, A = 8];

type Chip = m![1];
type Cluster = m![1 # 2];

/// The last row of the table for every P, plus `more`.
fn last_rows(
    ctx: &mut Context,
    table: &HbmTensor<i32, Chip, m![V, A]>,
    any: &HbmTensor<i32, Chip, m![P]>,
    more: i32,
) -> HbmTensor<i32, Chip, m![P, A]> {
    let tokens: DmTensor<i32, Chip, Cluster, m![1 # 256], m![P]> = any.to_dm(&mut ctx.tdma, 0);
    let tokens: DmTensor<i32, Chip, Cluster, m![1 # 256], m![P]> = ctx
        .main
        .begin(tokens.view())
        .fetch::<i32, m![1], m![P]>()
        .collect::<m![1], m![P]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_fxp(FxpBinaryOp::MulInt, 0)
        .vector_fxp(FxpBinaryOp::AddFxp, 99 + more)
        .vector_final()
        .commit(0x1000);
    let tokens: HbmTensor<i32, Chip, m![P]> = tokens.to_hbm(&mut ctx.tdma, 1 << 28);
    let rows: DmTensor<i32, Chip, Cluster, m![1 # 256], m![P, A]> = table.dma_gather(&tokens, 0x2000);
    rows.to_hbm(&mut ctx.tdma, 2 << 28)
}

#[device(chip = 1)]
fn fault(
    ctx: &mut Context,
    table: &HbmTensor<i32, Chip, m![V, A]>,
    any: &HbmTensor<i32, Chip, m![P]>,
) -> HbmTensor<i32, Chip, m![P, A]> {
    last_rows(ctx, table, any, 1)
}

#[device(chip = 1)]
fn clean(
    ctx: &mut Context,
    table: &HbmTensor<i32, Chip, m![V, A]>,
    any: &HbmTensor<i32, Chip, m![P]>,
) -> HbmTensor<i32, Chip, m![P, A]> {
    last_rows(ctx, table, any, 0)
}
