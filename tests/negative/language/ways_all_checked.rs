// A way that leaves does not hide what stands in the others, nor what follows.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 64, B = 3];

type Hbm = HbmTensor<i8, m![1], m![S, A]>;

#[device(chip = 1)]
fn leaves(ctx: &mut Context, x: &Hbm, index: u64) {
    match index {
        0 => return,
        1 => {
            let dm: DmTensor<i8, m![1], m![1], m![S], m![A]> = x.to_dm(&mut ctx.tdma, 0); // expect error: E0502 one cluster
        }
        _ => {}
    }
    let dm: DmTensor<i8, m![1], m![1], m![S], m![A]> = x.to_dm(&mut ctx.tdma, 0); // expect error: E0502 after the match
    if index > 4 {
        let dm: DmTensor<i8, m![1], m![1], m![S], m![A]> = x.to_dm(&mut ctx.tdma, 0); // expect error: E0502 in the first way
    } else {
        return;
    }
    let dm: DmTensor<i8, m![1], m![1], m![S], m![A]> = x.to_dm(&mut ctx.tdma, 0); // expect error: E0502 after it
}

// Both ways come here: what one of them writes over is gone.
#[device(chip = 1)]
fn overwrites(ctx: &mut Context, x: &Hbm, y: &mut Hbm, flag: bool) {
    let kept = x.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0);
    if flag {
        let other = x.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0); // expect error: E0571 kept is read later
        other.view().to_hbm_view(&mut ctx.tdma, y.view_mut());
    }
    kept.view().to_hbm_view(&mut ctx.tdma, y.view_mut());
}
