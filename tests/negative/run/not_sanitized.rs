// command: run --random 1 --relax=capacity --sanitize --check-oracle
// What the device cannot execute is left to the oracle, and neither sanitized nor compared.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 64];

type Rows = HbmTensor<i8, m![1], m![S, A]>;

#[device(chip = 1)]
fn copy(ctx: &mut Context, x: &Rows) -> Rows {
    let moved = x.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0x80000 - 32); // expect warning: E0911 neither // expect warning: E0510
    moved.to_hbm(&mut ctx.tdma, 1 << 28)
}
