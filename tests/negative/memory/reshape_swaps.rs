// Slice is renamed first, when Element still has the name it is to get.
use furiosa_visa_std::prelude::*;

axes![S = 256, T = 256];

fn swap(dm: DmTensor<i8, m![1], m![1 # 2], m![S], m![T]>) -> DmTensor<i8, m![1], m![1 # 2], m![T], m![S]> {
    unsafe { dm.reshape() } // expect error: E0528 T is in Element already
}
