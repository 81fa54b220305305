// reshape takes the tensor away; the old name is gone.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 64, B = 64];

#[device(chip = 1)]
fn rename(ctx: &mut Context, input: &HbmTensor<i8, m![1], m![S, A]>) -> HbmTensor<i8, m![1], m![S, A]> {
    let dm = input.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0);
    let _renamed: DmTensor<i8, m![1], m![1 # 2], m![S], m![B]> = unsafe { dm.reshape() };
    dm.to_hbm(&mut ctx.tdma, 1 << 28) // expect error: E0458 dm was moved
}
