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

// Runs the kernel on the chip.
async fn run(x: Vec<i8>, w: Vec<i8>, bias: Vec<i32>) -> Vec<i8> {
    let mut ctx = Context::acquire();
    let x = HostTensor::<i8, m![Rows, K]>::from_buf(x.into_iter().map(Opt::Init).collect());
    let w = HostTensor::<i8, m![N, K]>::from_buf(w.into_iter().map(Opt::Init).collect());
    let bias = HostTensor::<i32, m![N]>::from_buf(bias.into_iter().map(Opt::Init).collect());
    let x_hbm = x.to_hbm(&mut ctx.pdma, 0 << 28).await;
    let w_hbm = w.to_hbm(&mut ctx.pdma, 1 << 28).await;
    let bias_hbm = bias.to_hbm(&mut ctx.pdma, 2 << 28).await;
    let out_hbm = launch(quantised, (&mut *ctx, &x_hbm, &w_hbm, &bias_hbm)).await;
    let out = out_hbm.to_host::<m![Rows, N]>(&mut ctx.pdma).await;
    out.to_buf().into_iter().map(|value| value.unwrap()).collect()
}

#[tokio::main]
async fn main() {
    // Ones with weights n: the sum is 128 n, and a 64th of it 2 n.
    let out = run(vec![1; 1024 * 128], (0..8 * 128).map(|e| (e / 128) as i8).collect(), vec![64; 8]).await;
    println!("(128 n + 64) / 64 for n = 0, 1, 7: {}, {}, {}", out[0], out[1], out[7]);
    for e in 0..1024 * 8 {
        assert_eq!(out[e], (2 * (e % 8) + 1) as i8);
    }
}

#[tokio::test]
async fn cut_to_eight_bits() {
    let x = |r: usize, k: usize| ((r * 7 + k * 13) % 251) as i8;
    let w = |n: usize, k: usize| ((n * 29 + k * 5) % 253) as i8;
    let bias = |n: usize| 1000 * n as i32 - 4000;
    let left = (0..1024 * 128).map(|e| x(e / 128, e % 128)).collect();
    let right = (0..8 * 128).map(|e| w(e / 128, e % 128)).collect();
    let out = run(left, right, (0..8).map(bias).collect()).await;
    for r in 0..1024 {
        for n in 0..8 {
            let sum: i32 = (0..128).map(|k| x(r, k) as i32 * w(n, k) as i32).sum();
            let expected = ((sum + bias(n)) >> 6).clamp(-128, 127) as i8;
            assert_eq!(out[8 * r + n], expected, "row {r}, output {n}");
        }
    }
}
