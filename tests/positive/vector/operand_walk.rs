// An operand cut and ordered otherwise than the stream, which is padded to whole cuts.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 12, B = 4, C = 8];

fn add<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![B, A # 14], m![C]>,
    vrf: &VrfTensor<i32, m![1], m![1 # 2], m![S], m![A # 14 % 2, B, A # 14 / 2]>,
) -> VectorFinalTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![B, A # 14], m![C]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_fxp(FxpBinaryOp::AddFxp, vrf)
        .vector_final()
}
