// The last turn of the loop asks for block 16.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 16, B = 8];

#[device(chip = 1)]
fn sweep(ctx: &mut Context, data: &HbmTensor<i32, m![1], m![S, A, B]>) {
    for i in 0..9 {
        let _part: DmTensor<i32, m![1], m![1 # 2], m![S], m![A = 2, B]> = data
            .view()
            .tile::<m![A], 2, m![S, A = 2 # 16, B]>(i * 2) // expect error: E0123 16 + 2 is beyond 16 when i is 8
            .to_dm(&mut ctx.tdma, 0);
    }
}
