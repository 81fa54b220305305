// The tiled block must stay where it was in the mapping.
use furiosa_visa_std::prelude::*;

axes![A = 8, B = 512];

#[device(chip = 1)]
fn cut(ctx: &mut Context, data: &HbmTensor<bf16, m![1], m![A, B]>) {
    let _ = ctx;
    let _pair = data
        .view()
        .tile::<m![B / 32], 2, m![B / 32 = 2 # 16, A, B % 32]>(0); // expect error: E0521 the tile mapping reorders the axes
}
