// Right after the zip the stash stays closed.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8, I = 2];

fn add<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![I], m![A]>,
) -> VectorFinalTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![1], m![A]> {
    input
        .vector_init()
        .vector_intra_slice_unzip::<I, m![1 # 2], m![1]>()
        .vector_fxp_zip(FxpBinaryOp::AddFxp)
        .vector_stash() // expect error: E0738 no stash after a zip
        .vector_clip(ClipBinaryOpI32::Max, Stash)
        .vector_final()
}
