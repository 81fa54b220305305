//! What `blocked_gemm.rs`, which explains it, and `blocked_gemm_four.rs` do on a chip. It has no sizes of its own: axes,
//! chips and the mappings that change with them are those of the file that names it as its module.

use super::*;

type Cluster = m![I / 32 % 2];
type RowSlice = m![I / 8 % 4, { Ring }]; // a row of A in each slice
type Slice = m![I / 8 % 4, J / 64]; // 64 columns of C in each slice
type Ring = m![I / 64 % 8, I % 8]; // the rows of 64 slices, which all of them see

type Rows = DmTensor<bf16, Chip, Cluster, RowSlice, m![I / 512, { Block }]>;
type Columns = DmTensor<bf16, Chip, Cluster, Slice, m![J % 64, { Block }]>;
type Tile = TrfTensor<bf16, Chip, Cluster, Slice, m![J % 8], m![{ Flits }, J / 8 % 2, K % 16]>;
type Sums = DmTensor<f32, Chip, Cluster, Slice, m![I / 512, { Ring }, J % 64]>;

const GROUPS: usize = I::SIZE / 512; // of rows
const BLOCKS: usize = <Blocks>::SIZE; // of K
const TILES: usize = 4; // of the columns of a slice

const A_ADDRESS: u64 = 0;
const A_BYTES: u64 = (GROUPS * <Block>::SIZE * 2) as u64; // of each of two
const B_ADDRESS: u64 = A_ADDRESS + 2 * A_BYTES;
const C_ADDRESS: u64 = B_ADDRESS + 64 * <Block>::SIZE as u64 * 2;
const VRF_BYTES: u64 = 0x1000; // of each of two

// A group of rows, a block of each, to DM.
fn load_rows(ctx: &mut Context, a: &HbmTensor<bf16, Chip, m![I, K]>, rows: &mut Rows, block: usize, group: usize) {
    a.view()
        .tile::<Blocks, 1, m![I, { OneBlock }, { Block }]>(block)
        .tile::<m![I / 512], 1, m![{ OneGroup }, I % 512, { OneBlock }, { Block }]>(group)
        .to_dm_view(&mut ctx.tdma, rows.view_mut().tile::<m![I / 512], 1, m![{ OneGroup }, { Block }]>(group));
}

// A tile of columns, a block of each, to DM.
fn load_columns(
    ctx: &mut Context,
    b: &HbmTensor<bf16, Chip, m![J, K]>,
    columns: &mut Columns,
    block: usize,
    tile: usize,
) {
    b.view()
        .tile::<Blocks, 1, m![J, { OneBlock }, { Block }]>(block)
        .tile::<m![J / 16 % 4], 1, m![J / 64, 1 # 4, J % 16, { OneBlock }, { Block }]>(tile)
        .to_dm_view(&mut ctx.tdma, columns.view_mut().tile::<m![J / 16 % 4], 1, m![1 # 4, J % 16, { Block }]>(tile));
}

// From there to the register file: 8 rows, each with two columns that take turns flit by flit.
fn store_tile(ctx: &mut Context, columns: &Columns, tile: usize) -> Tile {
    ctx.sub
        .begin(columns.view().tile::<m![J / 16 % 4], 1, m![1 # 4, J % 16, { Block }]>(tile))
        .fetch::<bf16, m![J % 8, { Flits }, J / 8 % 2], m![K % 16]>()
        .collect::<m![J % 8, { Flits }, J / 8 % 2], m![K % 16]>()
        .to_trf(if tile % 2 == 0 { TrfAddress::FirstHalf } else { TrfAddress::SecondHalf })
}

// A group of rows times a tile of columns. Each flit of a row fills both halves of a packet.
fn products<'l>(
    ctx: &'l mut Context,
    rows: &Rows,
    tile: &Tile,
    group: usize,
) -> AccumulationTensor<'l, { Tu::Main }, f32, Chip, Cluster, Slice, m![{ Ring }, J / 8 % 2], m![J % 8]> {
    ctx.main
        .begin(rows.view().tile::<m![I / 512], 1, m![{ OneGroup }, { Block }]>(group))
        .fetch::<bf16, m![1], Block>()
        .switch::<Slice, Ring>(SwitchConfig::Broadcast01 { slice1: 64, slice0: 1, time0: 1 })
        .collect::<m![{ Ring }, { Flits }], m![K % 16]>()
        .align::<m![{ Ring }, { Flits }], m![J / 8 % 2, K % 16], _, _>(tile)
        .contract::<m![J / 8 % 2]>()
        .accumulate::<m![{ Ring }, J / 8 % 2], m![J % 8]>(AccumulationKind::Interleaved)
}

// Adds products to the sums of the blocks before, which come along in VRF.
fn multiply(ctx: &mut Context, rows: &Rows, columns: &Tile, sums: &mut Sums, group: usize, tile: usize, is_first: bool) {
    if is_first {
        products(ctx, rows, columns, group).commit_view(
            sums.view_mut()
                .tile::<m![I / 512], 1, m![{ OneGroup }, { Ring }, J % 64]>(group)
                .tile::<m![J / 16 % 4], 1, m![{ OneGroup }, { Ring }, 1 # 4, J % 16]>(tile),
        );
        return;
    }
    let before: VrfTensor<f32, Chip, Cluster, Slice, m![{ Ring }, J % 16]> = ctx
        .sub
        .begin(
            sums.view()
                .tile::<m![I / 512], 1, m![{ OneGroup }, { Ring }, J % 64]>(group)
                .tile::<m![J / 16 % 4], 1, m![{ OneGroup }, { Ring }, 1 # 4, J % 16]>(tile),
        )
        .fetch::<f32, Ring, m![J % 16]>()
        .collect::<m![{ Ring }, J / 8 % 2], m![J % 8]>()
        .to_vrf((group % 2) as u64 * VRF_BYTES);
    products(ctx, rows, columns, group)
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_clip(ClipBinaryOpF32::Add, &before)
        .vector_final()
        .commit_view(
            sums.view_mut()
                .tile::<m![I / 512], 1, m![{ OneGroup }, { Ring }, J % 64]>(group)
                .tile::<m![J / 16 % 4], 1, m![{ OneGroup }, { Ring }, 1 # 4, J % 16]>(tile),
        );
}

// A group of rows of C is complete: 64 columns are the 256 bytes that HBM writes at its best.
fn store_rows(ctx: &mut Context, sums: &Sums, c: &mut HbmTensor<f32, Chip, m![I, J]>, group: usize) {
    sums.view().tile::<m![I / 512], 1, m![{ OneGroup }, { Ring }, J % 64]>(group).to_hbm_view(
        &mut ctx.tdma,
        c.view_mut().tile::<m![I / 512], 1, m![{ OneGroup }, I % 512, J]>(group),
    );
}

// The product that a chip computes: of its rows and columns.
pub fn multiply_blocks(
    ctx: &mut Context,
    a: &HbmTensor<bf16, Chip, m![I, K]>,
    b: &HbmTensor<bf16, Chip, m![J, K]>,
    c: &mut HbmTensor<f32, Chip, m![I, J]>,
) {
    let mut sums: Sums = unsafe { DmTensor::from_addr(C_ADDRESS) };
    let mut columns: Columns = unsafe { DmTensor::from_addr(B_ADDRESS) };
    for block in 0..BLOCKS {
        let mut rows: Rows = unsafe { DmTensor::from_addr(A_ADDRESS + (block % 2) as u64 * A_BYTES) };
        load_columns(ctx, b, &mut columns, block, 0); // first what the first pass needs
        for group in 0..GROUPS {
            load_rows(ctx, a, &mut rows, block, group);
        }
        for tile in 1..TILES {
            load_columns(ctx, b, &mut columns, block, tile);
        }
        let parts = if block == BLOCKS - 1 { PARTS } else { 1 }; // in the end, so that C can leave early
        for part in 0..parts {
            let groups = GROUPS * part / parts..GROUPS * (part + 1) / parts;
            for tile in 0..TILES {
                let in_trf = store_tile(ctx, &columns, tile);
                for group in groups.clone() {
                    multiply(ctx, &rows, &in_trf, &mut sums, group, tile, block == 0);
                }
            }
            if block == BLOCKS - 1 {
                for group in groups {
                    store_rows(ctx, &sums, c, group);
                }
            }
        }
    }
}
