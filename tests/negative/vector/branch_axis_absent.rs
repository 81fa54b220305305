// B is not in the stream: every element is in group 0.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8, B = 4];

fn odd<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![1], m![A]>,
) -> VectorFinalTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![1], m![A]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::AxisToggle { axis: Ident::B }) // expect warning: E0732 the stream has no B
        .vector_fxp(FxpBinaryOp::AddFxp, (1, GroupId::One))
        .vector_final()
}
