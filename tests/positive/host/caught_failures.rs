// A failing launch is caught; the context can be acquired again afterwards.
use furiosa_visa_std::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind};
use tokio::runtime::Runtime;

axes![S = 256, A = 8];

#[device(chip = 1)]
fn copy(ctx: &mut Context, input: &HbmTensor<i32, m![1], m![S, A]>) -> HbmTensor<i32, m![1], m![S, A]> {
    let dm = input.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0);
    dm.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[test]
fn caught() {
    let failed = catch_unwind(AssertUnwindSafe(|| {
        Runtime::new().unwrap().block_on(async {
            let mut ctx = Context::acquire();
            let host = HostTensor::<i32, m![S, A]>::from_buf(vec![Opt::Init(1); 3]);
            let _: HbmTensor<i32, m![1], m![S, A]> = host.to_hbm(&mut ctx.pdma, 0).await;
        })
    }));
    assert!(failed.is_err());
    Runtime::new().unwrap().block_on(async {
        let mut ctx = Context::acquire();
        let host = HostTensor::<i32, m![S, A]>::zero();
        let hbm = host.to_hbm(&mut ctx.pdma, 0).await;
        let out = launch(copy, (&mut *ctx, &hbm)).await;
        assert_eq!(out.to_host::<m![S, A]>(&mut ctx.pdma).await.to_buf(), host.to_buf());
    });
}
