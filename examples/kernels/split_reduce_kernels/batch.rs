//! Batch norm: the samples of a channel lie in 256 slices, and come in two batches. See `split_reduce.rs`.

use super::*;

type ChannelHalf = m![Channel / 128];
type SampleSlice = m![Sample % 256];
type OneBatch = m![1 # 2]; // of Sample / 2048
type BatchRows = m![{ OneBatch }, Sample / 256 % 8, Channel % 128];
type BatchTime = m![Channel / 8 % 16, Sample / 256 % 8];
type Samples = DmTensor<bf16, Chip, ChannelHalf, SampleSlice, m![Sample / 256, Channel % 128]>;
type Sums = DmTensor<f32, Chip, ChannelHalf, SampleSlice, m![Sample / 2048, Channel % 128]>;
type OnePerChannel = VrfTensor<f32, Chip, ChannelHalf, SampleSlice, m![Channel % 128]>;

const BATCHES: usize = <m![Sample / 2048]>::SIZE;
const ONE_OF_SAMPLES: f32 = 1.0 / Sample::SIZE as f32;
const SUMS_ADDRESS: u64 = (Sample::SIZE / 256 * 128 * 2) as u64; // behind the samples
const SQUARES_ADDRESS: u64 = SUMS_ADDRESS + (BATCHES * 128 * 4) as u64;
const FOUND_ADDRESS: u64 = SQUARES_ADDRESS + (BATCHES * 128 * 4) as u64;

// A batch, added up in each slice by itself.
fn sums_of_batch(ctx: &mut Context, x: &Samples, sums: &mut Sums, batch: usize) {
    ctx.main
        .begin(x.view().tile::<m![Sample / 2048], 1, BatchRows>(batch))
        .fetch::<f32, BatchTime, m![Channel % 8]>()
        .collect::<BatchTime, m![Channel % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![{ BatchTime }, Channel / 4 % 2], m![Channel % 4]>()
        .vector_fp_binary(FpBinaryOp::MulF(FpMulAlu::Mul0), ONE_OF_SAMPLES)
        .vector_intra_slice_reduce::<Sample, m![Channel / 4 % 32], m![Channel % 4]>(IntraSliceReduceOpF32::Add)
        .vector_concat::<m![Channel / 8 % 16], m![Channel % 8]>()
        .vector_final()
        .commit_view(sums.view_mut().tile::<m![Sample / 2048], 1, m![{ OneBatch }, Channel % 128]>(batch));
}

// The same of the squares of what is left without the mean.
fn squares_of_batch(ctx: &mut Context, x: &Samples, mean: &OnePerChannel, squares: &mut Sums, batch: usize) {
    ctx.main
        .begin(x.view().tile::<m![Sample / 2048], 1, BatchRows>(batch))
        .fetch::<f32, BatchTime, m![Channel % 8]>()
        .collect::<BatchTime, m![Channel % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![{ BatchTime }, Channel / 4 % 2], m![Channel % 4]>()
        .vector_fp_binary(FpBinaryOp::SubF, mean)
        .vector_fp_binary_with_mode(FpBinaryOp::MulF(FpMulAlu::Mul0), BinaryArgMode::Mode00, 1.0f32)
        .vector_fp_binary(FpBinaryOp::MulF(FpMulAlu::Mul1), ONE_OF_SAMPLES)
        .vector_intra_slice_reduce::<Sample, m![Channel / 4 % 32], m![Channel % 4]>(IntraSliceReduceOpF32::Add)
        .vector_concat::<m![Channel / 8 % 16], m![Channel % 8]>()
        .vector_final()
        .commit_view(squares.view_mut().tile::<m![Sample / 2048], 1, m![{ OneBatch }, Channel % 128]>(batch));
}

// Both batches and all slices. All of them get to know it, each under its own name.
fn total(ctx: &mut Context, sums: &Sums) -> DmTensor<f32, Chip, ChannelHalf, SampleSlice, m![Channel % 128]> {
    let found: DmTensor<f32, Chip, ChannelHalf, m![Everywhere], m![Channel % 128]> = ctx
        .main
        .begin(sums.view())
        .fetch::<f32, m![Channel / 8 % 16, Sample / 2048], m![Channel % 8]>()
        .collect::<m![Channel / 8 % 16, Sample / 2048], m![Channel % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![Channel / 8 % 16, Sample / 2048, Channel / 4 % 2], m![Channel % 4]>()
        .vector_intra_slice_reduce::<Sample, m![Channel / 4 % 32], m![Channel % 4]>(IntraSliceReduceOpF32::Add)
        .vector_concat::<m![Channel / 8 % 16], m![Channel % 8]>()
        .vector_inter_slice_reduce::<m![Everywhere], m![Channel / 8 % 16]>(InterSliceReduceOpF32::Add)
        .vector_final()
        .commit(FOUND_ADDRESS);
    unsafe { found.reshape() }
}

#[device(chip = 1)]
pub fn batch_statistics(
    ctx: &mut Context,
    x: &HbmTensor<bf16, Chip, m![Sample, Channel]>,
    mean: &mut HbmTensor<f32, Chip, m![Channel]>,
    variance: &mut HbmTensor<f32, Chip, m![Channel]>,
) {
    let mut samples: Samples = unsafe { DmTensor::from_addr(0) };
    let mut sums: Sums = unsafe { DmTensor::from_addr(SUMS_ADDRESS) };
    let mut squares: Sums = unsafe { DmTensor::from_addr(SQUARES_ADDRESS) };
    for batch in 0..BATCHES {
        x.view().tile::<m![Sample / 2048], 1, m![{ OneBatch }, Sample % 2048, Channel]>(batch).to_dm_view(
            &mut ctx.tdma,
            samples.view_mut().tile::<m![Sample / 2048], 1, BatchRows>(batch),
        );
        sums_of_batch(ctx, &samples, &mut sums, batch); // while the next batch is loaded
    }
    let found = total(ctx, &sums);
    found.view().slice_tile::<SampleSlice, 1, m![1 # 256]>(0).to_hbm_view(&mut ctx.tdma, mean.view_mut());
    let of_all: OnePerChannel = ctx
        .sub
        .begin(found.view())
        .fetch::<f32, m![Channel / 8 % 16], m![Channel % 8]>()
        .collect::<m![Channel / 8 % 16], m![Channel % 8]>()
        .to_vrf(0);
    for batch in 0..BATCHES {
        squares_of_batch(ctx, &samples, &of_all, &mut squares, batch);
    }
    let found = total(ctx, &squares);
    found.view().slice_tile::<SampleSlice, 1, m![1 # 256]>(0).to_hbm_view(&mut ctx.tdma, variance.view_mut());
}
