// command: run --random 1 --in rows=1.5
// A usize is a whole number.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

#[device(chip = 1)]
fn copy(
    ctx: &mut Context,
    input: &HbmTensor<i32, m![1], m![S, A]>,
    rows: usize, // expect error: E0970 1.5
) -> HbmTensor<i32, m![1], m![S, A]> {
    let _ = rows;
    let dm = input.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0);
    dm.to_hbm(&mut ctx.tdma, 1 << 28)
}
