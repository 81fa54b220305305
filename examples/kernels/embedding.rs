//! Rows of a table by token, with those of their positions added: how a text enters a model.
//!
//! y[p] = table[tokens[p]] + positions[p]. `dma_gather` reads the tokens and lets DMA go to the rows that they name;
//! all that is known when the kernel is compiled is where results go. The rows of positions are an ordinary load. Both
//! are read in turn (`begin_interleaved`), taken apart into two groups of the Vector Engine, and added:
//! `vector_clip_zip` takes eight lanes at a time, where a float operation in front of it would take four.
//!
//! # Mapping
//!
//! A position to a slice, neighbouring ones to neighbouring slices, four in each. A row goes to one slice as a whole: 1
//! KiB from anywhere, four units of HBM.
//!
//! # Engines and memory
//!
//! DMA (with an index), Fetch (two tensors in turn, bf16 to f32), Collect, Vector (unzip, clip), Cast, Commit. In a
//! slice rows at 0, positions at 0x4000, results at 0x8000 (4 KiB each). No register files.
//!
//! # What bounds it
//!
//! HBM: three times 2 MiB (rows, positions, results), 4,194 cycles at 1.5 TB/s. Predicted: 6,110, 69 % of what it could
//! move: three commands of 1,865, 500 of each to start, and a pass of 515 between them that nothing hides. In two tiles
//! it would be hidden, and three more starts would cost 1,500; with tiles of 2 MiB and more of them that pays
//! (`softmax.rs`). That rows lie anywhere costs nothing as long as they are long. (The model takes them to follow each
//! other; where tokens repeat, banks would be shared.)
//!
//! # Sizes
//!
//! Pos is any multiple of 512, Emb any multiple of 8, as long as a slice has at most 16 KiB of each. Voc is free. Other
//! sizes are refused (E0107). The sanitizer reports a token that the table does not have (E0872).
//!
//! # What to try
//!
//! - Emb = 64: rows of 128 bytes, half a unit of HBM. Each half is read, changed and written back: 19,652 cycles for an
//!   eighth of the data.
//! - Turn positions instead of adding them: `rope.rs`.
//! - Tokens all alike: `contra schedule` says the same, since it does not look at data.

use furiosa_visa_std::prelude::*;

axes![Voc = 4000, Pos = 2048, Emb = 512, Pair = 2];

type Chip = m![1];
type Cluster = m![Pos / 256 % 2];
type Slice = m![Pos % 256];
type Rows = DmTensor<bf16, Chip, Cluster, Slice, m![Pos / 512, Emb]>;

#[device(chip = 1)]
fn embed(
    ctx: &mut Context,
    table: &HbmTensor<bf16, Chip, m![Voc, Emb]>,
    positions: &HbmTensor<bf16, Chip, m![Pos, Emb]>,
    tokens: &HbmTensor<i32, Chip, m![Pos]>,
) -> HbmTensor<bf16, Chip, m![Pos, Emb]> {
    let rows: Rows = table.dma_gather(tokens, 0);
    let positions: Rows = positions.to_dm(&mut ctx.tdma, 0x4000);
    let y: Rows = ctx
        .main
        .begin_interleaved::<Pair, _, _, _, _, _>(rows.view(), positions.view())
        .fetch::<f32, m![Pos / 512, Emb / 8, Pair], m![Emb % 8]>()
        .collect::<m![Pos / 512, Emb / 8, Pair], m![Emb % 8]>()
        .vector_init()
        .vector_intra_slice_unzip::<Pair, m![Pos / 512, Emb / 8, 1 # 2], m![Pos / 512, Emb / 8]>()
        .vector_clip_zip(ClipBinaryOpF32::Add)
        .vector_final()
        .cast::<bf16, m![Emb % 8 # 16]>()
        .commit(0x8000);
    y.to_hbm(&mut ctx.tdma, 1 << 30)
}

// ---- the host

async fn run(tokens: &Vec<i32>) -> Vec<f32> {
    let mut ctx = Context::acquire();
    let table = |e: usize| bf16::from_f32((e / Emb::SIZE % 113) as f32 - (e % Emb::SIZE % 16) as f32);
    let position = |e: usize| bf16::from_f32((e / Emb::SIZE % 7) as f32 / 8.0);
    let table = HostTensor::<bf16, m![Voc, Emb]>::from_buf((0..Voc::SIZE * Emb::SIZE).map(|e| Opt::Init(table(e))).collect());
    let positions = HostTensor::<bf16, m![Pos, Emb]>::from_buf((0..Pos::SIZE * Emb::SIZE).map(|e| Opt::Init(position(e))).collect());
    let tokens = HostTensor::<i32, m![Pos]>::from_buf(tokens.iter().map(|t| Opt::Init(*t)).collect());
    let table = table.to_hbm(&mut ctx.pdma, 0).await;
    let positions = positions.to_hbm(&mut ctx.pdma, 1 << 28).await;
    let tokens = tokens.to_hbm(&mut ctx.pdma, 2 << 28).await;
    let y = launch(embed, (&mut *ctx, &table, &positions, &tokens)).await;
    y.to_host::<m![Pos, Emb]>(&mut ctx.pdma).await.to_buf().into_iter().map(|v| v.unwrap().to_f32()).collect()
}

#[tokio::test]
async fn each_token_finds_its_row() {
    let tokens: Vec<i32> = (0..Pos::SIZE).map(|p| (p * p * 31 % Voc::SIZE) as i32).collect();
    let y = run(&tokens).await;
    for e in (0..Pos::SIZE * Emb::SIZE).step_by(13) {
        let (p, column) = (e / Emb::SIZE, e % Emb::SIZE);
        let row = tokens[p] as usize;
        let sum = (row % 113) as f32 - (column % 16) as f32 + (p % 7) as f32 / 8.0;
        assert_eq!(y[e], bf16::from_f32(sum).to_f32(), "position {p}, column {column}");
    }
}

#[tokio::test]
#[should_panic(expected = "looks for a row")]
async fn a_token_that_is_not_there_is_reported() {
    run(&(0..Pos::SIZE).map(|p| if p == Pos::SIZE / 2 { Voc::SIZE as i32 } else { 1 }).collect()).await;
}
