// Sixteen blocks, two from block 15 on: one is missing.
use furiosa_visa_std::prelude::*;

axes![A = 8, B = 512];

#[device(chip = 1)]
fn cut(ctx: &mut Context, data: &HbmTensor<bf16, m![1], m![A, B]>) {
    let _ = ctx;
    let _pair = data
        .view()
        .tile::<m![B / 32], 2, m![A, B / 32 = 2 # 16, B % 32]>(15); // expect error: E0123 15 + 2 is beyond 16
}
