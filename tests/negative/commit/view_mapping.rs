// The view takes the place of the element: its time is A, the stream walks C.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 16, C = 16, B = 8];

fn store<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![C], m![B]>,
    target: DmTensorViewMut<'l, i32, m![1], m![1 # 2], m![S], m![A, B]>,
) {
    input.commit_view(target) // expect error: E0206 time axis C is not in the view
}
