// The padding of the weights is what lay there before: NaN, which no zero of the stream hides.
// reports: E0870
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8, K = 12, L = 16, N = 4];

type Chip = m![1];
type Cluster = m![1 # 2];
type Sums = HbmTensor<f32, Chip, m![S, A, N]>;

#[device(chip = 1)]
fn product(
    ctx: &mut Context,
    x: &HbmTensor<bf16, Chip, m![S, A, K # 16]>,
    w: &HbmTensor<bf16, Chip, m![S, N, K # 16]>,
    before: &HbmTensor<bf16, Chip, m![S, N, L]>,
) -> HbmTensor<f32, Chip, m![S, A, N]> {
    let x = x.to_dm::<Cluster, m![S], m![A, K # 16]>(&mut ctx.tdma, 0);
    let _before = before.to_dm::<Cluster, m![S], m![N, L]>(&mut ctx.tdma, 0x1000);
    let w = w.to_dm::<Cluster, m![S], m![N, K # 16]>(&mut ctx.tdma, 0x1000);
    let w: TrfTensor<bf16, Chip, Cluster, m![S], m![N], m![K # 16]> = ctx
        .sub
        .begin(w.view())
        .fetch::<bf16, m![N], m![K # 16]>()
        .collect::<m![N], m![K # 16]>()
        .to_trf(TrfAddress::Full);
    let y: DmTensor<f32, Chip, Cluster, m![S], m![A, N # 8]> = ctx
        .main
        .begin(x.view())
        .fetch::<bf16, m![A], m![K # 16]>()
        .collect::<m![A], m![K # 16]>()
        .align::<m![A], m![K # 32], _, _>(&w)
        .contract::<m![1]>()
        .accumulate::<m![A], m![N # 8]>(AccumulationKind::Interleaved)
        .commit(0x2000);
    y.to_hbm(&mut ctx.tdma, 1 << 28)
}

async fn product_over(ctx: &mut Context, before: f32) -> Vec<Opt<f32>> {
    let x = HostTensor::<bf16, m![S, A, K]>::from_buf(vec![Opt::Init(bf16::from_f32(2.0)); 256 * 8 * 12]);
    let w = HostTensor::<bf16, m![S, N, K]>::from_buf(vec![Opt::Init(bf16::from_f32(3.0)); 256 * 4 * 12]);
    let b = HostTensor::<bf16, m![S, N, L]>::from_buf(vec![Opt::Init(bf16::from_f32(before)); 256 * 4 * 16]);
    let x = x.to_hbm::<Chip, m![S, A, K # 16]>(&mut ctx.pdma, 0).await;
    let w = w.to_hbm::<Chip, m![S, N, K # 16]>(&mut ctx.pdma, 1 << 20).await;
    let b = b.to_hbm::<Chip, m![S, N, L]>(&mut ctx.pdma, 2 << 20).await;
    let y: Sums = launch(product, (&mut *ctx, &x, &w, &b)).await;
    y.to_host::<m![S, A, N]>(&mut ctx.pdma).await.to_buf()
}

#[tokio::test]
async fn fault() {
    let mut ctx = Context::acquire();
    let _ = product_over(&mut ctx, f32::NAN).await;
}

#[tokio::test]
async fn clean() {
    let mut ctx = Context::acquire();
    assert_eq!(product_over(&mut ctx, 1.0).await[5], Opt::Init(72.0));
}
