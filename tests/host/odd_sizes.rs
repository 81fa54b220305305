//! Sizes that nothing divides: rows, columns and slices that end in padding.

use furiosa_visa_std::prelude::*;
axes![M = 1000, K = 100, N = 30, T = 250, D = 40, P = 6, W = 50, S = 256];
type Chip = m![1];
type Cluster = m![1 # 2];

// Nothing is a power of two: 1000 rows in 250 of 256 slices, 100 products padded to 128, 30 columns in 8 rows of 4.
#[device(chip = 1)]
fn odd_gemm(
    ctx: &mut Context,
    x: &HbmTensor<i8, Chip, m![M, K # 128]>,
    w: &HbmTensor<i8, Chip, m![N # 32, K # 128]>,
) -> HbmTensor<i32, Chip, m![M, N # 32 % 4, N # 32 / 4]> {
    type Slice = m![M # 1024 / 4];
    let x = x.to_dm::<Cluster, Slice, m![M # 1024 % 4, K # 128]>(&mut ctx.tdma, 0);
    let w = w.to_dm::<Cluster, Slice, m![N # 32, K # 128]>(&mut ctx.tdma, 0x2000);
    let w: TrfTensor<i8, Chip, Cluster, Slice, m![N # 32 / 4], m![N # 32 % 4, K # 128]> = ctx
        .sub.begin(w.view())
        .fetch::<i8, m![N # 32], m![K # 128]>()
        .collect::<m![N # 32, K # 128 / 32], m![K # 128 % 32]>()
        .to_trf(TrfAddress::Full);
    let y: DmTensor<i32, Chip, Cluster, Slice, m![M # 1024 % 4, N # 32 % 4, N # 32 / 4]> = ctx
        .main.begin(x.view())
        .fetch::<i8, m![M # 1024 % 4], m![K # 128]>()
        .collect::<m![M # 1024 % 4, K # 128 / 32], m![K # 128 % 32]>()
        .align::<m![M # 1024 % 4, K # 128 / 32, N # 32 % 4], m![K # 128 % 32 # 64], _, _>(&w)
        .contract::<m![1]>()
        .accumulate::<m![M # 1024 % 4, N # 32 % 4], m![N # 32 / 4]>(AccumulationKind::Interleaved)
        .commit(0x4000);
    y.to_hbm(&mut ctx.tdma, 2 << 28)
}
#[tokio::test]
async fn odd_products() {
    let x = |m: usize, k: usize| ((m * 7 + k * 13) % 100) as i8 - 50;
    let w = |n: usize, k: usize| ((n * 29 + k * 5) % 90) as i8 - 45;
    let mut ctx = Context::acquire();
    let xs = HostTensor::<i8, m![M, K]>::from_buf((0..1000 * 100).map(|e| Opt::Init(x(e / 100, e % 100))).collect())
        .to_hbm(&mut ctx.pdma, 0)
        .await;
    let ws = HostTensor::<i8, m![N, K]>::from_buf((0..30 * 100).map(|e| Opt::Init(w(e / 100, e % 100))).collect())
        .to_hbm(&mut ctx.pdma, 1 << 28)
        .await;
    let out = launch(odd_gemm, (&mut *ctx, &xs, &ws)).await.to_host::<m![M, N]>(&mut ctx.pdma).await.to_buf();
    for m in [0, 1, 77, 999] { for n in 0..30 {
        let sum: i32 = (0..100).map(|k| x(m, k) as i32 * w(n, k) as i32).sum();
        assert_eq!(out[m * 30 + n].unwrap(), sum, "{m} {n}");
    } }
}

// Six of eight rows, and 40 of 48 products.
#[device(chip = 1)]
fn batched(
    ctx: &mut Context,
    x: &HbmTensor<bf16, Chip, m![S, D # 48]>,
    w: &HbmTensor<bf16, Chip, m![P # 8, D # 48]>,
) -> HbmTensor<f32, Chip, m![S, P # 8]> {
    let x = x.to_dm::<Cluster, m![S], m![D # 48]>(&mut ctx.tdma, 0);
    let w = w.to_dm::<Cluster, m![S], m![P # 8, D # 48]>(&mut ctx.tdma, 0x1000);
    let w: TrfTensor<bf16, Chip, Cluster, m![S], m![P # 8], m![D # 48]> = ctx.sub.begin(w.view())
        
            .fetch::<bf16, m![P # 8], m![D # 48]>()
            .collect::<m![P # 8, D # 48 / 16], m![D # 48 % 16]>()
            .to_trf(TrfAddress::FirstHalf);
    let y: DmTensor<f32, Chip, Cluster, m![S], m![P # 8]> = ctx.main.begin(x.view())
        .fetch::<bf16, m![1], m![D # 48]>().collect::<m![D # 48 / 16], m![D # 48 % 16]>()
        .align::<m![D # 48 / 16], m![D # 48 % 16 # 32], _, _>(&w)
        .contract::<m![1]>()
        .accumulate::<m![1], m![P # 8]>(AccumulationKind::Interleaved)
        .commit(0x2000);
    y.to_hbm(&mut ctx.tdma, 2 << 28)
}
#[tokio::test]
async fn batches() {
    let x = |m: usize, k: usize| ((m * 7 + k * 13) % 16) as f32 - 8.0;
    let w = |n: usize, k: usize| ((n * 29 + k * 5) % 16) as f32 - 8.0;
    let mut ctx = Context::acquire();
    let xs = HostTensor::<bf16, m![S, D]>::from_buf((0..256 * 40).map(|e| Opt::Init(bf16::from_f32(x(e / 40, e % 40)))).collect())
        .to_hbm(&mut ctx.pdma, 0)
        .await;
    let ws = HostTensor::<bf16, m![P, D]>::from_buf((0..6 * 40).map(|e| Opt::Init(bf16::from_f32(w(e / 40, e % 40)))).collect())
        .to_hbm(&mut ctx.pdma, 1 << 28)
        .await;
    let out = launch(batched, (&mut *ctx, &xs, &ws)).await.to_host::<m![S, P]>(&mut ctx.pdma).await.to_buf();
    for s in 0..256 { for p in 0..6 {
        let e: f32 = (0..40).map(|k| x(s, k) * w(p, k)).sum();
        assert_eq!(out[s * 6 + p].unwrap(), e, "{s} {p}");
    } }
}

// The mean over 250 of 256 slices.
#[device(chip = 1)]
fn column_mean(ctx: &mut Context, x: &HbmTensor<f32, Chip, m![T # 256, W # 56]>) -> HbmTensor<f32, Chip, m![W # 56]> {
    let x = x.to_dm::<Cluster, m![T # 256], m![W # 56]>(&mut ctx.tdma, 0);
    let y: DmTensor<f32, Chip, Cluster, m![1 # 256], m![W # 56]> = ctx.main.begin(x.view())
        .fetch::<f32, m![W # 56 / 8], m![W # 56 % 8]>().collect::<m![W # 56 / 8], m![W # 56 % 8]>()
        .vector_init()
        .vector_inter_slice_reduce::<m![1 # 256], m![W # 56 / 8]>(InterSliceReduceOpF32::Add)
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![W # 56 / 4], m![W # 56 % 4]>()
        .vector_fp_div(FpDivBinaryOp::DivF.with_mode(BinaryArgMode::Mode01), 250.0)
        .vector_concat::<m![W # 56 / 8], m![W # 56 % 8]>()
        .vector_final().commit(0x1000);
    y.to_hbm(&mut ctx.tdma, 2 << 28)
}
#[tokio::test]
async fn means() {
    let mut ctx = Context::acquire();
    let xs = HostTensor::<f32, m![T, W]>::from_buf((0..250 * 50).map(|e| Opt::Init((e % 50 * 250) as f32 + (e / 50) as f32)).collect())
        .to_hbm(&mut ctx.pdma, 0)
        .await;
    let out = launch(column_mean, (&mut *ctx, &xs)).await.to_host::<m![W]>(&mut ctx.pdma).await.to_buf();
    for w in 0..50 { assert_eq!(out[w].unwrap(), (w * 250) as f32 + 124.5); }
}
