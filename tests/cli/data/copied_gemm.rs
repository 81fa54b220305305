//! A matrix product that DMA bounds: 2048 by 1024 by 512, with rows and columns copied to all slices that need them.
//!
//! Every row of A goes to 16 slices, every column of B to 32. Results leave in rows of 256 bytes, which passes have
//! written in pieces of 32; each store opens rows of HBM again and again.

use furiosa_visa_std::prelude::*;

axes![I = 2048, J = 1024, K = 512];

type Chip = m![1];
type Cluster = m![I / 1024];
type Slice = m![I / 64 % 16, J / 64];

const TILES: usize = 8;
const A_ADDRESS: u64 = 0;
const B_ADDRESS: u64 = A_ADDRESS + (I::SIZE / 32 * K::SIZE * 2) as u64;
const B_BYTES: u64 = (J::SIZE / 16 / TILES * K::SIZE * 2) as u64; // of each of two
const C_ADDRESS: u64 = B_ADDRESS + 2 * B_BYTES;

// Columns of B to DM, then to TRF, in the places of buffer `buffer`.
fn load_columns(
    ctx: &mut Context,
    b: &HbmTensor<bf16, Chip, m![J, K]>,
    tile: usize,
    buffer: usize,
) -> TrfTensor<bf16, Chip, Cluster, Slice, m![J % 8], m![K]> {
    let columns: DmTensor<bf16, Chip, Cluster, Slice, m![J % 8, K]> = b
        .view()
        .tile::<m![J / 8 % 8], 1, m![J / 64, 1 # 8, J % 8, K]>(tile)
        .to_dm(&mut ctx.tdma, B_ADDRESS + buffer as u64 * B_BYTES);
    ctx.sub
        .begin(columns.view())
        .fetch::<bf16, m![J % 8], m![K]>()
        .collect::<m![J % 8, K / 16], m![K % 16]>()
        .to_trf(if buffer == 0 { TrfAddress::FirstHalf } else { TrfAddress::SecondHalf })
}

fn product(
    ctx: &mut Context,
    a: &HbmTensor<bf16, Chip, m![I, K]>,
    b: &HbmTensor<bf16, Chip, m![J, K]>,
    buffers: usize,
) -> HbmTensor<f32, Chip, m![I, J]> {
    let a: DmTensor<bf16, Chip, Cluster, Slice, m![I % 64, K]> = a.to_dm(&mut ctx.tdma, A_ADDRESS);
    let mut c: DmTensor<f32, Chip, Cluster, Slice, m![I % 64, J % 64 # 72]> = unsafe { DmTensor::from_addr(C_ADDRESS) };
    for tile in 0..TILES {
        let columns = load_columns(ctx, b, tile, tile % buffers);
        ctx.main
            .begin(a.view())
            .fetch::<bf16, m![I % 64], m![K]>()
            .collect::<m![I % 64, K / 16], m![K % 16]>()
            .align::<m![I % 64, K / 32], m![K % 32], _, _>(&columns)
            .contract::<m![1]>()
            .accumulate::<m![I % 64], m![J % 8]>(AccumulationKind::Interleaved)
            .commit_view(c.view_mut().tile::<m![J / 8 % 8], 1, m![I % 64, [1 # 8, J % 8] # 72]>(tile));
    }
    c.to_hbm(&mut ctx.tdma, 1 << 30)
}

#[device(chip = 1)]
fn gemm(
    ctx: &mut Context,
    a: &HbmTensor<bf16, Chip, m![I, K]>,
    b: &HbmTensor<bf16, Chip, m![J, K]>,
) -> HbmTensor<f32, Chip, m![I, J]> {
    product(ctx, a, b, 2)
}
