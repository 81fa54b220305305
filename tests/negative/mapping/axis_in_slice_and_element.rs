// The slices hold A whole, so no element can be left of it.
use furiosa_visa_std::prelude::*;

axes![A = 256, B = 32];

#[device(chip = 1)]
fn load(ctx: &mut Context, input: &HbmTensor<i8, m![1], m![A, B]>) {
    let _dm = input.to_dm::<m![1 # 2], m![A], m![A, B]>(&mut ctx.tdma, 0); // expect error: E0501 axis A is in Slice and in Element
}
