// Tiles of groups with padding inside, none of which has an element in its padding.
use furiosa_visa_std::prelude::*;

axes![A = 3, B = 3, B4 = 4, D = 5, W = 8];

// Along whole rows of the group.
#[device(chip = 1)]
fn rows(ctx: &mut Context, x: &HbmTensor<i32, m![1], m![[A, B # 5], W]>, y: &mut HbmTensor<i32, m![1], m![[A, B # 5], W]>) {
    let from = x.view().tile::<m![[A, B # 5] / 5], 1, m![1 # 3, B # 5, W]>(2);
    let to = y.view_mut().tile::<m![A], 1, m![1 # 3, B # 5, W]>(1);
    from.to_hbm_view(&mut ctx.tdma, to);
}

// The first block is full, so all the others fit its mapping: only they have padding.
#[device(chip = 1)]
fn full(ctx: &mut Context, x: &HbmTensor<i32, m![1], m![[A, B4 # 5] # 16, W]>, y: &mut HbmTensor<i32, m![1], m![[A, B4 # 5] # 16, W]>) {
    let from = x.view().tile::<m![[A, B4 # 5] # 16 / 4], 1, m![1 # 4, [A, B4 # 5] # 16 % 4, W]>(1);
    let to = y.view_mut().tile::<m![[A, B4 # 5] # 16 / 4], 1, m![1 # 4, [A, B4 # 5] # 16 % 4, W]>(2);
    from.to_hbm_view(&mut ctx.tdma, to);
}

// Cut where the padding ends: nothing carries from one axis to the next.
#[device(chip = 1)]
fn aligned(ctx: &mut Context, x: &HbmTensor<i32, m![1], m![[A, D # 8] # 32, W]>, y: &mut HbmTensor<i32, m![1], m![[A, D # 8] # 32, W]>) {
    let from = x.view().tile::<m![[A, D # 8] # 32 % 4], 1, m![[A, D # 8] # 32 / 4, 1 # 4, W]>(3);
    let to = y.view_mut().tile::<m![[A, D # 8] # 32 % 4], 1, m![[A, D # 8] # 32 / 4, 1 # 4, W]>(1);
    from.to_hbm_view(&mut ctx.tdma, to);
}
