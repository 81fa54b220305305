//! The kernel of `chip_gemm.rs`, which explains it. It has no sizes of its own: axes, and the mapping that changes with
//! them, are those of the file that names it as its module.

use super::*;

pub type Chip = m![P];
type Cluster = m![I / 256 % 2];
type Slice = m![I % 256];
type SliceRows = m![I / 512]; // of each slice
type ColumnSlice = m![J % 8, K / 16]; // what slices pass round

type Tiles = m![J / 32]; // of the columns of a chip
type Tile = m![J % 32];

pub type PackedColumns = m![{ ColumnSlice }, J / 8, K % 16];
type Rows = DmTensor<bf16, Chip, Cluster, Slice, m![{ SliceRows }, K]>;
type Columns = DmTensor<bf16, Chip, Cluster, ColumnSlice, m![J / 8, K % 16]>;
type TileInTrf = TrfTensor<bf16, Chip, Cluster, Slice, m![J % 8], m![K / 16, { Tile } / 8, K % 16]>;
type Results = DmTensor<bf16, Chip, Cluster, Slice, m![{ SliceRows }, J]>; // of a step

const STEPS: usize = Step::SIZE;
const TILES: usize = <Tiles>::SIZE;
const A_ADDRESS: u64 = 0;
const B_ADDRESS: u64 = A_ADDRESS + (<SliceRows>::SIZE * K::SIZE * 2) as u64;
const B_BYTES: u64 = (J::SIZE * K::SIZE / 256 * 2) as u64; // of a step
const C_ADDRESS: u64 = B_ADDRESS + STEPS as u64 * B_BYTES;
const C_BYTES: u64 = (<SliceRows>::SIZE * J::SIZE * 2) as u64; // of a step

// A tile of columns, from all slices to TRF of each.
fn prefetch_tile(ctx: &mut Context, columns: &Columns, tile: usize) -> TileInTrf {
    ctx.sub
        .begin(columns.view().tile::<Tiles, 1, m![{ OneTile }, { Tile } / 8, K % 16]>(tile))
        .fetch::<bf16, m![1], m![{ Tile } / 8, K % 16]>()
        .switch::<Slice, ColumnSlice>(SwitchConfig::Broadcast01 { slice1: 256, slice0: 1, time0: 1 })
        .collect::<m![{ ColumnSlice }, { Tile } / 8], m![K % 16]>()
        .to_trf(if tile % 2 == 0 { TrfAddress::FirstHalf } else { TrfAddress::SecondHalf })
}

// All rows times a tile of columns.
fn multiply(ctx: &mut Context, rows: &Rows, columns: &TileInTrf, results: &mut Results, tile: usize) {
    ctx.main
        .begin(rows.view())
        .fetch::<bf16, SliceRows, m![K]>()
        .collect::<m![{ SliceRows }, K / 16], m![K % 16]>()
        .align::<m![{ SliceRows }, K / 16, { Tile } / 16], m![J / 8 % 2, K % 16], _, _>(columns)
        .contract::<m![J / 8 % 2]>()
        .accumulate::<m![{ SliceRows }, { Tile } / 8], m![J % 8]>(AccumulationKind::Interleaved)
        .cast::<bf16, m![J % 8 # 16]>()
        .commit_view(results.view_mut().tile::<Tiles, 1, m![{ SliceRows }, { OneTile }, { Tile }]>(tile));
}

#[device(chip = 4)]
pub fn chip_gemm(
    ctx: &mut Context,
    a: &HbmTensor<bf16, Chip, m![I, K]>,
    b: &HbmTensor<bf16, Chip, PackedColumns>,
    c: &mut HbmTensor<bf16, Chip, m![Step, I, J]>,
) {
    let mut columns: Columns = b.to_dm(&mut ctx.tdma, B_ADDRESS);
    let rows: Rows = a.to_dm(&mut ctx.tdma, A_ADDRESS);
    let mut others = ctx.tdma.hbm_chip_shuffle(b, &[1, 2, 3, 0]); // chip t: the columns of t + 1
    for step in 0..STEPS {
        let mut next: Option<Columns> = None;
        if step < STEPS - 1 {
            next = Some(others.to_dm(&mut ctx.tdma, B_ADDRESS + (step + 1) as u64 * B_BYTES));
        }
        if step < STEPS - 2 {
            others = ctx.tdma.hbm_chip_shuffle(&others, &[1, 2, 3, 0]);
        }
        let mut results: Results = unsafe { DmTensor::from_addr(C_ADDRESS + step as u64 * C_BYTES) };
        for tile in 0..TILES {
            let in_trf = prefetch_tile(ctx, &columns, tile);
            multiply(ctx, &rows, &in_trf, &mut results, tile);
        }
        results.view().to_hbm_view(&mut ctx.tdma, c.view_mut().tile::<m![Step], 1, m![1 # 4, I, J]>(step));
        if let Some(next) = next {
            columns = next;
        }
    }
}
