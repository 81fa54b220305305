// All of the TRF, and one half of it, from an address.
use furiosa_visa_std::prelude::*;

axes![S = 256, N = 8, K = 8192];

fn all() -> TrfTensor<i8, m![1], m![1 # 2], m![S], m![N], m![K]> {
    unsafe { TrfTensor::from_addr(TrfAddress::Full) }
}

fn half() -> TrfTensor<i4, m![1], m![1 # 2], m![S], m![N], m![K]> {
    unsafe { TrfTensor::from_addr(TrfAddress::SecondHalf) }
}
