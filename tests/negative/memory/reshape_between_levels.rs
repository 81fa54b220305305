// A reshape works inside each level: the slices cannot take a factor from the element.
use furiosa_visa_std::prelude::*;

axes![S = 128, A = 64];

fn rename(
    dm: DmTensor<i8, m![1], m![1 # 2], m![S, A / 32], m![A % 32]>,
) -> DmTensor<i8, m![1], m![1 # 2], m![S, A / 32], m![A % 32 # 64]> {
    unsafe { dm.reshape() } // expect error: E0526 32 positions cannot become 64
}
