// The only position of an axis of size 1, and a tile that starts in the padding of a longer axis.
use furiosa_visa_std::prelude::*;

axes![S = 256, G = 1, H = 3, B = 8];

#[device(chip = 1)]
fn first(ctx: &mut Context, data: &HbmTensor<i32, m![1], m![G # 4, S, B]>) {
    let _part: DmTensor<i32, m![1], m![1 # 2], m![S], m![B]> =
        data.view().tile::<m![G # 4], 1, m![1 # 4, S, B]>(0).to_dm(&mut ctx.tdma, 0x1000);
}

#[device(chip = 1)]
fn padding(ctx: &mut Context, data: &HbmTensor<i32, m![1], m![H # 4, S, B]>) {
    let _part: DmTensor<i32, m![1], m![1 # 2], m![S], m![B]> =
        data.view().tile::<m![H # 4], 1, m![1 # 4, S, B]>(3).to_dm(&mut ctx.tdma, 0x1000);
}
