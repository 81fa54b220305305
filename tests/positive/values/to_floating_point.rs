// Conversion from fixed point, rounded to the nearest float.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

const SAMPLES: [i32; 8] = [0, 1, -1, 16_777_217, -16_777_219, i32::MAX, i32::MIN, 42];

fn samples() -> HostTensor<i32, m![S, A]> {
    HostTensor::from_buf((0..2048).map(|i| Opt::Init(SAMPLES[i % 8])).collect())
}

fn expected(f: impl Fn(i32) -> f32) -> Vec<Opt<f32>> {
    (0..2048).map(|i| Opt::Init(f(SAMPLES[i % 8]))).collect()
}

#[device(chip = 1)]
fn to_float(ctx: &mut Context, input: &HbmTensor<i32, m![1], m![S, A]>) -> HbmTensor<f32, m![1], m![S, A]> {
    let dm = input.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0);
    let out = ctx
        .main
        .begin(dm.view())
        .fetch::<i32, m![1], m![A]>()
        .collect::<m![1], m![A]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_fxp_to_fp(31)
        .vector_final()
        .commit::<m![A]>(0x1000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn to_fraction(ctx: &mut Context, input: &HbmTensor<i32, m![1], m![S, A]>) -> HbmTensor<f32, m![1], m![S, A]> {
    let dm = input.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0);
    let out = ctx
        .main
        .begin(dm.view())
        .fetch::<i32, m![1], m![A]>()
        .collect::<m![1], m![A]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_fxp_to_fp(0)
        .vector_final()
        .commit::<m![A]>(0x1000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[tokio::test]
async fn to_float_is_right() {
    let mut ctx = Context::acquire();
    let input = samples().to_hbm(&mut ctx.pdma, 0).await;
    let out = launch(to_float, (&mut *ctx, &input)).await.to_host::<m![S, A]>(&mut ctx.pdma).await;
    assert_eq!(out.to_buf(), expected(|x| x as f32));
}

#[tokio::test]
async fn to_fraction_is_right() {
    let mut ctx = Context::acquire();
    let input = samples().to_hbm(&mut ctx.pdma, 0).await;
    let out = launch(to_fraction, (&mut *ctx, &input)).await.to_host::<m![S, A]>(&mut ctx.pdma).await;
    assert_eq!(out.to_buf(), expected(|x| (x as f64 * 0.5f64.powi(31)) as f32));
}
