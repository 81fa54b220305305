// Eight loops that do not merge, and the packet: nine entries. With one command per value of an axis, each has eight.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 2, B = 3, C = 2, D = 3, E = 2, F = 3, G = 2, H = 3, P = 8];

#[device(chip = 1)]
fn turn(ctx: &mut Context, x: &HbmTensor<i32, m![1], m![S, A, B, C, D, E, F, G, H, P]>) -> HbmTensor<i32, m![1], m![S, H, G, F, E, D, C, B, A, P]> {
    let dm = x.to_dm::<m![1 # 2], m![S], m![A, B, C, D, E, F, G, H, P]>(&mut ctx.tdma, 0);
    let out: DmTensor<i32, m![1], m![1 # 2], m![S], m![H, G, F, E, D, C, B, A, P]> = ctx
        .main
        .begin(dm.view())
        .fetch::<i32, m![H, G, F, E, D, C, B, A], m![P]>() // expect warning: E0216 takes 2 commands
        .collect::<m![H, G, F, E, D, C, B, A], m![P]>()
        .commit(0x20000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}
