// A tile of one position has no axis left, only its room.
use furiosa_visa_std::prelude::*;

axes![A = 8, B = 512];

#[device(chip = 1)]
fn cut(ctx: &mut Context, data: &HbmTensor<bf16, m![1], m![A, B]>) {
    let _ = ctx;
    let _row = data
        .view()
        .tile::<m![A], 1, m![A, B]>(3); // expect error: E0521 a tile of 1 leaves 1 # 8 in place of A
}
