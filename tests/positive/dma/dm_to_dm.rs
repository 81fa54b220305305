// From DM to DM: rows change places, slices change places, both over the DMA and over the sub context.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 4, B = 16];

#[device(chip = 1)]
fn moves(ctx: &mut Context, input: &HbmTensor<i8, m![1], m![S, A, B]>) {
    let dm = input.to_dm::<m![1 # 2], m![S], m![A, B]>(&mut ctx.tdma, 0);
    let _rows = dm.to_dm::<m![S], m![B / 8, A, B % 8]>(&mut ctx.tdma, 0x1000);
    let _slices = dm.to_dm::<m![S % 16, S / 16], m![A, B]>(&mut ctx.tdma, 0x2000);
    let mut copy = unsafe { DmTensor::<i8, m![1], m![1 # 2], m![S], m![A, B # 32]>::from_addr(0x3000) };
    dm.to_dm_pcopy(&mut ctx.sub, &mut copy);
}
