// Into DM in units of eight, out of DM in any size: here two bytes a slice.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

#[device(chip = 1)]
fn first_of_each(ctx: &mut Context, input: &HbmTensor<f32, m![1], m![S, A]>) -> HbmTensor<bf16, m![1], m![A, S]> {
    let dm = input.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0);
    let out: DmTensor<bf16, m![1], m![1 # 2], m![S], m![A]> = ctx
        .main
        .begin(dm.view())
        .fetch::<f32, m![1], m![A]>()
        .collect::<m![1], m![A]>()
        .cast::<bf16, m![A # 16]>()
        .commit(0x1000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}
