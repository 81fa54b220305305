//! Eight chips at a time, next to seven other tests: what a chip could hold is no memory that is used.
// options: --jobs 8

use furiosa_visa_std::prelude::*;

axes![Z = 8, S = 256, L = 8];

type Cluster = m![1 # 2];
type Rows = HbmTensor<i32, m![Z], m![S, L]>;
type One = HbmTensor<i32, m![1], m![S, L]>;

#[device(chip = 8)]
fn on_eight(ctx: &mut Context, x: &Rows) -> Rows {
    x.to_dm::<Cluster, m![S], m![L]>(&mut ctx.tdma, 0).to_hbm(&mut ctx.tdma, 1 << 30)
}

#[device(chip = 1)]
fn on_one(ctx: &mut Context, x: &One) -> One {
    x.to_dm::<Cluster, m![S], m![L]>(&mut ctx.tdma, 0).to_hbm(&mut ctx.tdma, 1 << 29)
}

#[tokio::test]
async fn eight_chips_at_once() {
    let mut ctx = Context::acquire();
    let x = HostTensor::<i32, m![Z, S, L]>::from_buf((0..16384).map(Opt::Init).collect());
    let x: Rows = x.to_hbm(&mut ctx.pdma, 0).await;
    let y = launch(on_eight, (&mut *ctx, &x)).await;
    assert_eq!(y.to_host::<m![Z, S, L]>(&mut ctx.pdma).await.to_buf()[16383], Opt::Init(16383));
}

#[tokio::test]
async fn one_chip_and_then_eight() {
    let mut ctx = Context::acquire();
    let one = HostTensor::<i32, m![S, L]>::from_buf((0..2048).map(Opt::Init).collect());
    let one: One = one.to_hbm(&mut ctx.pdma, 1 << 20).await;
    let copy = launch(on_one, (&mut *ctx, &one)).await;
    let x = HostTensor::<i32, m![Z, S, L]>::from_buf((0..16384).map(Opt::Init).collect());
    let x: Rows = x.to_hbm(&mut ctx.pdma, 0).await;
    let y = launch(on_eight, (&mut *ctx, &x)).await;
    assert_eq!(copy.to_host::<m![S, L]>(&mut ctx.pdma).await.to_buf()[2047], Opt::Init(2047));
    assert_eq!(y.to_host::<m![Z, S, L]>(&mut ctx.pdma).await.to_buf()[9], Opt::Init(9));
}
