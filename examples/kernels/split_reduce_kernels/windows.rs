//! Windows: more steps than there is room for. See `split_reduce.rs`.

use super::*;

type FeatureHalf = m![Feature / 128];
type StepSlice = m![Step % 256];
type OneWindow = m![1 # 4]; // of Step / 2048
type WindowTime = m![Feature / 8 % 16, Step / 256 % 8];
type Window = DmTensor<bf16, Chip, FeatureHalf, StepSlice, m![Step / 256 % 8, Feature % 128]>;
type WindowSums = DmTensor<f32, Chip, FeatureHalf, StepSlice, m![Step / 2048, Feature % 128]>;

const WINDOWS: usize = <m![Step / 2048]>::SIZE;
const WINDOW_BYTES: u64 = (Step::SIZE / WINDOWS / 256 * 128 * 2) as u64;
const WINDOW_SUMS_ADDRESS: u64 = 2 * WINDOW_BYTES;
const ALL_ADDRESS: u64 = WINDOW_SUMS_ADDRESS + (WINDOWS * 128 * 4) as u64;

#[device(chip = 1)]
pub fn window_sums(
    ctx: &mut Context,
    x: &HbmTensor<bf16, Chip, m![Step, Feature]>,
    y: &mut HbmTensor<f32, Chip, m![Feature]>,
) {
    let mut sums: WindowSums = unsafe { DmTensor::from_addr(WINDOW_SUMS_ADDRESS) };
    for window in 0..WINDOWS {
        let steps: Window = x
            .view()
            .tile::<m![Step / 2048], 1, m![{ OneWindow }, Step % 2048, Feature]>(window)
            .to_dm(&mut ctx.tdma, (window % 2) as u64 * WINDOW_BYTES);
        ctx.main
            .begin(steps.view())
            .fetch::<f32, WindowTime, m![Feature % 8]>()
            .collect::<WindowTime, m![Feature % 8]>()
            .vector_init()
            .vector_intra_slice_branch(BranchMode::Unconditional)
            .vector_split::<m![{ WindowTime }, Feature / 4 % 2], m![Feature % 4]>()
            .vector_intra_slice_reduce::<Step, m![Feature / 4 % 32], m![Feature % 4]>(IntraSliceReduceOpF32::Add)
            .vector_concat::<m![Feature / 8 % 16], m![Feature % 8]>()
            .vector_final()
            .commit_view(sums.view_mut().tile::<m![Step / 2048], 1, m![{ OneWindow }, Feature % 128]>(window));
    }
    let all: DmTensor<f32, Chip, FeatureHalf, m![1 # 256], m![Feature % 128]> = ctx
        .main
        .begin(sums.view())
        .fetch::<f32, m![Feature / 8 % 16, Step / 2048], m![Feature % 8]>()
        .collect::<m![Feature / 8 % 16, Step / 2048], m![Feature % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![Feature / 8 % 16, Step / 2048, Feature / 4 % 2], m![Feature % 4]>()
        .vector_intra_slice_reduce::<Step, m![Feature / 4 % 32], m![Feature % 4]>(IntraSliceReduceOpF32::Add)
        .vector_concat::<m![Feature / 8 % 16], m![Feature % 8]>()
        .vector_inter_slice_reduce::<m![1 # 256], m![Feature / 8 % 16]>(InterSliceReduceOpF32::Add)
        .vector_final()
        .commit(ALL_ADDRESS);
    all.view().to_hbm_view(&mut ctx.tdma, y.view_mut());
}
