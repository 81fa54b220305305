// 128 slices must be padded to the 256 of a cluster.
use furiosa_visa_std::prelude::*;

axes![S = 128, A = 8];

#[device(chip = 1)]
fn load(ctx: &mut Context, input: &HbmTensor<i32, m![1], m![S, A]>) {
    let _dm = input.to_dm::<
        m![1 # 2],
        m![S], // expect error: E0503 Slice is 128, must be 256
        m![A],
    >(&mut ctx.tdma, 0);
}
