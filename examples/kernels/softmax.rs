//! Softmax of rows: y[r, c] = exp(x[r, c] - m[r]) / sum over c of exp(x[r, c] - m[r]), where m is the largest of a
//! row.
//!
//! Without m the exponentials would overflow. So there are three passes over a row, all in the Vector Engine: the
//! largest, the sum, the quotient. The first two leave one number for each row in VRF, where the next pass takes it
//! as an operand; the second one ends in the division stage, so that the third only multiplies. The exponentials are
//! computed twice: that costs nothing, since a pass takes as long with an operation more (each has an ALU of its
//! own), and saves a detour through DM.
//!
//! # What bounds it
//!
//! Floats go through the Vector Engine four at a time: 3 passes x 1,024 steps for the 4 rows of a slice. The rows
//! come from HBM and go back there, 4 MiB each way at 1.5 TB/s: 5,592 cycles. With nothing to overlap it takes
//! 10,750; in a larger kernel the rows are there already, or tiles of them are loaded meanwhile, as in
//! `double_buffered_gemm.rs`. Neighbouring rows go to neighbouring slices (`Row % 256`), so that DMA reads HBM from
//! one end to the other. With four rows that follow each other in a slice (`Row / 4 % 256`) its engines open rows of
//! the same banks in turn: 14,326 cycles.
//!
//! Engines: DMA, Fetch (bf16 to f32), Collect, Vector (narrow, float, intra-slice reduce, division, widen), Cast,
//! Commit.
//! Memory in a slice: x at 0, y behind it (8 KiB each); VRF twice 128 bytes.
//!
//! Sizes: Row is any multiple of 512, one row for each slice of the chip, up to 65,536 (VRF then holds 128 rows
//! twice). Col is any multiple of 8. x and y of a slice have 512 KiB: Row / 512 x Col <= 131,072.

use furiosa_visa_std::prelude::*;

axes![Row = 2048, Col = 1024];

type Chip = m![1];
type Cluster = m![Row / 256 % 2];
type Slice = m![Row % 256];
type Rows = DmTensor<bf16, Chip, Cluster, Slice, m![Row / 512, Col]>;
type OnePerRow = VrfTensor<f32, Chip, Cluster, Slice, m![Row / 512, 1 # 8]>;

const Y_ADDRESS: u64 = (Row::SIZE / 512 * Col::SIZE * 2) as u64; // behind x
const SCALE_VRF: u64 = (Row::SIZE / 512 * 32) as u64; // behind what is largest

#[device(chip = 1)]
fn softmax(ctx: &mut Context, x: &HbmTensor<bf16, Chip, m![Row, Col]>) -> HbmTensor<bf16, Chip, m![Row, Col]> {
    let x: Rows = x.to_dm(&mut ctx.tdma, 0);

    let largest: OnePerRow = ctx
        .main
        .begin(x.view())
        .fetch::<f32, m![Row / 512, Col / 8], m![Col % 8]>()
        .collect::<m![Row / 512, Col / 8], m![Col % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![Row / 512, Col / 4], m![Col % 4]>()
        .vector_intra_slice_reduce::<Col, m![Row / 512], m![1 # 4]>(IntraSliceReduceOpF32::Max)
        .vector_pad_way8::<m![1 # 8]>()
        .vector_final()
        .to_vrf(0);

    let scale: OnePerRow = ctx
        .main
        .begin(x.view())
        .fetch::<f32, m![Row / 512, Col / 8], m![Col % 8]>()
        .collect::<m![Row / 512, Col / 8], m![Col % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![Row / 512, Col / 4], m![Col % 4]>()
        .vector_fp_binary(FpBinaryOp::SubF, &largest)
        .vector_fp_unary(FpUnaryOp::Exp)
        .vector_intra_slice_reduce::<Col, m![Row / 512], m![1 # 4]>(IntraSliceReduceOpF32::Add)
        .vector_fp_div(FpDivBinaryOp::DivF.with_mode(BinaryArgMode::Mode10), 1.0f32)
        .vector_pad_way8::<m![1 # 8]>()
        .vector_final()
        .to_vrf(SCALE_VRF);

    let y: Rows = ctx
        .main
        .begin(x.view())
        .fetch::<f32, m![Row / 512, Col / 8], m![Col % 8]>()
        .collect::<m![Row / 512, Col / 8], m![Col % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![Row / 512, Col / 4], m![Col % 4]>()
        .vector_fp_binary(FpBinaryOp::SubF, &largest)
        .vector_fp_unary(FpUnaryOp::Exp)
        .vector_fp_binary(FpBinaryOp::MulF(FpMulAlu::Mul0), &scale)
        .vector_concat::<m![Row / 512, Col / 8], m![Col % 8]>()
        .vector_final()
        .cast::<bf16, m![Col % 8 # 16]>()
        .commit(Y_ADDRESS);
    y.to_hbm(&mut ctx.tdma, 1 << 30)
}

// ---- the host

async fn run(x: Vec<bf16>) -> Vec<f32> {
    let mut ctx = Context::acquire();
    let x = HostTensor::<bf16, m![Row, Col]>::from_buf(x.into_iter().map(Opt::Init).collect());
    let x = x.to_hbm(&mut ctx.pdma, 0).await;
    let y = launch(softmax, (&mut *ctx, &x)).await;
    y.to_host::<m![Row, Col]>(&mut ctx.pdma).await.to_buf().into_iter().map(|value| value.unwrap().to_f32()).collect()
}

#[tokio::test]
async fn close_to_the_real_one() {
    let x: Vec<bf16> = (0..Row::SIZE * Col::SIZE)
        .map(|e| bf16::from_f32(((e * 37 + e / Col::SIZE * 11) % 401) as f32 / 50.0 - 4.0 + (e / Col::SIZE) as f32))
        .collect();
    let y = run(x.clone()).await;
    for row in (0..Row::SIZE).step_by(127) {
        let numbers: Vec<f64> = (0..Col::SIZE).map(|c| x[row * Col::SIZE + c].to_f32() as f64).collect();
        let largest = numbers.iter().fold(numbers[0], |a, b| a.max(*b));
        let sum: f64 = numbers.iter().map(|v| (*v - largest).exp()).sum();
        for column in 0..Col::SIZE {
            let expected = (numbers[column] - largest).exp() / sum;
            let found = y[row * Col::SIZE + column] as f64;
            // bf16 has 8 bits, so that it rounds by one part in 256 at most; f32 adds next to nothing
            assert!((found - expected).abs() <= expected / 250.0, "row {row}, column {column}: {found}, not {expected}");
        }
    }
}

// Numbers whose exponentials no f32 holds; and one that is far above all others.
#[tokio::test]
async fn does_not_overflow() {
    let x = |row: usize, c: usize| if row % 2 == 0 { 1000.0 } else if c == row % Col::SIZE { 300.0 } else { -300.0 };
    let y = run((0..Row::SIZE * Col::SIZE).map(|e| bf16::from_f32(x(e / Col::SIZE, e % Col::SIZE))).collect()).await;
    for e in (0..Row::SIZE * Col::SIZE).step_by(7) {
        let row = e / Col::SIZE;
        let one = if e % Col::SIZE == row % Col::SIZE { 1.0 } else { 0.0 };
        assert_eq!(y[e], if row % 2 == 0 { 1.0 / 1024.0 } else { one });
    }
}
