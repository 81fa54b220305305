// expect: 0 passed, 1 failed, 0 ignored
// says: called_directly.rs:17
// says: launch
use furiosa_visa_std::prelude::*;

axes![S = 256, L = 8];

#[device(chip = 1)]
fn copy(ctx: &mut Context, x: &HbmTensor<i32, m![1], m![S, L]>) {
    let _dm = x.to_dm::<m![1 # 2], m![S], m![L]>(&mut ctx.tdma, 0);
}

#[tokio::test]
async fn a_device_function_cannot_be_called() {
    let mut ctx = Context::acquire();
    let x = HostTensor::<i32, m![S, L]>::zero().to_hbm(&mut ctx.pdma, 0).await;
    copy(&mut *ctx, &x);
}
