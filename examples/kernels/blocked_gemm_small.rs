//! `blocked_gemm.rs` in a size that runs in a moment: the same kernel, with the tests.
//!
//! Two groups of rows, and two blocks of K of two flits each. What a slice does is the same: 64 columns in four
//! tiles, sums of the first block that come along in VRF, C leaving in two parts.

use furiosa_visa_std::prelude::*;

mod blocked_gemm_kernel;
use blocked_gemm_kernel::multiply_blocks;

axes![I = 1024, J = 4096, K = 64];

type Chip = m![1];
type Blocks = m![K / 32];
type Block = m![K % 32];
type Flits = m![K / 16 % 2]; // of a block
type OneBlock = m![1 # 2]; // of all
type OneGroup = m![1 # 2]; // of 512 rows, of all
const PARTS: usize = 2;

#[device(chip = 1)]
fn gemm(
    ctx: &mut Context,
    a: &HbmTensor<bf16, Chip, m![I, K]>,
    b: &HbmTensor<bf16, Chip, m![J, K]>,
    c: &mut HbmTensor<f32, Chip, m![I, J]>,
) {
    multiply_blocks(ctx, a, b, c);
}

// ---- the host

async fn run(a: Vec<bf16>, b: Vec<bf16>) -> Vec<f32> {
    let mut ctx = Context::acquire();
    let a = HostTensor::<bf16, m![I, K]>::from_buf(a.into_iter().map(Opt::Init).collect());
    let b = HostTensor::<bf16, m![J, K]>::from_buf(b.into_iter().map(Opt::Init).collect());
    let a_hbm = a.to_hbm(&mut ctx.pdma, 0).await;
    let b_hbm = b.to_hbm(&mut ctx.pdma, 1 << 28).await;
    let mut c_hbm = unsafe { HbmTensor::<f32, Chip, m![I, J]>::from_addr(1 << 30) };
    launch(gemm, (&mut *ctx, &a_hbm, &b_hbm, &mut c_hbm)).await;
    c_hbm.to_host::<m![I, J]>(&mut ctx.pdma).await.to_buf().into_iter().map(|value| value.unwrap()).collect()
}

// Small whole numbers, whose products and sums are exact.
fn number(row: usize, k: usize) -> f32 {
    ((row * 7 + k * 3 + row / 64) % 9) as f32 - 4.0
}

#[tokio::test]
async fn every_block_counts() {
    let a = (0..I::SIZE * K::SIZE).map(|e| bf16::from_f32(number(e / K::SIZE, e % K::SIZE))).collect();
    let b = (0..J::SIZE * K::SIZE).map(|e| bf16::from_f32(number(e / K::SIZE + 5, e % K::SIZE))).collect();
    let c = run(a, b).await;
    for i in (0..I::SIZE).step_by(7) {
        for j in (i % 13..J::SIZE).step_by(97) {
            let expected: f32 = (0..K::SIZE).map(|k| number(i, k) * number(j + 5, k)).sum();
            assert_eq!(c[i * J::SIZE + j], expected, "row {i}, column {j}");
        }
    }
}

// With a one in each row of B, the elements of A come out again: every one of them at its place.
#[tokio::test]
async fn every_element_has_its_place() {
    let a = |i: usize, k: usize| ((i * 3 + k * 5) % 251) as f32 - 125.0;
    let numbers = (0..I::SIZE * K::SIZE).map(|e| bf16::from_f32(a(e / K::SIZE, e % K::SIZE))).collect();
    let ones = (0..J::SIZE * K::SIZE)
        .map(|e| bf16::from_f32(if e % K::SIZE == e / K::SIZE % K::SIZE { 1.0 } else { 0.0 }))
        .collect();
    let c = run(numbers, ones).await;
    for i in 0..I::SIZE {
        for j in (i % 3..J::SIZE).step_by(61) {
            assert_eq!(c[i * J::SIZE + j], a(i, j % K::SIZE), "row {i}, column {j}");
        }
    }
}
