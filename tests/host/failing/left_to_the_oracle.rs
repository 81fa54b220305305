// options: --relax=capacity,address
// expect: 1 passed, 0 failed, 0 ignored
// says: `first` runs by the oracle instead of on the device: `to_dm` goes beyond the memories of the chips
// says: `second` runs by the oracle instead of on the device: `to_dm` goes beyond the memories of the chips
// says: `contra compile -o` refuses it with E0844
// says: nothing that it reads or writes is sanitized: only the device is watched
// lacks: operations[0]
//! Two kernels that the oracle executes, for the same line: of each it is said.

use furiosa_visa_std::prelude::*;

axes![S = 256, L = 8];

type Row = HbmTensor<i32, m![1], m![S, L]>;

fn copied(ctx: &mut Context, x: &Row, at: u64) -> Row {
    x.to_dm::<m![1 # 2], m![S], m![L]>(&mut ctx.tdma, 1 << 20).to_hbm(&mut ctx.tdma, at)
}

#[device(chip = 1)]
fn first(ctx: &mut Context, x: &Row) -> Row {
    copied(ctx, x, 1 << 28)
}

#[device(chip = 1)]
fn second(ctx: &mut Context, x: &Row) -> Row {
    copied(ctx, x, 1 << 29)
}

#[tokio::test]
async fn both_run() {
    let mut ctx = Context::acquire();
    let x: Row = HostTensor::<i32, m![S, L]>::from_buf(vec![Opt::Init(3); 2048]).to_hbm(&mut ctx.pdma, 0).await;
    let a = launch(first, (&mut *ctx, &x)).await;
    let b = launch(second, (&mut *ctx, &a)).await;
    assert_eq!(b.to_host::<m![S, L]>(&mut ctx.pdma).await.to_buf()[9], Opt::Init(3));
}
