// A definition that is too large for the slices is one error, however often it is used; another one is another.
use furiosa_visa_std::prelude::*;

axes![R = 200, E = 64];

type Chip = m![1];
type Matrix = HbmTensor<i8, Chip, m![R, E]>;
type Slice = m![R # 300];

#[device(chip = 1)]
fn copy(ctx: &mut Context, x: &Matrix, y: &Matrix) -> (Matrix, Matrix, Matrix) {
    let first = x.to_dm::<m![1 # 2], Slice, m![E]>(&mut ctx.tdma, 0); // expect error: E0505 `R # 300` has 300
    let second = y.to_dm::<m![1 # 2], Slice, m![E]>(&mut ctx.tdma, 4096);
    let third = y.to_dm::<m![1 # 2], m![R # 300], m![E]>(&mut ctx.tdma, 8192); // expect error: E0505 `R # 300` has 300
    (
        first.to_hbm(&mut ctx.tdma, 1 << 20),
        second.to_hbm(&mut ctx.tdma, 1 << 21),
        third.to_hbm(&mut ctx.tdma, 1 << 22),
    )
}
