//! `blocked_gemm_four.rs` in a size that runs in a moment: the same kernel, with its test.
//!
//! A group of rows on each chip, and two blocks of K of a flit each.

use furiosa_visa_std::prelude::*;
use rand::SeedableRng;
use rand::rngs::SmallRng;

mod blocked_gemm_kernel;
use blocked_gemm_kernel::multiply_blocks;

axes![P = 4, I = 512, J = 4096, K = 32];

type Chip = m![P];
type Blocks = m![K / 16];
type Block = m![K % 16];
type Flits = m![1]; // of a block
type OneBlock = m![1 # 2]; // of all
type OneGroup = m![1]; // of 512 rows, of all
const PARTS: usize = 1;

#[device(chip = 4)]
fn gemm(
    ctx: &mut Context,
    a: &HbmTensor<bf16, Chip, m![I, K]>,
    b: &HbmTensor<bf16, Chip, m![J, K]>,
    c: &mut HbmTensor<f32, Chip, m![I, J]>,
) {
    multiply_blocks(ctx, a, b, c);
}

// ---- the host

#[tokio::test]
async fn close_to_plain_sums() {
    let mut ctx = Context::acquire();
    let mut rng = SmallRng::seed_from_u64(42);
    let a = HostTensor::<bf16, m![P, I, K]>::rand(&mut rng);
    let b = HostTensor::<bf16, m![J, K]>::rand(&mut rng);
    let a_hbm = a.to_hbm(&mut ctx.pdma, 0).await;
    let b_hbm = b.to_hbm(&mut ctx.pdma, 1 << 28).await; // all of it to every chip
    let mut c_hbm = unsafe { HbmTensor::<f32, Chip, m![I, J]>::from_addr(1 << 30) };
    launch(gemm, (&mut *ctx, &a_hbm, &b_hbm, &mut c_hbm)).await;
    let c = c_hbm.to_host::<m![P, I, J]>(&mut ctx.pdma).await.to_buf();

    // f32 has 24 bits: 32 products below 1 are added up with errors of no more than 32 x 2^-24 each
    let tolerance = 1.0e-4;
    let a = a.to_buf();
    let b = b.to_buf();
    for i in 0..P::SIZE * I::SIZE {
        for j in (i * 37 % 251..J::SIZE).step_by(251) {
            let row = &a[i * K::SIZE..(i + 1) * K::SIZE];
            let column = &b[j * K::SIZE..(j + 1) * K::SIZE];
            let expected: f64 =
                (0..K::SIZE).map(|k| (row[k].unwrap().to_f32() * column[k].unwrap().to_f32()) as f64).sum();
            let found = c[i * J::SIZE + j].unwrap() as f64;
            assert!((found - expected).abs() < tolerance, "row {i}, column {j}: {found} instead of {expected}");
        }
    }
}
