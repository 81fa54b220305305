//! A launch that panics before it wrote anything leaves HBM as it was.

use furiosa_visa_std::prelude::*;
use std::panic::{catch_unwind, AssertUnwindSafe};
use tokio::runtime::Runtime;

axes![W = 64, R = 3, Q = 4, P = 8];

type Chip = m![1];
type Cluster = m![1 # 2];
type Sums = HbmTensor<i32, Chip, m![W, P]>;

fn sums<S: M>(ctx: &mut Context, dm: &DmTensor<i32, Chip, Cluster, S, m![P]>) -> Sums {
    let dm: DmTensor<i32, Chip, Cluster, m![W, 1 # 4], m![P]> = ctx
        .main
        .begin(dm.view())
        .fetch::<i32, m![1], m![P]>()
        .collect::<m![1], m![P]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_fxp(FxpBinaryOp::AddFxp, 100)
        .vector_inter_slice_reduce::<m![W, 1 # 4], m![1]>(InterSliceReduceOpI32::Add)
        .vector_final()
        .commit(0x1000);
    dm.to_hbm(&mut ctx.tdma, 1 << 28)
}

/// The sanitizer refuses it: padding is reduced.
#[device(chip = 1)]
fn padded(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![W, R # 4, P]>) -> HbmTensor<i32, Chip, m![W, P]> {
    let dm = x.to_dm::<Cluster, m![W, R # 4], m![P]>(&mut ctx.tdma, 0);
    sums::<m![W, R # 4]>(ctx, &dm)
}

#[device(chip = 1)]
fn whole(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![W, Q, P]>) -> HbmTensor<i32, Chip, m![W, P]> {
    let dm = x.to_dm::<Cluster, m![W, Q], m![P]>(&mut ctx.tdma, 0);
    sums::<m![W, Q]>(ctx, &dm)
}

#[test]
fn the_result_of_the_launch_before() {
    let runtime = Runtime::new().unwrap();
    runtime.block_on(async {
        let mut ctx = Context::acquire();
        let x = HostTensor::<i32, m![W, R, P]>::from_buf((0..1536).map(Opt::Init).collect());
        let x = x.to_hbm::<Chip, m![W, R # 4, P]>(&mut ctx.pdma, 0).await;
        let y = HostTensor::<i32, m![W, Q, P]>::from_buf(vec![Opt::Init(1); 2048]);
        let y = y.to_hbm::<Chip, m![W, Q, P]>(&mut ctx.pdma, 1 << 20).await;
        let first = launch(whole, (&mut *ctx, &y)).await;
        let refused = catch_unwind(AssertUnwindSafe(|| {
            runtime.block_on(async {
                let _second = launch(padded, (&mut *ctx, &x)).await; // to where the first one lies
            })
        }));
        assert!(refused.is_err());
        let got = first.to_host::<m![W, P]>(&mut ctx.pdma).await.to_buf();
        assert_eq!(got[0], Opt::Init(404));
    });
}
