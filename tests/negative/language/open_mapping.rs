// The mapping with a generic in it comes first; what the generic is says the second argument.
use furiosa_visa_std::prelude::*;

axes![A = 8];

fn both<X: M>(padded: &HbmTensor<i8, m![1], m![{ X } # 16]>, plain: &HbmTensor<i8, m![1], X>) {}

fn use_both(a: &HbmTensor<i8, m![1], m![A # 32]>, b: &HbmTensor<i8, m![1], m![A]>) {
    both(a, b); // expect error: E0430 A # 32 is not A # 16
}
