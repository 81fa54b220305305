// In the first round of the loop there is nothing to divide by.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

#[device(chip = 1)]
fn copy(ctx: &mut Context, a: &HbmTensor<i32, m![1], m![S, A]>) {
    for i in 0..3u64 {
        let _part = a.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 256 / i); // expect error: E0450 256 / 0
    }
}
