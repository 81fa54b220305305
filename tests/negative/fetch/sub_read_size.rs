// The sub context reads eight bytes at once; here four lie together, the other four elsewhere.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8, B = 2, C = 4];

#[device(chip = 1)]
fn copy(ctx: &mut Context, input: &HbmTensor<i8, m![1], m![S, A, B, C]>) {
    let dm = input.to_dm::<m![1 # 2], m![S], m![A, B, C]>(&mut ctx.tdma, 0);
    let _stream = ctx
        .sub
        .begin(dm.view())
        .fetch::<i8, m![B], m![A, C]>(); // expect error: E0205 reads of 4 bytes, the sub context needs 8
}
