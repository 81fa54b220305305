// A filter leaves packets out; it makes no new axis.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, B = 4, C = 2, A = 8];

fn odd<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![B], m![A]>,
) -> VectorFinalTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![C], m![A]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::AxisToggle { axis: Ident::B })
        .vector_filter::<m![C]>(ValidBranchIds::ValidGroup { id: GroupId::One }) // expect error: E0743 C is no part of time
        .vector_final()
}
