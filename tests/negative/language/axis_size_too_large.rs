// The size of an axis is a number of 64 bits with a sign. This one has more digits than any of them, so that nothing could count
// the positions of the axis, let alone its bytes.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 99999999999999999999]; // expect error: E0104 the size of an axis is too large

type Rows = HbmTensor<i8, m![1], m![S]>;

#[device(chip = 1)]
fn copy(ctx: &mut Context, x: &Rows) -> Rows {
    x.to_dm::<m![1 # 2], m![S], m![1]>(&mut ctx.tdma, 0).to_hbm(&mut ctx.tdma, 1 << 28)
}
