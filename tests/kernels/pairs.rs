//! What two groups can do before and after they are merged.
use furiosa_visa_std::prelude::*;

axes![N = 8192, I = 2, S = 256, Q = 4, M = 3];

type Chip = m![1];
type Cluster = m![1 # 2];
type Slice = m![N / 32];
type Element = m![N % 32]; // four flits of eight
type Time = m![N / 8 % 4];
type Lanes = m![N % 8];

#[device(chip = 1)]
fn float_logic_zip(
    ctx: &mut Context,
    x: &HbmTensor<f32, Chip, m![N]>,
    y: &HbmTensor<f32, Chip, m![N]>,
) -> HbmTensor<f32, Chip, m![N]> {
    let x = x.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0);
    let y = y.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0x1000);
    let out: DmTensor<f32, Chip, Cluster, Slice, Element> = ctx
        .main
        .begin_interleaved::<I, _, _, _, _, _>(x.view(), y.view())
        .fetch::<f32, m![{ Time }, I], Lanes>()
        .collect::<m![{ Time }, I], Lanes>()
        .vector_init()
        .vector_intra_slice_unzip::<I, m![{ Time }, 1 # 2], Time>()
        .vector_logic_zip(LogicBinaryOpF32::BitOr)
        .vector_clip(ClipBinaryOpF32::Min, 3.0f32)
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 4 << 28)
}

#[device(chip = 1)]
fn float_clip_zip(
    ctx: &mut Context,
    x: &HbmTensor<f32, Chip, m![N]>,
    y: &HbmTensor<f32, Chip, m![N]>,
) -> HbmTensor<f32, Chip, m![N]> {
    let x = x.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0);
    let y = y.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0x1000);
    let out: DmTensor<f32, Chip, Cluster, Slice, Element> = ctx
        .main
        .begin_interleaved::<I, _, _, _, _, _>(x.view(), y.view())
        .fetch::<f32, m![{ Time }, I], Lanes>()
        .collect::<m![{ Time }, I], Lanes>()
        .vector_init()
        .vector_intra_slice_unzip::<I, m![{ Time }, 1 # 2], Time>()
        .vector_clip_zip(ClipBinaryOpF32::Add)
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 4 << 28)
}

// 10x + y: the second group is skipped.
#[device(chip = 1)]
fn one_side(
    ctx: &mut Context,
    x: &HbmTensor<i32, Chip, m![N]>,
    y: &HbmTensor<i32, Chip, m![N]>,
) -> HbmTensor<i32, Chip, m![N]> {
    let x = x.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0);
    let y = y.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0x1000);
    let out: DmTensor<i32, Chip, Cluster, Slice, Element> = ctx
        .main
        .begin_interleaved::<I, _, _, _, _, _>(x.view(), y.view())
        .fetch::<i32, m![{ Time }, I], Lanes>()
        .collect::<m![{ Time }, I], Lanes>()
        .vector_init()
        .vector_intra_slice_unzip::<I, m![{ Time }, 1 # 2], Time>()
        .vector_fxp(FxpBinaryOp::MulInt, 10, ())
        .vector_clip_zip(ClipBinaryOpI32::AddFxp)
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 4 << 28)
}

// (7 - (x & 65535)) * (z - (y & 255)), then at most 2^20
#[device(chip = 1)]
fn two_sides(
    ctx: &mut Context,
    x: &HbmTensor<i32, Chip, m![N]>,
    y: &HbmTensor<i32, Chip, m![N]>,
    z: &HbmTensor<i32, Chip, m![N]>,
) -> HbmTensor<i32, Chip, m![N]> {
    let x = x.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0);
    let y = y.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0x1000);
    let z = z.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0x2000);
    let z: VrfTensor<i32, Chip, Cluster, Slice, Element> =
        ctx.sub.begin(z.view()).fetch::<i32, Time, Lanes>().collect::<Time, Lanes>().to_vrf(0);
    let out: DmTensor<i32, Chip, Cluster, Slice, Element> = ctx
        .main
        .begin_interleaved::<I, _, _, _, _, _>(x.view(), y.view())
        .fetch::<i32, m![{ Time }, I], Lanes>()
        .collect::<m![{ Time }, I], Lanes>()
        .vector_init()
        .vector_intra_slice_unzip::<I, m![{ Time }, 1 # 2], Time>()
        .vector_logic(LogicBinaryOpI32::BitAnd, 0xffff, 0xff)
        .vector_fxp_with_mode(FxpBinaryOp::SubFxp, BinaryArgMode::Mode10, 7, &z)
        .vector_fxp_zip(FxpBinaryOp::MulInt)
        .vector_clip(ClipBinaryOpI32::Min, 1 << 20)
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 4 << 28)
}

// exp(x) * (y / 2)
#[device(chip = 1)]
fn float_sides(
    ctx: &mut Context,
    x: &HbmTensor<f32, Chip, m![N]>,
    y: &HbmTensor<f32, Chip, m![N]>,
) -> HbmTensor<f32, Chip, m![N]> {
    let x = x.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0);
    let y = y.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0x1000);
    let out: DmTensor<f32, Chip, Cluster, Slice, Element> = ctx
        .main
        .begin_interleaved::<I, _, _, _, _, _>(x.view(), y.view())
        .fetch::<f32, m![{ Time }, I], Lanes>()
        .collect::<m![{ Time }, I], Lanes>()
        .vector_init()
        .vector_intra_slice_unzip::<I, m![{ Time }, 1 # 2], Time>()
        .vector_split::<m![N / 4 % 8], m![N % 4]>()
        .vector_fp_unary(FpUnaryOp::Exp, true, false)
        .vector_fp_binary(FpBinaryOp::MulF(FpMulAlu::Mul1), (), 0.5f32)
        .vector_fp_zip(FpBinaryOp::MulF(FpMulAlu::Mul0))
        .vector_concat::<Time, Lanes>()
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 4 << 28)
}

// (y * z - 1) / (2x + 1)
#[device(chip = 1)]
fn ternary_sides(
    ctx: &mut Context,
    x: &HbmTensor<f32, Chip, m![N]>,
    y: &HbmTensor<f32, Chip, m![N]>,
    z: &HbmTensor<f32, Chip, m![N]>,
) -> HbmTensor<f32, Chip, m![N]> {
    let x = x.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0);
    let y = y.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0x1000);
    let z = z.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0x2000);
    let z: VrfTensor<f32, Chip, Cluster, Slice, Element> =
        ctx.sub.begin(z.view()).fetch::<f32, Time, Lanes>().collect::<Time, Lanes>().to_vrf(0);
    let out: DmTensor<f32, Chip, Cluster, Slice, Element> = ctx
        .main
        .begin_interleaved::<I, _, _, _, _, _>(x.view(), y.view())
        .fetch::<f32, m![{ Time }, I], Lanes>()
        .collect::<m![{ Time }, I], Lanes>()
        .vector_init()
        .vector_intra_slice_unzip::<I, m![{ Time }, 1 # 2], Time>()
        .vector_split::<m![N / 4 % 8], m![N % 4]>()
        .vector_fp_ternary(FpTernaryOp::FmaF, (2.0f32, 1.0f32), (&z, -1.0f32))
        .vector_fp_zip_with_mode(FpBinaryOp::DivF, BinaryArgMode::Mode10)
        .vector_concat::<Time, Lanes>()
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 4 << 28)
}

// max(x / 3, y)
#[device(chip = 1)]
fn division_late(
    ctx: &mut Context,
    x: &HbmTensor<f32, Chip, m![N]>,
    y: &HbmTensor<f32, Chip, m![N]>,
) -> HbmTensor<f32, Chip, m![N]> {
    let x = x.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0);
    let y = y.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0x1000);
    let out: DmTensor<f32, Chip, Cluster, Slice, Element> = ctx
        .main
        .begin_interleaved::<I, _, _, _, _, _>(x.view(), y.view())
        .fetch::<f32, m![{ Time }, I], Lanes>()
        .collect::<m![{ Time }, I], Lanes>()
        .vector_init()
        .vector_intra_slice_unzip::<I, m![{ Time }, 1 # 2], Time>()
        .vector_split::<m![N / 4 % 8], m![N % 4]>()
        .vector_fp_div(FpDivBinaryOp::DivF, 3.0f32, ())
        .vector_concat::<Time, Lanes>()
        .vector_clip_zip(ClipBinaryOpF32::Max)
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 4 << 28)
}

// round(x / 1000) + max(round(y / 500), 0)
#[device(chip = 1)]
fn converted(
    ctx: &mut Context,
    x: &HbmTensor<i32, Chip, m![N]>,
    y: &HbmTensor<i32, Chip, m![N]>,
) -> HbmTensor<i32, Chip, m![N]> {
    let x = x.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0);
    let y = y.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0x1000);
    let out: DmTensor<i32, Chip, Cluster, Slice, Element> = ctx
        .main
        .begin_interleaved::<I, _, _, _, _, _>(x.view(), y.view())
        .fetch::<i32, m![{ Time }, I], Lanes>()
        .collect::<m![{ Time }, I], Lanes>()
        .vector_init()
        .vector_intra_slice_unzip::<I, m![{ Time }, 1 # 2], Time>()
        .vector_fxp_to_fp(31)
        .vector_split::<m![N / 4 % 8], m![N % 4]>()
        .vector_fp_binary(FpBinaryOp::MulF(FpMulAlu::Mul0), 0.001f32, 0.002f32)
        .vector_concat::<Time, Lanes>()
        .vector_fp_to_fxp(31)
        .vector_clip(ClipBinaryOpI32::Max, (), 0)
        .vector_clip_zip(ClipBinaryOpI32::AddFxpSat)
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 4 << 28)
}

// (1 - x) / (4 - y)
#[device(chip = 1)]
fn mode_of_a_side(
    ctx: &mut Context,
    x: &HbmTensor<f32, Chip, m![N]>,
    y: &HbmTensor<f32, Chip, m![N]>,
) -> HbmTensor<f32, Chip, m![N]> {
    let x = x.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0);
    let y = y.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0x1000);
    let out: DmTensor<f32, Chip, Cluster, Slice, Element> = ctx
        .main
        .begin_interleaved::<I, _, _, _, _, _>(x.view(), y.view())
        .fetch::<f32, m![{ Time }, I], Lanes>()
        .collect::<m![{ Time }, I], Lanes>()
        .vector_init()
        .vector_intra_slice_unzip::<I, m![{ Time }, 1 # 2], Time>()
        .vector_split::<m![N / 4 % 8], m![N % 4]>()
        .vector_fp_binary_with_mode(FpBinaryOp::SubF, BinaryArgMode::Mode10, 1.0f32, 4.0f32)
        .vector_fp_zip(FpBinaryOp::DivF)
        .vector_concat::<Time, Lanes>()
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 4 << 28)
}

// max(((x ^ y) + 1) >> 1, -5)
#[device(chip = 1)]
fn work_after_zip(
    ctx: &mut Context,
    x: &HbmTensor<i32, Chip, m![N]>,
    y: &HbmTensor<i32, Chip, m![N]>,
) -> HbmTensor<i32, Chip, m![N]> {
    let x = x.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0);
    let y = y.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0x1000);
    let out: DmTensor<i32, Chip, Cluster, Slice, Element> = ctx
        .main
        .begin_interleaved::<I, _, _, _, _, _>(x.view(), y.view())
        .fetch::<i32, m![{ Time }, I], Lanes>()
        .collect::<m![{ Time }, I], Lanes>()
        .vector_init()
        .vector_intra_slice_unzip::<I, m![{ Time }, 1 # 2], Time>()
        .vector_logic_zip(LogicBinaryOpI32::BitXor)
        .vector_fxp(FxpBinaryOp::AddFxp, 1)
        .vector_fxp(FxpBinaryOp::ArithRightShift, 1)
        .vector_clip(ClipBinaryOpI32::Max, -5)
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 4 << 28)
}

// Three of eight lanes hold data: both groups are trimmed to four.
#[device(chip = 1)]
fn trimmed(
    ctx: &mut Context,
    x: &HbmTensor<f32, Chip, m![S, Q, M # 4]>,
    y: &HbmTensor<f32, Chip, m![S, Q, M # 4]>,
) -> HbmTensor<f32, Chip, m![S, Q, M]> {
    let x = x.to_dm::<Cluster, m![S], m![Q, M # 4]>(&mut ctx.tdma, 0);
    let y = y.to_dm::<Cluster, m![S], m![Q, M # 4]>(&mut ctx.tdma, 0x1000);
    let out: DmTensor<f32, Chip, Cluster, m![S], m![Q, M # 4]> = ctx
        .main
        .begin_interleaved::<I, _, _, _, _, _>(x.view(), y.view())
        .fetch::<f32, m![Q, I], m![M # 4]>()
        .collect::<m![Q, I], m![M # 8]>()
        .vector_init()
        .vector_intra_slice_unzip::<I, m![Q, 1 # 2], m![Q]>()
        .vector_trim_way4::<m![M # 4]>()
        .vector_fp_unary(FpUnaryOp::Exp, true, false)
        .vector_fp_zip(FpBinaryOp::MulF(FpMulAlu::Mul0))
        .vector_pad_way8::<m![M # 8]>()
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 4 << 28)
}
