// A chip has two clusters: one is written 1 # 2.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

#[device(chip = 1)]
fn load(ctx: &mut Context, input: &HbmTensor<i32, m![1], m![S, A]>) {
    let _dm = input.to_dm::<
        m![1], // expect error: E0502 Cluster is 1, must be 2
        m![S],
        m![A],
    >(&mut ctx.tdma, 0);
}
