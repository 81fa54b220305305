// The Transpose Engine belongs to the main context.
use furiosa_visa_std::prelude::*;

axes![S = 256, D = 8, E = 8];

#[device(chip = 1)]
fn turn(ctx: &mut Context, input: &HbmTensor<i8, m![1], m![S, D, E]>) -> HbmTensor<i8, m![1], m![S, E, D]> {
    let dm = input.to_dm::<m![1 # 2], m![S], m![D, E]>(&mut ctx.tdma, 0);
    let out = ctx
        .sub
        .begin(dm.view())
        .fetch::<i8, m![D], m![E]>()
        .collect::<m![D], m![E # 32]>()
        .transpose::<m![E], m![D # 32]>().commit::<m![E, D]>(0x1000); // expect error: E0602 no transpose before a commit of the sub context
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}
