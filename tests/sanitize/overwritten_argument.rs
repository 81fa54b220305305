// A launch puts its result where an argument of the next one lies: the host's name of it is said, since what the reader
// calls `x` is something else to the writer.
// reports: E0864
use furiosa_visa_std::prelude::*;

axes![S = 256, L = 8];

type Chip = m![1];
type Cluster = m![1 # 2];
type Rows = HbmTensor<i32, Chip, m![S, L]>;

#[device(chip = 1)]
fn copied(ctx: &mut Context, x: &Rows, to: u64) -> Rows {
    x.to_dm::<Cluster, m![S], m![L]>(&mut ctx.tdma, 0).to_hbm(&mut ctx.tdma, to)
}

#[device(chip = 1)]
fn read(ctx: &mut Context, x: &Rows) -> Rows {
    x.to_dm::<Cluster, m![S], m![L]>(&mut ctx.tdma, 0).to_hbm(&mut ctx.tdma, 1 << 30)
}

async fn with(to: u64) -> Opt<i32> {
    let mut ctx = Context::acquire();
    let host = HostTensor::<i32, m![S, L]>::from_buf(vec![Opt::Init(1); 2048]);
    let x: Rows = host.to_hbm(&mut ctx.pdma, 0).await;
    let kept = launch(copied, (&mut *ctx, &x, 1 << 28)).await;
    let _second = launch(copied, (&mut *ctx, &x, to)).await;
    let result = launch(read, (&mut *ctx, &kept)).await;
    result.to_host::<m![S, L]>(&mut ctx.pdma).await.to_buf()[0]
}

#[tokio::test]
async fn fault() {
    with(1 << 28).await;
}

#[tokio::test]
async fn clean() {
    assert_eq!(with(1 << 29).await, Opt::Init(1));
}
