// The result takes the place of the input, but it is read column by column and written row by row.
use furiosa_visa_std::prelude::*;

axes![S = 256, X = 8, Y = 8];

#[device(chip = 1)]
fn twice(ctx: &mut Context, a: &HbmTensor<i8, m![1], m![S, X, Y]>) -> HbmTensor<i8, m![1], m![S, X, Y]> {
    let a = a.to_dm::<m![1 # 2], m![S], m![X, Y]>(&mut ctx.tdma, 0);
    let out = ctx
        .main
        .begin(a.view())
        .fetch::<i8, m![Y], m![X]>()
        .collect::<m![Y], m![X # 32]>()
        .transpose::<m![X], m![Y # 32]>()
        .commit::<m![X, Y]>(0); // expect warning: E0573 in another order than it is read
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}
