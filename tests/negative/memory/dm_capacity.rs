// A slice has 512 KiB of DM.
use furiosa_visa_std::prelude::*;

axes![A = 524296];

#[device(chip = 1)]
fn load(ctx: &mut Context, input: &HbmTensor<i8, m![1], m![A]>) {
    let _dm = input
        .to_dm::<m![1 # 2], m![1 # 256], m![A]>(&mut ctx.tdma, 0); // expect error: E0510 524296 bytes exceed the 524288 of a slice
}
