// One axis cannot be two dimensions of a buffer.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 16];

#[device(chip = 1)]
fn load(ctx: &mut Context, input: &HbmTensor<i8, m![1], m![S, A]>) {
    let _dm = input.to_dm::<m![1 # 2], m![S], m![A, A]>(&mut ctx.tdma, 0); // expect error: E0111 axis A is mapped twice
}
