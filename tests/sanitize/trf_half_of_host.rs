// A kernel that a host program launches uses weights after others were loaded into the same half: that is said once.
// options: --relax=overlap
// reports: E0865
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8, K = 32, N = 4];

type Chip = m![1];
type Cluster = m![1 # 2];
type Weights = TrfTensor<i8, Chip, Cluster, m![S], m![N], m![K]>;

fn load(ctx: &mut Context, w: &DmTensor<i8, Chip, Cluster, m![S], m![N, K]>, half: TrfAddress) -> Weights {
    ctx.sub
        .begin(w.view())
        .fetch::<i8, m![N], m![K]>()
        .collect::<m![N], m![K]>()
        .to_trf(half)
}

fn multiply(ctx: &mut Context, x: &DmTensor<i8, Chip, Cluster, m![S], m![A, K]>, w: &Weights) -> DmTensor<i32, Chip, Cluster, m![S], m![A, N # 8]> {
    ctx.main
        .begin(x.view())
        .fetch::<i8, m![A], m![K]>()
        .collect::<m![A], m![K]>()
        .align::<m![A], m![K # 64], _, _>(w)
        .contract::<m![1]>()
        .accumulate::<m![A], m![N # 8]>(AccumulationKind::Interleaved)
        .commit(0x2000)
}

#[device(chip = 1)]
fn in_halves(ctx: &mut Context, x: &HbmTensor<i8, Chip, m![S, A, K]>, w: &HbmTensor<i8, Chip, m![S, N, K]>) -> HbmTensor<i32, Chip, m![S, A, N]> {
    let x = x.to_dm::<Cluster, m![S], m![A, K]>(&mut ctx.tdma, 0);
    let w = w.to_dm::<Cluster, m![S], m![N, K]>(&mut ctx.tdma, 0x1000);
    let first = load(ctx, &w, TrfAddress::FirstHalf);
    let _second = load(ctx, &w, TrfAddress::SecondHalf);
    multiply(ctx, &x, &first).to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn in_all(ctx: &mut Context, x: &HbmTensor<i8, Chip, m![S, A, K]>, w: &HbmTensor<i8, Chip, m![S, N, K]>) -> HbmTensor<i32, Chip, m![S, A, N]> {
    let x = x.to_dm::<Cluster, m![S], m![A, K]>(&mut ctx.tdma, 0);
    let w = w.to_dm::<Cluster, m![S], m![N, K]>(&mut ctx.tdma, 0x1000);
    let first = load(ctx, &w, TrfAddress::FirstHalf);
    let _second = load(ctx, &w, TrfAddress::Full);
    multiply(ctx, &x, &first).to_hbm(&mut ctx.tdma, 1 << 28)
}

async fn with(all: bool) {
    let mut ctx = Context::acquire();
    let x = HostTensor::<i8, m![S, A, K]>::from_buf(vec![Opt::Init(1); 65536]);
    let x = x.to_hbm::<Chip, m![S, A, K]>(&mut ctx.pdma, 0).await;
    let w = HostTensor::<i8, m![S, N, K]>::from_buf(vec![Opt::Init(2); 32768]);
    let w = w.to_hbm::<Chip, m![S, N, K]>(&mut ctx.pdma, 1 << 20).await;
    if all {
        launch(in_all, (&mut *ctx, &x, &w)).await;
    } else {
        launch(in_halves, (&mut *ctx, &x, &w)).await;
    }
}

#[tokio::test]
async fn fault() {
    with(true).await;
}

#[tokio::test]
async fn clean() {
    with(false).await;
}
