// The inner slices were padding, and the result does not get there.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![W = 32, R = 4, Y = 2, P = 8];

fn sum<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![W, R, 1 # 2], m![1], m![P]>,
) -> VectorFinalTensor<'l, T, i32, m![1], m![1 # 2], m![W, 1 # 4, Y], m![1], m![P]> {
    input
        .vector_init()
        .vector_inter_slice_reduce::<m![W, 1 # 4, Y], m![1]>(InterSliceReduceOpI32::Add) // expect error: E0754 no reduced axis leaves these slices free
        .vector_final()
}
