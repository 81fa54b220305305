// There is no tensor type of this name.
use furiosa_visa_std::prelude::*;

axes![A = 2048];

fn keep(
    ctx: &mut Context,
    input: &HbmTenser<i32, m![1], m![A]>, // expect error: E0420 unknown type HbmTenser, HbmTensor is near
) {
    let _ = ctx;
    let _ = input;
}
