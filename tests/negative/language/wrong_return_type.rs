// The kernel promises an HBM tensor and ends with a DM tensor.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

#[device(chip = 1)]
fn load(ctx: &mut Context, input: &HbmTensor<i32, m![1], m![S, A]>) -> HbmTensor<i32, m![1], m![S, A]> {
    input.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0) // expect error: E0430 expected HbmTensor, found DmTensor
}
