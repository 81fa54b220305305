// 64 GiB do not fit into the HBM of one chip.
use furiosa_visa_std::prelude::*;

axes![A = 65536, B = 1048576];

#[device(chip = 1)]
fn note(ctx: &mut Context) {
    let _ = ctx;
    let _big = unsafe {
        HbmTensor::<i8, m![1], m![A, B]>::from_addr(0) // expect error: E0510 64 GiB exceed the 48 GiB of HBM
    };
}
