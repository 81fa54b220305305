// Results are delivered through mutable HBM tensors: written whole, or by rows; nothing is returned.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 4, B = 8];

#[device(chip = 1)]
fn split(
    ctx: &mut Context,
    input: &HbmTensor<i32, m![1], m![S, A, B]>,
    whole: &mut HbmTensor<i32, m![1], m![A, S, B]>,
    first: &mut HbmTensor<i32, m![1], m![S, B]>,
) {
    let dm = input.to_dm::<m![1 # 2], m![S], m![A, B]>(&mut ctx.tdma, 0);
    dm.view().to_hbm_view(&mut ctx.tdma, whole.view_mut());
    dm.view().tile::<m![A], 1, m![1 # 4, B]>(0).to_hbm_view(&mut ctx.tdma, first.view_mut());
}
