// A tile is written over a tensor that another one wrote over before: what lies between its rows is still lost.
// reports: E0864
use furiosa_visa_std::prelude::*;

axes![S = 256, B = 3, L = 8];

type Chip = m![1];
type Cluster = m![1 # 2];
type Rows = HbmTensor<i32, Chip, m![S, B, L]>;

#[device(chip = 1)]
fn copied(ctx: &mut Context, x: &Rows) -> Rows {
    x.to_dm::<Cluster, m![S], m![B, L]>(&mut ctx.tdma, 0).to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn written(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![S, L]>, out: &mut Rows, with_middle: bool) {
    let dm = x.to_dm::<Cluster, m![S], m![L]>(&mut ctx.tdma, 0);
    dm.view().to_hbm_view(&mut ctx.tdma, out.view_mut().tile::<m![B], 1, m![S, 1 # 3, L]>(0));
    dm.view().to_hbm_view(&mut ctx.tdma, out.view_mut().tile::<m![B], 1, m![S, 1 # 3, L]>(2));
    if with_middle {
        dm.view().to_hbm_view(&mut ctx.tdma, out.view_mut().tile::<m![B], 1, m![S, 1 # 3, L]>(1));
    }
}

fn filled(value: i32) -> HostTensor<i32, m![S, B, L]> {
    HostTensor::from_buf(vec![Opt::Init(value); 6144])
}

async fn written_twice(with_middle: bool) -> Opt<i32> {
    let mut ctx = Context::acquire();
    let a: Rows = filled(1).to_hbm(&mut ctx.pdma, 0).await;
    let b: Rows = filled(2).to_hbm(&mut ctx.pdma, 1 << 20).await;
    let c = HostTensor::<i32, m![S, L]>::from_buf(vec![Opt::Init(3); 2048]);
    let c = c.to_hbm::<Chip, m![S, L]>(&mut ctx.pdma, 2 << 20).await;
    let mut first = launch(copied, (&mut *ctx, &a)).await;
    let _second = launch(copied, (&mut *ctx, &b)).await;
    launch(written, (&mut *ctx, &c, &mut first, with_middle)).await;
    first.to_host::<m![S, B, L]>(&mut ctx.pdma).await.to_buf()[8]
}

#[tokio::test]
async fn fault() {
    let _ = written_twice(false).await;
}

#[tokio::test]
async fn clean() {
    assert_eq!(written_twice(true).await, Opt::Init(3));
}
