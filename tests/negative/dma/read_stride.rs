// Rows of 36 bytes: every other one starts in the middle of a unit of eight.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

#[device(chip = 1)]
fn load(ctx: &mut Context, input: &HbmTensor<i32, m![1], m![S, A # 9]>) {
    let _dm = input
        .to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0); // expect error: E0538 rows start at multiples of 36 bytes, not of 8
}
