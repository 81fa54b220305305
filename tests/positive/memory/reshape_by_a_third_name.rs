// Two dimensions change their names by way of one that neither has.
use furiosa_visa_std::prelude::*;

axes![S = 256, T = 256, U = 256];

fn swap(dm: DmTensor<i8, m![1], m![1 # 2], m![S], m![T]>) -> DmTensor<i8, m![1], m![1 # 2], m![T], m![S]> {
    let between: DmTensor<i8, m![1], m![1 # 2], m![U], m![S]> = unsafe { dm.reshape() };
    unsafe { between.reshape() }
}
