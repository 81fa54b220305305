//! Transposes of each width, from the smallest matrices to the largest.
use furiosa_visa_std::prelude::*;

axes![S = 256, B = 2, Q = 4, C = 8, D = 8, E = 8, F = 16, G = 16, M = 3, K = 64, Q2 = 4];

type Chip = m![1];
type Cluster = m![1 # 2];

#[device(chip = 1)]
fn bytes_8_by_8(ctx: &mut Context, x: &HbmTensor<i8, Chip, m![S, C, D, E]>) -> HbmTensor<i8, Chip, m![S, C, E, D]> {
    let x = x.to_dm::<Cluster, m![S], m![C, D, E]>(&mut ctx.tdma, 0);
    let out: DmTensor<i8, Chip, Cluster, m![S], m![C, E, D]> = ctx
        .main
        .begin(x.view())
        .fetch::<i8, m![C, D], m![E]>()
        .collect::<m![C, D], m![E # 32]>()
        .transpose::<m![C, E], m![D # 32]>()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn bytes_4_by_8(ctx: &mut Context, x: &HbmTensor<i8, Chip, m![S, C, Q, E]>) -> HbmTensor<i8, Chip, m![S, C, E, Q]> {
    let x = x.to_dm::<Cluster, m![S], m![C, Q, E]>(&mut ctx.tdma, 0);
    let out: DmTensor<i8, Chip, Cluster, m![S], m![C, E, Q # 8]> = ctx
        .main
        .begin(x.view())
        .fetch::<i8, m![C, Q], m![E]>()
        .collect::<m![C, Q], m![E # 32]>()
        .transpose::<m![C, E], m![Q # 32]>()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

// Two packets a row of the matrix: 16 columns.
#[device(chip = 1)]
fn bytes_8_by_16(ctx: &mut Context, x: &HbmTensor<i8, Chip, m![S, C, B, E]>) -> HbmTensor<i8, Chip, m![S, B, E, C]> {
    let x = x.to_dm::<Cluster, m![S], m![C, B, E]>(&mut ctx.tdma, 0);
    let out: DmTensor<i8, Chip, Cluster, m![S], m![B, E, C]> = ctx
        .main
        .begin(x.view())
        .fetch::<i8, m![C, B], m![E]>()
        .collect::<m![C, B], m![E # 32]>()
        .transpose::<m![B, E], m![C # 32]>()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

// Four packets a row: 32 columns, the most there is.
#[device(chip = 1)]
fn bytes_8_by_32(
    ctx: &mut Context,
    x: &HbmTensor<f8e4m3, Chip, m![S, B, C, Q, E]>,
) -> HbmTensor<f8e4m3, Chip, m![S, B, Q, E, C]> {
    let x = x.to_dm::<Cluster, m![S], m![B, C, Q, E]>(&mut ctx.tdma, 0);
    let out: DmTensor<f8e4m3, Chip, Cluster, m![S], m![B, Q, E, C]> = ctx
        .main
        .begin(x.view())
        .fetch::<f8e4m3, m![B, C, Q], m![E]>()
        .collect::<m![B, C, Q], m![E # 32]>()
        .transpose::<m![B, Q, E], m![C # 32]>()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn halves_4_by_8(
    ctx: &mut Context,
    x: &HbmTensor<bf16, Chip, m![S, C, Q, E]>,
) -> HbmTensor<bf16, Chip, m![S, C, E, Q]> {
    let x = x.to_dm::<Cluster, m![S], m![C, Q, E]>(&mut ctx.tdma, 0);
    let out: DmTensor<bf16, Chip, Cluster, m![S], m![C, E, Q]> = ctx
        .main
        .begin(x.view())
        .fetch::<bf16, m![C, Q], m![E]>()
        .collect::<m![C, Q], m![E # 16]>()
        .transpose::<m![C, E], m![Q # 16]>()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn halves_2_by_16(
    ctx: &mut Context,
    x: &HbmTensor<i16, Chip, m![S, C, B, Q / 2, E]>,
) -> HbmTensor<i16, Chip, m![S, C, Q / 2, E, B]> {
    let x = x.to_dm::<Cluster, m![S], m![C, B, Q / 2, E]>(&mut ctx.tdma, 0);
    let out: DmTensor<i16, Chip, Cluster, m![S], m![C, Q / 2, E, B # 4]> = ctx
        .main
        .begin(x.view())
        .fetch::<i16, m![C, B, Q / 2], m![E]>()
        .collect::<m![C, B, Q / 2], m![E # 16]>()
        .transpose::<m![C, Q / 2, E], m![B # 16]>()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn words_2_by_8(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![S, C, B, E]>) -> HbmTensor<i32, Chip, m![S, C, E, B]> {
    let x = x.to_dm::<Cluster, m![S], m![C, B, E]>(&mut ctx.tdma, 0);
    let out: DmTensor<i32, Chip, Cluster, m![S], m![C, E, B]> = ctx
        .main
        .begin(x.view())
        .fetch::<i32, m![C, B], m![E]>()
        .collect::<m![C, B], m![E]>()
        .transpose::<m![C, E], m![B # 8]>()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn floats_2_by_32(
    ctx: &mut Context,
    x: &HbmTensor<f32, Chip, m![S, C, B, Q, E]>,
) -> HbmTensor<f32, Chip, m![S, C, Q, E, B]> {
    let x = x.to_dm::<Cluster, m![S], m![C, B, Q, E]>(&mut ctx.tdma, 0);
    let out: DmTensor<f32, Chip, Cluster, m![S], m![C, Q, E, B]> = ctx
        .main
        .begin(x.view())
        .fetch::<f32, m![C, B, Q], m![E]>()
        .collect::<m![C, B, Q], m![E]>()
        .transpose::<m![C, Q, E], m![B # 8]>()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn nibbles_16_by_16(ctx: &mut Context, x: &HbmTensor<i4, Chip, m![S, C, F, G]>) -> HbmTensor<i4, Chip, m![S, C, G, F]> {
    let x = x.to_dm::<Cluster, m![S], m![C, F, G]>(&mut ctx.tdma, 0);
    let out: DmTensor<i4, Chip, Cluster, m![S], m![C, G, F]> = ctx
        .main
        .begin(x.view())
        .fetch::<i4, m![C, F], m![G]>()
        .collect::<m![C, F], m![G # 64]>()
        .transpose::<m![C, G], m![F # 64]>()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn nibbles_16_by_32(ctx: &mut Context, x: &HbmTensor<i4, Chip, m![S, F, B, G]>) -> HbmTensor<i4, Chip, m![S, B, G, F]> {
    let x = x.to_dm::<Cluster, m![S], m![F, B, G]>(&mut ctx.tdma, 0);
    let out: DmTensor<i4, Chip, Cluster, m![S], m![B, G, F]> = ctx
        .main
        .begin(x.view())
        .fetch::<i4, m![F, B], m![G]>()
        .collect::<m![F, B], m![G # 64]>()
        .transpose::<m![B, G], m![F # 64]>()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

// Three of four rows.
#[device(chip = 1)]
fn three_rows(ctx: &mut Context, x: &HbmTensor<f16, Chip, m![S, C, M, E]>) -> HbmTensor<f16, Chip, m![S, C, E, M]> {
    let x = x.to_dm::<Cluster, m![S], m![C, M, E]>(&mut ctx.tdma, 0);
    let out: DmTensor<f16, Chip, Cluster, m![S], m![C, E, M # 4]> = ctx
        .main
        .begin(x.view())
        .fetch::<f16, m![C, M], m![E]>()
        .collect::<m![C, M], m![E # 16]>()
        .transpose::<m![C, E], m![M # 16]>()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

// Behind the Vector Engine.
#[device(chip = 1)]
fn after_vector(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![S, C, B, E]>) -> HbmTensor<i32, Chip, m![S, C, E, B]> {
    let x = x.to_dm::<Cluster, m![S], m![C, B, E]>(&mut ctx.tdma, 0);
    let out: DmTensor<i32, Chip, Cluster, m![S], m![C, E, B]> = ctx
        .main
        .begin(x.view())
        .fetch::<i32, m![C, B], m![E]>()
        .collect::<m![C, B], m![E]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_fxp(FxpBinaryOp::SubFxp, 1)
        .vector_final()
        .transpose::<m![C, E], m![B # 8]>()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

// Padded columns are rows of the result, and may be left out: three of eight stay.
#[device(chip = 1)]
fn trimmed(ctx: &mut Context, x: &HbmTensor<i8, Chip, m![S, D, M # 8]>) -> HbmTensor<i8, Chip, m![S, M, D]> {
    let x = x.to_dm::<Cluster, m![S], m![D, M # 8]>(&mut ctx.tdma, 0);
    let out: DmTensor<i8, Chip, Cluster, m![S], m![M, D]> = ctx
        .main
        .begin(x.view())
        .fetch::<i8, m![D], m![M # 8]>()
        .collect::<m![D], m![M # 32]>()
        .transpose::<m![M], m![D # 32]>()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

// After the Cast Engine the narrow type decides how many rows fit.
#[device(chip = 1)]
fn cast_to_bytes(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![S, C, D, E]>) -> HbmTensor<i8, Chip, m![S, C, E, D]> {
    let x = x.to_dm::<Cluster, m![S], m![C, D, E]>(&mut ctx.tdma, 0);
    let out: DmTensor<i8, Chip, Cluster, m![S], m![C, E, D]> = ctx
        .main
        .begin(x.view())
        .fetch::<i32, m![C, D], m![E]>()
        .collect::<m![C, D], m![E]>()
        .cast::<i8, m![E # 32]>()
        .transpose::<m![C, E], m![D # 32]>()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

// Eight of the sixteen nibbles of a packet that the engine can use.
#[device(chip = 1)]
fn cast_to_nibbles(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![S, C, F, E]>) -> HbmTensor<i4, Chip, m![S, C, E, F]> {
    let x = x.to_dm::<Cluster, m![S], m![C, F, E]>(&mut ctx.tdma, 0);
    let out: DmTensor<i4, Chip, Cluster, m![S], m![C, E, F]> = ctx
        .main
        .begin(x.view())
        .fetch::<i32, m![C, F], m![E]>()
        .collect::<m![C, F], m![E]>()
        .cast::<i4, m![E # 64]>()
        .transpose::<m![C, E], m![F # 64]>()
        .commit(0x8000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn cast_after_vector(
    ctx: &mut Context,
    x: &HbmTensor<f32, Chip, m![S, B, Q, Q2, E]>,
) -> HbmTensor<bf16, Chip, m![S, B, Q2, E, Q]> {
    let x = x.to_dm::<Cluster, m![S], m![B, Q, Q2, E]>(&mut ctx.tdma, 0);
    let out: DmTensor<bf16, Chip, Cluster, m![S], m![B, Q2, E, Q]> = ctx
        .main
        .begin(x.view())
        .fetch::<f32, m![B, Q, Q2], m![E]>()
        .collect::<m![B, Q, Q2], m![E]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_clip(ClipBinaryOpF32::Add, 1.5f32)
        .vector_final()
        .cast::<bf16, m![E # 16]>()
        .transpose::<m![B, Q2, E], m![Q # 16]>()
        .commit(0x8000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

// Sums from the accumulator: a packet has one per row of weights, and after the transpose one per row of the stream.
#[device(chip = 1)]
fn sums(
    ctx: &mut Context,
    x: &HbmTensor<i8, Chip, m![S, C, B, K]>,
    w: &HbmTensor<i8, Chip, m![E, K]>,
) -> HbmTensor<i32, Chip, m![S, C, E, B]> {
    let x = x.to_dm::<Cluster, m![S], m![C, B, K]>(&mut ctx.tdma, 0);
    let w = w.to_dm::<Cluster, m![S], m![E, K]>(&mut ctx.tdma, 0x1000);
    let w: TrfTensor<i8, Chip, Cluster, m![S], m![E], m![K]> = ctx
        .sub
        .begin(w.view())
        .fetch::<i8, m![E], m![K]>()
        .collect::<m![E, K / 32], m![K % 32]>()
        .to_trf(TrfAddress::Full);
    let out: DmTensor<i32, Chip, Cluster, m![S], m![C, E, B]> = ctx
        .main
        .begin(x.view())
        .fetch::<i8, m![C, B], m![K]>()
        .collect::<m![C, B, K / 32], m![K % 32]>()
        .align::<m![C, B], m![K], _, _>(&w)
        .contract::<m![1]>()
        .accumulate::<m![C, B], m![E]>(AccumulationKind::Interleaved)
        .transpose::<m![C, E], m![B # 8]>()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 2 << 28)
}

// The same, with a cast to a narrower type.
#[device(chip = 1)]
fn narrow_sums(
    ctx: &mut Context,
    x: &HbmTensor<i8, Chip, m![S, B, C, K]>,
    w: &HbmTensor<i8, Chip, m![E, K]>,
) -> HbmTensor<i8, Chip, m![S, B, E, C]> {
    let x = x.to_dm::<Cluster, m![S], m![B, C, K]>(&mut ctx.tdma, 0);
    let w = w.to_dm::<Cluster, m![S], m![E, K]>(&mut ctx.tdma, 0x1000);
    let w: TrfTensor<i8, Chip, Cluster, m![S], m![E], m![K]> = ctx
        .sub
        .begin(w.view())
        .fetch::<i8, m![E], m![K]>()
        .collect::<m![E, K / 32], m![K % 32]>()
        .to_trf(TrfAddress::Full);
    let out: DmTensor<i8, Chip, Cluster, m![S], m![B, E, C]> = ctx
        .main
        .begin(x.view())
        .fetch::<i8, m![B, C], m![K]>()
        .collect::<m![B, C, K / 32], m![K % 32]>()
        .align::<m![B, C], m![K], _, _>(&w)
        .contract::<m![1]>()
        .accumulate::<m![B, C], m![E]>(AccumulationKind::Interleaved)
        .cast::<i8, m![E # 32]>()
        .transpose::<m![B, E], m![C # 32]>()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 2 << 28)
}
