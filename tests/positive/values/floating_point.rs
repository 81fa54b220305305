// Float operations whose results are exact, against their definitions.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

const SAMPLES: [f32; 8] = [0.25, 1.0, 2.25, 4.0, 9.0, 0.0625, 1024.0, 16.0];

fn samples() -> HostTensor<f32, m![S, A]> {
    HostTensor::from_buf((0..2048).map(|i| Opt::Init(SAMPLES[i % 8])).collect())
}

fn expected(f: impl Fn(f32) -> f32) -> Vec<Opt<f32>> {
    (0..2048).map(|i| Opt::Init(f(SAMPLES[i % 8]))).collect()
}

#[device(chip = 1)]
fn add(ctx: &mut Context, input: &HbmTensor<f32, m![1], m![S, A]>) -> HbmTensor<f32, m![1], m![S, A]> {
    let dm = input.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0);
    let out = ctx
        .main
        .begin(dm.view())
        .fetch::<f32, m![1], m![A]>()
        .collect::<m![1], m![A]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![A / 4], m![A % 4]>()
        .vector_fp_binary(FpBinaryOp::AddF, 0.25f32)
        .vector_concat::<m![1], m![A]>()
        .vector_final()
        .commit::<m![A]>(0x1000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn subtract_from(ctx: &mut Context, input: &HbmTensor<f32, m![1], m![S, A]>) -> HbmTensor<f32, m![1], m![S, A]> {
    let dm = input.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0);
    let out = ctx
        .main
        .begin(dm.view())
        .fetch::<f32, m![1], m![A]>()
        .collect::<m![1], m![A]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![A / 4], m![A % 4]>()
        .vector_fp_binary_with_mode(FpBinaryOp::SubF, BinaryArgMode::Mode10, 1.0f32)
        .vector_concat::<m![1], m![A]>()
        .vector_final()
        .commit::<m![A]>(0x1000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn multiply(ctx: &mut Context, input: &HbmTensor<f32, m![1], m![S, A]>) -> HbmTensor<f32, m![1], m![S, A]> {
    let dm = input.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0);
    let out = ctx
        .main
        .begin(dm.view())
        .fetch::<f32, m![1], m![A]>()
        .collect::<m![1], m![A]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![A / 4], m![A % 4]>()
        .vector_fp_binary(FpBinaryOp::MulF(FpMulAlu::Mul0), 1.5f32)
        .vector_concat::<m![1], m![A]>()
        .vector_final()
        .commit::<m![A]>(0x1000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn divide(ctx: &mut Context, input: &HbmTensor<f32, m![1], m![S, A]>) -> HbmTensor<f32, m![1], m![S, A]> {
    let dm = input.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0);
    let out = ctx
        .main
        .begin(dm.view())
        .fetch::<f32, m![1], m![A]>()
        .collect::<m![1], m![A]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![A / 4], m![A % 4]>()
        .vector_fp_binary(FpBinaryOp::DivF, 4.0f32)
        .vector_concat::<m![1], m![A]>()
        .vector_final()
        .commit::<m![A]>(0x1000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn divide_late(ctx: &mut Context, input: &HbmTensor<f32, m![1], m![S, A]>) -> HbmTensor<f32, m![1], m![S, A]> {
    let dm = input.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0);
    let out = ctx
        .main
        .begin(dm.view())
        .fetch::<f32, m![1], m![A]>()
        .collect::<m![1], m![A]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![A / 4], m![A % 4]>()
        .vector_fp_div_with_mode(FpDivBinaryOp::DivF, BinaryArgMode::Mode10, 1.0f32)
        .vector_concat::<m![1], m![A]>()
        .vector_final()
        .commit::<m![A]>(0x1000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn fused(ctx: &mut Context, input: &HbmTensor<f32, m![1], m![S, A]>) -> HbmTensor<f32, m![1], m![S, A]> {
    let dm = input.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0);
    let out = ctx
        .main
        .begin(dm.view())
        .fetch::<f32, m![1], m![A]>()
        .collect::<m![1], m![A]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![A / 4], m![A % 4]>()
        .vector_fp_ternary(FpTernaryOp::FmaF, (2.0f32, -1.0f32))
        .vector_concat::<m![1], m![A]>()
        .vector_final()
        .commit::<m![A]>(0x1000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn square_root(ctx: &mut Context, input: &HbmTensor<f32, m![1], m![S, A]>) -> HbmTensor<f32, m![1], m![S, A]> {
    let dm = input.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0);
    let out = ctx
        .main
        .begin(dm.view())
        .fetch::<f32, m![1], m![A]>()
        .collect::<m![1], m![A]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![A / 4], m![A % 4]>()
        .vector_fp_unary(FpUnaryOp::Sqrt)
        .vector_concat::<m![1], m![A]>()
        .vector_final()
        .commit::<m![A]>(0x1000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn clip_low(ctx: &mut Context, input: &HbmTensor<f32, m![1], m![S, A]>) -> HbmTensor<f32, m![1], m![S, A]> {
    let dm = input.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0);
    let out = ctx
        .main
        .begin(dm.view())
        .fetch::<f32, m![1], m![A]>()
        .collect::<m![1], m![A]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_clip(ClipBinaryOpF32::Max, 1.0f32)
        .vector_final()
        .commit::<m![A]>(0x1000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn clip_high(ctx: &mut Context, input: &HbmTensor<f32, m![1], m![S, A]>) -> HbmTensor<f32, m![1], m![S, A]> {
    let dm = input.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0);
    let out = ctx
        .main
        .begin(dm.view())
        .fetch::<f32, m![1], m![A]>()
        .collect::<m![1], m![A]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_clip(ClipBinaryOpF32::Min, 1.0f32)
        .vector_final()
        .commit::<m![A]>(0x1000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn add_late(ctx: &mut Context, input: &HbmTensor<f32, m![1], m![S, A]>) -> HbmTensor<f32, m![1], m![S, A]> {
    let dm = input.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0);
    let out = ctx
        .main
        .begin(dm.view())
        .fetch::<f32, m![1], m![A]>()
        .collect::<m![1], m![A]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_clip(ClipBinaryOpF32::Add, 8.0f32)
        .vector_final()
        .commit::<m![A]>(0x1000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn magnitude(ctx: &mut Context, input: &HbmTensor<f32, m![1], m![S, A]>) -> HbmTensor<f32, m![1], m![S, A]> {
    let dm = input.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0);
    let out = ctx
        .main
        .begin(dm.view())
        .fetch::<f32, m![1], m![A]>()
        .collect::<m![1], m![A]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_clip(ClipBinaryOpF32::AbsMin, 2.0f32)
        .vector_final()
        .commit::<m![A]>(0x1000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[tokio::test]
async fn add_is_right() {
    let mut ctx = Context::acquire();
    let input = samples().to_hbm(&mut ctx.pdma, 0).await;
    let out = launch(add, (&mut *ctx, &input)).await.to_host::<m![S, A]>(&mut ctx.pdma).await;
    assert_eq!(out.to_buf(), expected(|x| x + 0.25));
}

#[tokio::test]
async fn subtract_from_is_right() {
    let mut ctx = Context::acquire();
    let input = samples().to_hbm(&mut ctx.pdma, 0).await;
    let out = launch(subtract_from, (&mut *ctx, &input)).await.to_host::<m![S, A]>(&mut ctx.pdma).await;
    assert_eq!(out.to_buf(), expected(|x| 1.0 - x));
}

#[tokio::test]
async fn multiply_is_right() {
    let mut ctx = Context::acquire();
    let input = samples().to_hbm(&mut ctx.pdma, 0).await;
    let out = launch(multiply, (&mut *ctx, &input)).await.to_host::<m![S, A]>(&mut ctx.pdma).await;
    assert_eq!(out.to_buf(), expected(|x| x * 1.5));
}

#[tokio::test]
async fn divide_is_right() {
    let mut ctx = Context::acquire();
    let input = samples().to_hbm(&mut ctx.pdma, 0).await;
    let out = launch(divide, (&mut *ctx, &input)).await.to_host::<m![S, A]>(&mut ctx.pdma).await;
    assert_eq!(out.to_buf(), expected(|x| x / 4.0));
}

#[tokio::test]
async fn divide_late_is_right() {
    let mut ctx = Context::acquire();
    let input = samples().to_hbm(&mut ctx.pdma, 0).await;
    let out = launch(divide_late, (&mut *ctx, &input)).await.to_host::<m![S, A]>(&mut ctx.pdma).await;
    assert_eq!(out.to_buf(), expected(|x| 1.0 / x));
}

#[tokio::test]
async fn fused_is_right() {
    let mut ctx = Context::acquire();
    let input = samples().to_hbm(&mut ctx.pdma, 0).await;
    let out = launch(fused, (&mut *ctx, &input)).await.to_host::<m![S, A]>(&mut ctx.pdma).await;
    assert_eq!(out.to_buf(), expected(|x| x.mul_add(2.0, -1.0)));
}

#[tokio::test]
async fn square_root_is_right() {
    let mut ctx = Context::acquire();
    let input = samples().to_hbm(&mut ctx.pdma, 0).await;
    let out = launch(square_root, (&mut *ctx, &input)).await.to_host::<m![S, A]>(&mut ctx.pdma).await;
    assert_eq!(out.to_buf(), expected(|x| x.sqrt()));
}

#[tokio::test]
async fn clip_low_is_right() {
    let mut ctx = Context::acquire();
    let input = samples().to_hbm(&mut ctx.pdma, 0).await;
    let out = launch(clip_low, (&mut *ctx, &input)).await.to_host::<m![S, A]>(&mut ctx.pdma).await;
    assert_eq!(out.to_buf(), expected(|x| x.max(1.0)));
}

#[tokio::test]
async fn clip_high_is_right() {
    let mut ctx = Context::acquire();
    let input = samples().to_hbm(&mut ctx.pdma, 0).await;
    let out = launch(clip_high, (&mut *ctx, &input)).await.to_host::<m![S, A]>(&mut ctx.pdma).await;
    assert_eq!(out.to_buf(), expected(|x| x.min(1.0)));
}

#[tokio::test]
async fn add_late_is_right() {
    let mut ctx = Context::acquire();
    let input = samples().to_hbm(&mut ctx.pdma, 0).await;
    let out = launch(add_late, (&mut *ctx, &input)).await.to_host::<m![S, A]>(&mut ctx.pdma).await;
    assert_eq!(out.to_buf(), expected(|x| x + 8.0));
}

#[tokio::test]
async fn magnitude_is_right() {
    let mut ctx = Context::acquire();
    let input = samples().to_hbm(&mut ctx.pdma, 0).await;
    let out = launch(magnitude, (&mut *ctx, &input)).await.to_host::<m![S, A]>(&mut ctx.pdma).await;
    assert_eq!(out.to_buf(), expected(|x| if x.abs() < 2.0 { x } else { 2.0 }));
}
