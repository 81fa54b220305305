// expect: 1 passed, 1 failed, 0 ignored
// says: error[E0666]: the padding of `A` is summed with the data
// lacks: warning
//! Padding that no mask leaves out is refused, and the layout that can be masked gives the right sum.

use furiosa_visa_std::prelude::*;

axes![A = 11, B = 5, K = 16, N = 8];

type Cluster = m![1 # 2];
type Slice = m![1 # 256];
type Rows = HbmTensor<bf16, m![1], m![A, K]>;
type Next = HbmTensor<bf16, m![1], m![B, K]>;
type Weights = HbmTensor<bf16, m![1], m![N, K]>;

/// `y` lies right after `x`: the five steps of padding in Time read it.
#[device(chip = 1)]
fn five_steps(ctx: &mut Context, x: &Rows, y: &Next, w: &Weights) -> HbmTensor<f32, m![1], m![N]> {
    let x = x.to_dm::<Cluster, Slice, m![A, K]>(&mut ctx.tdma, 0);
    let y = y.to_dm::<Cluster, Slice, m![B, K]>(&mut ctx.tdma, 352);
    let w = w.to_dm::<Cluster, Slice, m![N, K]>(&mut ctx.tdma, 0x4000);
    let w: TrfTensor<bf16, m![1], Cluster, Slice, m![N], m![K]> =
        ctx.sub.begin(w.view()).fetch::<bf16, m![N], m![K]>().collect::<m![N], m![K]>().to_trf(TrfAddress::Full);
    let sums: DmTensor<f32, m![1], Cluster, Slice, m![N]> = ctx
        .main
        .begin(x.view())
        .fetch::<bf16, m![A # 16], m![K]>()
        .collect::<m![A # 16], m![K]>()
        .align::<m![A # 16], m![K # 32], _, _>(&w)
        .contract::<m![1]>()
        .accumulate::<m![1], m![N]>(AccumulationKind::Interleaved)
        .commit(0x8000);
    let _kept: HbmTensor<bf16, m![1], m![B, K]> = y.to_hbm(&mut ctx.tdma, 1 << 30);
    sums.to_hbm(&mut ctx.tdma, 1 << 29)
}

/// The same with one step of padding, the last: that can be masked.
#[device(chip = 1)]
fn last_step(ctx: &mut Context, x: &Rows, y: &Next, w: &Weights) -> HbmTensor<f32, m![1], m![N]> {
    let x = x.to_dm::<Cluster, Slice, m![A, K]>(&mut ctx.tdma, 0);
    let y = y.to_dm::<Cluster, Slice, m![B, K]>(&mut ctx.tdma, 352);
    let w = w.to_dm::<Cluster, Slice, m![N, K]>(&mut ctx.tdma, 0x4000);
    let w: TrfTensor<bf16, m![1], Cluster, Slice, m![N], m![K]> =
        ctx.sub.begin(w.view()).fetch::<bf16, m![N], m![K]>().collect::<m![N], m![K]>().to_trf(TrfAddress::Full);
    let sums: DmTensor<f32, m![1], Cluster, Slice, m![N]> = ctx
        .main
        .begin(x.view())
        .fetch::<bf16, m![A # 12], m![K]>()
        .collect::<m![A # 12], m![K]>()
        .align::<m![A # 12], m![K # 32], _, _>(&w)
        .contract::<m![1]>()
        .accumulate::<m![1], m![N]>(AccumulationKind::Interleaved)
        .commit(0x8000);
    let _kept: HbmTensor<bf16, m![1], m![B, K]> = y.to_hbm(&mut ctx.tdma, 1 << 30);
    sums.to_hbm(&mut ctx.tdma, 1 << 29)
}

fn floats(count: usize, value: impl Fn(usize) -> f32) -> Vec<Opt<bf16>> {
    (0..count).map(|i| Opt::Init(bf16::from_f32(value(i)))).collect()
}

#[tokio::test]
async fn refused() {
    let mut ctx = Context::acquire();
    let x: Rows = HostTensor::<bf16, m![A, K]>::from_buf(floats(176, |_| 1.0)).to_hbm(&mut ctx.pdma, 0).await;
    let y: Next = HostTensor::<bf16, m![B, K]>::from_buf(floats(80, |_| 1000.0)).to_hbm(&mut ctx.pdma, 1 << 20).await;
    let w: Weights =
        HostTensor::<bf16, m![N, K]>::from_buf(floats(128, |i| (i / 16 + 1) as f32)).to_hbm(&mut ctx.pdma, 1 << 21).await;
    let sums = launch(five_steps, (&mut *ctx, &x, &y, &w)).await.to_host::<m![N]>(&mut ctx.pdma).await.to_buf();
    for n in 0..8 {
        assert_eq!(sums[n].unwrap(), 176.0 * (n + 1) as f32);
    }
}

#[tokio::test]
async fn masked() {
    let mut ctx = Context::acquire();
    let x: Rows = HostTensor::<bf16, m![A, K]>::from_buf(floats(176, |_| 1.0)).to_hbm(&mut ctx.pdma, 0).await;
    let y: Next = HostTensor::<bf16, m![B, K]>::from_buf(floats(80, |_| 1000.0)).to_hbm(&mut ctx.pdma, 1 << 20).await;
    let w: Weights =
        HostTensor::<bf16, m![N, K]>::from_buf(floats(128, |i| (i / 16 + 1) as f32)).to_hbm(&mut ctx.pdma, 1 << 21).await;
    let sums = launch(last_step, (&mut *ctx, &x, &y, &w)).await.to_host::<m![N]>(&mut ctx.pdma).await.to_buf();
    for n in 0..8 {
        assert_eq!(sums[n].unwrap(), 176.0 * (n + 1) as f32);
    }
}
