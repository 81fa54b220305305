// expect: 0 passed, 1 failed, 0 ignored
// says: error[E0458]: `x` was given away before
// lacks: E0922
//! A value that was given away ends the test where it is used, and nothing is said of what follows.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

#[device(chip = 1)]
fn copy(ctx: &mut Context, x: &HbmTensor<i32, m![1], m![S, A]>) -> HbmTensor<i32, m![1], m![S, A]> {
    x.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0).to_hbm(&mut ctx.tdma, 1 << 28)
}

#[tokio::test]
async fn given_away() {
    let mut ctx = Context::acquire();
    let x = HostTensor::<i32, m![S, A]>::from_buf((0..2048).map(Opt::Init).collect());
    let _y = x;
    let sent = x.to_hbm::<m![1], m![S, A]>(&mut ctx.pdma, 0).await;
    let _ = launch(copy, (&mut *ctx, &sent)).await;
}
