// G has one position, so position 2 of `G # 4` is padding, and the mapping does not say where that is.
use furiosa_visa_std::prelude::*;

axes![S = 256, G = 1, B = 8];

#[device(chip = 1)]
fn beyond(ctx: &mut Context, data: &HbmTensor<i32, m![1], m![G # 4, S, B]>) {
    let _part: DmTensor<i32, m![1], m![1 # 2], m![S], m![B]> = data
        .view()
        .tile::<m![G # 4], 1, m![1 # 4, S, B]>(2) // expect error: E0123 padding
        .to_dm(&mut ctx.tdma, 0x1000);
}
