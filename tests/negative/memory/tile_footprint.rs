// The tile keeps the footprint of the tiled axis: 512, not 4, or the stride of A would change.
use furiosa_visa_std::prelude::*;

axes![A = 8, B = 512];

#[device(chip = 1)]
fn cut(ctx: &mut Context, data: &HbmTensor<bf16, m![1], m![A, B]>) {
    let _ = ctx;
    let _pair = data
        .view()
        .tile::<m![B], 2, m![A, B = 2 # 4]>(0); // expect error: E0521 the tile must keep the footprint 512
}
