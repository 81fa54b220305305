//! A matrix product: a grid of 16 by 16 slices, each with its own tile of the result.
//!
//! C[i, j] = sum over k of A[i, k] * B[j, k], all 64 by 64. Slice (p, q) computes rows 4p..4p+4 and columns 4q..4q+4,
//! so it needs four rows of A and four rows of B; the DMA copies each row of A to the 16 slices of its line and each
//! row of B to the 16 slices of its column. The four rows of B become four rows of the register file: every flit of A
//! meets all of them at once.
//!
//! Engines: DMA (with broadcasts), Fetch, Collect, Contraction with four rows, Commit.
//! Memory in a slice: A at 0 (512 bytes), B at 0x1000 (512 bytes), C at 0x2000 (64 bytes); TRF 4 x 128 bytes.

use furiosa_visa_std::prelude::*;

axes![I = 64, J = 64, K = 64];

type Chip = m![1];
type Cluster = m![1 # 2];
type Slice = m![I / 4, J / 4];

#[device(chip = 1)]
fn gemm(
    ctx: &mut Context,
    a: &HbmTensor<bf16, Chip, m![I, K]>,
    b: &HbmTensor<bf16, Chip, m![J, K]>,
) -> HbmTensor<f32, Chip, m![I, J]> {
    let a = a.to_dm::<Cluster, Slice, m![I % 4, K]>(&mut ctx.tdma, 0);
    let b = b.to_dm::<Cluster, Slice, m![J % 4, K]>(&mut ctx.tdma, 0x1000);

    let b: TrfTensor<bf16, Chip, Cluster, Slice, m![J % 4], m![K]> = ctx
        .sub
        .begin(b.view())
        .fetch::<bf16, m![J % 4], m![K]>()
        .collect::<m![J % 4, K / 16], m![K % 16]>() // the outermost time becomes the row
        .to_trf(TrfAddress::Full);

    let c: DmTensor<f32, Chip, Cluster, Slice, m![I % 4, J % 4]> = ctx
        .main
        .begin(a.view())
        .fetch::<bf16, m![I % 4], m![K]>()
        .collect::<m![I % 4, K / 16], m![K % 16]>()
        .align::<m![I % 4, K / 32], m![K % 32], _, _>(&b)
        .contract::<m![1]>() // 32 products a row -> 1 sum a row
        .accumulate::<m![I % 4], m![J % 4 # 8]>(AccumulationKind::Interleaved) // rows side by side in the packet
        .commit(0x2000); // four sums, 16 bytes a step
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

// A matrix with a number on its diagonal and nothing else.
fn diagonal(value: f32) -> Vec<f32> {
    (0..64 * 64).map(|e| if e / 64 == e % 64 { value } else { 0.0 }).collect()
}

#[tokio::main]
async fn main() {
    let numbers: Vec<f32> = (0..64 * 64).map(|e| (e % 100) as f32).collect();
    let out = run(numbers.clone(), diagonal(2.0)).await;
    println!("a diagonal of twos doubles A: {} -> {}, {} -> {}", numbers[1], out[1], numbers[70], out[70]);
    for e in 0..64 * 64 {
        assert_eq!(out[e], 2.0 * numbers[e]);
    }
}

#[tokio::test]
async fn rows_meet_columns() {
    let a = |i: usize, k: usize| ((i * 5 + k * 3) % 7) as f32 - 3.0;
    let b = |j: usize, k: usize| ((j * 2 + k * 11) % 9) as f32 - 4.0;
    let left = (0..64 * 64).map(|e| a(e / 64, e % 64)).collect();
    let right = (0..64 * 64).map(|e| b(e / 64, e % 64)).collect();
    let out = run(left, right).await;
    for i in 0..64 {
        for j in 0..64 {
            let expected: f32 = (0..64).map(|k| a(i, k) * b(j, k)).sum();
            assert_eq!(out[64 * i + j], expected, "row {i}, column {j}");
        }
    }
}

#[tokio::test]
async fn transposes_what_meets_a_diagonal_on_the_left() {
    let b: Vec<f32> = (0..64 * 64).map(|e| (e % 255) as f32).collect();
    let out = run(diagonal(1.0), b.clone()).await;
    for i in 0..64 {
        for j in 0..64 {
            assert_eq!(out[64 * i + j], b[64 * j + i]);
        }
    }
}
