// Padding behind several axes that is no whole number of steps of the inner ones: 15 of 16, 30 of 32 elements.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 3, B = 5, C = 2];

#[device(chip = 1)]
fn pairs(ctx: &mut Context, x: &HbmTensor<i8, m![1], m![S, [A, B] # 16]>) -> HbmTensor<i8, m![1], m![S, [A, B] # 16]> {
    let dm = x.to_dm::<m![1 # 2], m![S], m![[A, B] # 16]>(&mut ctx.tdma, 0);
    let out: DmTensor<i8, m![1], m![1 # 2], m![S], m![[A, B] # 16]> =
        ctx.main.begin(dm.view()).fetch::<i8, m![1], m![[A, B] # 16]>().collect::<m![1], m![[A, B] # 32]>().commit(0x1000);
    out.to_hbm(&mut ctx.tdma, 0x100000)
}

#[device(chip = 1)]
fn triples(ctx: &mut Context, x: &HbmTensor<i8, m![1], m![S, [A, B, C] # 32]>) -> HbmTensor<i8, m![1], m![S, [A, B, C] # 32]> {
    let dm = x.to_dm::<m![1 # 2], m![S], m![[A, B, C] # 32]>(&mut ctx.tdma, 0);
    let out: DmTensor<i8, m![1], m![1 # 2], m![S], m![[A, B, C] # 32]> =
        ctx.main.begin(dm.view()).fetch::<i8, m![1], m![[A, B, C] # 32]>().collect::<m![1], m![[A, B, C] # 32]>().commit(0x1000);
    out.to_hbm(&mut ctx.tdma, 0x100000)
}
