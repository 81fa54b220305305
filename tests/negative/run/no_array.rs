// command: run --in input=x.npy // expect error: E0961 not all of it is there
// file: x.npy raw \x93NUMPY\x01\x00\x76\x00{
// The file ends in the middle of its header.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

#[device(chip = 1)]
fn copy(
    ctx: &mut Context,
    input: &HbmTensor<i32, m![1], m![S, A]>,
) -> HbmTensor<i32, m![1], m![S, A]> {
    let dm = input.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0);
    dm.to_hbm(&mut ctx.tdma, 1 << 28)
}
