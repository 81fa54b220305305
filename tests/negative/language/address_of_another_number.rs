// An address is a u64: a usize is converted where it is given.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

type Rows = HbmTensor<i32, m![1], m![S, A]>;

#[device(chip = 1)]
fn copy(ctx: &mut Context, x: &Rows, round: usize) -> Rows {
    let moved = x.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0);
    let again: DmTensor<i32, m![1], m![1 # 2], m![S], m![A]> = ctx
        .main
        .begin(moved.view())
        .fetch::<i32, m![1], m![A]>()
        .collect::<m![1], m![A]>()
        .commit(round * 4096); // expect error: E0430 usize
    again.to_hbm(&mut ctx.tdma, 1 << 28)
}
