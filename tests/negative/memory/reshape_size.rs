// A reshape renames positions one by one: 64 cannot become 32.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 64, B = 32];

fn rename(dm: DmTensor<i8, m![1], m![1 # 2], m![S], m![A]>) -> DmTensor<i8, m![1], m![1 # 2], m![S], m![B]> {
    unsafe { dm.reshape() } // expect error: E0526 64 positions cannot become 32
}
