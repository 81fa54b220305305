// command: run --random 1 --check-oracle --relax=overlap
// No operation wrote the memory of `nothing`, so the oracle has no value to send. On the device `second` has the same bytes,
// so its values are sent instead. A value that only one of the two has counts as a difference.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

#[device(chip = 1)]
fn both(ctx: &mut Context, b: &HbmTensor<i32, m![1], m![S, A]>) -> HbmTensor<i32, m![1], m![S, A]> {
    let nothing = unsafe { HbmTensor::<i32, m![1], m![S, A]>::from_addr(1 << 30) };
    let first = nothing.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0);
    let _second = b.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 16); // expect warning: E0571 over bytes 16..32
    first.to_hbm(&mut ctx.tdma, 1 << 28) // expect error: E0910 but no value in the oracle
}
