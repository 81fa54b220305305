// A former launch left NaN where this one has the padding of its weights; nobody knows what is there by then. With integers
// it does not matter: 0 times any of them is 0.
// warns: E0871
use furiosa_visa_std::prelude::*;

axes![S = 256, K = 24, L = 32, N = 4];

type Chip = m![1];
type Cluster = m![1 # 2];

#[device(chip = 1)]
fn fills(ctx: &mut Context, b: &HbmTensor<bf16, Chip, m![S, N, L]>) -> HbmTensor<bf16, Chip, m![S, N, L]> {
    b.to_dm::<Cluster, m![S], m![N, L]>(&mut ctx.tdma, 0x1000).to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn floats(
    ctx: &mut Context,
    x: &HbmTensor<bf16, Chip, m![S, K # 32]>,
    w: &HbmTensor<bf16, Chip, m![S, N, K # 32]>,
) -> HbmTensor<f32, Chip, m![S, N]> {
    let x = x.to_dm::<Cluster, m![S], m![K # 32]>(&mut ctx.tdma, 0);
    let w = w.to_dm::<Cluster, m![S], m![N, K # 32]>(&mut ctx.tdma, 0x1000);
    let w: TrfTensor<bf16, Chip, Cluster, m![S], m![N], m![K # 32]> = ctx
        .sub
        .begin(w.view())
        .fetch::<bf16, m![N], m![K # 32]>()
        .collect::<m![N, K # 32 / 16], m![K # 32 % 16]>()
        .to_trf(TrfAddress::Full);
    let y: DmTensor<f32, Chip, Cluster, m![S], m![N # 8]> = ctx
        .main
        .begin(x.view())
        .fetch::<bf16, m![1], m![K # 32]>()
        .collect::<m![K # 32 / 16], m![K # 32 % 16]>()
        .align::<m![1], m![K # 32], _, _>(&w)
        .contract::<m![1]>()
        .accumulate::<m![1], m![N # 8]>(AccumulationKind::Interleaved)
        .commit(0x2000);
    y.to_hbm(&mut ctx.tdma, 2 << 28)
}

#[device(chip = 1)]
fn integers(
    ctx: &mut Context,
    x: &HbmTensor<i8, Chip, m![S, K # 32]>,
    w: &HbmTensor<i8, Chip, m![S, N, K # 32]>,
) -> HbmTensor<i32, Chip, m![S, N]> {
    let x = x.to_dm::<Cluster, m![S], m![K # 32]>(&mut ctx.tdma, 0);
    let w = w.to_dm::<Cluster, m![S], m![N, K # 32]>(&mut ctx.tdma, 0x1000);
    let w: TrfTensor<i8, Chip, Cluster, m![S], m![N], m![K # 32]> = ctx
        .sub
        .begin(w.view())
        .fetch::<i8, m![N], m![K # 32]>()
        .collect::<m![N], m![K # 32]>()
        .to_trf(TrfAddress::Full);
    let y: DmTensor<i32, Chip, Cluster, m![S], m![N # 8]> = ctx
        .main
        .begin(x.view())
        .fetch::<i8, m![1], m![K # 32]>()
        .collect::<m![1], m![K # 32]>()
        .align::<m![1], m![K # 64], _, _>(&w)
        .contract::<m![1]>()
        .accumulate::<m![1], m![N # 8]>(AccumulationKind::Interleaved)
        .commit(0x2000);
    y.to_hbm(&mut ctx.tdma, 2 << 28)
}

async fn leave_nan(ctx: &mut Context) {
    let b = HostTensor::<bf16, m![S, N, L]>::from_buf(vec![Opt::Init(bf16::from_f32(f32::NAN)); 256 * 4 * 32]);
    let b = b.to_hbm(&mut ctx.pdma, 0).await;
    let _left = launch(fills, (&mut *ctx, &b)).await;
}

#[tokio::test]
async fn fault() {
    let mut ctx = Context::acquire();
    leave_nan(&mut ctx).await;
    let x = HostTensor::<bf16, m![S, K]>::from_buf(vec![Opt::Init(bf16::from_f32(2.0)); 256 * 24]);
    let w = HostTensor::<bf16, m![S, N, K]>::from_buf(vec![Opt::Init(bf16::from_f32(3.0)); 256 * 4 * 24]);
    let x = x.to_hbm(&mut ctx.pdma, 0).await;
    let w = w.to_hbm(&mut ctx.pdma, 1 << 20).await;
    let _y = launch(floats, (&mut *ctx, &x, &w)).await;
}

#[tokio::test]
async fn clean() {
    let mut ctx = Context::acquire();
    leave_nan(&mut ctx).await;
    let x = HostTensor::<i8, m![S, K]>::from_buf(vec![Opt::Init(2); 256 * 24]);
    let w = HostTensor::<i8, m![S, N, K]>::from_buf(vec![Opt::Init(3); 256 * 4 * 24]);
    let x = x.to_hbm(&mut ctx.pdma, 0).await;
    let w = w.to_hbm(&mut ctx.pdma, 1 << 20).await;
    let y = launch(integers, (&mut *ctx, &x, &w)).await.to_host::<m![S, N]>(&mut ctx.pdma).await.to_buf();
    assert_eq!(y[5], Opt::Init(144));
}
