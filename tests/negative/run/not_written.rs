// command: run --random 1 --print
// The kernel writes the first four of eight.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

#[device(chip = 1)]
fn first_half(
    ctx: &mut Context,
    input: &HbmTensor<i32, m![1], m![S, A = 4]>,
    output: &mut HbmTensor<i32, m![1], m![S, A]>, // expect warning: E0972 1024 of 2048
) {
    let dm = input.to_dm::<m![1 # 2], m![S], m![A = 4]>(&mut ctx.tdma, 0);
    dm.view().to_hbm_view(&mut ctx.tdma, output.view_mut().tile::<m![A], 4, m![S, A = 4 # 8]>(0));
}
