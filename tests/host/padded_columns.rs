//! Padding that `contract` leaves among its sums may stay in Time, or be cut off by `accumulate`.

use furiosa_visa_std::prelude::*;

axes![A = 2, J = 3, N = 4, K = 32];

type Chip = m![1];
type Cluster = m![1 # 2];
type Slice = m![1 # 256];
type Weights = TrfTensor<i8, Chip, Cluster, Slice, m![N], m![K # 64]>;

fn weights(ctx: &mut Context, w: &HbmTensor<i8, Chip, m![N, K # 64]>) -> Weights {
    let w = w.to_dm::<Cluster, Slice, m![N, K # 64]>(&mut ctx.tdma, 0x8000);
    ctx.sub
        .begin(w.view())
        .fetch::<i8, m![N, K # 64 / 32], m![K # 64 % 32]>()
        .collect::<m![N, K # 64 / 32], m![K # 64 % 32]>()
        .to_trf(TrfAddress::Full)
}

// Four columns: two sums, two of padding.
#[device(chip = 1)]
fn keeps(
    ctx: &mut Context,
    x: &HbmTensor<i8, Chip, m![A, J, K # 64]>,
    w: &HbmTensor<i8, Chip, m![N, K # 64]>,
) -> HbmTensor<i32, Chip, m![A, K # 64 / 16, N]> {
    let x = x.to_dm::<Cluster, Slice, m![A, J, K # 64]>(&mut ctx.tdma, 0);
    let w = weights(ctx, w);
    let y: DmTensor<i32, Chip, Cluster, Slice, m![A, K # 64 / 16, N]> = ctx
        .main
        .begin(x.view())
        .fetch::<i8, m![A, J, K # 64 / 32], m![K # 64 % 32]>()
        .collect::<m![A, J, K # 64 / 32], m![K # 64 % 32]>()
        .align::<m![A, J], m![K # 64], _, _>(&w)
        .contract::<m![K # 64 / 16]>()
        .accumulate::<m![A, K # 64 / 16], m![N # 8]>(AccumulationKind::Interleaved)
        .commit(0x10000);
    y.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn cuts(
    ctx: &mut Context,
    x: &HbmTensor<i8, Chip, m![A, J, K # 64]>,
    w: &HbmTensor<i8, Chip, m![N, K # 64]>,
) -> HbmTensor<i32, Chip, m![A, K / 16, N]> {
    let x = x.to_dm::<Cluster, Slice, m![A, J, K # 64]>(&mut ctx.tdma, 0);
    let w = weights(ctx, w);
    let y: DmTensor<i32, Chip, Cluster, Slice, m![A, K / 16, N]> = ctx
        .main
        .begin(x.view())
        .fetch::<i8, m![A, J, K # 64 / 32], m![K # 64 % 32]>()
        .collect::<m![A, J, K # 64 / 32], m![K # 64 % 32]>()
        .align::<m![A, J], m![K # 64], _, _>(&w)
        .contract::<m![K # 64 / 16]>()
        .accumulate::<m![A, K / 16], m![N # 8]>(AccumulationKind::Interleaved)
        .commit(0x10000);
    y.to_hbm(&mut ctx.tdma, 1 << 28)
}

fn x_at(a: usize, j: usize, k: usize) -> i32 {
    (a * 7 + j * 5 + k) as i32 % 19 - 9
}

fn w_at(n: usize, k: usize) -> i32 {
    (n * 3 + k * 2) as i32 % 17 - 8
}

fn sum(a: usize, part: usize, n: usize) -> i32 {
    (0..3).map(|j| (0..16).map(|k| x_at(a, j, part * 16 + k) * w_at(n, part * 16 + k)).sum::<i32>()).sum()
}

fn inputs() -> (HostTensor<i8, m![A, J, K]>, HostTensor<i8, m![N, K]>) {
    let x = (0..2 * 3 * 32).map(|i| Opt::Init(x_at(i / 96, i / 32 % 3, i % 32) as i8));
    let w = (0..4 * 32).map(|i| Opt::Init(w_at(i / 32, i % 32) as i8));
    (HostTensor::from_buf(x.collect()), HostTensor::from_buf(w.collect()))
}

#[tokio::test]
async fn padded_columns_stay() {
    let mut ctx = Context::acquire();
    let (x, w) = inputs();
    let x = x.to_hbm(&mut ctx.pdma, 0).await;
    let w = w.to_hbm(&mut ctx.pdma, 1 << 20).await;
    let y = launch(keeps, (&mut *ctx, &x, &w)).await.to_host::<m![A, K / 16, N]>(&mut ctx.pdma).await.to_buf();
    for (i, y) in y.iter().enumerate() {
        assert_eq!(*y, Opt::Init(sum(i / 8, i / 4 % 2, i % 4)));
    }
}

#[tokio::test]
async fn padded_columns_are_cut_off() {
    let mut ctx = Context::acquire();
    let (x, w) = inputs();
    let x = x.to_hbm(&mut ctx.pdma, 0).await;
    let w = w.to_hbm(&mut ctx.pdma, 1 << 20).await;
    let y = launch(cuts, (&mut *ctx, &x, &w)).await.to_host::<m![A, K / 16, N]>(&mut ctx.pdma).await.to_buf();
    for (i, y) in y.iter().enumerate() {
        assert_eq!(*y, Opt::Init(sum(i / 8, i / 4 % 2, i % 4)));
    }
}
