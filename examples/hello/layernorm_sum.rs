//! The two sums of a layer normalisation: mean and mean square of every row.
//!
//! Each slice holds one row of 64 floats. The reduction stage of the Vector Engine adds up lanes (a tree of four) and
//! time steps (an accumulator), so the axis Hidden disappears from both; the division stage behind it turns the sum
//! into a mean. The mean square needs the same pass with one more operation in front: x * x, which takes both its
//! arguments from the stream (Mode00). One result is returned, the other goes into an output parameter.
//!
//! Engines: DMA, Fetch, Collect, Vector (narrow, float, intra-slice reduce, division, widen), Commit.
//! Memory in a slice: row at 0 (256 bytes), mean at 0x1000, mean square at 0x2000 (8 bytes each).

use furiosa_visa_std::prelude::*;

axes![Row = 256, Hidden = 64];

type Chip = m![1];
type Cluster = m![1 # 2];
type Slice = m![Row];

#[device(chip = 1)]
fn moments(
    ctx: &mut Context,
    input: &HbmTensor<f32, Chip, m![Row, Hidden]>,
    mean_square: &mut HbmTensor<f32, Chip, m![Row]>,
) -> HbmTensor<f32, Chip, m![Row]> {
    let dm = input.to_dm::<Cluster, Slice, m![Hidden]>(&mut ctx.tdma, 0);

    let mean: DmTensor<f32, Chip, Cluster, Slice, m![1 # 2]> = ctx
        .main
        .begin(dm.view())
        .fetch::<f32, m![Hidden / 8], m![Hidden % 8]>()
        .collect::<m![Hidden / 8], m![Hidden % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![Hidden / 4], m![Hidden % 4]>()
        .vector_intra_slice_reduce::<Hidden, m![1], m![1 # 4]>(IntraSliceReduceOpF32::Add) // 64 values -> 1
        .vector_fp_div(FpDivBinaryOp::DivF.with_mode(BinaryArgMode::Mode01), 64.0f32)
        .vector_pad_way8::<m![1 # 8]>()
        .vector_final()
        .commit(0x1000);

    let squares: DmTensor<f32, Chip, Cluster, Slice, m![1 # 2]> = ctx
        .main
        .begin(dm.view())
        .fetch::<f32, m![Hidden / 8], m![Hidden % 8]>()
        .collect::<m![Hidden / 8], m![Hidden % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![Hidden / 4], m![Hidden % 4]>()
        .vector_fp_binary_with_mode(FpBinaryOp::MulF(FpMulAlu::Mul0), BinaryArgMode::Mode00, 1.0f32) // x * x
        .vector_intra_slice_reduce::<Hidden, m![1], m![1 # 4]>(IntraSliceReduceOpF32::Add)
        .vector_fp_div(FpDivBinaryOp::DivF.with_mode(BinaryArgMode::Mode01), 64.0f32)
        .vector_pad_way8::<m![1 # 8]>()
        .vector_final()
        .commit(0x2000);

    squares.view().to_hbm_view(&mut ctx.tdma, mean_square.view_mut());
    mean.to_hbm(&mut ctx.tdma, 1 << 28)
}

// Runs the kernel on the chip: rows in, their means and their mean squares out.
async fn run(values: Vec<f32>) -> (Vec<f32>, Vec<f32>) {
    let mut ctx = Context::acquire();
    let input = HostTensor::<f32, m![Row, Hidden]>::from_buf(values.into_iter().map(Opt::Init).collect());
    let in_hbm = input.to_hbm(&mut ctx.pdma, 0).await;
    let mut squares_hbm = unsafe { HbmTensor::<f32, Chip, m![Row]>::from_addr(2 << 28) };
    let mean_hbm = launch(moments, (&mut *ctx, &in_hbm, &mut squares_hbm)).await;
    let mean = mean_hbm.to_host::<m![Row]>(&mut ctx.pdma).await.to_buf();
    let squares = squares_hbm.to_host::<m![Row]>(&mut ctx.pdma).await.to_buf();
    (mean.into_iter().map(|v| v.unwrap()).collect(), squares.into_iter().map(|v| v.unwrap()).collect())
}

#[tokio::main]
async fn main() {
    // Row r holds r and -1 in turn.
    let (mean, squares) = run((0..256 * 64).map(|e| if e % 2 == 0 { (e / 64) as f32 } else { -1.0 }).collect()).await;
    println!("row 9 holds 9 and -1 in turn: its mean is {}, its mean square {}", mean[9], squares[9]);
    for r in 0..256 {
        let r = r as f32;
        assert_eq!(mean[r as usize], (r - 1.0) / 2.0);
        assert_eq!(squares[r as usize], (r * r + 1.0) / 2.0);
    }
}

#[tokio::test]
async fn close_to_plain_sums() {
    let value = |r: usize, h: usize| ((r * 31 + h * 17) % 101) as f32 / 10.0 - 5.0;
    let (mean, squares) = run((0..256 * 64).map(|e| value(e / 64, e % 64)).collect()).await;
    for r in 0..256 {
        let m: f32 = (0..64).map(|h| value(r, h)).sum::<f32>() / 64.0;
        let q: f32 = (0..64).map(|h| value(r, h) * value(r, h)).sum::<f32>() / 64.0;
        assert!((mean[r] - m).abs() < 1e-5, "mean of row {r}: {} is not {m}", mean[r]);
        assert!((squares[r] - q).abs() < 1e-4, "mean square of row {r}: {} is not {q}", squares[r]);
    }
}
