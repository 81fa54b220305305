// An address that has all its bits set lies behind every memory; it is not -1.
use furiosa_visa_std::prelude::*;

axes![A = 2048];

#[device(chip = 1)]
fn load(ctx: &mut Context, input: &HbmTensor<i32, m![1], m![A]>) {
    let _all = input.to_dm::<m![1 # 2], m![A / 8], m![A % 8]>(&mut ctx.tdma, u64::MAX); // expect error: E0508 the address is 18446744073709551615 which is beyond any memory
    let _half = input.to_dm::<m![1 # 2], m![A / 8], m![A % 8]>(&mut ctx.tdma, 1 << 63); // expect error: E0508 the address is 9223372036854775808
}
