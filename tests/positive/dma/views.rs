// Parts of tensors move between HBM and DM, read through a view and written through a mutable one.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 16, B = 32];

#[device(chip = 1)]
fn halves(ctx: &mut Context, input: &HbmTensor<i8, m![1], m![S, A, B]>, out: &mut HbmTensor<i8, m![1], m![S, A, B]>) {
    let mut dm = unsafe { DmTensor::<i8, m![1], m![1 # 2], m![S], m![A, B]>::from_addr(0) };
    let mut target = dm.view_mut();
    for i in 0..2 {
        input
            .view()
            .tile::<m![A / 8], 1, m![S, 1 # 2, A % 8, B]>(i)
            .to_dm_view(&mut ctx.tdma, target.tile::<m![A / 8], 1, m![1 # 2, A % 8, B]>(i));
    }
    let mut rows = out.view_mut();
    dm.view()
        .tile::<m![A / 8], 1, m![1 # 2, A % 8, B]>(1)
        .to_hbm_view(&mut ctx.tdma, rows.tile::<m![A / 8], 1, m![S, 1 # 2, A % 8, B]>(0));
    dm.view()
        .tile::<m![A / 8], 1, m![1 # 2, A % 8, B]>(0)
        .to_hbm_view(&mut ctx.tdma, rows.tile::<m![A / 8], 1, m![S, 1 # 2, A % 8, B]>(1));
}
