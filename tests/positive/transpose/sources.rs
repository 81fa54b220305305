// Every engine that feeds the Transpose Engine: Fetch, Contraction, Vector and Cast.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, B = 2, Q = 4, D = 8, E = 8];

fn after_collect<'l, const T: Tu>(
    input: CollectTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![B], m![E]>,
) -> TransposeTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![E], m![B # 8]> {
    input.transpose()
}

fn after_accumulate<'l, const T: Tu>(
    input: AccumulationTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![B], m![E]>,
) -> TransposeTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![E], m![B # 8]> {
    input.transpose()
}

fn after_vector<'l, const T: Tu>(
    input: VectorFinalTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![B], m![E]>,
) -> TransposeTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![E], m![B # 8]> {
    input.transpose()
}

fn after_cast<'l, const T: Tu>(
    input: CastTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![D], m![E # 32]>,
) -> TransposeTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![E], m![D # 32]> {
    input.transpose()
}

fn sums_to_bytes<'l, const T: Tu>(
    input: AccumulationTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![D], m![E]>,
) -> TransposeTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![E], m![D # 32]> {
    input.cast::<i8, m![E # 32]>().transpose()
}

fn results_to_halves<'l, const T: Tu>(
    input: VectorFinalTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![Q], m![E]>,
) -> TransposeTensor<'l, T, bf16, m![1], m![1 # 2], m![S], m![E], m![Q # 16]> {
    input.cast::<bf16, m![E # 16]>().transpose()
}
