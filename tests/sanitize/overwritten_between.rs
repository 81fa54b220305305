// A second launch puts its result where that of the first lies, which the host has not read yet.
// reports: E0864
use furiosa_visa_std::prelude::*;

axes![S = 256, L = 8];

type Chip = m![1];
type Cluster = m![1 # 2];

#[device(chip = 1)]
fn copied(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![S, L]>) -> HbmTensor<i32, Chip, m![S, L]> {
    x.to_dm::<Cluster, m![S], m![L]>(&mut ctx.tdma, 0).to_hbm(&mut ctx.tdma, 1 << 28)
}

fn filled(value: i32) -> HostTensor<i32, m![S, L]> {
    HostTensor::from_buf(vec![Opt::Init(value); 2048])
}

async fn first_of(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![S, L]>) -> Opt<i32> {
    x.to_host::<m![S, L]>(&mut ctx.pdma).await.to_buf()[0]
}

#[tokio::test]
async fn fault() {
    let mut ctx = Context::acquire();
    let a = filled(1).to_hbm::<Chip, m![S, L]>(&mut ctx.pdma, 0).await;
    let b = filled(2).to_hbm::<Chip, m![S, L]>(&mut ctx.pdma, 1 << 20).await;
    let first = launch(copied, (&mut *ctx, &a)).await;
    let second = launch(copied, (&mut *ctx, &b)).await;
    assert_eq!(first_of(&mut ctx, &second).await, Opt::Init(2));
    let _ = first_of(&mut ctx, &first).await;
}

#[tokio::test]
async fn clean() {
    let mut ctx = Context::acquire();
    let a = filled(1).to_hbm::<Chip, m![S, L]>(&mut ctx.pdma, 0).await;
    let b = filled(2).to_hbm::<Chip, m![S, L]>(&mut ctx.pdma, 1 << 20).await;
    let first = launch(copied, (&mut *ctx, &a)).await;
    assert_eq!(first_of(&mut ctx, &first).await, Opt::Init(1));
    let second = launch(copied, (&mut *ctx, &b)).await;
    assert_eq!(first_of(&mut ctx, &second).await, Opt::Init(2));
}
