// Eight rows of 8 KiB are the whole TRF; half of it takes 4 KiB a row.
use furiosa_visa_std::prelude::*;

axes![S = 256, N = 8, K = 8192];

fn weights() -> TrfTensor<i8, m![1], m![1 # 2], m![S], m![N], m![K]> {
    unsafe { TrfTensor::from_addr(TrfAddress::FirstHalf) } // expect error: E0512 64 KiB into a half
}
