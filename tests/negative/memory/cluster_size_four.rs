// There are no four clusters on a chip.
use furiosa_visa_std::prelude::*;

axes![S = 256, L = 4, A = 8];

#[device(chip = 1)]
fn load(ctx: &mut Context, input: &HbmTensor<i32, m![1], m![L, S, A]>) {
    let _dm = input.to_dm::<
        m![L], // expect error: E0505 Cluster is 4, must be 2
        m![S],
        m![A],
    >(&mut ctx.tdma, 0);
}
