// A cluster has 256 slices, not 512.
use furiosa_visa_std::prelude::*;

axes![S = 512, A = 8];

#[device(chip = 1)]
fn load(ctx: &mut Context, input: &HbmTensor<i32, m![1], m![S, A]>) {
    let _dm = input.to_dm::<
        m![1 # 2],
        m![S], // expect error: E0505 Slice is 512, must be 256
        m![A],
    >(&mut ctx.tdma, 0);
}
