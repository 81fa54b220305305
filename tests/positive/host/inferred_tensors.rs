// The layout in HBM is known from the kernel the tensor is handed to later, from a let, or from a turbofish.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

#[device(chip = 1)]
fn first_of_two(
    ctx: &mut Context,
    x: &HbmTensor<i32, m![1], m![S, A]>,
    y: &HbmTensor<i32, m![1], m![A, S]>,
) -> HbmTensor<i32, m![1], m![S, A]> {
    let _ = y;
    let x = x.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0);
    x.to_hbm(&mut ctx.tdma, 3 << 28)
}

#[tokio::test]
async fn from_the_kernel() {
    let mut ctx = Context::acquire();
    let host = HostTensor::<i32, m![S, A]>::from_buf((0..2048).map(Opt::Init).collect());
    let x = host.to_hbm(&mut ctx.pdma, 0 << 28).await;
    let y = host.to_hbm(&mut ctx.pdma, 1 << 28).await;
    let out = launch(first_of_two, (&mut *ctx, &x, &y)).await;
    assert_eq!(out.to_host::<m![S, A]>(&mut ctx.pdma).await.to_buf(), host.to_buf());
}

#[tokio::test]
async fn from_types() {
    let mut ctx = Context::acquire();
    let host = HostTensor::<i32, m![S, A]>::from_buf((0..2048).map(Opt::Init).collect::<Vec<_>>());
    let x: HbmTensor<i32, m![1], m![S, A]> = host.to_hbm(&mut ctx.pdma, 0).await;
    let y = host.to_hbm::<m![1], m![A, S]>(&mut ctx.pdma, 1 << 28).await;
    let out: HbmTensor<i32, m![1], m![S, A]> = launch(first_of_two, (&mut *ctx, &x, &y)).await;
    let turned = out.to_host::<m![A, S]>(&mut ctx.pdma).await;
    assert_eq!(turned.to_buf()[1], Opt::Init(8));
}
