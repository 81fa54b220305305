// A kernel is given a tensor that nobody wrote. DMA copies it; the pass that reads the copy is two calls away.
// reports: E0861
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 32];

type Chip = m![1];
type Cluster = m![1 # 2];
type Rows = HbmTensor<i8, Chip, m![S, A]>;
type Buffer = DmTensor<i8, Chip, Cluster, m![S], m![A]>;

fn copy(ctx: &mut Context, from: &Buffer) -> Buffer {
    ctx.main
        .begin(from.view())
        .fetch::<i8, m![1], m![A]>()
        .collect::<m![1], m![A]>()
        .commit(0x2000)
}

fn layer(ctx: &mut Context, weights: &Rows) -> Buffer {
    let dm = weights.to_dm::<Cluster, m![S], m![A]>(&mut ctx.tdma, 0x1000);
    copy(ctx, &dm)
}

#[device(chip = 1)]
fn model(ctx: &mut Context, input: &Rows) -> Rows {
    layer(ctx, input).to_hbm(&mut ctx.tdma, 1 << 28)
}

#[tokio::test]
async fn fault() {
    let mut ctx = Context::acquire();
    let forgotten = unsafe { Rows::from_addr(1 << 20) };
    let _result = launch(model, (&mut *ctx, &forgotten)).await;
}

#[tokio::test]
async fn clean() {
    let mut ctx = Context::acquire();
    let host = HostTensor::<i8, m![S, A]>::from_buf((0..8192).map(|i| Opt::Init((i % 100) as i8)).collect());
    let written = host.to_hbm(&mut ctx.pdma, 1 << 20).await;
    let _result = launch(model, (&mut *ctx, &written)).await;
}
