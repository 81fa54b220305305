// The kernel runs on one chip, the tensor is spread over four.
use furiosa_visa_std::prelude::*;

axes![C = 4, A = 2048];

#[device(chip = 1)]
fn load(
    ctx: &mut Context,
    input: &HbmTensor<i32, m![C], m![A]>, // expect error: E0504 Chip is 4, the kernel has 1 chip
) {
    let _dm = input.to_dm::<m![1 # 2], m![A / 8], m![A % 8]>(&mut ctx.tdma, 0);
}
