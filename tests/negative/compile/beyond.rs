// command: compile --relax=capacity -o beyond.tcpo
// With the rule relaxed, `moved` ends behind DM: there are commands to look at, and none to execute.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 64];

type Rows = HbmTensor<i8, m![1], m![S, A]>;

#[device(chip = 1)]
fn copy(ctx: &mut Context, x: &Rows) -> Rows {
    let moved = x.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0x80000 - 32); // expect error: E0844 `to_dm` // expect warning: E0510
    moved.to_hbm(&mut ctx.tdma, 1 << 28)
}
