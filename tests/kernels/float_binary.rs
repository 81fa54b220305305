//! Every binary operator of the float stage with all argument modes; the three multipliers.
use furiosa_visa_std::prelude::*;

axes![N = 8192];

type Chip = m![1];
type Cluster = m![1 # 2];
type Slice = m![N / 32];
type Element = m![N % 32]; // four flits of eight
type Time = m![N / 8 % 4];
type Lanes = m![N % 8];

#[device(chip = 1)]
fn add(
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
        .vector_fp_binary(FpBinaryOp::AddF, &y)
        .vector_concat::<Time, Lanes>()
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 3 << 28)
}

#[device(chip = 1)]
fn sub(
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
        .vector_fp_binary(FpBinaryOp::SubF, &y)
        .vector_concat::<Time, Lanes>()
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 3 << 28)
}

#[device(chip = 1)]
fn mul0(
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
        .vector_fp_binary(FpBinaryOp::MulF(FpMulAlu::Mul0), &y)
        .vector_concat::<Time, Lanes>()
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 3 << 28)
}

#[device(chip = 1)]
fn mul1(
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
        .vector_fp_binary(FpBinaryOp::MulF(FpMulAlu::Mul1), &y)
        .vector_concat::<Time, Lanes>()
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 3 << 28)
}

#[device(chip = 1)]
fn mul_fma(
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
        .vector_fp_binary(FpBinaryOp::MulF(FpMulAlu::Fma), &y)
        .vector_concat::<Time, Lanes>()
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 3 << 28)
}

#[device(chip = 1)]
fn div(
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
        .vector_fp_binary(FpBinaryOp::DivF, &y)
        .vector_concat::<Time, Lanes>()
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 3 << 28)
}

// x / x
#[device(chip = 1)]
fn div_mode00(ctx: &mut Context, x: &HbmTensor<f32, Chip, m![N]>) -> HbmTensor<f32, Chip, m![N]> {
    let x = x.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0);
    let out: DmTensor<f32, Chip, Cluster, Slice, Element> = ctx
        .main
        .begin(x.view())
        .fetch::<f32, Time, Lanes>()
        .collect::<Time, Lanes>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![N / 4 % 8], m![N % 4]>()
        .vector_fp_binary_with_mode(FpBinaryOp::DivF, BinaryArgMode::Mode00, 3.0f32)
        .vector_concat::<Time, Lanes>()
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 3 << 28)
}

// y / x
#[device(chip = 1)]
fn div_mode10(
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
        .vector_fp_binary_with_mode(FpBinaryOp::DivF, BinaryArgMode::Mode10, &y)
        .vector_concat::<Time, Lanes>()
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 3 << 28)
}

// y / y
#[device(chip = 1)]
fn div_mode11(
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
        .vector_fp_binary_with_mode(FpBinaryOp::DivF, BinaryArgMode::Mode11, &y)
        .vector_concat::<Time, Lanes>()
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 3 << 28)
}
