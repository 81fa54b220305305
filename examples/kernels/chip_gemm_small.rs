//! `chip_gemm.rs` in a size that runs in a moment: the same kernel, with its test.
//!
//! Two rows in a slice and two tiles of columns on each chip, so that both halves of TRF take part.

use furiosa_visa_std::prelude::*;
use rand::SeedableRng;
use rand::rngs::SmallRng;

mod chip_gemm_kernel;
use chip_gemm_kernel::{Chip, PackedColumns, chip_gemm};

axes![P = 4, I = 1024, J = 64, K = 512, Step = 4];

type OneTile = m![1 # 2]; // of the columns of a chip

// ---- the host

#[tokio::test]
async fn close_to_plain_sums() {
    let mut ctx = Context::acquire();
    let mut rng = SmallRng::seed_from_u64(42);
    let a = HostTensor::<bf16, m![P, I, K]>::rand(&mut rng);
    let b = HostTensor::<bf16, m![P, J, K]>::rand(&mut rng);
    let a_hbm = a.to_hbm(&mut ctx.pdma, 0).await;
    let b_hbm = b.to_hbm(&mut ctx.pdma, 1 << 29).await;
    let mut c_hbm = unsafe { HbmTensor::from_addr(1 << 30) };
    launch(chip_gemm, (&mut *ctx, &a_hbm, &b_hbm, &mut c_hbm)).await;
    let c = c_hbm.to_host::<m![P, Step, I, J]>(&mut ctx.pdma).await.to_buf();
    let a = a.to_buf();
    let b = b.to_buf();
    for block in 0..P::SIZE * Step::SIZE {
        let (chip, step) = (block / Step::SIZE, block % Step::SIZE);
        for i in (block..I::SIZE).step_by(101) {
            let j = (i * 7 + step) % J::SIZE;
            let row = (chip * I::SIZE + i) * K::SIZE;
            let column = ((chip + step) % P::SIZE * J::SIZE + j) * K::SIZE;
            let expected: f64 =
                (0..K::SIZE).map(|k| (a[row + k].unwrap().to_f32() * b[column + k].unwrap().to_f32()) as f64).sum();
            let found = c[(block * I::SIZE + i) * J::SIZE + j].unwrap().to_f32() as f64;
            // bf16 has 8 bits and rounds by half of the last, one part in 256; 512 products below 1 in f32 are off by
            // far less than 0.001
            let tolerance = expected.abs() / 256.0 + 1.0e-3;
            assert!((found - expected).abs() <= tolerance, "chip {chip}, row {i}: {found} instead of {expected}");
        }
    }
}
