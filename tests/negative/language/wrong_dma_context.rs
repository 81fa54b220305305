// HBM to DM goes through the tensor DMA; pdma talks to the host.
use furiosa_visa_std::prelude::*;

axes![A = 2048];

#[device(chip = 1)]
fn load(ctx: &mut Context, input: &HbmTensor<i32, m![1], m![A]>) {
    let _dm = input.to_dm::<m![1 # 2], m![A / 8], m![A % 8]>(&mut ctx.pdma, 0); // expect error: E0430 to_dm needs the tensor DMA context
}
