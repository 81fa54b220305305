// There is no such crate: its names, and what is made of them, are left alone.
use furiosa_visa_std::prelude::*;
use layouts_of_ours::*; // expect error: E0421 no crate layouts_of_ours

axes![S = 256, A = 8];

#[device(chip = 1)]
fn copy(ctx: &mut Context, a: &HbmTensor<i32, m![1], m![S, A]>) -> HbmTensor<i32, m![1], m![S, A]> {
    let dm = a.to_dm::<m![1 # 2], m![S], RowLayout>(&mut ctx.tdma, BASE);
    let (low, high) = bounds(&dm);
    dm.to_hbm(&mut ctx.tdma, low + high)
}
