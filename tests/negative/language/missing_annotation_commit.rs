// The element mapping of a commit needs a type somewhere.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

#[device(chip = 1)]
fn pass(ctx: &mut Context, input: &HbmTensor<i32, m![1], m![S, A]>) {
    let dm = input.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0);
    let _out = ctx
        .main
        .begin(dm.view())
        .fetch::<i32, m![1], m![A]>()
        .collect::<m![1], m![A]>()
        .commit(0x1000); // expect error: E0431 the element mapping of commit cannot be inferred
}
