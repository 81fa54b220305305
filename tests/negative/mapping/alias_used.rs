// What is wrong with the size of a mapping is a warning as long as only aliases name it, and an error once a function does.
use furiosa_visa_std::prelude::*;

axes![S = 256, Odd = 3, Wide = 64];

type Unused = m![Odd / 2]; // expect warning: E0107 nobody uses it
type Within = m![S, { Unused }];
type Shrunk = m![Wide # 32]; // expect error: E0108 `Stored` names it, and a kernel names that
type Stored = HbmTensor<i8, m![1], m![S, { Shrunk }]>;

#[device(chip = 1)]
fn copy(ctx: &mut Context, x: &Stored) -> HbmTensor<i8, m![1], m![S, Wide]> {
    let dm = x.to_dm::<m![1 # 2], m![S], m![Wide]>(&mut ctx.tdma, 0);
    dm.to_hbm(&mut ctx.tdma, 1 << 20)
}
