// A kernel is launched by a helper, twice, and puts its result in the same place: the first one has no name on the host.
// reports: E0864
use furiosa_visa_std::prelude::*;

axes![S = 256, L = 8];

type Chip = m![1];
type Cluster = m![1 # 2];
type Rows = HbmTensor<i32, Chip, m![S, L]>;

#[device(chip = 1)]
fn copied(ctx: &mut Context, x: &Rows, place: u64) -> Rows {
    x.to_dm::<Cluster, m![S], m![L]>(&mut ctx.tdma, 0).to_hbm(&mut ctx.tdma, place)
}

async fn layer(ctx: &mut Context, x: &Rows, place: u64) -> Rows {
    launch(copied, (&mut *ctx, x, place)).await
}

async fn both(second: u64) -> i32 {
    let mut ctx = Context::acquire();
    let x = HostTensor::<i32, m![S, L]>::from_buf((0..2048).map(Opt::Init).collect()).to_hbm(&mut ctx.pdma, 0).await;
    let list = vec![layer(&mut ctx, &x, 1 << 28).await, layer(&mut ctx, &x, second).await];
    list[0].to_host::<m![S, L]>(&mut ctx.pdma).await.to_buf()[7].unwrap()
}

#[tokio::test]
async fn fault() {
    assert_eq!(both(1 << 28).await, 7);
}

#[tokio::test]
async fn clean() {
    assert_eq!(both(1 << 29).await, 7);
}
