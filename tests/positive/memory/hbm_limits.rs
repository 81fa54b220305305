// The last bytes of HBM, and the smallest alignments of every width.
use furiosa_visa_std::prelude::*;

axes![A = 2048];

#[device(chip = 1)]
fn edges(ctx: &mut Context) {
    let _ = ctx;
    let _end = unsafe { HbmTensor::<i8, m![1], m![A]>::from_addr((48 << 30) - 2048) };
    let _odd = unsafe { HbmTensor::<i8, m![1], m![A]>::from_addr(0x1001) };
    let _even = unsafe { HbmTensor::<bf16, m![1], m![A]>::from_addr(0x3002) };
    let _fourth = unsafe { HbmTensor::<f32, m![1], m![A]>::from_addr(0x5004) };
}
