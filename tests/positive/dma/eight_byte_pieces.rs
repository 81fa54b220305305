// The smallest pieces that go into DM: eight bytes of each width, at addresses that are multiples of eight.
use furiosa_visa_std::prelude::*;

axes![A = 2048, B = 1024, C = 512, E = 4096];

#[device(chip = 1)]
fn pieces(
    ctx: &mut Context,
    bytes: &HbmTensor<i8, m![1], m![A]>,
    halves: &HbmTensor<bf16, m![1], m![B]>,
    words: &HbmTensor<i32, m![1], m![C]>,
    nibbles: &HbmTensor<i4, m![1], m![E]>,
) {
    let _bytes = bytes.to_dm::<m![1 # 2], m![A / 8], m![A % 8]>(&mut ctx.tdma, 0);
    let _halves = halves.to_dm::<m![1 # 2], m![B / 4], m![B % 4]>(&mut ctx.tdma, 8);
    let _words = words.to_dm::<m![1 # 2], m![C / 2], m![C % 2]>(&mut ctx.tdma, 16);
    let _nibbles = nibbles.to_dm::<m![1 # 2], m![E / 16], m![E % 16]>(&mut ctx.tdma, 24);
}
