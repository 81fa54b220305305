// A / 4 and A % 8 share the bit of weight 4.
use furiosa_visa_std::prelude::*;

axes![A = 1024];

#[device(chip = 1)]
fn load(ctx: &mut Context, input: &HbmTensor<i8, m![1], m![A]>) {
    let _dm = input.to_dm::<m![1 # 2], m![A / 4], m![A % 8]>(&mut ctx.tdma, 0); // expect error: E0501 A / 4 and A % 8 overlap
}
