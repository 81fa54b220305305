//! Kernels of several passes: results that become operands, registers that are used again, loops over tiles.
use furiosa_visa_std::prelude::*;

axes![S = 256, R = 64, Q = 4, A = 8, K = 64, N = 32, M = 4, T = 8];

type Chip = m![1];
type Cluster = m![1 # 2];
type Slice = m![S];

// The softmax of every row, in three passes: the largest value, the sum of exponentials, the quotient.
#[device(chip = 1)]
fn softmax(ctx: &mut Context, x: &HbmTensor<f32, Chip, m![S, R]>) -> HbmTensor<f32, Chip, m![S, R]> {
    let x = x.to_dm::<Cluster, Slice, m![R]>(&mut ctx.tdma, 0);
    let largest: VrfTensor<f32, Chip, Cluster, Slice, m![1 # 8]> = ctx
        .main
        .begin(x.view())
        .fetch::<f32, m![R / 8], m![R % 8]>()
        .collect::<m![R / 8], m![R % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![R / 4], m![R % 4]>()
        .vector_intra_slice_reduce::<R, m![1], m![1 # 4]>(IntraSliceReduceOpF32::Max)
        .vector_pad_way8::<m![1 # 8]>()
        .vector_final()
        .to_vrf(0);
    let powers: DmTensor<f32, Chip, Cluster, Slice, m![R]> = ctx
        .main
        .begin(x.view())
        .fetch::<f32, m![R / 8], m![R % 8]>()
        .collect::<m![R / 8], m![R % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![R / 4], m![R % 4]>()
        .vector_fp_binary(FpBinaryOp::SubF, &largest)
        .vector_fp_unary(FpUnaryOp::Exp)
        .vector_concat::<m![R / 8], m![R % 8]>()
        .vector_final()
        .commit(0x1000);
    let total: VrfTensor<f32, Chip, Cluster, Slice, m![1 # 8]> = ctx
        .main
        .begin(powers.view())
        .fetch::<f32, m![R / 8], m![R % 8]>()
        .collect::<m![R / 8], m![R % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![R / 4], m![R % 4]>()
        .vector_intra_slice_reduce::<R, m![1], m![1 # 4]>(IntraSliceReduceOpF32::Add)
        .vector_pad_way8::<m![1 # 8]>()
        .vector_final()
        .to_vrf(0x20);
    let out: DmTensor<f32, Chip, Cluster, Slice, m![R]> = ctx
        .main
        .begin(powers.view())
        .fetch::<f32, m![R / 8], m![R % 8]>()
        .collect::<m![R / 8], m![R % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![R / 4], m![R % 4]>()
        .vector_fp_div(FpDivBinaryOp::DivF.with_mode(BinaryArgMode::Mode01), &total)
        .vector_concat::<m![R / 8], m![R % 8]>()
        .vector_final()
        .commit(0x2000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

// The same weights meet two streams; the first product is bent by a ReLU and becomes the second stream.
#[device(chip = 1)]
fn two_layers(
    ctx: &mut Context,
    x: &HbmTensor<i8, Chip, m![S, M, K]>,
    w: &HbmTensor<i8, Chip, m![T, K]>,
    v: &HbmTensor<i8, Chip, m![A, T]>,
) -> HbmTensor<i32, Chip, m![S, M, A]> {
    let x = x.to_dm::<Cluster, Slice, m![M, K]>(&mut ctx.tdma, 0);
    let w = w.to_dm::<Cluster, Slice, m![T, K]>(&mut ctx.tdma, 0x1000);
    let v = v.to_dm::<Cluster, Slice, m![A, T]>(&mut ctx.tdma, 0x2000);
    let w: TrfTensor<i8, Chip, Cluster, Slice, m![T], m![K]> = ctx
        .sub
        .begin(w.view())
        .fetch::<i8, m![T], m![K]>()
        .collect::<m![T, K / 32], m![K % 32]>()
        .to_trf(TrfAddress::FirstHalf);
    let v: TrfTensor<i8, Chip, Cluster, Slice, m![A], m![T # 32]> = ctx
        .sub
        .begin(v.view())
        .fetch::<i8, m![A], m![T]>()
        .collect::<m![A], m![T # 32]>()
        .to_trf(TrfAddress::SecondHalf);
    let hidden: DmTensor<i8, Chip, Cluster, Slice, m![M, T]> = ctx
        .main
        .begin(x.view())
        .fetch::<i8, m![M], m![K]>()
        .collect::<m![M, K / 32], m![K % 32]>()
        .align::<m![M], m![K], _, _>(&w)
        .contract::<m![1]>()
        .accumulate::<m![M], m![T]>(AccumulationKind::Interleaved)
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_fxp(FxpBinaryOp::ArithRightShift, 8)
        .vector_clip(ClipBinaryOpI32::Max, 0)
        .vector_clip(ClipBinaryOpI32::Min, 127)
        .vector_final()
        .cast::<i8, m![T # 32]>()
        .commit(0x3000);
    let out: DmTensor<i32, Chip, Cluster, Slice, m![M, A]> = ctx
        .main
        .begin(hidden.view())
        .fetch::<i8, m![M], m![T]>()
        .collect::<m![M], m![T # 32]>()
        .align::<m![M], m![T # 64], _, _>(&v)
        .contract::<m![1]>()
        .accumulate::<m![M], m![A]>(AccumulationKind::Interleaved)
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 3 << 28)
}

// 32 outputs in four loads of eight rows; the halves of the register file take turns.
#[device(chip = 1)]
fn weights_in_turns(
    ctx: &mut Context,
    x: &HbmTensor<bf16, Chip, m![S, M, K]>,
    w: &HbmTensor<bf16, Chip, m![N, K]>,
) -> HbmTensor<f32, Chip, m![S, N / 8, M, N % 8]> {
    let x = x.to_dm::<Cluster, Slice, m![M, K]>(&mut ctx.tdma, 0);
    let w = w.to_dm::<Cluster, Slice, m![N, K]>(&mut ctx.tdma, 0x1000);
    let mut out: DmTensor<f32, Chip, Cluster, Slice, m![N / 8, M, N % 8]> = unsafe { DmTensor::from_addr(0x4000) };
    for j in 0..4 {
        let rows: TrfTensor<bf16, Chip, Cluster, Slice, m![N % 8], m![K]> = ctx
            .sub
            .begin(w.view().tile::<m![N / 8], 1, m![1 # 4, N % 8, K]>(j))
            .fetch::<bf16, m![N % 8], m![K]>()
            .collect::<m![N % 8, K / 16], m![K % 16]>()
            .to_trf(if j % 2 == 0 { TrfAddress::FirstHalf } else { TrfAddress::SecondHalf });
        ctx.main
            .begin(x.view())
            .fetch::<bf16, m![M], m![K]>()
            .collect::<m![M, K / 16], m![K % 16]>()
            .align::<m![M, K / 32], m![K % 32], _, _>(&rows)
            .contract::<m![1]>()
            .accumulate::<m![M], m![N % 8]>(AccumulationKind::Interleaved)
            .commit_view(out.view_mut().tile::<m![N / 8], 1, m![1 # 4, M, N % 8]>(j));
    }
    out.to_hbm(&mut ctx.tdma, 2 << 28)
}

// One register tensor serves two passes, and two axes that it lacks.
#[device(chip = 1)]
fn operand_again(
    ctx: &mut Context,
    x: &HbmTensor<i32, Chip, m![S, Q, M, A]>,
    y: &HbmTensor<i32, Chip, m![M, A]>,
    product: &mut HbmTensor<i32, Chip, m![S, Q, M, A]>,
) -> HbmTensor<i32, Chip, m![S, Q, M, A]> {
    let x = x.to_dm::<Cluster, Slice, m![Q, M, A]>(&mut ctx.tdma, 0);
    let y = y.to_dm::<Cluster, Slice, m![M, A]>(&mut ctx.tdma, 0x1000);
    let y: VrfTensor<i32, Chip, Cluster, Slice, m![M, A]> =
        ctx.sub.begin(y.view()).fetch::<i32, m![M], m![A]>().collect::<m![M], m![A]>().to_vrf(0);
    let sums: DmTensor<i32, Chip, Cluster, Slice, m![Q, M, A]> = ctx
        .main
        .begin(x.view())
        .fetch::<i32, m![Q, M], m![A]>()
        .collect::<m![Q, M], m![A]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_fxp(FxpBinaryOp::AddFxp, &y)
        .vector_final()
        .commit(0x2000);
    let products: DmTensor<i32, Chip, Cluster, Slice, m![Q, M, A]> = ctx
        .main
        .begin(x.view())
        .fetch::<i32, m![M, Q], m![A]>() // another order of time
        .collect::<m![M, Q], m![A]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_fxp(FxpBinaryOp::MulInt, &y)
        .vector_final()
        .commit(0x4000);
    products.view().to_hbm_view(&mut ctx.tdma, product.view_mut());
    sums.to_hbm(&mut ctx.tdma, 2 << 28)
}

// Two results at once.
#[device(chip = 1)]
fn two_results(
    ctx: &mut Context,
    x: &HbmTensor<i32, Chip, m![S, A]>,
) -> (HbmTensor<i32, Chip, m![S, A]>, HbmTensor<i8, Chip, m![A, S]>) {
    let x = x.to_dm::<Cluster, Slice, m![A]>(&mut ctx.tdma, 0);
    let wide: DmTensor<i32, Chip, Cluster, Slice, m![A]> = ctx
        .main
        .begin(x.view())
        .fetch::<i32, m![1], m![A]>()
        .collect::<m![1], m![A]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_fxp(FxpBinaryOp::ArithRightShift, 1)
        .vector_final()
        .commit(0x1000);
    let small: DmTensor<i8, Chip, Cluster, Slice, m![A]> = ctx
        .main
        .begin(x.view())
        .fetch::<i32, m![1], m![A]>()
        .collect::<m![1], m![A]>()
        .cast::<i8, m![A # 32]>()
        .commit(0x2000);
    let wide = wide.to_hbm(&mut ctx.tdma, 1 << 28);
    (wide, small.to_hbm(&mut ctx.tdma, 2 << 28))
}

// The running sum of four rows: each pass adds a row to the result of the one before, in a place of its own.
#[device(chip = 1)]
fn running_sum(ctx: &mut Context, x: &HbmTensor<f32, Chip, m![S, Q, A]>) -> HbmTensor<f32, Chip, m![S, Q, A]> {
    let mut dm = x.to_dm::<Cluster, Slice, m![Q, A]>(&mut ctx.tdma, 0);
    for i in 1..4 {
        let before: VrfTensor<f32, Chip, Cluster, Slice, m![A]> = ctx
            .sub
            .begin(dm.view().tile::<m![Q], 1, m![1 # 4, A]>(i - 1))
            .fetch::<f32, m![1], m![A]>()
            .collect::<m![1], m![A]>()
            .to_vrf(0);
        let sum: DmTensor<f32, Chip, Cluster, Slice, m![A]> = ctx
            .main
            .begin(dm.view().tile::<m![Q], 1, m![1 # 4, A]>(i))
            .fetch::<f32, m![1], m![A]>()
            .collect::<m![1], m![A]>()
            .vector_init()
            .vector_intra_slice_branch(BranchMode::Unconditional)
            .vector_clip(ClipBinaryOpF32::Add, &before)
            .vector_final()
            .commit(0x1000);
        sum.view().to_dm_view(&mut ctx.tdma, dm.view_mut().tile::<m![Q], 1, m![1 # 4, A]>(i));
    }
    dm.to_hbm(&mut ctx.tdma, 1 << 28)
}

// Layer normalisation over 64 values: mean, variance, and the two applied with a scale and a shift for each value.
#[device(chip = 1)]
fn layer_norm(
    ctx: &mut Context,
    x: &HbmTensor<bf16, Chip, m![S, R]>,
    scale: &HbmTensor<f32, Chip, m![R]>,
    shift: &HbmTensor<f32, Chip, m![R]>,
) -> HbmTensor<bf16, Chip, m![S, R]> {
    let x = x.to_dm::<Cluster, Slice, m![R]>(&mut ctx.tdma, 0);
    let scale = scale.to_dm::<Cluster, Slice, m![R]>(&mut ctx.tdma, 0x1000);
    let shift = shift.to_dm::<Cluster, Slice, m![R]>(&mut ctx.tdma, 0x2000);
    let scale: VrfTensor<f32, Chip, Cluster, Slice, m![R]> =
        ctx.sub.begin(scale.view()).fetch::<f32, m![R / 8], m![R % 8]>().collect::<m![R / 8], m![R % 8]>().to_vrf(0x100);
    let shift: VrfTensor<f32, Chip, Cluster, Slice, m![R]> =
        ctx.sub.begin(shift.view()).fetch::<f32, m![R / 8], m![R % 8]>().collect::<m![R / 8], m![R % 8]>().to_vrf(0x200);
    let mean: VrfTensor<f32, Chip, Cluster, Slice, m![1 # 8]> = ctx
        .main
        .begin(x.view())
        .fetch::<f32, m![R / 8], m![R % 8]>()
        .collect::<m![R / 8], m![R % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![R / 4], m![R % 4]>()
        .vector_intra_slice_reduce::<R, m![1], m![1 # 4]>(IntraSliceReduceOpF32::Add)
        .vector_fp_div(FpDivBinaryOp::DivF.with_mode(BinaryArgMode::Mode01), 64.0f32)
        .vector_pad_way8::<m![1 # 8]>()
        .vector_final()
        .to_vrf(0);
    let centred: DmTensor<f32, Chip, Cluster, Slice, m![R]> = ctx
        .main
        .begin(x.view())
        .fetch::<f32, m![R / 8], m![R % 8]>()
        .collect::<m![R / 8], m![R % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![R / 4], m![R % 4]>()
        .vector_fp_binary(FpBinaryOp::SubF, &mean)
        .vector_concat::<m![R / 8], m![R % 8]>()
        .vector_final()
        .commit(0x3000);
    let variance: DmTensor<f32, Chip, Cluster, Slice, m![1 # 2]> = ctx
        .main
        .begin(centred.view())
        .fetch::<f32, m![R / 8], m![R % 8]>()
        .collect::<m![R / 8], m![R % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![R / 4], m![R % 4]>()
        .vector_fp_binary_with_mode(FpBinaryOp::MulF(FpMulAlu::Mul0), BinaryArgMode::Mode00, 1.0f32)
        .vector_intra_slice_reduce::<R, m![1], m![1 # 4]>(IntraSliceReduceOpF32::Add)
        .vector_fp_div(FpDivBinaryOp::DivF.with_mode(BinaryArgMode::Mode01), 64.0f32)
        .vector_pad_way8::<m![1 # 8]>()
        .vector_final()
        .commit(0x4000);
    let deviation: VrfTensor<f32, Chip, Cluster, Slice, m![1 # 8]> = ctx
        .main
        .begin(variance.view())
        .fetch::<f32, m![1], m![1 # 2]>()
        .collect::<m![1], m![1 # 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_trim_way4::<m![1 # 4]>()
        .vector_fp_binary(FpBinaryOp::AddF, 0.00001f32)
        .vector_fp_unary(FpUnaryOp::Sqrt)
        .vector_pad_way8::<m![1 # 8]>()
        .vector_final()
        .to_vrf(0x20);
    let out: DmTensor<bf16, Chip, Cluster, Slice, m![R]> = ctx
        .main
        .begin(centred.view())
        .fetch::<f32, m![R / 8], m![R % 8]>()
        .collect::<m![R / 8], m![R % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![R / 4], m![R % 4]>()
        .vector_fp_binary(FpBinaryOp::MulF(FpMulAlu::Mul0), &scale)
        .vector_fp_div(FpDivBinaryOp::DivF.with_mode(BinaryArgMode::Mode01), &deviation)
        .vector_concat::<m![R / 8], m![R % 8]>()
        .vector_clip(ClipBinaryOpF32::Add, &shift)
        .vector_final()
        .cast::<bf16, m![R % 8 # 16]>()
        .commit(0x5000);
    out.to_hbm(&mut ctx.tdma, 3 << 28)
}
