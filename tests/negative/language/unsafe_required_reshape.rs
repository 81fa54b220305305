// Renaming the axes of a tensor is unsafe.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 64, B = 64];

fn rename(dm: DmTensor<i8, m![1], m![1 # 2], m![S], m![A]>) -> DmTensor<i8, m![1], m![1 # 2], m![S], m![B]> {
    dm.reshape() // expect error: E0457 reshape needs unsafe
}
