// A DM tensor names a chip, a cluster, a slice and an element mapping.
use furiosa_visa_std::prelude::*;

axes![A = 2048];

fn hold(
    dm: &DmTensor<i32, m![1], m![A / 8], m![A % 8]>, // expect error: E0432 DmTensor takes 5 parameters, 4 given
) {
    let _ = dm;
}
