//! Functions of the Vector Engine and those of the host have the same bits.

use furiosa_visa_std::prelude::*;

axes![S = 256, A = 16];

type Chip = m![1];
type Cluster = m![1 # 2];
type Slice = m![S];
type Numbers = HbmTensor<f32, Chip, m![S, A]>;

fn apply(ctx: &mut Context, x: &Numbers, function: FpUnaryOp) -> Numbers {
    let x = x.to_dm::<Cluster, Slice, m![A]>(&mut ctx.tdma, 0);
    let y: DmTensor<f32, Chip, Cluster, Slice, m![A]> = ctx
        .main
        .begin(x.view())
        .fetch::<f32, m![A / 8], m![A % 8]>()
        .collect::<m![A / 8], m![A % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![A / 4], m![A % 4]>()
        .vector_fp_unary(function)
        .vector_concat::<m![A / 8], m![A % 8]>()
        .vector_final()
        .commit(0x1000);
    y.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn exp(ctx: &mut Context, x: &Numbers) -> Numbers {
    apply(ctx, x, FpUnaryOp::Exp)
}

#[device(chip = 1)]
fn tanh(ctx: &mut Context, x: &Numbers) -> Numbers {
    apply(ctx, x, FpUnaryOp::Tanh)
}

#[device(chip = 1)]
fn sigmoid(ctx: &mut Context, x: &Numbers) -> Numbers {
    apply(ctx, x, FpUnaryOp::Sigmoid)
}

#[device(chip = 1)]
fn sine(ctx: &mut Context, x: &Numbers) -> Numbers {
    apply(ctx, x, FpUnaryOp::Sin)
}

#[device(chip = 1)]
fn ln(ctx: &mut Context, x: &Numbers) -> Numbers {
    apply(ctx, x, FpUnaryOp::Log)
}

#[tokio::test]
async fn have_the_same_bits() {
    let mut ctx = Context::acquire();
    let numbers: Vec<f32> = (0..S::SIZE * A::SIZE).map(|e| ((e * 7919) % 4099) as f32 / 200.0 - 9.0).collect();
    let x = HostTensor::<f32, m![S, A]>::from_buf(numbers.iter().map(|v| Opt::Init(*v)).collect());
    let x = x.to_hbm(&mut ctx.pdma, 0).await;
    let results = [
        launch(exp, (&mut *ctx, &x)).await.to_host::<m![S, A]>(&mut ctx.pdma).await.to_buf(),
        launch(tanh, (&mut *ctx, &x)).await.to_host::<m![S, A]>(&mut ctx.pdma).await.to_buf(),
        launch(sigmoid, (&mut *ctx, &x)).await.to_host::<m![S, A]>(&mut ctx.pdma).await.to_buf(),
        launch(sine, (&mut *ctx, &x)).await.to_host::<m![S, A]>(&mut ctx.pdma).await.to_buf(),
        launch(ln, (&mut *ctx, &x)).await.to_host::<m![S, A]>(&mut ctx.pdma).await.to_buf(),
    ];
    for e in 0..numbers.len() {
        let v = numbers[e];
        let expected = [v.exp(), v.tanh(), 1.0 / (1.0 + (-v).exp()), v.sin(), v.ln()];
        for k in 0..5 {
            let found = results[k][e].unwrap();
            assert!(found.to_bits() == expected[k].to_bits() || found.is_nan() && expected[k].is_nan(), "{k} of {v}");
        }
        assert_eq!(v.sin_cos(), (v.sin(), v.cos()));
    }
}
