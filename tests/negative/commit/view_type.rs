// The view has another scalar type.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 16, B = 8];

fn store<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![A], m![B]>,
    target: DmTensorViewMut<'l, f32, m![1], m![1 # 2], m![S], m![A, B]>,
) {
    input.commit_view(target) // expect error: E0430 the view holds f32, the stream i32
}
