// The tensor fits, but not at this address.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 1024];

#[device(chip = 1)]
fn load(ctx: &mut Context, input: &HbmTensor<i8, m![1], m![S, A]>) {
    let _dm = input
        .to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 512 * 1024 - 512); // expect error: E0510 the tensor ends beyond DM
}
