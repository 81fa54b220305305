//! Softmax of rows: y[r, c] = exp(x[r, c] - m[r]) / sum over c of exp(x[r, c] - m[r]), where m is the largest of a row.
//!
//! Without m the exponentials would overflow. So there are three passes over a row, all in the Vector Engine: the
//! largest, the sum, the quotient. The first two leave one number for each row in VRF, where the next pass takes it as
//! an operand; the second one ends in the division stage, so that the third only multiplies. The exponentials are
//! computed twice: that costs nothing, since a pass takes as long with an operation more (each has an ALU of its own),
//! and saves a detour through DM.
//!
//! # Mapping
//!
//! A row to a slice, neighbouring rows to neighbouring slices (`Row % 256`), so that DMA reads HBM from one end to the
//! other. (With rows that follow each other in one slice, `Row / 4 % 256`, its engines open rows of the same banks in
//! turn.) Sums and largest ones are then of one slice: lanes and time steps, and nothing has to cross.
//!
//! Rows come in tiles of 1,024, two in each slice. While DMA brings tile t + 1 the passes work on tile t. The load of
//! the next tile stands in front of the store of this one: DMA takes its commands in order, and one that waits for a
//! pass holds up all behind it.
//!
//! # Engines and memory
//!
//! DMA, Fetch (bf16 to f32), Collect, Vector (narrow, float, intra-slice reduce, division, widen), Cast, Commit.
//!
//! In a slice two tiles of x, in turn, and two of y, 4 KiB each; VRF: twice two flits. A tile lies in pieces of 128
//! columns, of both rows in turn: a DMA engine goes over its slices with one piece of 256 bytes before it goes on in
//! any of them, and so has both its networks at work. With a whole row of 2 KiB at a time, `m![Row / 512 % 2, Col]`, it
//! waits for one network after the other: 2,166 cycles a tile instead of 1,865.
//!
//! # What bounds it
//!
//! HBM. 4 MiB in and 4 MiB out take 5,592 cycles at 1.5 TB/s; 7,460 are predicted, 75 % of what HBM could move. All of
//! that is DMA, four commands of 1,865 that follow each other without a gap: 500 to start and 1,365 for 2 MiB. The
//! passes, 1,550 cycles for a tile, are hidden: floats go through the Vector Engine four at a time, 3 x 512 steps. Each
//! further tile takes 3,730. With tiles twice as large it is 87 % for the same number of tiles, since starts are as many
//! for twice the data: four rows in a slice, two by two, `m![Row / 512 % 4 / 2, Col / 128, Row / 512 % 2, Col % 128]`.
//!
//! # Sizes
//!
//! Row is any multiple of 1,024, as many tiles as `OneTile` says. Col is any multiple of 128, up to 32,768: four tiles
//! have 512 KiB. Other sizes are refused.
//!
//! With more than 1,024 columns the pieces that DMA reads one after the other lie so far apart in HBM that each opens a
//! row of its bank again. `TileInHbm` then says `m![Col / 128, Row % 1024, Col % 128]`: panels of 128 columns, in the
//! order of DMA, which the host turns from rows and back as it sends and fetches. Nothing else changes.
//!
//!     Col      rows as they are     in panels
//!     1,024    7,460, 75 %          7,460, 75 %
//!     2,048    27,942, 40 %         12,924, 87 %
//!     8,192    298,960, 15 %        47,450, 94 %
//!
//! A multiple of 8 that is none of 128 works with `m![Row / 512 % 2, Col]` in `Rows`, and is of no use: a row then ends
//! within a unit of HBM, 256 bytes, and what shares one is read, changed and written back, 285,668 cycles with 1,032
//! columns. Fill up rows with minus infinity instead.
//!
//! # What to try
//!
//! - Load the next tile behind the store: `contra schedule --compare` shows DMA waiting for the passes.
//! - One buffer for x instead of two: the load of a tile waits for the last pass over the one before.
//! - Tiles of 512 rows: eight commands instead of four, with a start each.

use furiosa_visa_std::prelude::*;

axes![Row = 2048, Col = 1024];

type Chip = m![1];
type Cluster = m![Row / 256 % 2];
type Slice = m![Row % 256];
type OneTile = m![1 # 2]; // of Row / 1024
type Rows = DmTensor<bf16, Chip, Cluster, Slice, m![Col / 128, Row / 512 % 2, Col % 128]>; // of a tile
type TileInHbm = m![Row % 1024, Col];
type InHbm = m![Row / 1024, { TileInHbm }];
type Steps = m![Row / 512 % 2, Col / 8];
type OnePerRow = VrfTensor<f32, Chip, Cluster, Slice, m![Row / 512 % 2, 1 # 8]>;

const TILES: usize = <m![Row / 1024]>::SIZE;
const TILE_BYTES: u64 = (2 * Col::SIZE * 2) as u64;
const X_ADDRESS: u64 = 0; // two tiles, in turn
const Y_ADDRESS: u64 = X_ADDRESS + 2 * TILE_BYTES; // two, likewise
const LARGEST_VRF: u64 = 0;
const SCALE_VRF: u64 = 64; // behind two flits

fn load(ctx: &mut Context, x: &HbmTensor<bf16, Chip, InHbm>, rows: &mut Rows, tile: usize) {
    x.view()
        .tile::<m![Row / 1024], 1, m![{ OneTile }, { TileInHbm }]>(tile)
        .to_dm_view(&mut ctx.tdma, rows.view_mut());
}

// Three passes over the rows of a tile.
fn softmax_of_tile(ctx: &mut Context, x: &Rows, address: u64) -> Rows {
    let largest: OnePerRow = ctx
        .main
        .begin(x.view())
        .fetch::<f32, Steps, m![Col % 8]>()
        .collect::<Steps, m![Col % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![Row / 512 % 2, Col / 4], m![Col % 4]>()
        .vector_intra_slice_reduce::<Col, m![Row / 512 % 2], m![1 # 4]>(IntraSliceReduceOpF32::Max)
        .vector_pad_way8::<m![1 # 8]>()
        .vector_final()
        .to_vrf(LARGEST_VRF);

    let scale: OnePerRow = ctx
        .main
        .begin(x.view())
        .fetch::<f32, Steps, m![Col % 8]>()
        .collect::<Steps, m![Col % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![Row / 512 % 2, Col / 4], m![Col % 4]>()
        .vector_fp_binary(FpBinaryOp::SubF, &largest)
        .vector_fp_unary(FpUnaryOp::Exp)
        .vector_intra_slice_reduce::<Col, m![Row / 512 % 2], m![1 # 4]>(IntraSliceReduceOpF32::Add)
        .vector_fp_div(FpDivBinaryOp::DivF.with_mode(BinaryArgMode::Mode10), 1.0f32)
        .vector_pad_way8::<m![1 # 8]>()
        .vector_final()
        .to_vrf(SCALE_VRF);

    ctx.main
        .begin(x.view())
        .fetch::<f32, Steps, m![Col % 8]>()
        .collect::<Steps, m![Col % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![Row / 512 % 2, Col / 4], m![Col % 4]>()
        .vector_fp_binary(FpBinaryOp::SubF, &largest)
        .vector_fp_unary(FpUnaryOp::Exp)
        .vector_fp_binary(FpBinaryOp::MulF(FpMulAlu::Mul0), &scale)
        .vector_concat::<Steps, m![Col % 8]>()
        .vector_final()
        .cast::<bf16, m![Col % 8 # 16]>()
        .commit(address)
}

#[device(chip = 1)]
fn softmax(ctx: &mut Context, x: &HbmTensor<bf16, Chip, InHbm>, y: &mut HbmTensor<bf16, Chip, InHbm>) {
    let mut buffers: [Rows; 2] =
        unsafe { [DmTensor::from_addr(X_ADDRESS), DmTensor::from_addr(X_ADDRESS + TILE_BYTES)] };
    load(ctx, x, &mut buffers[0], 0);
    for tile in 0..TILES {
        if tile + 1 < TILES {
            // in front of the store below, which waits for the passes and would hold up what is behind it
            load(ctx, x, &mut buffers[(tile + 1) % 2], tile + 1);
        }
        let results = softmax_of_tile(ctx, &buffers[tile % 2], Y_ADDRESS + (tile % 2) as u64 * TILE_BYTES);
        results.view().to_hbm_view(
            &mut ctx.tdma,
            y.view_mut().tile::<m![Row / 1024], 1, m![{ OneTile }, { TileInHbm }]>(tile),
        );
    }
}

// ---- the host

const DIFFERENT: usize = 61; // rows, which then repeat: no two tiles have the same rows in the same places

fn rows(number: impl Fn(usize, usize) -> f32) -> Vec<Opt<bf16>> {
    let mut rows: Vec<Opt<bf16>> = (0..DIFFERENT * Col::SIZE)
        .map(|e| Opt::Init(bf16::from_f32(number(e / Col::SIZE, e % Col::SIZE))))
        .collect();
    while rows.len() < Row::SIZE * Col::SIZE {
        let more = rows.len().min(Row::SIZE * Col::SIZE - rows.len());
        rows.extend_from_within(..more);
    }
    rows
}

async fn run(x: &Vec<Opt<bf16>>) -> Vec<Opt<bf16>> {
    let mut ctx = Context::acquire();
    let x = HostTensor::<bf16, m![Row, Col]>::from_buf(x.clone()).to_hbm(&mut ctx.pdma, 0).await;
    let mut y = unsafe { HbmTensor::<bf16, Chip, InHbm>::from_addr(1 << 30) };
    launch(softmax, (&mut *ctx, &x, &mut y)).await;
    y.to_host::<m![Row, Col]>(&mut ctx.pdma).await.to_buf()
}

#[tokio::test]
async fn close_to_the_real_one() {
    let x = rows(|row, c| ((c * 37 + row * 11) % 401) as f32 / 50.0 - 4.0 + row as f32);
    let y = run(&x).await;
    for row in (0..Row::SIZE).step_by(127) {
        let numbers: Vec<f64> = (0..Col::SIZE).map(|c| x[row * Col::SIZE + c].unwrap().to_f32() as f64).collect();
        let largest = numbers.iter().fold(numbers[0], |a, b| a.max(*b));
        let sum: f64 = numbers.iter().map(|v| (*v - largest).exp()).sum();
        for column in 0..Col::SIZE {
            let expected = (numbers[column] - largest).exp() / sum;
            let found = y[row * Col::SIZE + column].unwrap().to_f32() as f64;
            // bf16 has 8 bits, so that it rounds by one part in 256 at most; f32 adds next to nothing
            assert!((found - expected).abs() <= expected / 250.0, "row {row}, column {column}: {found}, not {expected}");
        }
    }
}

// Numbers whose exponentials no f32 holds; and one that is far above all others.
#[tokio::test]
async fn does_not_overflow() {
    let x = rows(|row, c| if row % 2 == 0 { 1000.0 } else if c == row % Col::SIZE { 300.0 } else { -300.0 });
    let y = run(&x).await;
    for e in (0..Row::SIZE * Col::SIZE).step_by(23) {
        let row = e / Col::SIZE % DIFFERENT;
        let one = if e % Col::SIZE == row % Col::SIZE { 1.0 } else { 0.0 };
        let expected = if row % 2 == 0 { 1.0 / Col::SIZE as f32 } else { one };
        assert!((y[e].unwrap().to_f32() - expected).abs() <= expected / 250.0);
    }
}
