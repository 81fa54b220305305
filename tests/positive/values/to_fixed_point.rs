// Conversion to fixed point: half away from zero, saturating.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

const SAMPLES: [f32; 8] = [0.0, 0.5, -0.5, 2.5, -2.5, 1e20, -1e20, 1234.75];

fn samples() -> HostTensor<f32, m![S, A]> {
    HostTensor::from_buf((0..2048).map(|i| Opt::Init(SAMPLES[i % 8])).collect())
}

fn expected(f: impl Fn(f32) -> i32) -> Vec<Opt<i32>> {
    (0..2048).map(|i| Opt::Init(f(SAMPLES[i % 8]))).collect()
}

#[device(chip = 1)]
fn to_integer(ctx: &mut Context, input: &HbmTensor<f32, m![1], m![S, A]>) -> HbmTensor<i32, m![1], m![S, A]> {
    let dm = input.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0);
    let out = ctx
        .main
        .begin(dm.view())
        .fetch::<f32, m![1], m![A]>()
        .collect::<m![1], m![A]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_fp_to_fxp(31)
        .vector_final()
        .commit::<m![A]>(0x1000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn to_quarters(ctx: &mut Context, input: &HbmTensor<f32, m![1], m![S, A]>) -> HbmTensor<i32, m![1], m![S, A]> {
    let dm = input.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0);
    let out = ctx
        .main
        .begin(dm.view())
        .fetch::<f32, m![1], m![A]>()
        .collect::<m![1], m![A]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_fp_to_fxp(29)
        .vector_final()
        .commit::<m![A]>(0x1000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[tokio::test]
async fn to_integer_is_right() {
    let mut ctx = Context::acquire();
    let input = samples().to_hbm(&mut ctx.pdma, 0).await;
    let out = launch(to_integer, (&mut *ctx, &input)).await.to_host::<m![S, A]>(&mut ctx.pdma).await;
    assert_eq!(out.to_buf(), expected(|x| x.round().clamp(i32::MIN as f32, i32::MAX as f32) as i32));
}

#[tokio::test]
async fn to_quarters_is_right() {
    let mut ctx = Context::acquire();
    let input = samples().to_hbm(&mut ctx.pdma, 0).await;
    let out = launch(to_quarters, (&mut *ctx, &input)).await.to_host::<m![S, A]>(&mut ctx.pdma).await;
    assert_eq!(out.to_buf(), expected(|x| (x as f64 * 4.0).round().clamp(i32::MIN as f64, i32::MAX as f64) as i32));
}
