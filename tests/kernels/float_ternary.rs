//! Fused multiply-add in all argument modes, and the division stage.
use furiosa_visa_std::prelude::*;

axes![N = 8192];

type Chip = m![1];
type Cluster = m![1 # 2];
type Slice = m![N / 32];
type Element = m![N % 32]; // four flits of eight
type Time = m![N / 8 % 4];
type Lanes = m![N % 8];

// x * y + 0.75, rounded once
#[device(chip = 1)]
fn fma_mode012(
    ctx: &mut Context,
    x: &HbmTensor<f32, Chip, m![N]>,
    y: &HbmTensor<f32, Chip, m![N]>,
) -> HbmTensor<f32, Chip, m![N]> {
    let x = x.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0);
    let y = y.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0x1000);
    let y: VrfTensor<f32, Chip, Cluster, Slice, Element> =
        ctx.sub.begin(y.view()).fetch::<f32, Time, Lanes>().collect::<Time, Lanes>().to_vrf(0);
    let out: DmTensor<f32, Chip, Cluster, Slice, Element> = ctx
        .main
        .begin(x.view())
        .fetch::<f32, Time, Lanes>()
        .collect::<Time, Lanes>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![N / 4 % 8], m![N % 4]>()
        .vector_fp_ternary(FpTernaryOp::FmaF, (&y, 0.75f32))
        .vector_concat::<Time, Lanes>()
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 3 << 28)
}

// x * x + 0.75, rounded once
#[device(chip = 1)]
fn fma_mode002(ctx: &mut Context, x: &HbmTensor<f32, Chip, m![N]>) -> HbmTensor<f32, Chip, m![N]> {
    let x = x.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0);
    let out: DmTensor<f32, Chip, Cluster, Slice, Element> = ctx
        .main
        .begin(x.view())
        .fetch::<f32, Time, Lanes>()
        .collect::<Time, Lanes>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![N / 4 % 8], m![N % 4]>()
        .vector_fp_ternary_with_mode(FpTernaryOp::FmaF, TernaryArgMode::Mode002, (2.0f32, 0.75f32))
        .vector_concat::<Time, Lanes>()
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 3 << 28)
}

// y * x + 0.75, rounded once
#[device(chip = 1)]
fn fma_mode102(
    ctx: &mut Context,
    x: &HbmTensor<f32, Chip, m![N]>,
    y: &HbmTensor<f32, Chip, m![N]>,
) -> HbmTensor<f32, Chip, m![N]> {
    let x = x.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0);
    let y = y.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0x1000);
    let y: VrfTensor<f32, Chip, Cluster, Slice, Element> =
        ctx.sub.begin(y.view()).fetch::<f32, Time, Lanes>().collect::<Time, Lanes>().to_vrf(0);
    let out: DmTensor<f32, Chip, Cluster, Slice, Element> = ctx
        .main
        .begin(x.view())
        .fetch::<f32, Time, Lanes>()
        .collect::<Time, Lanes>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![N / 4 % 8], m![N % 4]>()
        .vector_fp_ternary_with_mode(FpTernaryOp::FmaF, TernaryArgMode::Mode102, (&y, 0.75f32))
        .vector_concat::<Time, Lanes>()
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 3 << 28)
}

// y * y + 0.75, rounded once
#[device(chip = 1)]
fn fma_mode112(
    ctx: &mut Context,
    x: &HbmTensor<f32, Chip, m![N]>,
    y: &HbmTensor<f32, Chip, m![N]>,
) -> HbmTensor<f32, Chip, m![N]> {
    let x = x.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0);
    let y = y.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0x1000);
    let y: VrfTensor<f32, Chip, Cluster, Slice, Element> =
        ctx.sub.begin(y.view()).fetch::<f32, Time, Lanes>().collect::<Time, Lanes>().to_vrf(0);
    let out: DmTensor<f32, Chip, Cluster, Slice, Element> = ctx
        .main
        .begin(x.view())
        .fetch::<f32, Time, Lanes>()
        .collect::<Time, Lanes>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![N / 4 % 8], m![N % 4]>()
        .vector_fp_ternary_with_mode(FpTernaryOp::FmaF, TernaryArgMode::Mode112, (&y, 0.75f32))
        .vector_concat::<Time, Lanes>()
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 3 << 28)
}

// x * 0.75 + x, rounded once
#[device(chip = 1)]
fn fma_mode020(ctx: &mut Context, x: &HbmTensor<f32, Chip, m![N]>) -> HbmTensor<f32, Chip, m![N]> {
    let x = x.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0);
    let out: DmTensor<f32, Chip, Cluster, Slice, Element> = ctx
        .main
        .begin(x.view())
        .fetch::<f32, Time, Lanes>()
        .collect::<Time, Lanes>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![N / 4 % 8], m![N % 4]>()
        .vector_fp_ternary_with_mode(FpTernaryOp::FmaF, TernaryArgMode::Mode020, (2.0f32, 0.75f32))
        .vector_concat::<Time, Lanes>()
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 3 << 28)
}

// x * 0.75 + y, rounded once
#[device(chip = 1)]
fn fma_mode021(
    ctx: &mut Context,
    x: &HbmTensor<f32, Chip, m![N]>,
    y: &HbmTensor<f32, Chip, m![N]>,
) -> HbmTensor<f32, Chip, m![N]> {
    let x = x.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0);
    let y = y.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0x1000);
    let y: VrfTensor<f32, Chip, Cluster, Slice, Element> =
        ctx.sub.begin(y.view()).fetch::<f32, Time, Lanes>().collect::<Time, Lanes>().to_vrf(0);
    let out: DmTensor<f32, Chip, Cluster, Slice, Element> = ctx
        .main
        .begin(x.view())
        .fetch::<f32, Time, Lanes>()
        .collect::<Time, Lanes>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![N / 4 % 8], m![N % 4]>()
        .vector_fp_ternary_with_mode(FpTernaryOp::FmaF, TernaryArgMode::Mode021, (&y, 0.75f32))
        .vector_concat::<Time, Lanes>()
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 3 << 28)
}

// y * 0.75 + x, rounded once
#[device(chip = 1)]
fn fma_mode120(
    ctx: &mut Context,
    x: &HbmTensor<f32, Chip, m![N]>,
    y: &HbmTensor<f32, Chip, m![N]>,
) -> HbmTensor<f32, Chip, m![N]> {
    let x = x.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0);
    let y = y.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0x1000);
    let y: VrfTensor<f32, Chip, Cluster, Slice, Element> =
        ctx.sub.begin(y.view()).fetch::<f32, Time, Lanes>().collect::<Time, Lanes>().to_vrf(0);
    let out: DmTensor<f32, Chip, Cluster, Slice, Element> = ctx
        .main
        .begin(x.view())
        .fetch::<f32, Time, Lanes>()
        .collect::<Time, Lanes>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![N / 4 % 8], m![N % 4]>()
        .vector_fp_ternary_with_mode(FpTernaryOp::FmaF, TernaryArgMode::Mode120, (&y, 0.75f32))
        .vector_concat::<Time, Lanes>()
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 3 << 28)
}

// The division stage behind the reduction.
#[device(chip = 1)]
fn late_div(
    ctx: &mut Context,
    x: &HbmTensor<f32, Chip, m![N]>,
    y: &HbmTensor<f32, Chip, m![N]>,
) -> HbmTensor<f32, Chip, m![N]> {
    let x = x.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0);
    let y = y.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0x1000);
    let y: VrfTensor<f32, Chip, Cluster, Slice, Element> =
        ctx.sub.begin(y.view()).fetch::<f32, Time, Lanes>().collect::<Time, Lanes>().to_vrf(0);
    let out: DmTensor<f32, Chip, Cluster, Slice, Element> = ctx
        .main
        .begin(x.view())
        .fetch::<f32, Time, Lanes>()
        .collect::<Time, Lanes>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![N / 4 % 8], m![N % 4]>()
        .vector_fp_div(FpDivBinaryOp::DivF.with_mode(BinaryArgMode::Mode01), &y)
        .vector_concat::<Time, Lanes>()
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 3 << 28)
}

#[device(chip = 1)]
fn late_div_mode00(ctx: &mut Context, x: &HbmTensor<f32, Chip, m![N]>) -> HbmTensor<f32, Chip, m![N]> {
    let x = x.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0);
    let out: DmTensor<f32, Chip, Cluster, Slice, Element> = ctx
        .main
        .begin(x.view())
        .fetch::<f32, Time, Lanes>()
        .collect::<Time, Lanes>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![N / 4 % 8], m![N % 4]>()
        .vector_fp_div_with_mode(FpDivBinaryOp::DivF, BinaryArgMode::Mode00, 3.0f32)
        .vector_concat::<Time, Lanes>()
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 3 << 28)
}

#[device(chip = 1)]
fn late_div_mode10(
    ctx: &mut Context,
    x: &HbmTensor<f32, Chip, m![N]>,
    y: &HbmTensor<f32, Chip, m![N]>,
) -> HbmTensor<f32, Chip, m![N]> {
    let x = x.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0);
    let y = y.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0x1000);
    let y: VrfTensor<f32, Chip, Cluster, Slice, Element> =
        ctx.sub.begin(y.view()).fetch::<f32, Time, Lanes>().collect::<Time, Lanes>().to_vrf(0);
    let out: DmTensor<f32, Chip, Cluster, Slice, Element> = ctx
        .main
        .begin(x.view())
        .fetch::<f32, Time, Lanes>()
        .collect::<Time, Lanes>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![N / 4 % 8], m![N % 4]>()
        .vector_fp_div_with_mode(FpDivBinaryOp::DivF, BinaryArgMode::Mode10, &y)
        .vector_concat::<Time, Lanes>()
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 3 << 28)
}

#[device(chip = 1)]
fn late_div_mode11(
    ctx: &mut Context,
    x: &HbmTensor<f32, Chip, m![N]>,
    y: &HbmTensor<f32, Chip, m![N]>,
) -> HbmTensor<f32, Chip, m![N]> {
    let x = x.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0);
    let y = y.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0x1000);
    let y: VrfTensor<f32, Chip, Cluster, Slice, Element> =
        ctx.sub.begin(y.view()).fetch::<f32, Time, Lanes>().collect::<Time, Lanes>().to_vrf(0);
    let out: DmTensor<f32, Chip, Cluster, Slice, Element> = ctx
        .main
        .begin(x.view())
        .fetch::<f32, Time, Lanes>()
        .collect::<Time, Lanes>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![N / 4 % 8], m![N % 4]>()
        .vector_fp_div_with_mode(FpDivBinaryOp::DivF, BinaryArgMode::Mode11, &y)
        .vector_concat::<Time, Lanes>()
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 3 << 28)
}

// exp(sqrt((x + 1) * 0.5 * 3)): each ALU of the stage once, then the division stage.
#[device(chip = 1)]
fn five_alus(ctx: &mut Context, x: &HbmTensor<f32, Chip, m![N]>) -> HbmTensor<f32, Chip, m![N]> {
    let x = x.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0);
    let out: DmTensor<f32, Chip, Cluster, Slice, Element> = ctx
        .main
        .begin(x.view())
        .fetch::<f32, Time, Lanes>()
        .collect::<Time, Lanes>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![N / 4 % 8], m![N % 4]>()
        .vector_fp_binary(FpBinaryOp::AddF, 1.0f32)
        .vector_fp_binary(FpBinaryOp::MulF(FpMulAlu::Mul0), 0.5f32)
        .vector_fp_binary(FpBinaryOp::MulF(FpMulAlu::Mul1), 3.0f32)
        .vector_fp_unary(FpUnaryOp::Sqrt)
        .vector_fp_unary(FpUnaryOp::NegExp)
        .vector_fp_div(FpDivBinaryOp::DivF.with_mode(BinaryArgMode::Mode10), 1.0f32)
        .vector_concat::<Time, Lanes>()
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 3 << 28)
}
