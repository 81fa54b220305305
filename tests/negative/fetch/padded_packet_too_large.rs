// What is behind the 200 valid elements would have to be masked.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 200];

#[device(chip = 1)]
fn read(ctx: &mut Context, x: &HbmTensor<i8, m![1], m![S, A]>) {
    let x = x.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0);
    let _stream = ctx
        .main
        .begin(x.view())
        .fetch::<i8, m![1], m![A # 256]>(); // expect error: E0610 256 bytes with padding
}
