// Both sides of an operator have one type; `as` makes it so.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

fn place(row: usize, start: u64) -> u64 {
    start + row as u64 * 4 << 1
}

#[device(chip = 1)]
fn copy(ctx: &mut Context, a: &HbmTensor<i32, m![1], m![S, A]>) -> HbmTensor<i32, m![1], m![S, A]> {
    let far = !(S::SIZE < 256 || -1 > 0) && S::SIZE as f32 / 2.0 >= 128.0;
    a.to_hbm(&mut ctx.tdma, if far { 1 << 28 } else { place(S::SIZE, 0) })
}
