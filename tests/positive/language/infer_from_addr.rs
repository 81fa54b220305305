// from_addr takes its type from a variable, a turbofish, or an alias.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

type Buffer = DmTensor<i32, m![1], m![1 # 2], m![S], m![A]>;

#[device(chip = 1)]
fn scratch(ctx: &mut Context) {
    let _ = ctx;
    let _a: Buffer = unsafe { DmTensor::from_addr(0) };
    let _b = unsafe { DmTensor::<i32, m![1], m![1 # 2], m![S], m![A]>::from_addr(0x100) };
    let _c = unsafe { Buffer::from_addr(0x200) };
    let _e: HbmTensor<f32, m![1], m![S, A]> = unsafe { HbmTensor::from_addr(1 << 30) };
}
