// A step that takes the context reborrowed from its caller.
use crate::shapes::*;
use furiosa_visa_std::prelude::*;

pub fn add_one(
    ctx: &mut Context,
    dm: &DmTensor<i32, Chip, Cluster, Slice, m![Lanes]>,
) -> DmTensor<i32, Chip, Cluster, Slice, m![Lanes]> {
    ctx.main
        .begin(dm.view())
        .fetch::<i32, m![1], m![Lanes]>()
        .collect::<m![1], m![Lanes]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_fxp(FxpBinaryOp::AddFxp, 1)
        .vector_final()
        .commit(0x1000)
}
