// Execution ids that an earlier pass left in the register file, at either entry of the intra-slice block.
use furiosa_visa_std::prelude::*;

axes![S = 256, B = 4, A = 8];

type Chip = m![1];
type Cluster = m![1 # 2];
type Slice = m![S];

fn marked(
    ctx: &mut Context,
    x: &DmTensor<f32, Chip, Cluster, Slice, m![B, A]>,
    ids: &VrfTensor<i32, Chip, Cluster, Slice, m![A]>,
) -> DmTensor<f32, Chip, Cluster, Slice, m![B, A]> {
    ctx.main
        .begin(x.view())
        .fetch::<f32, m![B], m![A]>()
        .collect::<m![B], m![A]>()
        .vector_init()
        .vector_intra_slice_branch_with_vrf(ids)
        .vector_clip(ClipBinaryOpF32::Max, (0.0, GroupId::One))
        .vector_final()
        .commit(0x1000)
}

fn marked_sums(
    ctx: &mut Context,
    x: &DmTensor<i32, Chip, Cluster, Slice, m![B, A]>,
    ids: &VrfTensor<i32, Chip, Cluster, m![1 # 256], m![B]>,
) -> DmTensor<i32, Chip, Cluster, m![1 # 256], m![B, A]> {
    ctx.main
        .begin(x.view())
        .fetch::<i32, m![B], m![A]>()
        .collect::<m![B], m![A]>()
        .vector_init()
        .vector_inter_slice_reduce::<m![1 # 256], m![B]>(InterSliceReduceOpI32::Add)
        .vector_intra_slice_branch_with_vrf(ids)
        .vector_fxp(FxpBinaryOp::AddFxp, [VeBranchOperand::group(1, GroupId::Zero), VeBranchOperand::group(2, GroupId::One)])
        .vector_final()
        .commit(0x2000)
}
