// Two axes cannot be renamed to one.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8, B = 8, C = 64];

fn rename(dm: DmTensor<i8, m![1], m![1 # 2], m![S], m![A, B]>) -> DmTensor<i8, m![1], m![1 # 2], m![S], m![C]> {
    unsafe { dm.reshape() } // expect error: E0527 2 factors cannot become 1
}
