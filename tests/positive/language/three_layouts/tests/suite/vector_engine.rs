// Kernels of the crate, run by the host.
use crate::common::counting;
use furiosa_visa_std::prelude::*;
use three_layouts::{Lanes, Rows, bump, copy};

#[tokio::test]
async fn copying_changes_nothing() {
    let mut ctx = Context::acquire();
    let input = HostTensor::<i32, m![Rows, Lanes]>::from_buf(counting());
    let hbm = input.to_hbm(&mut ctx.pdma, 0).await;
    let out = launch(copy, (&mut *ctx, &hbm)).await;
    assert_eq!(out.to_host::<m![Rows, Lanes]>(&mut ctx.pdma).await.to_buf(), counting());
}

#[tokio::test]
async fn bumping_adds_one() {
    let mut ctx = Context::acquire();
    let input = HostTensor::<i32, m![Rows, Lanes]>::from_buf(counting());
    let hbm = input.to_hbm(&mut ctx.pdma, 0).await;
    let out = launch(bump, (&mut *ctx, &hbm)).await.to_host::<m![Rows, Lanes]>(&mut ctx.pdma).await;
    let expected: Vec<Opt<i32>> = counting().into_iter().map(|x| x.map(|v| v + 1)).collect();
    assert_eq!(out.to_buf(), expected);
}
