// The turbofish and the type of the variable disagree.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

#[device(chip = 1)]
fn load(ctx: &mut Context, input: &HbmTensor<i32, m![1], m![S, A]>) {
    let _dm: DmTensor<i32, m![1], m![1 # 2], m![S], m![A # 16]> = input.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0); // expect error: E0430 element mapping differs from the type of the variable
}
