// begin takes a view, not the tensor.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

#[device(chip = 1)]
fn pass(ctx: &mut Context, input: &HbmTensor<i32, m![1], m![S, A]>) -> HbmTensor<i32, m![1], m![S, A]> {
    let dm = input.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0);
    let out = ctx
        .main
        .begin(&dm) // expect error: E0430 begin takes a DmTensorView
        .fetch::<i32, m![1], m![A]>()
        .collect::<m![1], m![A]>()
        .commit::<m![A]>(0x1000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}
