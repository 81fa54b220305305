// A context runs one pipeline at a time.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

#[device(chip = 1)]
fn both(ctx: &mut Context, input: &HbmTensor<i32, m![1], m![S, A]>) {
    let dm = input.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0);
    let first = ctx.main.begin(dm.view()).fetch::<i32, m![1], m![A]>();
    let second = ctx.main.begin(dm.view()).fetch::<i32, m![1], m![A]>(); // expect error: E0605 the main context is still in use
    let _a = first.collect::<m![1], m![A]>().commit::<m![A]>(0x1000);
    let _b = second.collect::<m![1], m![A]>().commit::<m![A]>(0x2000);
}
