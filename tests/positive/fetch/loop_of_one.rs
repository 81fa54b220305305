//! A `1` in Time does not take a sequencer entry that a loop needs: seven loops, the packet and two `1`s take eight entries.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 2, B = 3, C = 2, D = 3, E = 2, F = 3, G = 2, P = 8, O = 1];

#[device(chip = 1)]
fn turn(ctx: &mut Context, x: &HbmTensor<i32, m![1], m![S, A, B, C, D, E, F, G, P]>) -> HbmTensor<i32, m![1], m![S, G, F, E, D, C, B, A, P]> {
    let dm = x.to_dm::<m![1 # 2], m![S], m![A, B, C, D, E, F, G, P]>(&mut ctx.tdma, 0);
    let out: DmTensor<i32, m![1], m![1 # 2], m![S], m![G, F, E, D, C, B, A, P]> = ctx
        .main
        .begin(dm.view())
        .fetch::<i32, m![G, F, E, 1, D, C, O, B, A], m![P, 1]>()
        .collect::<m![G, F, E, 1, D, C, O, B, A], m![P, 1]>()
        .commit(0x20000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}
