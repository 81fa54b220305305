// options: --relax=capacity,address
//! A kernel that the oracle executes, between others on the device: HBM is the same for both.

use furiosa_visa_std::prelude::*;

axes![S = 256, L = 8];

type Chip = m![1];
type Cluster = m![1 # 2];
type Row = HbmTensor<i32, Chip, m![S, L]>;

const FAR: u64 = 1 << 28;
const NOWHERE: u64 = 1 << 20; // behind the last byte of DM

#[device(chip = 1)]
fn copied(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![S, L]>) -> HbmTensor<i32, Chip, m![S, L]> {
    x.to_dm::<Cluster, m![S], m![L]>(&mut ctx.tdma, 0).to_hbm(&mut ctx.tdma, FAR)
}

#[device(chip = 1)]
fn oddly_copied(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![S, L]>) -> HbmTensor<i32, Chip, m![S, L]> {
    x.to_dm::<Cluster, m![S], m![L]>(&mut ctx.tdma, NOWHERE).to_hbm(&mut ctx.tdma, FAR)
}

/// By way of HBM, and of a name for it.
#[device(chip = 1)]
fn odd_half(ctx: &mut Context, out: &mut HbmTensor<i32, Chip, m![S, L]>) {
    let x = unsafe { Row::from_addr(FAR) };
    let dm = x.to_dm::<Cluster, m![S], m![L]>(&mut ctx.tdma, NOWHERE);
    let there: Row = dm.to_hbm(&mut ctx.tdma, 3 * FAR);
    let _left: Row = there.to_hbm(&mut ctx.tdma, 4 * FAR);
    let tile = there.view().tile::<m![L / 4], 1, m![S, 1 # 2, L % 4]>(1);
    tile.to_hbm_view(&mut ctx.tdma, out.view_mut().tile::<m![L / 4], 1, m![S, 1 # 2, L % 4]>(1));
}

fn filled(value: i32) -> HostTensor<i32, m![S, L]> {
    HostTensor::from_buf(vec![Opt::Init(value); 2048])
}

async fn ends(ctx: &mut Context, x: &Row) -> (Opt<i32>, Opt<i32>) {
    let values = x.to_host::<m![S, L]>(&mut ctx.pdma).await.to_buf();
    (values[0], values[2047])
}

#[tokio::test]
async fn over_the_result_of_another() {
    let mut ctx = Context::acquire();
    let a: Row = filled(1).to_hbm(&mut ctx.pdma, 0).await;
    let b: Row = filled(2).to_hbm(&mut ctx.pdma, 1 << 20).await;
    let _first = launch(copied, (&mut *ctx, &a)).await;
    let second = launch(oddly_copied, (&mut *ctx, &b)).await;
    assert_eq!(ends(&mut ctx, &second).await, (Opt::Init(2), Opt::Init(2)));
    let name: Row = unsafe { HbmTensor::from_addr(FAR) };
    let third = launch(copied, (&mut *ctx, &name)).await;
    assert_eq!(ends(&mut ctx, &third).await, (Opt::Init(2), Opt::Init(2)));
}

#[tokio::test]
async fn by_addresses_alone() {
    let mut ctx = Context::acquire();
    let a: Row = filled(1).to_hbm(&mut ctx.pdma, FAR).await;
    let mut out: Row = filled(5).to_hbm(&mut ctx.pdma, 0).await;
    launch(odd_half, (&mut *ctx, &mut out)).await;
    assert_eq!(ends(&mut ctx, &out).await, (Opt::Init(5), Opt::Init(1)));
    for address in [3 * FAR, 4 * FAR] {
        let scratch: Row = unsafe { HbmTensor::from_addr(address) };
        assert_eq!(ends(&mut ctx, &scratch).await, (Opt::Init(1), Opt::Init(1)));
    }
    let got = launch(copied, (&mut *ctx, &out)).await;
    assert_eq!(ends(&mut ctx, &got).await, (Opt::Init(5), Opt::Init(1)));
    drop(a);
}

#[tokio::test]
#[should_panic(expected = "E0864")]
async fn what_it_wrote_over() {
    let mut ctx = Context::acquire();
    let a: Row = filled(1).to_hbm(&mut ctx.pdma, 0).await;
    let first = launch(copied, (&mut *ctx, &a)).await;
    let _second = launch(oddly_copied, (&mut *ctx, &a)).await;
    let _ = ends(&mut ctx, &first).await;
}
