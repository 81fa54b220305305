// A small matrix product in every slice, compared with sums made on the host.
use furiosa_visa_std::prelude::*;

axes![S = 256, B = 4, N = 8, K = 64];

type Cluster = m![1 # 2];

#[device(chip = 1)]
fn matmul(
    ctx: &mut Context,
    x: &HbmTensor<i8, m![1], m![S, B, K]>,
    w: &HbmTensor<i8, m![1], m![S, N, K]>,
) -> HbmTensor<i32, m![1], m![S, B, N]> {
    let x = x.to_dm::<Cluster, m![S], m![B, K]>(&mut ctx.tdma, 0);
    let w = w.to_dm::<Cluster, m![S], m![N, K]>(&mut ctx.tdma, 0x1000);
    let w: TrfTensor<i8, m![1], Cluster, m![S], m![N], m![K]> = ctx
        .sub
        .begin(w.view())
        .fetch::<i8, m![N], m![K]>()
        .collect::<m![N, K / 32], m![K % 32]>()
        .to_trf(TrfAddress::Full);
    let out = ctx
        .main
        .begin(x.view())
        .fetch::<i8, m![B], m![K]>()
        .collect::<m![B, K / 32], m![K % 32]>()
        .align::<m![B], m![K], _, _>(&w)
        .contract::<m![1]>()
        .accumulate::<m![B], m![N]>(AccumulationKind::Interleaved)
        .commit::<m![B, N]>(0x2000);
    out.to_hbm(&mut ctx.tdma, 2 << 28)
}

fn x(s: usize, b: usize, k: usize) -> i32 {
    ((s + 3 * b + 5 * k) % 11) as i32 - 5
}

fn w(s: usize, n: usize, k: usize) -> i32 {
    ((2 * s + n + 7 * k) % 13) as i32 - 6
}

#[tokio::test]
async fn sums_of_products() {
    let mut ctx = Context::acquire();
    let xs = (0..<m![S, B, K]>::SIZE).map(|i| Opt::Init(x(i / 256, i / 64 % 4, i % 64) as i8)).collect();
    let ws = (0..<m![S, N, K]>::SIZE).map(|i| Opt::Init(w(i / 512, i / 64 % 8, i % 64) as i8)).collect();
    let x_hbm = HostTensor::<i8, m![S, B, K]>::from_buf(xs).to_hbm(&mut ctx.pdma, 0 << 28).await;
    let w_hbm = HostTensor::<i8, m![S, N, K]>::from_buf(ws).to_hbm(&mut ctx.pdma, 1 << 28).await;
    let out = launch(matmul, (&mut *ctx, &x_hbm, &w_hbm)).await.to_host::<m![S, B, N]>(&mut ctx.pdma).await;
    let expected: Vec<Opt<i32>> = (0..<m![S, B, N]>::SIZE)
        .map(|i| {
            let (s, b, n) = (i / 32, i / 8 % 4, i % 8);
            Opt::Init((0..64).map(|k| x(s, b, k) * w(s, n, k)).sum())
        })
        .collect();
    assert_eq!(out.to_buf(), expected);
}
