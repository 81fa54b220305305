// A stash read after narrowing and widening, and two interleaved tensors merged after separate preparation.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8, I = 2];

type Cluster = m![1 # 2];

#[device(chip = 1)]
fn residual(ctx: &mut Context, input: &HbmTensor<f32, m![1], m![S, A]>) -> HbmTensor<f32, m![1], m![S, A]> {
    let dm = input.to_dm::<Cluster, m![S], m![A]>(&mut ctx.tdma, 0);
    let out = ctx
        .main
        .begin(dm.view())
        .fetch::<f32, m![1], m![A]>()
        .collect::<m![1], m![A]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_stash()
        .vector_split::<m![A / 4], m![A % 4]>()
        .vector_fp_binary(FpBinaryOp::MulF(FpMulAlu::Mul0), 0.5f32)
        .vector_concat::<m![1], m![A]>()
        .vector_clip(ClipBinaryOpF32::Add, Stash)
        .vector_final()
        .commit::<m![A]>(0x1000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn weighted(
    ctx: &mut Context,
    x: &HbmTensor<i32, m![1], m![S, A]>,
    y: &HbmTensor<i32, m![1], m![S, A]>,
) -> HbmTensor<i32, m![1], m![S, A]> {
    let x = x.to_dm::<Cluster, m![S], m![A]>(&mut ctx.tdma, 0);
    let y = y.to_dm::<Cluster, m![S], m![A]>(&mut ctx.tdma, 0x1000);
    let out = ctx
        .main
        .begin_interleaved::<I, _, _, _, _, _>(x.view(), y.view())
        .fetch::<i32, m![I], m![A]>()
        .collect::<m![I], m![A]>()
        .vector_init()
        .vector_intra_slice_unzip::<I, m![1 # 2], m![1]>()
        .vector_fxp(FxpBinaryOp::MulInt, 3, 5)
        .vector_fxp_zip_with_mode(FxpBinaryOp::SubFxp, BinaryArgMode::Mode10)
        .vector_final()
        .commit::<m![A]>(0x2000);
    out.to_hbm(&mut ctx.tdma, 2 << 28)
}

#[tokio::test]
async fn one_and_a_half_times() {
    let mut ctx = Context::acquire();
    let host = HostTensor::<f32, m![S, A]>::from_buf((0..2048).map(|x| Opt::Init(x as f32)).collect());
    let hbm = host.to_hbm(&mut ctx.pdma, 0).await;
    let out = launch(residual, (&mut *ctx, &hbm)).await.to_host::<m![S, A]>(&mut ctx.pdma).await;
    assert_eq!(out.to_buf(), (0..2048).map(|x| Opt::Init(x as f32 * 1.5)).collect::<Vec<_>>());
}

#[tokio::test]
async fn five_y_minus_three_x() {
    let mut ctx = Context::acquire();
    let x = HostTensor::<i32, m![S, A]>::from_buf((0..2048).map(Opt::Init).collect());
    let y = HostTensor::<i32, m![S, A]>::from_buf((0..2048).map(|v| Opt::Init(1000 - v)).collect());
    let x_hbm = x.to_hbm(&mut ctx.pdma, 0 << 28).await;
    let y_hbm = y.to_hbm(&mut ctx.pdma, 1 << 28).await;
    let out = launch(weighted, (&mut *ctx, &x_hbm, &y_hbm)).await.to_host::<m![S, A]>(&mut ctx.pdma).await;
    assert_eq!(out.to_buf(), (0..2048).map(|v| Opt::Init(5 * (1000 - v) - 3 * v)).collect::<Vec<_>>());
}
