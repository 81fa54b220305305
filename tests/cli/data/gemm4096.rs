//! A matrix product of 4096 by 4096 by 4096 in tiles: both clusters, all 512 slices.
//!
//! C[i, j] = sum over k of A[i, k] * B[j, k]. A cluster has half of the rows; its slices are a grid of 16 by 16, each
//! with 128 rows and 256 columns of C. That is more than fits at once, so it goes in two loops: 64 rows of A are
//! brought to DM and stay there while 32 times 8 rows of B go to the register file and meet all of them.
//!
//! Engines: DMA (with broadcasts), Fetch, Collect, Contraction with eight rows, Commit.
//! Memory in a slice: A at 0 (256 KiB), B at 0x40000 (32 KiB), C at 0x50000 (2 KiB); TRF 8 x 4 KiB.

use furiosa_visa_std::prelude::*;

axes![I = 4096, J = 4096, K = 4096];

type Chip = m![1];
type Cluster = m![I / 2048];
type Slice = m![I / 128 % 16, J / 256];

#[device(chip = 1)]
fn gemm4096(
    ctx: &mut Context,
    a: &HbmTensor<i8, Chip, m![I, K]>,
    b: &HbmTensor<i8, Chip, m![J, K]>,
    c: &mut HbmTensor<i32, Chip, m![I, J]>,
) {
    for rows in 0..2 {
        let a: DmTensor<i8, Chip, Cluster, Slice, m![I % 64, K]> = a
            .view()
            .tile::<m![I / 64 % 2], 1, m![I / 128, 1 # 2, I % 64, K]>(rows)
            .to_dm(&mut ctx.tdma, 0);
        for columns in 0..32 {
            let b: DmTensor<i8, Chip, Cluster, Slice, m![J % 8, K]> = b
                .view()
                .tile::<m![J / 8 % 32], 1, m![J / 256, 1 # 32, J % 8, K]>(columns)
                .to_dm(&mut ctx.tdma, 0x40000);
            let b: TrfTensor<i8, Chip, Cluster, Slice, m![J % 8], m![K]> = ctx
                .sub
                .begin(b.view())
                .fetch::<i8, m![J % 8], m![K]>()
                .collect::<m![J % 8, K / 32], m![K % 32]>() // the outermost time becomes the row
                .to_trf(TrfAddress::Full);
            let sums: DmTensor<i32, Chip, Cluster, Slice, m![I % 64, J % 8]> = ctx
                .main
                .begin(a.view())
                .fetch::<i8, m![I % 64], m![K]>()
                .collect::<m![I % 64, K / 32], m![K % 32]>()
                .align::<m![I % 64, K / 64], m![K % 64], _, _>(&b)
                .contract::<m![1]>()
                .accumulate::<m![I % 64], m![J % 8]>(AccumulationKind::Interleaved)
                .commit(0x50000);
            sums.view().to_hbm_view(
                &mut ctx.tdma,
                c.view_mut()
                    .tile::<m![I / 64 % 2], 1, m![I / 128, 1 # 2, I % 64, J]>(rows)
                    .tile::<m![J / 8 % 32], 1, m![I / 128, 1 # 2, I % 64, J / 256, 1 # 32, J % 8]>(columns),
            );
        }
    }
}
