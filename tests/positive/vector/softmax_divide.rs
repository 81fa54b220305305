// The last pass of a softmax: the exponentials are formed again and divided by their sum.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, B = 4, K = 64];

type Chip = m![1];
type Cluster = m![1 # 2];
type Slice = m![S];

fn softmax(
    ctx: &mut Context,
    x: &DmTensor<f32, Chip, Cluster, Slice, m![B, K]>,
    statistics: &DmTensor<f32, Chip, Cluster, Slice, m![B # 8]>,
) -> DmTensor<bf16, Chip, Cluster, Slice, m![B, K]> {
    let largest: VrfTensor<f32, Chip, Cluster, Slice, m![B]> = ctx
        .sub
        .begin(statistics.view())
        .fetch::<f32, m![1], m![B # 8]>()
        .collect::<m![1], m![B # 8]>()
        .to_vrf(0);
    let sum: VrfTensor<f32, Chip, Cluster, Slice, m![B]> = ctx
        .main
        .begin(x.view())
        .fetch::<f32, m![B, K / 8], m![K % 8]>()
        .collect::<m![B, K / 8], m![K % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![B, K / 4], m![K % 4]>()
        .vector_fp_binary(FpBinaryOp::SubF, &largest)
        .vector_fp_unary(FpUnaryOp::Exp)
        .vector_intra_slice_reduce::<K, m![B], m![1 # 4]>(IntraSliceReduceOpF32::Add)
        .vector_pad_way8::<m![1 # 8]>()
        .vector_final()
        .to_vrf(0x100);
    ctx.main
        .begin(x.view())
        .fetch::<f32, m![B, K / 8], m![K % 8]>()
        .collect::<m![B, K / 8], m![K % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![B, K / 4], m![K % 4]>()
        .vector_fp_binary(FpBinaryOp::SubF, &largest)
        .vector_fp_unary(FpUnaryOp::Exp)
        .vector_fp_div(FpDivBinaryOp::DivF.with_mode(BinaryArgMode::Mode01), VeRhs::vrf(&sum))
        .vector_concat::<m![B, K / 8], m![K % 8]>()
        .vector_final()
        .cast::<bf16, m![K % 8 # 16]>()
        .commit(0x4000)
}
