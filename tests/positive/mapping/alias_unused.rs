// Aliases that nothing uses do not keep a program from running, whatever their mappings are.
use furiosa_visa_std::prelude::*;

axes![S = 256, Odd = 3, Wide = 64];

type Half = m![Odd / 2];
type Shrunk = m![Wide # 32];
type Both = HbmTensor<i8, m![1], m![{ Half }, { Shrunk }]>;

#[device(chip = 1)]
fn copy(ctx: &mut Context, x: &HbmTensor<i8, m![1], m![S, Wide]>) -> HbmTensor<i8, m![1], m![S, Wide]> {
    let dm = x.to_dm::<m![1 # 2], m![S], m![Wide]>(&mut ctx.tdma, 0);
    dm.to_hbm(&mut ctx.tdma, 1 << 20)
}
