// Decisions on the loop index: if, else if, else as statements, and an if that yields an address.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 4, B = 8];

#[device(chip = 1)]
fn alternate(ctx: &mut Context, input: &HbmTensor<i32, m![1], m![S, A, B]>, out: &mut HbmTensor<i32, m![1], m![S, A, B]>) {
    for j in 0..4 {
        let address = if j % 2 == 1 { 0x1000 } else { 0 };
        let dm: DmTensor<i32, m![1], m![1 # 2], m![S], m![B]> =
            input.view().tile::<m![A], 1, m![S, 1 # 4, B]>(j).to_dm(&mut ctx.tdma, address);
        if j == 0 {
            dm.view().to_hbm_view(&mut ctx.tdma, out.view_mut().tile::<m![A], 1, m![S, 1 # 4, B]>(3));
        } else if j % 2 == 1 {
            dm.view().to_hbm_view(&mut ctx.tdma, out.view_mut().tile::<m![A], 1, m![S, 1 # 4, B]>(j - 1));
        } else {
            dm.view().to_hbm_view(&mut ctx.tdma, out.view_mut().tile::<m![A], 1, m![S, 1 # 4, B]>(1));
        }
    }
}
