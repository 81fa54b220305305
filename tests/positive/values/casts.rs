// Widening at the fetch and narrowing behind the Vector Engine, out-of-range values included.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

type Cluster = m![1 # 2];

#[device(chip = 1)]
fn bytes(ctx: &mut Context, input: &HbmTensor<i8, m![1], m![S, A]>) -> HbmTensor<i8, m![1], m![S, A]> {
    let dm = input.to_dm::<Cluster, m![S], m![A]>(&mut ctx.tdma, 0);
    let out = ctx
        .main
        .begin(dm.view())
        .fetch::<i32, m![1], m![A]>()
        .collect::<m![1], m![A]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_fxp(FxpBinaryOp::MulInt, 100)
        .vector_final()
        .cast::<i8, m![A # 32]>()
        .commit::<m![A]>(0x1000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn halves(ctx: &mut Context, input: &HbmTensor<bf16, m![1], m![S, A]>) -> HbmTensor<bf16, m![1], m![S, A]> {
    let dm = input.to_dm::<Cluster, m![S], m![A]>(&mut ctx.tdma, 0);
    let out = ctx
        .main
        .begin(dm.view())
        .fetch::<f32, m![1], m![A]>()
        .collect::<m![1], m![A]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_clip(ClipBinaryOpF32::Add, 0.00390625f32)
        .vector_final()
        .cast::<bf16, m![A # 16]>()
        .commit::<m![A]>(0x1000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[tokio::test]
async fn low_bits_are_kept() {
    let mut ctx = Context::acquire();
    let host = HostTensor::<i8, m![S, A]>::from_buf((0..2048).map(|x| Opt::Init(x as i8)).collect());
    let hbm = host.to_hbm(&mut ctx.pdma, 0).await;
    let out = launch(bytes, (&mut *ctx, &hbm)).await.to_host::<m![S, A]>(&mut ctx.pdma).await;
    assert_eq!(out.to_buf(), (0..2048).map(|x| Opt::Init((x as i8 as i32 * 100) as i8)).collect::<Vec<_>>());
}

#[tokio::test]
async fn ties_go_to_even() {
    let mut ctx = Context::acquire();
    let host = HostTensor::<bf16, m![S, A]>::from_buf((0..2048).map(|i| Opt::Init(bf16::from_f32(if i % 2 == 0 { 1.0 } else { 1.0078125 }))).collect());
    let hbm = host.to_hbm(&mut ctx.pdma, 0).await;
    let out = launch(halves, (&mut *ctx, &hbm)).await.to_host::<m![S, A]>(&mut ctx.pdma).await;
    let floats: Vec<f32> = out.to_buf().iter().map(|v| v.unwrap().to_f32()).collect();
    assert_eq!(&floats[..2], &[1.0, 1.015625]);
}
