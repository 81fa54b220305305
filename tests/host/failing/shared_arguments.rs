// expect: 3 passed, 1 failed, 0 ignored
// says: error[E0575]: `x` (HBM 0..8192) and `out` (HBM 4096..12288) are arguments of one launch and share bytes
// says: put `out` at 8192
// Two arguments of a launch lie in the same bytes.
use std::panic::{AssertUnwindSafe, catch_unwind};

use furiosa_visa_std::prelude::*;
use tokio::runtime::Runtime;

axes![S = 256, L = 8];

type Row = HbmTensor<i32, m![1], m![S, L]>;

#[device(chip = 1)]
fn over(ctx: &mut Context, x: &HbmTensor<i32, m![1], m![S, L]>, out: &mut HbmTensor<i32, m![1], m![S, L]>) {
    let dm = x.to_dm::<m![1 # 2], m![S], m![L]>(&mut ctx.tdma, 0);
    dm.view().to_hbm_view(&mut ctx.tdma, out.view_mut());
}

fn filled() -> HostTensor<i32, m![S, L]> {
    HostTensor::from_buf((0..2048).map(Opt::Init).collect())
}

#[tokio::test]
async fn shared() {
    let mut ctx = Context::acquire();
    let a: Row = filled().to_hbm(&mut ctx.pdma, 0).await;
    let mut b: Row = unsafe { HbmTensor::from_addr(4096) };
    launch(over, (&mut *ctx, &a, &mut b)).await;
}

#[tokio::test]
#[should_panic(expected = "share bytes")]
async fn a_panic() {
    let mut ctx = Context::acquire();
    let a: Row = filled().to_hbm(&mut ctx.pdma, 0).await;
    let mut b: Row = filled().to_hbm(&mut ctx.pdma, 0).await;
    launch(over, (&mut *ctx, &a, &mut b)).await;
}

#[tokio::test]
async fn side_by_side() {
    let mut ctx = Context::acquire();
    let a: Row = filled().to_hbm(&mut ctx.pdma, 0).await;
    let mut b: Row = unsafe { HbmTensor::from_addr(8192) };
    launch(over, (&mut *ctx, &a, &mut b)).await;
    assert_eq!(b.to_host::<m![S, L]>(&mut ctx.pdma).await.to_buf()[2047], Opt::Init(2047));
}

#[test]
fn behind_the_panic() {
    let rt = Runtime::new().unwrap();
    let caught = catch_unwind(AssertUnwindSafe(|| {
        rt.block_on(async {
            let mut ctx = Context::acquire();
            let a: Row = filled().to_hbm(&mut ctx.pdma, 0).await;
            let mut b: Row = unsafe { HbmTensor::from_addr(0) };
            launch(over, (&mut *ctx, &a, &mut b)).await;
        })
    }));
    assert!(caught.is_err());
    let got = rt.block_on(async {
        let mut ctx = Context::acquire();
        let a: Row = filled().to_hbm(&mut ctx.pdma, 0).await;
        a.to_host::<m![S, L]>(&mut ctx.pdma).await.to_buf()
    });
    assert_eq!(got[9], Opt::Init(9));
}
