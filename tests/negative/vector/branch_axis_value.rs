// The toggle axis is given by its identifier.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

fn toggle<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![1], m![A]>,
) -> VectorFinalTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![1], m![A]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::AxisToggle { axis: m![A] }) // expect error: E0407 the axis is an Ident
        .vector_final()
}
