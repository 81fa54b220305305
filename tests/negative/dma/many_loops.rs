// Every axis changes its place, so no two of the loops are one.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 2, B = 2, C = 2, D = 2, E = 2, F = 2, G = 2, P = 8];

#[device(chip = 1)]
fn load(ctx: &mut Context, input: &HbmTensor<i8, m![1], m![S, A, B, C, D, E, F, G, P]>) {
    let _dm = input
        .to_dm::<m![1 # 2], m![S], m![G, F, E, D, C, B, A, P]>(&mut ctx.tdma, 0); // expect warning: E0540 has 8 loops and the packet
}
