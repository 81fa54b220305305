// Every kernel that is traced reaches the last branch.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

#[device(chip = 1)]
fn copy(ctx: &mut Context, a: &HbmTensor<i32, m![1], m![S, A]>) -> HbmTensor<i32, m![1], m![S, A]> {
    if S::SIZE < 256 {
        a.to_hbm(&mut ctx.tdma, 1 << 28)
    } else {
        panic!("no room for {}", S::SIZE) // expect error: E0454 S has 256 positions
    }
}
