//! A quantised matrix product: i8 in, i32 sums, i8 out.
//!
//! 1024 rows are spread over 256 slices, four to a slice; the weights (8 outputs of 128 inputs) go to all slices. The
//! products are added in i32. To come back to eight bits the Vector Engine adds a bias from the register file, divides
//! by 64 with a shift, cuts the result to -128..=127, and the Cast Engine keeps the low byte.
//!
//! Engines: DMA (with broadcasts), Fetch, Collect, Contraction with eight rows, Vector (fixed point, clip), Cast, Commit.
//! Memory in a slice: x at 0 (512 bytes), w at 0x1000 (1 KiB), bias at 0x2000 (32 bytes), y at 0x3000 (32 bytes);
//! TRF 8 x 128 bytes, VRF 32 bytes.

use furiosa_visa_std::prelude::*;
use rand::SeedableRng;
use rand::rngs::SmallRng;

axes![Rows = 1024, K = 128, N = 8];

type Chip = m![1];
type Cluster = m![1 # 2];
type Slice = m![Rows / 4];

#[device(chip = 1)]
fn quantised(
    ctx: &mut Context,
    x: &HbmTensor<i8, Chip, m![Rows, K]>,
    w: &HbmTensor<i8, Chip, m![N, K]>,
    bias: &HbmTensor<i32, Chip, m![N]>,
) -> HbmTensor<i8, Chip, m![Rows, N]> {
    let x = x.to_dm::<Cluster, Slice, m![Rows % 4, K]>(&mut ctx.tdma, 0);
    let w = w.to_dm::<Cluster, Slice, m![N, K]>(&mut ctx.tdma, 0x1000);
    let bias = bias.to_dm::<Cluster, Slice, m![N]>(&mut ctx.tdma, 0x2000);

    let w: TrfTensor<i8, Chip, Cluster, Slice, m![N], m![K]> = ctx
        .sub
        .begin(w.view())
        .fetch::<i8, m![N], m![K]>()
        .collect::<m![N, K / 32], m![K % 32]>()
        .to_trf(TrfAddress::Full);
    let bias: VrfTensor<i32, Chip, Cluster, Slice, m![N]> =
        ctx.sub.begin(bias.view()).fetch::<i32, m![1], m![N]>().collect::<m![1], m![N]>().to_vrf(0);

    let y: DmTensor<i8, Chip, Cluster, Slice, m![Rows % 4, N]> = ctx
        .main
        .begin(x.view())
        .fetch::<i8, m![Rows % 4], m![K]>()
        .collect::<m![Rows % 4, K / 32], m![K % 32]>()
        .align::<m![Rows % 4, K / 64], m![K % 64], _, _>(&w)
        .contract::<m![1]>() // 64 products -> 1 sum a row
        .accumulate::<m![Rows % 4], m![N]>(AccumulationKind::Interleaved) // 2 steps -> 1; eight sums a flit
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_fxp(FxpBinaryOp::AddFxp, &bias)
        .vector_fxp(FxpBinaryOp::ArithRightShift, 6)
        .vector_clip(ClipBinaryOpI32::Max, -128)
        .vector_clip(ClipBinaryOpI32::Min, 127)
        .vector_final()
        .cast::<i8, m![N # 32]>()
        .commit(0x3000); // eight bytes a step
    y.to_hbm(&mut ctx.tdma, 3 << 28)
}

#[tokio::main]
async fn main() {
    let mut ctx = Context::acquire();
    let mut rng = SmallRng::seed_from_u64(14);
    let x = HostTensor::<i8, m![Rows, K]>::rand(&mut rng);
    let w = HostTensor::<i8, m![N, K]>::rand(&mut rng);
    let bias = HostTensor::<i32, m![N]>::from_buf((0..8).map(|n| Opt::Init(1000 * n - 4000)).collect());

    let x_hbm = x.to_hbm(&mut ctx.pdma, 0 << 28).await;
    let w_hbm = w.to_hbm(&mut ctx.pdma, 1 << 28).await;
    let bias_hbm = bias.to_hbm(&mut ctx.pdma, 2 << 28).await;
    let out_hbm = launch(quantised, (&mut *ctx, &x_hbm, &w_hbm, &bias_hbm)).await;
    let out = out_hbm.to_host::<m![Rows, N]>(&mut ctx.pdma).await.to_buf();

    let (x, w, bias) = (x.to_buf(), w.to_buf(), bias.to_buf());
    for r in 0..1024 {
        for n in 0..8 {
            let sum: i32 = (0..128).map(|k| x[128 * r + k].unwrap() as i32 * w[128 * n + k].unwrap() as i32).sum();
            let expected = ((sum + bias[n].unwrap()) >> 6).clamp(-128, 127) as i8;
            assert_eq!(out[8 * r + n], Opt::Init(expected), "row {r}, output {n}");
        }
    }
}
