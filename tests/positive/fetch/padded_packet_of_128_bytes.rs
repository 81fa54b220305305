// As much as can be masked; and a larger packet, whose padding is in a smaller one.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 100, B = 200];

#[device(chip = 1)]
fn read(ctx: &mut Context, x: &HbmTensor<i8, m![1], m![S, A # 104]>, y: &HbmTensor<i8, m![1], m![S, B]>) {
    let x = x.to_dm::<m![1 # 2], m![S], m![A # 104]>(&mut ctx.tdma, 0);
    let y = y.to_dm::<m![1 # 2], m![S], m![B]>(&mut ctx.tdma, 0x1000);
    let _small = ctx.main.begin(x.view()).fetch::<i8, m![1], m![A # 128]>();
    let _large = ctx.main.begin(y.view()).fetch::<i8, m![B / 100], m![B % 100 # 104]>();
}
