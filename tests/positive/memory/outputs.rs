// Outputs that are written: as a whole, in part, by a helper function, through another name, in one of two branches.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8, B = 2];

type Numbers = HbmTensor<i32, m![1], m![S, A]>;
type Twice = HbmTensor<i32, m![1], m![B, S, A]>;
type InDm = DmTensor<i32, m![1], m![1 # 2], m![S], m![A]>;

#[device(chip = 1)]
fn whole(ctx: &mut Context, x: &Numbers, y: &mut Numbers) {
    let dm: InDm = x.to_dm(&mut ctx.tdma, 0);
    dm.view().to_hbm_view(&mut ctx.tdma, y.view_mut());
}

#[device(chip = 1)]
fn in_part(ctx: &mut Context, x: &Numbers, y: &mut Twice) {
    let dm: InDm = x.to_dm(&mut ctx.tdma, 0);
    dm.view().to_hbm_view(&mut ctx.tdma, y.view_mut().tile::<m![B], 1, m![1 # 2, S, A]>(1));
}

fn store(ctx: &mut Context, dm: &InDm, y: &mut Numbers) {
    dm.view().to_hbm_view(&mut ctx.tdma, y.view_mut());
}

// A function that is not a kernel need not write its parameter: its caller does.
fn nothing(_ctx: &mut Context, _y: &mut Numbers) {}

#[device(chip = 1)]
fn by_helper(ctx: &mut Context, x: &Numbers, y: &mut Numbers) {
    let dm: InDm = x.to_dm(&mut ctx.tdma, 0);
    nothing(ctx, y);
    store(ctx, &dm, y);
}

#[device(chip = 1)]
fn made_up(ctx: &mut Context, x: &Numbers) -> Numbers {
    let dm: InDm = x.to_dm(&mut ctx.tdma, 0);
    let mut out = unsafe { Numbers::from_addr(0x10000000) };
    dm.view().to_hbm_view(&mut ctx.tdma, out.view_mut());
    out
}

#[device(chip = 1)]
fn sometimes(ctx: &mut Context, x: &Numbers, y: &mut Numbers, really: bool) {
    let dm: InDm = x.to_dm(&mut ctx.tdma, 0);
    if really {
        dm.view().to_hbm_view(&mut ctx.tdma, y.view_mut());
    }
}

#[device(chip = 1)]
fn unchanged(_ctx: &mut Context, x: Numbers) -> Numbers {
    x
}
