// expect: 0 passed, 3 failed, 0 ignored
// says: wrong_launch.rs:19
// says: wrong_launch.rs:26
// says: wrong_launch.rs:33
use furiosa_visa_std::prelude::*;

axes![S = 256, L = 8];

#[device(chip = 1)]
fn copy(ctx: &mut Context, x: &HbmTensor<i32, m![1], m![S, L]>) -> HbmTensor<i32, m![1], m![S, L]> {
    let dm = x.to_dm::<m![1 # 2], m![S], m![L]>(&mut ctx.tdma, 0);
    dm.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[tokio::test]
async fn an_argument_is_missing() {
    let mut ctx = Context::acquire();

    launch(copy, (&mut *ctx,)).await;
}

#[tokio::test]
async fn the_type_of_the_elements_differs() {
    let mut ctx = Context::acquire();
    let x = HostTensor::<f32, m![S, L]>::zero().to_hbm::<m![1], m![S, L]>(&mut ctx.pdma, 0).await;
    launch(copy, (&mut *ctx, &x)).await;
}

#[tokio::test]
async fn the_mapping_differs() {
    let mut ctx = Context::acquire();
    let x = HostTensor::<i32, m![S, L]>::zero().to_hbm::<m![1], m![L, S]>(&mut ctx.pdma, 0).await;
    launch(copy, (&mut *ctx, &x)).await;
}
