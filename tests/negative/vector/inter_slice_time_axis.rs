// Only axes of the slices are reduced; T0 is in time.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![W = 64, R = 4, T0 = 2, P = 8];

fn reduce<'l, const T: Tu>(
    input: CollectTensor<'l, T, f32, m![1], m![1 # 2], m![W, R], m![T0], m![P]>,
) -> VectorFinalTensor<'l, T, f32, m![1], m![1 # 2], m![W, 1 # 4], m![1], m![P]> {
    input
        .vector_init()
        .vector_inter_slice_reduce::<m![W, 1 # 4], m![1]>(InterSliceReduceOpF32::Add) // expect error: E0756 T0 is not in the slices
        .vector_final()
}
