// The sub context stores what it fetched: no cast on the way.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

#[device(chip = 1)]
fn narrow(ctx: &mut Context, input: &HbmTensor<f32, m![1], m![S, A]>) -> HbmTensor<bf16, m![1], m![S, A]> {
    let dm = input.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0);
    let out = ctx
        .sub
        .begin(dm.view())
        .fetch::<f32, m![1], m![A]>()
        .collect::<m![1], m![A]>()
        .cast::<bf16, m![A # 16]>().commit::<m![A]>(0x1000); // expect error: E0602 no cast before a commit of the sub context
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}
