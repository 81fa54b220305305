// Taking 64 from 0 leads below the memory.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

#[device(chip = 1)]
fn copy(ctx: &mut Context, a: &HbmTensor<i32, m![1], m![S, A]>) {
    let end = 0u64;
    let _dm = a.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, end - 64); // expect error: E0508 the address is -64
}
