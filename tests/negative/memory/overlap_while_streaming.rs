// The pass still reads what it overwrites: element k is written before element k + 1 is fetched.
use furiosa_visa_std::prelude::*;

axes![S = 256, T0 = 4, A = 8];

#[device(chip = 1)]
fn shift(ctx: &mut Context, a: &HbmTensor<i32, m![1], m![S, T0, A]>) -> HbmTensor<i32, m![1], m![S, T0, A]> {
    let a = a.to_dm::<m![1 # 2], m![S], m![T0, A]>(&mut ctx.tdma, 0);
    let out = ctx
        .main
        .begin(a.view())
        .fetch::<i32, m![T0], m![A]>()
        .collect::<m![T0], m![A]>()
        .commit::<m![T0, A]>(32); // expect error: E0572 overlaps the tensor this pass reads
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}
