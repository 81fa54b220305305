// The third address of the inner loop is no multiple of 8, in every round of the outer one.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

#[device(chip = 1)]
fn copy(ctx: &mut Context, a: &HbmTensor<i32, m![1], m![S, A]>) {
    for block in 0..4u64 {
        for (k, place) in [0u64, 32, 68].iter().enumerate() {
            let _part = a.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, block * 128 + place); // expect error: E0509 68 is no multiple of 8
        }
    }
    let mut place = 0u64;
    while place < 100 {
        let _part = a.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, place); // expect error: E0509 36 is no multiple of 8
        place += 36;
    }
    for block in 1..3u64 {
        for part in 0..2u64 {
            let _part = a.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, block * (block - 1) * part * 2); // expect error: E0509 4 is no multiple of 8
        }
    }
}
