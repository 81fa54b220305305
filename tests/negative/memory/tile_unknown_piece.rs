// The view has no axis C.
use furiosa_visa_std::prelude::*;

axes![A = 8, B = 512, C = 4];

#[device(chip = 1)]
fn cut(ctx: &mut Context, data: &HbmTensor<bf16, m![1], m![A, B]>) {
    let _ = ctx;
    let _pair = data
        .view()
        .tile::<m![C], 2, m![A, B]>(0); // expect error: E0122 C is not in the view
}
