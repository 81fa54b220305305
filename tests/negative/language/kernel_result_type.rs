// The kernel returns i32 but declares i8. The host function, which expects i32, gets no error.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 64];

type Chip = m![1];

async fn fetched(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![S, A]>) -> Vec<i32> {
    let y = launch(double, (&mut *ctx, x)).await;
    let host = y.to_host::<m![S, A]>(&mut ctx.pdma).await;
    host.to_buf().into_iter().map(|value| value.unwrap()).collect()
}

async fn annotated(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![S, A]>) -> HostTensor<i32, m![S, A]> {
    let y = launch(double, (&mut *ctx, x)).await;
    y.to_host::<m![S, A]>(&mut ctx.pdma).await
}

#[device(chip = 1)]
fn double(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![S, A]>) -> HbmTensor<i8, Chip, m![S, A]> {
    let dm = x.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0);
    dm.to_hbm(&mut ctx.tdma, 1 << 20) // expect error: E0430 i32 where i8 is expected
}
