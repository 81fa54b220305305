// options: --numerics=sequential
//! Sums of floats that are compared bit for bit: every sum ascends along the logical index, as on the host.

use furiosa_visa_std::prelude::*;
use rand::SeedableRng;
use rand::rngs::SmallRng;

axes![S = 256, K = 128, N = 8, H = 64];

type Chip = m![1];
type Cluster = m![1 # 2];

#[device(chip = 1)]
fn products(
    ctx: &mut Context,
    x: &HbmTensor<bf16, Chip, m![S, K]>,
    w: &HbmTensor<bf16, Chip, m![N, K]>,
) -> HbmTensor<f32, Chip, m![S, N]> {
    let x = x.to_dm::<Cluster, m![S], m![K]>(&mut ctx.tdma, 0);
    let w = w.to_dm::<Cluster, m![S], m![N, K]>(&mut ctx.tdma, 0x1000);
    let w: TrfTensor<bf16, Chip, Cluster, m![S], m![N], m![K]> = ctx
        .sub
        .begin(w.view())
        .fetch::<bf16, m![N], m![K]>()
        .collect::<m![N, K / 16], m![K % 16]>()
        .to_trf(TrfAddress::Full);
    let y: DmTensor<f32, Chip, Cluster, m![S], m![N]> = ctx
        .main
        .begin(x.view())
        .fetch::<bf16, m![1], m![K]>()
        .collect::<m![K / 16], m![K % 16]>()
        .align::<m![K / 32], m![K % 32], _, _>(&w)
        .contract::<m![1]>()
        .accumulate::<m![1], m![N]>(AccumulationKind::Interleaved)
        .commit(0x2000);
    y.to_hbm(&mut ctx.tdma, 2 << 28)
}

#[device(chip = 1)]
fn row_sums(ctx: &mut Context, x: &HbmTensor<f32, Chip, m![S, H]>) -> HbmTensor<f32, Chip, m![S]> {
    let dm = x.to_dm::<Cluster, m![S], m![H]>(&mut ctx.tdma, 0);
    let y: DmTensor<f32, Chip, Cluster, m![S], m![1 # 2]> = ctx
        .main
        .begin(dm.view())
        .fetch::<f32, m![H / 8], m![H % 8]>()
        .collect::<m![H / 8], m![H % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![H / 4], m![H % 4]>()
        .vector_intra_slice_reduce::<H, m![1], m![1 # 4]>(IntraSliceReduceOpF32::Add)
        .vector_pad_way8::<m![1 # 8]>()
        .vector_final()
        .commit(0x1000);
    y.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[tokio::test]
async fn a_contraction_equals_the_host() {
    let mut ctx = Context::acquire();
    let mut rng = SmallRng::seed_from_u64(42);
    let x = HostTensor::<bf16, m![S, K]>::rand(&mut rng);
    let w = HostTensor::<bf16, m![N, K]>::rand(&mut rng);
    let x_hbm = x.to_hbm(&mut ctx.pdma, 0).await;
    let w_hbm = w.to_hbm(&mut ctx.pdma, 1 << 28).await;
    let y = launch(products, (&mut *ctx, &x_hbm, &w_hbm)).await.to_host::<m![S, N]>(&mut ctx.pdma).await;

    let x = x.into_inner().map(|v| v.map(|v| v.to_f32()));
    let w = w.into_inner().map(|v| v.map(|v| v.to_f32()));
    let want: Tensor<f32, m![S, N]> = Tensor::contraction::<m![S, N, K], _, _>(&x, &w);
    assert_eq!(y.to_buf(), want.to_buf());

    let (x, w, y) = (x.to_buf(), w.to_buf(), y.to_buf());
    for (s, n) in [(0, 0), (17, 3), (255, 7)] {
        let mut sum = 0.0f32;
        for k in 0..128 {
            sum += x[128 * s + k].unwrap() * w[128 * n + k].unwrap();
        }
        assert_eq!(y[8 * s + n].unwrap().to_bits(), sum.to_bits(), "({s}, {n})");
    }
}

#[tokio::test]
async fn a_row_sum_equals_the_host() {
    let mut ctx = Context::acquire();
    let mut rng = SmallRng::seed_from_u64(42);
    let x = HostTensor::<f32, m![S, H]>::rand(&mut rng);
    let x_hbm = x.to_hbm(&mut ctx.pdma, 0).await;
    let y = launch(row_sums, (&mut *ctx, &x_hbm)).await.to_host::<m![S]>(&mut ctx.pdma).await;
    let want: Tensor<f32, m![S]> = x.into_inner().reduce_add();
    assert_eq!(y.to_buf(), want.to_buf());
}
