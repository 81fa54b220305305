// A kernel that only moves data: no return value, a result that is dropped, an empty tail.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

#[device(chip = 1)]
fn warm_up(ctx: &mut Context, input: &HbmTensor<i32, m![1], m![S, A]>) {
    input.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0);
    let dm = input.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0x1000);
    dm.to_hbm::<m![S, A]>(&mut ctx.tdma, 1 << 28);
}
