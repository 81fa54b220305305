mod common;

use common::{counted, differences};
use furiosa_visa_std::prelude::*;
use vectors::inline::negate;
use vectors::kernels::add;
use vectors::{N, add_one};

#[tokio::test]
async fn one_is_added() {
    let mut ctx = Context::acquire();
    let x = counted::<m![N]>(10);
    let x_hbm = x.to_hbm(&mut ctx.pdma, 0 << 28).await;
    let y = launch(add_one, (&mut *ctx, &x_hbm)).await.to_host::<m![N]>(&mut ctx.pdma).await;
    assert_eq!(differences(&x.to_buf(), &y.to_buf()), [1]);
}

#[tokio::test]
async fn six_is_added() {
    use vectors::kernels::add::add_six as six;
    let mut ctx = Context::acquire();
    let x = counted::<m![N]>(-5);
    let x_hbm = x.to_hbm(&mut ctx.pdma, 0).await;
    let y = launch(six, (&mut *ctx, &x_hbm)).await.to_host::<m![N]>(&mut ctx.pdma).await;
    assert_eq!(differences(&x.to_buf(), &y.to_buf()), [6]);
}

#[tokio::test]
async fn kernels_in_a_row() {
    let mut ctx = Context::acquire();
    let x = counted::<m![N]>(0).to_hbm(&mut ctx.pdma, 0).await;
    let y = launch(add::add_one, (&mut *ctx, &x)).await;
    let z = launch(negate, (&mut *ctx, &y)).await;
    let z = z.to_host::<m![N]>(&mut ctx.pdma).await.to_buf();
    assert_eq!(z[..3], [Opt::Init(-1), Opt::Init(-2), Opt::Init(-3)]);
}

#[test]
fn the_crate_has_constants() {
    assert_eq!(vectors::lanes(16), 16);
    assert_eq!(vectors::shapes::values(), 8192);
    const LANES: usize = vectors::lanes(32);
    assert_eq!([1; LANES].iter().sum::<i32>(), 8);
}
