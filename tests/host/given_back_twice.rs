// options: --backend=oracle
//! A kernel gives one tensor back under two names; without addresses, too, both have its values.

use furiosa_visa_std::prelude::*;

axes![S = 256, L = 8];

type Row = HbmTensor<i32, m![1], m![S, L]>;

#[device(chip = 1)]
fn twice(ctx: &mut Context, x: &Row) -> (Row, Row) {
    let copy: Row = x.to_dm::<m![1 # 2], m![S], m![L]>(&mut ctx.tdma, 0).to_hbm(&mut ctx.tdma, 1 << 28);
    (copy.clone(), copy)
}

async fn launched(ctx: &mut Context) -> (Row, Row) {
    let x = HostTensor::<i32, m![S, L]>::from_buf((0..2048).map(Opt::Init).collect());
    let x: Row = x.to_hbm(&mut ctx.pdma, 0).await;
    launch(twice, (&mut *ctx, &x)).await
}

async fn element(ctx: &mut Context, x: &Row) -> Opt<i32> {
    x.to_host::<m![S, L]>(&mut ctx.pdma).await.to_buf()[7]
}

#[tokio::test]
async fn both_have_the_values() {
    let mut ctx = Context::acquire();
    let (a, b) = launched(&mut ctx).await;
    assert_eq!(element(&mut ctx, &b).await, Opt::Init(7));
    assert_eq!(element(&mut ctx, &a).await, Opt::Init(7));
}

#[tokio::test]
async fn one_outlives_the_other() {
    let mut ctx = Context::acquire();
    let (a, b) = launched(&mut ctx).await;
    drop(a);
    let again = launched(&mut ctx).await;
    assert_eq!(element(&mut ctx, &b).await, Opt::Init(7));
    drop(b);
    assert_eq!(element(&mut ctx, &again.1).await, Opt::Init(7));
}
