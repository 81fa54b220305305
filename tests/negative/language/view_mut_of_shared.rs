// A mutable view needs a mutable tensor.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 32];

fn open(dm: &DmTensor<i8, m![1], m![1 # 2], m![S], m![A]>) {
    let _ = dm.view_mut(); // expect error: E0456 dm is not mutable
}
