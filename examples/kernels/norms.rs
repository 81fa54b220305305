//! Root mean square norm and layer norm of rows, with a gain (and a bias) for each column.
//!
//!     rms_norm    y[r, c] = x[r, c] / sqrt(mean of x[r]^2 + eps) * gain[c]
//!     layer_norm  y[r, c] = (x[r, c] - mean of x[r]) / sqrt(variance of x[r] + eps) * gain[c] + bias[c]
//!
//! What a pass finds of a row goes to VRF, one number for each row, and is an operand of the next pass. Stages have an
//! order, and the root comes in front of the sum: so a pass of its own, over the sums alone (7 cycles), turns them into
//! 1 / sqrt. The bias is added behind the widening, by an ALU that takes eight lanes.
//!
//! # Mapping
//!
//! A row to a slice, so that all sums stay in it: the reduction stage of the Vector Engine adds up lanes and time
//! steps. (`split_reduce.rs` has rows that lie in several slices.) Rows come in tiles, four in each slice: while one is
//! worked on the next one is loaded, by a command in front of the store of this one.
//!
//! Gain and bias are needed by all slices. As copies in DM they would be read from HBM 512 times, always from the same
//! channels (5,919 cycles each). Instead 64 slices get a flit each, and the Switch Engine passes it round; and HBM has
//! them eight times, 8 KiB, which is one round over its channels: 665 and 68 cycles. (From a single copy: 1,855.) A row
//! is named by four axes because the rule for the switch is by names: what is passed round must be another axis than
//! the slices that get it (`Line`), and these another than the rings (`Quarter`).
//!
//! # Engines and memory
//!
//! DMA, Fetch (bf16 to f32), Switch, Collect, Vector (narrow, float, intra-slice reduce, division, widen, clip), Cast,
//! Commit. In a slice two tiles of x and two of y, in turn, 4 KiB each, gain, bias and sums behind; VRF: gain and bias
//! (2 KiB each), one flit for each row of a tile twice.
//!
//! # What bounds it
//!
//! HBM: 4 MiB in and out, 5,592 cycles at 1.5 TB/s. Predicted: 8,125 for `rms_norm`, 8,790 for `layer_norm`, 69 and 64
//! % of what it could move. All of that is DMA: four commands of 1,865 for tiles, one or two of 665 for columns, 500 of
//! each to start. The passes are hidden: 1,040 for a tile, 1,559 in layer norm, floats going four at a time. Each
//! further tile takes 3,730, 75 % of what HBM could move. In a model the rows are in DM already: then the passes are
//! left.
//!
//! # Sizes
//!
//! Group is any multiple of 4, as many tiles as `OneTile` says. Col is 64 slices x 8, for other multiples of 512
//! `load_columns` has other numbers than 8 (1024 is one too many for the VRF of layer norm). Half, Quarter and Line are
//! the slices. Other sizes are refused (E0107, E0505, E0521).
//!
//! # What to try
//!
//! - Gain and bias in one tensor: a command less, 500 cycles.
//! - The load of the next tile behind the store of this one: DMA waits for the passes.
//! - `contra schedule --cost=static`: how the vendor's scheduler would count.

use furiosa_visa_std::prelude::*;

axes![Group = 8, Half = 2, Quarter = 4, Line = 64, Col = 512];

type Chip = m![1];
type Row = m![Group, Half, Quarter, Line]; // one row in each of the 512 slices, then the next group
type OneTile = m![1 # 2]; // of Group / 4
type TileRow = m![{ OneTile }, Group % 4, Half, Quarter, Line];
type Cluster = m![Half];
type Slice = m![Quarter, Line];
type Rows = DmTensor<bf16, Chip, Cluster, Slice, m![Group % 4, Col]>; // of a tile
type Steps = m![Group % 4, Col / 8];
type Sums = DmTensor<f32, Chip, Cluster, Slice, m![Group % 4, 1 # 2]>;
type OnePerRow = VrfTensor<f32, Chip, Cluster, Slice, m![Group % 4, 1 # 8]>;
type OnePerColumn = VrfTensor<f32, Chip, Cluster, Slice, m![Col]>;
type Columns = HbmTensor<bf16, Chip, m![Half, Quarter, Col]>; // eight times the same

const TILES: usize = <m![Group / 4]>::SIZE;
const EPSILON: f32 = 1.0e-5;
const ONE_OF_ALL: f32 = 1.0 / Col::SIZE as f32;
const TILE_BYTES: u64 = (4 * Col::SIZE * 2) as u64;
const X_ADDRESS: u64 = 0; // two tiles, in turn
const Y_ADDRESS: u64 = X_ADDRESS + 2 * TILE_BYTES; // two, likewise
const GAIN_ADDRESS: u64 = Y_ADDRESS + 2 * TILE_BYTES;
const BIAS_ADDRESS: u64 = GAIN_ADDRESS + 16;
const SUM_ADDRESS: u64 = BIAS_ADDRESS + 16;

const GAIN_VRF: u64 = 0;
const BIAS_VRF: u64 = GAIN_VRF + Col::SIZE as u64 * 4;
const MEAN_VRF: u64 = BIAS_VRF + Col::SIZE as u64 * 4;
const SCALE_VRF: u64 = MEAN_VRF + 4 * 32;

// One number for each column, to VRF of every slice: 64 slices get a flit each, and pass it round.
fn load_columns(ctx: &mut Context, from: &Columns, address: u64, vrf: u64) -> OnePerColumn {
    let columns: DmTensor<bf16, Chip, Cluster, m![Quarter, Col / 8], m![Col % 8]> = from.to_dm(&mut ctx.tdma, address);
    ctx.sub
        .begin(columns.view())
        .fetch::<f32, m![1], m![Col % 8]>()
        .switch::<Slice, m![Col / 8]>(SwitchConfig::Broadcast01 { slice1: 64, slice0: 1, time0: 1 })
        .collect::<m![Col / 8], m![Col % 8]>()
        .to_vrf(vrf)
}

fn buffers() -> [Rows; 2] {
    unsafe { [DmTensor::from_addr(X_ADDRESS), DmTensor::from_addr(X_ADDRESS + TILE_BYTES)] }
}

fn load(ctx: &mut Context, x: &HbmTensor<bf16, Chip, m![{ Row }, Col]>, rows: &mut Rows, tile: usize) {
    x.view().tile::<m![Group / 4], 1, m![{ TileRow }, Col]>(tile).to_dm_view(&mut ctx.tdma, rows.view_mut());
}

fn store(ctx: &mut Context, rows: &Rows, y: &mut HbmTensor<bf16, Chip, m![{ Row }, Col]>, tile: usize) {
    rows.view().to_hbm_view(&mut ctx.tdma, y.view_mut().tile::<m![Group / 4], 1, m![{ TileRow }, Col]>(tile));
}

fn y_address(tile: usize) -> u64 {
    Y_ADDRESS + (tile % 2) as u64 * TILE_BYTES
}

// 1 / sqrt(x + EPSILON)
fn inverse_root(ctx: &mut Context, x: &Sums) -> OnePerRow {
    ctx.main
        .begin(x.view())
        .fetch::<f32, m![Group % 4], m![1 # 2]>()
        .collect::<m![Group % 4], m![1 # 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_trim_way4::<m![1 # 4]>()
        .vector_fp_binary(FpBinaryOp::AddF, EPSILON)
        .vector_fp_unary(FpUnaryOp::Sqrt)
        .vector_fp_div(FpDivBinaryOp::DivF.with_mode(BinaryArgMode::Mode10), 1.0f32)
        .vector_pad_way8::<m![1 # 8]>()
        .vector_final()
        .to_vrf(SCALE_VRF)
}

fn rms_norm_of_tile(ctx: &mut Context, x: &Rows, gain: &OnePerColumn, address: u64) -> Rows {
    let mean_square: Sums = ctx
        .main
        .begin(x.view())
        .fetch::<f32, Steps, m![Col % 8]>()
        .collect::<Steps, m![Col % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![Group % 4, Col / 4], m![Col % 4]>()
        .vector_fp_binary_with_mode(FpBinaryOp::MulF(FpMulAlu::Mul0), BinaryArgMode::Mode00, 1.0f32) // x * x
        .vector_fp_binary(FpBinaryOp::MulF(FpMulAlu::Mul1), ONE_OF_ALL)
        .vector_intra_slice_reduce::<Col, m![Group % 4], m![1 # 4]>(IntraSliceReduceOpF32::Add)
        .vector_pad_way8::<m![1 # 8]>()
        .vector_final()
        .commit(SUM_ADDRESS);
    let scale = inverse_root(ctx, &mean_square);
    ctx.main
        .begin(x.view())
        .fetch::<f32, Steps, m![Col % 8]>()
        .collect::<Steps, m![Col % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![Group % 4, Col / 4], m![Col % 4]>()
        .vector_fp_binary(FpBinaryOp::MulF(FpMulAlu::Mul0), &scale)
        .vector_fp_binary(FpBinaryOp::MulF(FpMulAlu::Mul1), gain)
        .vector_concat::<Steps, m![Col % 8]>()
        .vector_final()
        .cast::<bf16, m![Col % 8 # 16]>()
        .commit(address)
}

fn layer_norm_of_tile(ctx: &mut Context, x: &Rows, gain: &OnePerColumn, bias: &OnePerColumn, address: u64) -> Rows {
    let mean: OnePerRow = ctx
        .main
        .begin(x.view())
        .fetch::<f32, Steps, m![Col % 8]>()
        .collect::<Steps, m![Col % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![Group % 4, Col / 4], m![Col % 4]>()
        .vector_fp_binary(FpBinaryOp::MulF(FpMulAlu::Mul0), ONE_OF_ALL)
        .vector_intra_slice_reduce::<Col, m![Group % 4], m![1 # 4]>(IntraSliceReduceOpF32::Add)
        .vector_pad_way8::<m![1 # 8]>()
        .vector_final()
        .to_vrf(MEAN_VRF);
    let variance: Sums = ctx
        .main
        .begin(x.view())
        .fetch::<f32, Steps, m![Col % 8]>()
        .collect::<Steps, m![Col % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![Group % 4, Col / 4], m![Col % 4]>()
        .vector_fp_binary(FpBinaryOp::SubF, &mean)
        .vector_fp_binary_with_mode(FpBinaryOp::MulF(FpMulAlu::Mul0), BinaryArgMode::Mode00, 1.0f32)
        .vector_fp_binary(FpBinaryOp::MulF(FpMulAlu::Mul1), ONE_OF_ALL)
        .vector_intra_slice_reduce::<Col, m![Group % 4], m![1 # 4]>(IntraSliceReduceOpF32::Add)
        .vector_pad_way8::<m![1 # 8]>()
        .vector_final()
        .commit(SUM_ADDRESS);
    let scale = inverse_root(ctx, &variance);
    ctx.main
        .begin(x.view())
        .fetch::<f32, Steps, m![Col % 8]>()
        .collect::<Steps, m![Col % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![Group % 4, Col / 4], m![Col % 4]>()
        .vector_fp_binary(FpBinaryOp::SubF, &mean)
        .vector_fp_binary(FpBinaryOp::MulF(FpMulAlu::Mul0), &scale)
        .vector_fp_binary(FpBinaryOp::MulF(FpMulAlu::Mul1), gain)
        .vector_concat::<Steps, m![Col % 8]>()
        .vector_clip(ClipBinaryOpF32::Add, bias)
        .vector_final()
        .cast::<bf16, m![Col % 8 # 16]>()
        .commit(address)
}

#[device(chip = 1)]
fn rms_norm(
    ctx: &mut Context,
    x: &HbmTensor<bf16, Chip, m![{ Row }, Col]>,
    gain: &Columns,
    y: &mut HbmTensor<bf16, Chip, m![{ Row }, Col]>,
) {
    let mut buffers = buffers();
    load(ctx, x, &mut buffers[0], 0);
    let gain = load_columns(ctx, gain, GAIN_ADDRESS, GAIN_VRF);
    for tile in 0..TILES {
        if tile + 1 < TILES {
            load(ctx, x, &mut buffers[(tile + 1) % 2], tile + 1); // in front of the store, which waits for the passes
        }
        let results = rms_norm_of_tile(ctx, &buffers[tile % 2], &gain, y_address(tile));
        store(ctx, &results, y, tile);
    }
}

#[device(chip = 1)]
fn layer_norm(
    ctx: &mut Context,
    x: &HbmTensor<bf16, Chip, m![{ Row }, Col]>,
    gain: &Columns,
    bias: &Columns,
    y: &mut HbmTensor<bf16, Chip, m![{ Row }, Col]>,
) {
    let mut buffers = buffers();
    load(ctx, x, &mut buffers[0], 0);
    let gain = load_columns(ctx, gain, GAIN_ADDRESS, GAIN_VRF);
    let bias = load_columns(ctx, bias, BIAS_ADDRESS, BIAS_VRF);
    for tile in 0..TILES {
        if tile + 1 < TILES {
            load(ctx, x, &mut buffers[(tile + 1) % 2], tile + 1);
        }
        let results = layer_norm_of_tile(ctx, &buffers[tile % 2], &gain, &bias, y_address(tile));
        store(ctx, &results, y, tile);
    }
}

// ---- the host

const ROWS: usize = <Row>::SIZE;
const DIFFERENT: usize = 61; // rows, which then repeat: no two tiles have the same rows in the same places

fn to_bf16(numbers: &Vec<f32>) -> Vec<Opt<bf16>> {
    numbers.iter().map(|v| Opt::Init(bf16::from_f32(*v))).collect()
}

async fn run(x: &Vec<Opt<bf16>>, gain: &Vec<f32>, bias: &Vec<f32>, is_layer_norm: bool) -> Vec<Opt<bf16>> {
    let mut ctx = Context::acquire();
    let x = HostTensor::<bf16, m![{ Row }, Col]>::from_buf(x.clone()).to_hbm(&mut ctx.pdma, 0).await;
    let gain = HostTensor::<bf16, m![Col]>::from_buf(to_bf16(gain)).to_hbm(&mut ctx.pdma, 1 << 28).await;
    let bias = HostTensor::<bf16, m![Col]>::from_buf(to_bf16(bias)).to_hbm(&mut ctx.pdma, 2 << 28).await;
    let mut y = unsafe { HbmTensor::<bf16, Chip, m![{ Row }, Col]>::from_addr(1 << 30) };
    if is_layer_norm {
        launch(layer_norm, (&mut *ctx, &x, &gain, &bias, &mut y)).await;
    } else {
        launch(rms_norm, (&mut *ctx, &x, &gain, &mut y)).await;
    }
    y.to_host::<m![{ Row }, Col]>(&mut ctx.pdma).await.to_buf()
}

// Eighths, which bf16 holds, with another mean and spread in each row; every fourth one is so small that EPSILON counts.
fn rows() -> Vec<Opt<bf16>> {
    let mut rows: Vec<Opt<bf16>> = (0..DIFFERENT * Col::SIZE)
        .map(|e| (((e * 29 + e / Col::SIZE * 5) % 64) as f32 / 8.0 - (e / Col::SIZE % 8) as f32, e / Col::SIZE % 4))
        .map(|(number, kind)| Opt::Init(bf16::from_f32(if kind == 3 { number / 1024.0 } else { number })))
        .collect();
    while rows.len() < ROWS * Col::SIZE {
        let more = rows.len().min(ROWS * Col::SIZE - rows.len());
        rows.extend_from_within(..more);
    }
    rows
}

fn row_of(x: &Vec<Opt<bf16>>, row: usize) -> Vec<f64> {
    x[row * Col::SIZE..(row + 1) * Col::SIZE].iter().map(|v| v.unwrap().to_f32() as f64).collect()
}

// Within the rounding of bf16, one part in 256, of what it should be.
fn compare(y: &Vec<Opt<bf16>>, row: usize, column: usize, expected: f64) {
    let found = y[row * Col::SIZE + column].unwrap().to_f32() as f64;
    let tolerance = expected.abs() / 250.0 + 1.0e-5;
    assert!((found - expected).abs() <= tolerance, "row {row}, column {column}: {found} instead of {expected}");
}

#[tokio::test]
async fn rms_norm_is_close_to_the_real_one() {
    let x = rows();
    let gain: Vec<f32> = (0..Col::SIZE).map(|c| (c % 16) as f32 / 8.0).collect();
    let y = run(&x, &gain, &gain, false).await;
    for row in (0..ROWS).step_by(127) {
        let of_row = row_of(&x, row);
        let mean_square = of_row.iter().map(|v| *v * *v).sum::<f64>() / Col::SIZE as f64;
        for c in 0..Col::SIZE {
            compare(&y, row, c, of_row[c] / (mean_square + EPSILON as f64).sqrt() * gain[c] as f64);
        }
    }
}

#[tokio::test]
async fn layer_norm_is_close_to_the_real_one() {
    let x = rows();
    let gain: Vec<f32> = (0..Col::SIZE).map(|c| (c % 16) as f32 / 8.0 - 0.5).collect();
    let bias: Vec<f32> = (0..Col::SIZE).map(|c| (c % 7) as f32 - 3.0).collect();
    let y = run(&x, &gain, &bias, true).await;
    for row in (0..ROWS).step_by(127) {
        let of_row = row_of(&x, row);
        let mean = of_row.iter().map(|v| *v).sum::<f64>() / Col::SIZE as f64;
        let variance = of_row.iter().map(|v| (*v - mean) * (*v - mean)).sum::<f64>() / Col::SIZE as f64;
        let scale = 1.0 / (variance + EPSILON as f64).sqrt();
        for c in 0..Col::SIZE {
            compare(&y, row, c, (of_row[c] - mean) * scale * gain[c] as f64 + bias[c] as f64);
        }
    }
}
