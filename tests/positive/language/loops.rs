// Loops over ranges, one with a suffixed bound, with tiles computed from the index.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 16, B = 8];

#[device(chip = 1)]
fn even_and_odd(ctx: &mut Context, input: &HbmTensor<i32, m![1], m![S, A, B]>, out: &mut HbmTensor<i32, m![1], m![S, A, B]>) {
    for i in 0..8usize {
        let even = input.view().tile::<m![A], 1, m![S, 1 # 16, B]>(i * 2);
        let odd = input.view().tile::<m![A], 1, m![S, 1 # 16, B]>(1 + i * 2);
        let even: DmTensor<i32, m![1], m![1 # 2], m![S], m![B]> = even.to_dm(&mut ctx.tdma, 0);
        let odd: DmTensor<i32, m![1], m![1 # 2], m![S], m![B]> = odd.to_dm(&mut ctx.tdma, 0x1000);
        even.view().to_hbm_view(&mut ctx.tdma, out.view_mut().tile::<m![A], 1, m![S, 1 # 16, B]>(i));
        odd.view().to_hbm_view(&mut ctx.tdma, out.view_mut().tile::<m![A], 1, m![S, 1 # 16, B]>(i + 8));
    }
}
