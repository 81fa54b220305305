// With B = 3, position 3 of `[A, B # 5] # 16` is padding and position 11 is an element: the mapping of the first block does
// not describe the third.
use furiosa_visa_std::prelude::*;

axes![A = 3, B = 3, C = 4, E = 2, F = 3, W = 8];

type Padded = m![[A, B # 5] # 16];

#[device(chip = 1)]
fn blocks(ctx: &mut Context, x: &HbmTensor<i32, m![1], m![{ Padded }, W]>, y: &mut HbmTensor<i32, m![1], m![{ Padded }, W]>) {
    let from = x.view().tile::<m![{ Padded } / 4], 1, m![1 # 4, { Padded } % 4, W]>(2); // expect error: E0123 element [A 2, B 1]
    let to = y.view_mut().tile::<m![{ Padded } / 4], 1, m![1 # 4, B # 4, W]>(2); // expect error: E0123 element [A 2, B 1]
    from.to_hbm_view(&mut ctx.tdma, to);
}

// One position of each block: 4 + 1 is an element, where the mapping has position 4, which is padding.
#[device(chip = 1)]
fn positions(ctx: &mut Context, x: &HbmTensor<i32, m![1], m![{ Padded }, W]>, y: &mut HbmTensor<i32, m![1], m![{ Padded }, W]>) {
    let from = x.view().tile::<m![{ Padded } % 4], 1, m![{ Padded } / 4, 1 # 4, W]>(1); // expect error: E0123 element [A 1, B 0]
    let to = y.view_mut().tile::<m![{ Padded } % 4], 1, m![{ Padded } / 4, 1 # 4, W]>(0);
    from.to_hbm_view(&mut ctx.tdma, to);
}

// A tile of a tile, and the group in several dimensions.
#[device(chip = 1)]
fn nested(ctx: &mut Context, x: &HbmTensor<i32, m![1], m![C, { Padded }, W]>) -> HbmTensor<i32, m![1], m![{ Padded } % 4, W]> {
    let dm = x.to_dm::<m![1 # 2], m![{ Padded } % 4 # 256], m![C, { Padded } / 4, W]>(&mut ctx.tdma, 0);
    let part = dm.view();
    let part = part.tile::<m![C], 1, m![1 # 4, { Padded } / 4, W]>(3);
    let part = part.tile::<m![{ Padded } / 4], 1, m![1 # 4, 1 # 4, W]>(2); // expect error: E0123 element [A 2, B 1]
    let out: DmTensor<i32, m![1], m![1 # 2], m![{ Padded } % 4 # 256], m![W]> =
        ctx.main.begin(part).fetch::<i32, m![1], m![W]>().collect::<m![1], m![W]>().commit(0x1000);
    out.to_hbm(&mut ctx.tdma, 0x100000)
}

// Another group inside this one, where its own tile starts.
#[device(chip = 1)]
fn two_groups(x: &HbmTensor<i32, m![1], m![{ Padded }, [E, F] # 10]>) {
    let x = x.view();
    let part = x.tile::<m![[E, F] # 10], 1, m![{ Padded }, 1 # 10]>(2);
    let _part = part.tile::<m![{ Padded } / 4], 1, m![1 # 4, { Padded } % 4, 1 # 10]>(2); // expect error: E0123 element [A 2, B 1]
}
