// options: --no-sanitize
//! Without the sanitizer HBM is what it is: a tensor that was written over has the bytes that are there now.

use furiosa_visa_std::prelude::*;

axes![S = 256, L = 8];

type Chip = m![1];
type Cluster = m![1 # 2];
type Row = HbmTensor<i32, Chip, m![S, L]>;

const FAR: u64 = 1 << 28;

#[device(chip = 1)]
fn copied(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![S, L]>) -> HbmTensor<i32, Chip, m![S, L]> {
    x.to_dm::<Cluster, m![S], m![L]>(&mut ctx.tdma, 0).to_hbm(&mut ctx.tdma, FAR)
}

/// Leaves a copy at 4096 on the way.
#[device(chip = 1)]
fn detour(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![S, L]>) -> HbmTensor<i32, Chip, m![S, L]> {
    let there: HbmTensor<i32, Chip, m![S, L]> = x.to_hbm(&mut ctx.tdma, 4096);
    there.to_hbm(&mut ctx.tdma, FAR)
}

fn filled(start: i32) -> HostTensor<i32, m![S, L]> {
    HostTensor::from_buf((0..2048).map(|i| Opt::Init(start + i)).collect())
}

async fn values(ctx: &mut Context, x: &Row) -> Vec<Opt<i32>> {
    x.to_host::<m![S, L]>(&mut ctx.pdma).await.to_buf()
}

#[tokio::test]
async fn the_host_sends_two_to_one_place() {
    let mut ctx = Context::acquire();
    let a: Row = filled(0).to_hbm(&mut ctx.pdma, 0).await;
    let b: Row = filled(5000).to_hbm(&mut ctx.pdma, 4096).await; // the second half of a is the first of b
    let c = launch(copied, (&mut *ctx, &a)).await;
    let got = values(&mut ctx, &c).await;
    assert_eq!(got[1023], Opt::Init(1023));
    assert_eq!(got[1024], Opt::Init(5000));
    assert_eq!(values(&mut ctx, &a).await[2047], Opt::Init(6023));
    assert_eq!(values(&mut ctx, &b).await[0], Opt::Init(5000));
}

#[tokio::test]
async fn two_results_in_one_place() {
    let mut ctx = Context::acquire();
    let a: Row = filled(0).to_hbm(&mut ctx.pdma, 0).await;
    let b: Row = filled(5000).to_hbm(&mut ctx.pdma, 1 << 20).await;
    let first = launch(copied, (&mut *ctx, &a)).await;
    let second = launch(copied, (&mut *ctx, &b)).await;
    assert_eq!(values(&mut ctx, &first).await[7], Opt::Init(5007));
    assert_eq!(values(&mut ctx, &second).await[7], Opt::Init(5007));
}

#[tokio::test]
async fn a_kernel_leaves_something_behind() {
    let mut ctx = Context::acquire();
    let a: Row = filled(0).to_hbm(&mut ctx.pdma, 8192).await; // never launched with
    let b: Row = filled(5000).to_hbm(&mut ctx.pdma, 1 << 20).await;
    let _ = launch(detour, (&mut *ctx, &b)).await;
    let got = values(&mut ctx, &a).await;
    assert_eq!(got[0], Opt::Init(6024)); // the second half of what lies at 4096
    assert_eq!(got[1023], Opt::Init(7047));
    assert_eq!(got[1024], Opt::Init(1024));
}
