// An f32 starts at a multiple of 4.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

#[device(chip = 1)]
fn note(ctx: &mut Context) {
    let _ = ctx;
    let _odd = unsafe {
        DmTensor::<f32, m![1], m![1 # 2], m![S], m![A]>::from_addr(0x1002) // expect error: E0509 the address is no multiple of 4
    };
}
