// The mapping with a generic in it comes first; what the generic is says the second argument.
use furiosa_visa_std::prelude::*;

axes![A = 8];

fn both<X: M>(padded: &HbmTensor<i8, m![1], m![{ X } # 16]>, plain: &HbmTensor<i8, m![1], X>) -> usize {
    <m![{ X } # 16]>::SIZE
}

fn use_both(a: &HbmTensor<i8, m![1], m![A # 16]>, b: &HbmTensor<i8, m![1], m![A]>) {
    assert_eq!(both(a, b), 16);
}
