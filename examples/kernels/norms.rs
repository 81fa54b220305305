//! Root mean square norm and layer norm of rows, with a gain (and a bias) for each column:
//!
//!     rms_norm    y[r, c] = x[r, c] / sqrt(mean of x[r]^2 + eps) * gain[c]
//!     layer_norm  y[r, c] = (x[r, c] - mean of x[r]) / sqrt(variance of x[r] + eps) * gain[c] + bias[c]
//!
//! A slice has whole rows, so all sums stay in it: the reduction stage of the Vector Engine adds up lanes and time
//! steps. What a pass finds of a row goes to VRF, one number for each row, and is an operand of the next pass. Stages
//! have an order, and the root comes in front of the sum: so a pass of its own, over the sums alone (7 cycles), turns
//! them into 1 / sqrt. The bias is added behind the widening, by an ALU that takes eight lanes.
//!
//! Gain and bias are needed by all slices. As copies in DM they would be read from HBM 512 times, always from the
//! same channels (5,919 cycles each). Instead 64 slices get a flit each, and the Switch Engine passes it round (1,855
//! and 68). A row is named by four axes here because the rule for that is by names: what is passed round must be
//! another axis than the slices that get it (`Line`), and these another than the rings (`Quarter`).
//!
//! # What bounds it
//!
//! HBM: 2 MiB in and out, 2,796 cycles; the passes take 2 x 512 (three in layer norm), floats going four at a time.
//! With nothing to overlap they take 6,169 and 8,026. In a model the rows are in DM already: then 1,040 and 1,559 are
//! left.
//!
//! Engines: DMA, Fetch (bf16 to f32), Switch, Collect, Vector (narrow, float, intra-slice reduce, division, widen,
//! clip), Cast, Commit.
//! Memory in a slice: x and y (4 KiB each), gain, bias and sums behind; VRF: gain and bias (2 KiB each), one flit for
//! each row twice.
//!
//! Sizes: Group is free, as long as VRF holds all: 8 x Col + 64 x Group <= 8192. Col is 64 slices x 8, for other
//! multiples of 512 `load_columns` has other numbers than 8 (1024 is one too many for layer norm). ONE_OF_ALL is 1 /
//! Col.

use furiosa_visa_std::prelude::*;

axes![Group = 4, Half = 2, Quarter = 4, Line = 64, Col = 512];

type Chip = m![1];
type Row = m![Group, Half, Quarter, Line]; // one row in each of the 512 slices, then the next group
type Cluster = m![Half];
type Slice = m![Quarter, Line];
type Rows = DmTensor<bf16, Chip, Cluster, Slice, m![Group, Col]>;
type OnePerRow = VrfTensor<f32, Chip, Cluster, Slice, m![Group, 1 # 8]>;
type OnePerColumn = VrfTensor<f32, Chip, Cluster, Slice, m![Col]>;

const EPSILON: f32 = 1.0e-5;
const ONE_OF_ALL: f32 = 1.0 / 512.0; // 1 / Col
const X_ADDRESS: u64 = 0;
const X_BYTES: u64 = (Group::SIZE * Col::SIZE * 2) as u64;
const Y_ADDRESS: u64 = X_ADDRESS + X_BYTES;
const GAIN_ADDRESS: u64 = Y_ADDRESS + X_BYTES;
const BIAS_ADDRESS: u64 = GAIN_ADDRESS + 16;
const SUM_ADDRESS: u64 = BIAS_ADDRESS + 16;

const GAIN_VRF: u64 = 0;
const BIAS_VRF: u64 = GAIN_VRF + Col::SIZE as u64 * 4;
const MEAN_VRF: u64 = BIAS_VRF + Col::SIZE as u64 * 4;
const SCALE_VRF: u64 = MEAN_VRF + Group::SIZE as u64 * 32;

// One number for each column, to VRF of every slice: 64 slices get a flit each, and pass it round.
fn load_columns(ctx: &mut Context, from: &HbmTensor<bf16, Chip, m![Col]>, address: u64, vrf: u64) -> OnePerColumn {
    let columns: DmTensor<bf16, Chip, Cluster, m![Quarter, Col / 8], m![Col % 8]> = from.to_dm(&mut ctx.tdma, address);
    ctx.sub
        .begin(columns.view())
        .fetch::<f32, m![1], m![Col % 8]>()
        .switch::<Slice, m![Col / 8]>(SwitchConfig::Broadcast01 { slice1: 64, slice0: 1, time0: 1 })
        .collect::<m![Col / 8], m![Col % 8]>()
        .to_vrf(vrf)
}

// 1 / sqrt(x + EPSILON)
fn inverse_root(ctx: &mut Context, x: &DmTensor<f32, Chip, Cluster, Slice, m![Group, 1 # 2]>, vrf: u64) -> OnePerRow {
    ctx.main
        .begin(x.view())
        .fetch::<f32, m![Group], m![1 # 2]>()
        .collect::<m![Group], m![1 # 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_trim_way4::<m![1 # 4]>()
        .vector_fp_binary(FpBinaryOp::AddF, EPSILON)
        .vector_fp_unary(FpUnaryOp::Sqrt)
        .vector_fp_div(FpDivBinaryOp::DivF.with_mode(BinaryArgMode::Mode10), 1.0f32)
        .vector_pad_way8::<m![1 # 8]>()
        .vector_final()
        .to_vrf(vrf)
}

#[device(chip = 1)]
fn rms_norm(
    ctx: &mut Context,
    x: &HbmTensor<bf16, Chip, m![{ Row }, Col]>,
    gain: &HbmTensor<bf16, Chip, m![Col]>,
) -> HbmTensor<bf16, Chip, m![{ Row }, Col]> {
    let x: Rows = x.to_dm(&mut ctx.tdma, X_ADDRESS);
    let gain = load_columns(ctx, gain, GAIN_ADDRESS, GAIN_VRF);
    let mean_square: DmTensor<f32, Chip, Cluster, Slice, m![Group, 1 # 2]> = ctx
        .main
        .begin(x.view())
        .fetch::<f32, m![Group, Col / 8], m![Col % 8]>()
        .collect::<m![Group, Col / 8], m![Col % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![Group, Col / 4], m![Col % 4]>()
        .vector_fp_binary_with_mode(FpBinaryOp::MulF(FpMulAlu::Mul0), BinaryArgMode::Mode00, 1.0f32) // x * x
        .vector_fp_binary(FpBinaryOp::MulF(FpMulAlu::Mul1), ONE_OF_ALL)
        .vector_intra_slice_reduce::<Col, m![Group], m![1 # 4]>(IntraSliceReduceOpF32::Add)
        .vector_pad_way8::<m![1 # 8]>()
        .vector_final()
        .commit(SUM_ADDRESS);
    let scale = inverse_root(ctx, &mean_square, SCALE_VRF);
    let y: Rows = ctx
        .main
        .begin(x.view())
        .fetch::<f32, m![Group, Col / 8], m![Col % 8]>()
        .collect::<m![Group, Col / 8], m![Col % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![Group, Col / 4], m![Col % 4]>()
        .vector_fp_binary(FpBinaryOp::MulF(FpMulAlu::Mul0), &scale)
        .vector_fp_binary(FpBinaryOp::MulF(FpMulAlu::Mul1), &gain)
        .vector_concat::<m![Group, Col / 8], m![Col % 8]>()
        .vector_final()
        .cast::<bf16, m![Col % 8 # 16]>()
        .commit(Y_ADDRESS);
    y.to_hbm(&mut ctx.tdma, 1 << 30)
}

#[device(chip = 1)]
fn layer_norm(
    ctx: &mut Context,
    x: &HbmTensor<bf16, Chip, m![{ Row }, Col]>,
    gain: &HbmTensor<bf16, Chip, m![Col]>,
    bias: &HbmTensor<bf16, Chip, m![Col]>,
) -> HbmTensor<bf16, Chip, m![{ Row }, Col]> {
    let x: Rows = x.to_dm(&mut ctx.tdma, X_ADDRESS);
    let gain = load_columns(ctx, gain, GAIN_ADDRESS, GAIN_VRF);
    let bias = load_columns(ctx, bias, BIAS_ADDRESS, BIAS_VRF);
    let mean: OnePerRow = ctx
        .main
        .begin(x.view())
        .fetch::<f32, m![Group, Col / 8], m![Col % 8]>()
        .collect::<m![Group, Col / 8], m![Col % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![Group, Col / 4], m![Col % 4]>()
        .vector_fp_binary(FpBinaryOp::MulF(FpMulAlu::Mul0), ONE_OF_ALL)
        .vector_intra_slice_reduce::<Col, m![Group], m![1 # 4]>(IntraSliceReduceOpF32::Add)
        .vector_pad_way8::<m![1 # 8]>()
        .vector_final()
        .to_vrf(MEAN_VRF);
    let variance: DmTensor<f32, Chip, Cluster, Slice, m![Group, 1 # 2]> = ctx
        .main
        .begin(x.view())
        .fetch::<f32, m![Group, Col / 8], m![Col % 8]>()
        .collect::<m![Group, Col / 8], m![Col % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![Group, Col / 4], m![Col % 4]>()
        .vector_fp_binary(FpBinaryOp::SubF, &mean)
        .vector_fp_binary_with_mode(FpBinaryOp::MulF(FpMulAlu::Mul0), BinaryArgMode::Mode00, 1.0f32)
        .vector_fp_binary(FpBinaryOp::MulF(FpMulAlu::Mul1), ONE_OF_ALL)
        .vector_intra_slice_reduce::<Col, m![Group], m![1 # 4]>(IntraSliceReduceOpF32::Add)
        .vector_pad_way8::<m![1 # 8]>()
        .vector_final()
        .commit(SUM_ADDRESS);
    let scale = inverse_root(ctx, &variance, SCALE_VRF);
    let y: Rows = ctx
        .main
        .begin(x.view())
        .fetch::<f32, m![Group, Col / 8], m![Col % 8]>()
        .collect::<m![Group, Col / 8], m![Col % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![Group, Col / 4], m![Col % 4]>()
        .vector_fp_binary(FpBinaryOp::SubF, &mean)
        .vector_fp_binary(FpBinaryOp::MulF(FpMulAlu::Mul0), &scale)
        .vector_fp_binary(FpBinaryOp::MulF(FpMulAlu::Mul1), &gain)
        .vector_concat::<m![Group, Col / 8], m![Col % 8]>()
        .vector_clip(ClipBinaryOpF32::Add, &bias)
        .vector_final()
        .cast::<bf16, m![Col % 8 # 16]>()
        .commit(Y_ADDRESS);
    y.to_hbm(&mut ctx.tdma, 1 << 30)
}

// ---- the host

const ROWS: usize = <Row>::SIZE;

fn to_bf16(numbers: &Vec<f32>) -> Vec<Opt<bf16>> {
    numbers.iter().map(|v| Opt::Init(bf16::from_f32(*v))).collect()
}

async fn run(x: &Vec<f32>, gain: &Vec<f32>, bias: &Vec<f32>, is_layer_norm: bool) -> Vec<f32> {
    let mut ctx = Context::acquire();
    let x = HostTensor::<bf16, m![{ Row }, Col]>::from_buf(to_bf16(x)).to_hbm(&mut ctx.pdma, 0).await;
    let gain = HostTensor::<bf16, m![Col]>::from_buf(to_bf16(gain)).to_hbm(&mut ctx.pdma, 1 << 28).await;
    let bias = HostTensor::<bf16, m![Col]>::from_buf(to_bf16(bias)).to_hbm(&mut ctx.pdma, 2 << 28).await;
    let y = if is_layer_norm {
        launch(layer_norm, (&mut *ctx, &x, &gain, &bias)).await
    } else {
        launch(rms_norm, (&mut *ctx, &x, &gain)).await
    };
    y.to_host::<m![{ Row }, Col]>(&mut ctx.pdma).await.to_buf().into_iter().map(|v| v.unwrap().to_f32()).collect()
}

// Numbers that bf16 holds: eighths, with another mean and spread in every row.
fn numbers() -> Vec<f32> {
    (0..ROWS * Col::SIZE)
        .map(|e| ((e * 29 + e / 512 * 5) % 64) as f32 / 8.0 - (e / 512 % 8) as f32)
        .collect()
}

// Within the rounding of bf16, one part in 256, of what it should be.
fn compare(y: &Vec<f32>, row: usize, column: usize, expected: f64) {
    let found = y[row * Col::SIZE + column] as f64;
    let tolerance = expected.abs() / 250.0 + 1.0e-5;
    assert!((found - expected).abs() <= tolerance, "row {row}, column {column}: {found} instead of {expected}");
}

#[tokio::test]
async fn rms_norm_is_close_to_the_real_one() {
    let x = numbers();
    let gain: Vec<f32> = (0..Col::SIZE).map(|c| (c % 16) as f32 / 8.0).collect();
    let y = run(&x, &gain, &gain, false).await;
    for row in (0..ROWS).step_by(61) {
        let of_row = &x[row * Col::SIZE..(row + 1) * Col::SIZE];
        let mean_square = of_row.iter().map(|v| (*v * *v) as f64).sum::<f64>() / Col::SIZE as f64;
        for c in 0..Col::SIZE {
            compare(&y, row, c, of_row[c] as f64 / (mean_square + EPSILON as f64).sqrt() * gain[c] as f64);
        }
    }
}

#[tokio::test]
async fn layer_norm_is_close_to_the_real_one() {
    let x = numbers();
    let gain: Vec<f32> = (0..Col::SIZE).map(|c| (c % 16) as f32 / 8.0 - 0.5).collect();
    let bias: Vec<f32> = (0..Col::SIZE).map(|c| (c % 7) as f32 - 3.0).collect();
    let y = run(&x, &gain, &bias, true).await;
    for row in (0..ROWS).step_by(61) {
        let of_row = &x[row * Col::SIZE..(row + 1) * Col::SIZE];
        let mean = of_row.iter().map(|v| *v as f64).sum::<f64>() / Col::SIZE as f64;
        let variance = of_row.iter().map(|v| (*v as f64 - mean) * (*v as f64 - mean)).sum::<f64>() / Col::SIZE as f64;
        let scale = 1.0 / (variance + EPSILON as f64).sqrt();
        for c in 0..Col::SIZE {
            compare(&y, row, c, (of_row[c] as f64 - mean) * scale * gain[c] as f64 + bias[c] as f64);
        }
    }
}
