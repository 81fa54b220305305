//! Rows of a table by token, with those of their positions added: how a text enters a model.
//!
//! y[p] = table[tokens[p]] + positions[p]. `dma_gather` reads the tokens and lets DMA go to the rows that they name;
//! all that is known when the kernel is compiled is where results go. The rows of positions are an ordinary load. Both
//! are read in turn (`begin_interleaved`), taken apart into two groups of the Vector Engine, and added:
//! `vector_clip_zip` takes eight lanes at a time, where a float operation in front of it would take four.
//!
//! # Mapping
//!
//! A position to a slice, neighbouring ones to neighbouring slices, 16 in each. A row goes to one slice as a whole: 1
//! KiB from anywhere, four units of HBM.
//!
//! `dma_gather` takes all tokens at once, so that all rows of the table come by one command. What is added and what
//! comes out goes in tiles of 4,096 positions: while DMA brings the positions of tile t + 1, and then stores tile t,
//! the pass works on the other one. The load of the next tile stands in front of the store of this one, which waits for
//! the pass and holds up all behind it.
//!
//! # Engines and memory
//!
//! DMA (with an index), Fetch (two tensors in turn, bf16 to f32), Collect, Vector (unzip, clip), Cast, Commit. In a
//! slice rows and positions of all tiles at 0 and behind (16 KiB each), then two tiles of results, in turn (8 KiB
//! each). No register files. (What is read in turn has to have one mapping, so that positions lie as rows do.)
//!
//! # What bounds it
//!
//! HBM: three times 8 MiB (rows, positions, results), 16,777 cycles at 1.5 TB/s. Predicted: 18,885, 89 % of what it
//! could move. All of that is DMA, five commands without a gap, 500 of each to start. The passes, 1,027 for a tile, are
//! hidden. Tiles that are smaller hide them as well and cost more starts: with 2,048 positions it is 20,881. That rows
//! lie anywhere costs nothing as long as they are long. (The model takes them to follow each other; where tokens
//! repeat, banks would be shared.)
//!
//! # Sizes
//!
//! Pos is any multiple of a tile, as many of them as `OneTile` says; a tile (`Tiles` and `Tile`) is any multiple of
//! 512. Emb is any multiple of 8, as long as DM holds all rows and positions, and two tiles. Voc is free. Other sizes
//! are refused. A token that the table does not have is found when the kernel runs: the sanitizer reports it (E0872).
//!
//! Emb should be a multiple of 128, whole units of HBM: with 520 it is 629,513 cycles. Where it is more than 512, DMA
//! goes from row to row of positions and results with steps that open a row of the same bank again. `TileInHbm` then
//! says `m![Emb / 128, { Tile }, Emb % 128]`, panels in the order of DMA. Nothing else changes; the table is as it is.
//!
//!     Emb      rows as they are     in panels
//!     512      18,885, 89 %         18,885, 89 %
//!     1,024    42,484, 79 %         37,672, 89 %
//!     4,096    225,796, 59 %        149,336, 90 %
//!
//! # What to try
//!
//! - The load of the next tile behind the store of this one: 20,939 cycles, as DMA waits for the passes.
//! - Emb = 64: rows of 128 bytes, half a unit of HBM. Each half is read, changed and written back: 74,841 cycles for an
//!   eighth of the data.
//! - Turn positions instead of adding them: `rope.rs`.
//! - Tokens all alike: `contra schedule` says the same, since it does not look at data.

use furiosa_visa_std::prelude::*;
use rand::SeedableRng;
use rand::rngs::SmallRng;

axes![Voc = 4000, Pos = 8192, Emb = 512, Pair = 2];

type Chip = m![1];
type Cluster = m![Pos / 256 % 2];
type Slice = m![Pos % 256];
type Tiles = m![Pos / 4096];
type Tile = m![Pos % 4096];
type OneTile = m![1 # 2]; // of all
type TileRows = m![{ Tile } / 512]; // of each slice
type TileInHbm = m![{ Tile }, Emb];
type InHbm = m![{ Tiles }, { TileInHbm }]; // positions and results
type AllRows = DmTensor<bf16, Chip, Cluster, Slice, m![{ Tiles }, { TileRows }, Emb]>;
type Rows = DmTensor<bf16, Chip, Cluster, Slice, m![{ TileRows }, Emb]>; // of a tile

const TILES: usize = <Tiles>::SIZE;
const TILE_BYTES: u64 = (<TileRows>::SIZE * Emb::SIZE * 2) as u64;
const ROW_ADDRESS: u64 = 0; // all tiles
const POSITION_ADDRESS: u64 = ROW_ADDRESS + TILES as u64 * TILE_BYTES; // likewise
const Y_ADDRESS: u64 = POSITION_ADDRESS + TILES as u64 * TILE_BYTES; // two tiles, in turn

fn load(ctx: &mut Context, from: &HbmTensor<bf16, Chip, InHbm>, positions: &mut AllRows, tile: usize) {
    from.view().tile::<Tiles, 1, m![{ OneTile }, { TileInHbm }]>(tile).to_dm_view(
        &mut ctx.tdma,
        positions.view_mut().tile::<Tiles, 1, m![{ OneTile }, { TileRows }, Emb]>(tile),
    );
}

fn add(ctx: &mut Context, rows: &AllRows, positions: &AllRows, tile: usize) -> Rows {
    ctx.main
        .begin_interleaved::<Pair, _, _, _, _, _>(
            rows.view().tile::<Tiles, 1, m![{ OneTile }, { TileRows }, Emb]>(tile),
            positions.view().tile::<Tiles, 1, m![{ OneTile }, { TileRows }, Emb]>(tile),
        )
        .fetch::<f32, m![{ TileRows }, Emb / 8, Pair], m![Emb % 8]>()
        .collect::<m![{ TileRows }, Emb / 8, Pair], m![Emb % 8]>()
        .vector_init()
        .vector_intra_slice_unzip::<Pair, m![{ TileRows }, Emb / 8, 1 # 2], m![{ TileRows }, Emb / 8]>()
        .vector_clip_zip(ClipBinaryOpF32::Add)
        .vector_final()
        .cast::<bf16, m![Emb % 8 # 16]>()
        .commit(Y_ADDRESS + (tile % 2) as u64 * TILE_BYTES)
}

#[device(chip = 1)]
fn embed(
    ctx: &mut Context,
    table: &HbmTensor<bf16, Chip, m![Voc, Emb]>,
    positions: &HbmTensor<bf16, Chip, InHbm>,
    tokens: &HbmTensor<i32, Chip, m![Pos]>,
    y: &mut HbmTensor<bf16, Chip, InHbm>,
) {
    let rows: AllRows = table.dma_gather(tokens, ROW_ADDRESS);
    let mut in_dm: AllRows = unsafe { DmTensor::from_addr(POSITION_ADDRESS) };
    load(ctx, positions, &mut in_dm, 0);
    for tile in 0..TILES {
        if tile + 1 < TILES {
            load(ctx, positions, &mut in_dm, tile + 1); // in front of the store below, which waits for the pass
        }
        let sums = add(ctx, &rows, &in_dm, tile);
        sums.view()
            .to_hbm_view(&mut ctx.tdma, y.view_mut().tile::<Tiles, 1, m![{ OneTile }, { TileInHbm }]>(tile));
    }
}

// ---- the host

type Table = HostTensor<bf16, m![Voc, Emb]>;
type Positions = HostTensor<bf16, m![Pos, Emb]>;

fn random_numbers() -> (Table, Positions) {
    let mut rng = SmallRng::seed_from_u64(42);
    (HostTensor::rand(&mut rng), HostTensor::rand(&mut rng))
}

async fn run(table: &Table, positions: &Positions, tokens: &Vec<i32>) -> Vec<Opt<bf16>> {
    let mut ctx = Context::acquire();
    let tokens_host = HostTensor::<i32, m![Pos]>::from_buf(tokens.iter().map(|t| Opt::Init(*t)).collect());
    let table_hbm = table.to_hbm(&mut ctx.pdma, 0).await;
    let positions_hbm = positions.to_hbm(&mut ctx.pdma, 1 << 28).await;
    let tokens_hbm = tokens_host.to_hbm(&mut ctx.pdma, 2 << 28).await;
    let mut y = unsafe { HbmTensor::from_addr(1 << 30) };
    launch(embed, (&mut *ctx, &table_hbm, &positions_hbm, &tokens_hbm, &mut y)).await;
    y.to_host::<m![Pos, Emb]>(&mut ctx.pdma).await.to_buf()
}

#[tokio::test]
async fn each_token_finds_its_row() {
    let (table, positions) = random_numbers();
    let tokens: Vec<i32> = (0..Pos::SIZE).map(|p| (p * p * 31 % Voc::SIZE) as i32).collect();
    let y = run(&table, &positions, &tokens).await;
    let (table, positions) = (table.to_buf(), positions.to_buf());
    for e in (0..Pos::SIZE * Emb::SIZE).step_by(53) {
        let (p, column) = (e / Emb::SIZE, e % Emb::SIZE);
        let row = tokens[p] as usize;
        // the sum of two numbers of bf16 in f32, rounded once: exact
        let sum = table[row * Emb::SIZE + column].unwrap().to_f32() + positions[e].unwrap().to_f32();
        assert_eq!(y[e].unwrap(), bf16::from_f32(sum), "position {p}, column {column}");
    }
}

// The sanitizer of the device stops the kernel; the oracle, which has none, leaves such a row without values.
#[tokio::test]
#[should_panic]
async fn a_token_that_is_not_there_is_reported() {
    let (table, positions) = random_numbers();
    let missing = Pos::SIZE / 2;
    let tokens = (0..Pos::SIZE).map(|p| if p == missing { Voc::SIZE as i32 } else { 1 }).collect();
    let y = run(&table, &positions, &tokens).await;
    y[missing * Emb::SIZE].unwrap();
}
