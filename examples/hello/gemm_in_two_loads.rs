//! A larger matrix product: weights that do not fit, in two loads that take turns.
//!
//! C[i, j] = sum over k of A[i, k] * B[j, k] with 64 rows, 512 columns and k to 1024. Slice (p, q) of the 16 by 16 grid
//! computes 4 rows and 32 columns, so it needs 32 rows of B, 64 KiB. They fill the whole register file, and nothing
//! could be loaded while it is read. So k is cut in two: each half of the weights goes to one half of the register file,
//! and while the main context multiplies with the first, the sub context may load the second. The first product waits
//! in the vector registers, and the second is added to it on its way out.
//!
//! Every flit of A meets 4 x 8 columns: 8 are the rows of the register file, which work side by side; the 4 follow each
//! other in time. A has no axis J, so the fetch reads each of its rows four times, once for every eight columns.
//!
//! Engines: DMA (with broadcasts), Fetch, Collect, Contraction with eight rows, Vector (clip), Commit.
//! Memory in a slice: A at 0 (8 KiB), B at 0x4000 (64 KiB), the first half of the sum at 0x20000, C at 0x21000 (512 bytes
//! each); both halves of the TRF (8 x 4 KiB each), VRF 0..512.

use furiosa_visa_std::prelude::*;

axes![I = 64, J = 512, K = 1024];

type Chip = m![1];
type Cluster = m![1 # 2];
type Slice = m![I / 4, J / 32];
type Weights = TrfTensor<bf16, Chip, Cluster, Slice, m![J % 8], m![J / 8 % 4, K % 512]>;
type Tile = DmTensor<f32, Chip, Cluster, Slice, m![I % 4, J % 32]>;

#[device(chip = 1)]
fn gemm(
    ctx: &mut Context,
    a: &HbmTensor<bf16, Chip, m![I, K]>,
    b: &HbmTensor<bf16, Chip, m![J, K]>,
) -> HbmTensor<f32, Chip, m![I, J]> {
    let a = a.to_dm::<Cluster, Slice, m![I % 4, K]>(&mut ctx.tdma, 0);
    let b = b.to_dm::<Cluster, Slice, m![J % 32, K]>(&mut ctx.tdma, 0x4000);

    let first: Weights = ctx
        .sub
        .begin(b.view().tile::<m![K / 512], 1, m![J % 32, 1 # 2, K % 512]>(0)) // k below 512
        .fetch::<bf16, m![J % 8, J / 8 % 4], m![K % 512]>()
        .collect::<m![J % 8, J / 8 % 4, K / 16 % 32], m![K % 16]>()
        .to_trf(TrfAddress::FirstHalf);
    let second: Weights = ctx
        .sub
        .begin(b.view().tile::<m![K / 512], 1, m![J % 32, 1 # 2, K % 512]>(1))
        .fetch::<bf16, m![J % 8, J / 8 % 4], m![K % 512]>()
        .collect::<m![J % 8, J / 8 % 4, K / 16 % 32], m![K % 16]>()
        .to_trf(TrfAddress::SecondHalf);

    let below: Tile = ctx
        .main
        .begin(a.view().tile::<m![K / 512], 1, m![I % 4, 1 # 2, K % 512]>(0))
        .fetch::<bf16, m![I % 4, J / 8 % 4], m![K % 512]>() // each row of A four times
        .collect::<m![I % 4, J / 8 % 4, K / 16 % 32], m![K % 16]>()
        .align::<m![I % 4, J / 8 % 4, K / 32 % 16], m![K % 32], _, _>(&first)
        .contract::<m![1]>()
        .accumulate::<m![I % 4, J / 8 % 4], m![J % 8]>(AccumulationKind::Interleaved)
        .commit(0x20000);
    let below: VrfTensor<f32, Chip, Cluster, Slice, m![I % 4, J % 32]> = ctx
        .sub
        .begin(below.view())
        .fetch::<f32, m![I % 4, J / 8 % 4], m![J % 8]>()
        .collect::<m![I % 4, J / 8 % 4], m![J % 8]>()
        .to_vrf(0);

    let c: Tile = ctx
        .main
        .begin(a.view().tile::<m![K / 512], 1, m![I % 4, 1 # 2, K % 512]>(1))
        .fetch::<bf16, m![I % 4, J / 8 % 4], m![K % 512]>()
        .collect::<m![I % 4, J / 8 % 4, K / 16 % 32], m![K % 16]>()
        .align::<m![I % 4, J / 8 % 4, K / 32 % 16], m![K % 32], _, _>(&second)
        .contract::<m![1]>()
        .accumulate::<m![I % 4, J / 8 % 4], m![J % 8]>(AccumulationKind::Interleaved)
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_clip(ClipBinaryOpF32::Add, &below)
        .vector_final()
        .commit(0x21000);
    c.to_hbm(&mut ctx.tdma, 2 << 28)
}

// Runs the kernel on the chip: A row by row and B column by column in, C row by row out.
async fn run(a: Vec<f32>, b: Vec<f32>) -> Vec<f32> {
    let mut ctx = Context::acquire();
    let a = HostTensor::<bf16, m![I, K]>::from_buf(a.iter().map(|v| Opt::Init(bf16::from_f32(*v))).collect());
    let b = HostTensor::<bf16, m![J, K]>::from_buf(b.iter().map(|v| Opt::Init(bf16::from_f32(*v))).collect());
    let a_hbm = a.to_hbm(&mut ctx.pdma, 0 << 28).await;
    let b_hbm = b.to_hbm(&mut ctx.pdma, 1 << 28).await;
    let out_hbm = launch(gemm, (&mut *ctx, &a_hbm, &b_hbm)).await;
    let out = out_hbm.to_host::<m![I, J]>(&mut ctx.pdma).await;
    out.to_buf().into_iter().map(|value| value.unwrap()).collect()
}

#[tokio::main]
async fn main() {
    // Row i of A holds i, column j of B holds ones up to k = 2 j: C[i, j] counts them.
    let a = (0..64 * 1024).map(|e| (e / 1024) as f32).collect();
    let b = (0..512 * 1024).map(|e| if e % 1024 < e / 1024 * 2 { 1.0 } else { 0.0 }).collect();
    let out = run(a, b).await;
    println!("3 times 2 * 100 is {}, 63 times 2 * 511 is {}", out[3 * 512 + 100], out[63 * 512 + 511]);
    for i in 0..64 {
        for j in 0..512 {
            assert_eq!(out[512 * i + j], (i * 2 * j) as f32, "row {i}, column {j}");
        }
    }
}

// One place of k counts at a time, on both sides of the cut.
#[tokio::test]
async fn both_halves_count() {
    for k in [0, 511, 512, 1023] {
        let a = (0..64 * 1024).map(|e| if e % 1024 == k { (e / 1024 + 1) as f32 } else { 0.0 }).collect();
        let b = (0..512 * 1024).map(|e| if e % 1024 == k { (e / 1024 % 200) as f32 } else { 7.0 }).collect();
        let out = run(a, b).await;
        for i in 0..64 {
            for j in 0..512 {
                assert_eq!(out[512 * i + j], ((i + 1) * (j % 200)) as f32, "k = {k}, row {i}, column {j}");
            }
        }
    }
}
