// expect: 0 passed, 1 failed, 0 ignored
// says: `i8` from here on
//! The element type of a chain is what a stage of it says.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 32];
type Chip = m![1];

#[device(chip = 1)]
fn narrow(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![S, A]>) -> HbmTensor<i32, Chip, m![S, A]> {
    let dm = x.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0);
    let y: DmTensor<i32, Chip, m![1 # 2], m![S], m![A]> = ctx
        .main
        .begin(dm.view())
        .fetch::<i8, m![1], m![A]>()
        .collect::<m![1], m![A]>()
        .commit(0x2000);
    y.to_hbm(&mut ctx.tdma, 1 << 28)
}
#[tokio::test]
async fn t() {
    let mut ctx = Context::acquire();
    let x = HostTensor::<i32, m![S, A]>::from_buf((0..8192).map(Opt::Init).collect());
    let x = x.to_hbm::<Chip, m![S, A]>(&mut ctx.pdma, 0).await;
    launch(narrow, (&mut *ctx, &x)).await;
}
