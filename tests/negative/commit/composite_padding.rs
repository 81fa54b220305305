// A pair of axes padded to 40 in the stream and to 48 in memory.
use furiosa_visa_std::prelude::*;

axes![S = 256, Q = 5, R = 7];

#[device(chip = 1)]
fn kernel(ctx: &mut Context, x: &HbmTensor<f32, m![1], m![S, [Q, R] # 40]>) {
    let dm = x.to_dm::<m![1 # 2], m![S], m![[Q, R] # 40]>(&mut ctx.tdma, 0);
    let out: DmTensor<f32, m![1], m![1 # 2], m![S], m![[Q, R] # 48]> = ctx
        .main
        .begin(dm.view())
        .fetch::<f32, m![[Q, R] # 40 / 8], m![[Q, R] # 40 % 8]>()
        .collect::<m![[Q, R] # 40 / 8], m![[Q, R] # 40 % 8]>()
        .commit(0x1000); // expect error: E0689 in another order
}
