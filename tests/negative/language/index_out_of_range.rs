// A list of four has no index 4.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

const PLACES: [u64; 4] = [0, 32, 64, 96];

#[device(chip = 1)]
fn copy(ctx: &mut Context, a: &HbmTensor<i32, m![1], m![S, A]>) {
    for i in 0..=4 {
        let _part = a.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, PLACES[i]); // expect error: E0451 index 4 of 4
    }
}
