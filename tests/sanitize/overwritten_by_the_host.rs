// The host sends a tensor to where another one lies, which a kernel reads afterwards.
// reports: E0864
use furiosa_visa_std::prelude::*;

axes![S = 256, L = 8];

type Chip = m![1];
type Cluster = m![1 # 2];

#[device(chip = 1)]
fn copied(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![S, L]>) -> HbmTensor<i32, Chip, m![S, L]> {
    x.to_dm::<Cluster, m![S], m![L]>(&mut ctx.tdma, 0).to_hbm(&mut ctx.tdma, 1 << 28)
}

fn filled(value: i32) -> HostTensor<i32, m![S, L]> {
    HostTensor::from_buf(vec![Opt::Init(value); 2048])
}

#[tokio::test]
async fn fault() {
    let mut ctx = Context::acquire();
    let a = filled(1).to_hbm::<Chip, m![S, L]>(&mut ctx.pdma, 0).await;
    let _b = filled(2).to_hbm::<Chip, m![S, L]>(&mut ctx.pdma, 4096).await;
    let _ = launch(copied, (&mut *ctx, &a)).await;
}

#[tokio::test]
#[should_panic(expected = "E0864")]
async fn the_panic() {
    let mut ctx = Context::acquire();
    let a = filled(1).to_hbm::<Chip, m![S, L]>(&mut ctx.pdma, 0).await;
    let _b = filled(2).to_hbm::<Chip, m![S, L]>(&mut ctx.pdma, 4096).await;
    let _ = launch(copied, (&mut *ctx, &a)).await;
}

#[tokio::test]
async fn clean() {
    let mut ctx = Context::acquire();
    let a = filled(1).to_hbm::<Chip, m![S, L]>(&mut ctx.pdma, 0).await;
    let _b = filled(2).to_hbm::<Chip, m![S, L]>(&mut ctx.pdma, 8192).await;
    let _ = launch(copied, (&mut *ctx, &a)).await;
}
