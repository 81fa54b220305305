// Outputs that no operation writes: the host would get back the old contents.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8, R = 1];

type Numbers = HbmTensor<i32, m![1], m![S, A]>;
type InDm = DmTensor<i32, m![1], m![1 # 2], m![S], m![A]>;

const ROUNDS: usize = R::SIZE;

// The last round should write the result, but there is only one round, and it continues before that.
#[device(chip = 1)]
fn skipped(
    ctx: &mut Context,
    x: &Numbers,
    y: &mut Numbers, // expect warning: E0576 nothing writes y
) {
    let dm: InDm = x.to_dm(&mut ctx.tdma, 0);
    for round in 0..ROUNDS {
        if round == 0 {
            continue;
        }
        dm.view().to_hbm_view(&mut ctx.tdma, y.view_mut());
    }
}

#[device(chip = 1)]
fn made_up(ctx: &mut Context, x: &Numbers) -> (Numbers, Numbers) {
    let dm: InDm = x.to_dm(&mut ctx.tdma, 0);
    let out = unsafe { Numbers::from_addr(0x10000000) }; // expect warning: E0576 nothing writes it
    (out, dm.to_hbm(&mut ctx.tdma, 0x20000000))
}

#[device(chip = 1)]
fn one_of_two(
    ctx: &mut Context,
    x: &Numbers,
    outputs: (&mut Numbers, &mut Numbers), // expect warning: E0576 the second one
) {
    let dm: InDm = x.to_dm(&mut ctx.tdma, 0);
    dm.view().to_hbm_view(&mut ctx.tdma, outputs.0.view_mut());
}
