// The shape of a documentation example: attributes and items inside the body of main.
#![allow(unused)]
#![feature(adt_const_params)]
fn main() {
    #![feature(register_tool)]
    extern crate furiosa_visa_std;
    use furiosa_visa_std::prelude::*;
    axes![S = 256, A = 8];
    fn bump<'l, const T: Tu>(
        input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![1], m![A]>,
    ) -> VectorFinalTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![1], m![A]> {
        input
            .vector_init()
            .vector_intra_slice_branch(BranchMode::Unconditional)
            .vector_fxp(FxpBinaryOp::AddFxp, 1)
            .vector_final()
    }
}
