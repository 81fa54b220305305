// Four chips need a chip mapping of 4, unused ones as padding.
use furiosa_visa_std::prelude::*;

axes![A = 2048];

#[device(chip = 4)]
fn load(
    ctx: &mut Context,
    input: &HbmTensor<i32, m![1], m![A]>, // expect error: E0504 Chip is 1, the kernel has 4 chips
) {
    let _dm = input.to_dm::<m![1 # 2], m![A / 8], m![A % 8]>(&mut ctx.tdma, 0);
}
