//! The rarer operations on mappings, indices and tensors as values.

use furiosa_visa_std::prelude::*;

axes![A = 8, B = 12, C = 5];

#[test]
fn indices_add_up() {
    let mut index = Index::new();
    index.add_mapping::<m![B / 4]>(2);
    index.add_mapping::<m![B % 4]>(1);
    assert_eq!(index.finalize().unwrap(), i![B: 9].finalize().unwrap());
    index.mark_invalid();
    assert!(index.finalize().is_err());
}

#[test]
fn equal_forms() {
    assert_eq!(<m![1, A]>::to_value().factorize(), <m![A]>::to_value().factorize());
    assert_eq!(<m![B / 4, B % 4]>::to_value().factorize(), <m![B]>::to_value().factorize());
    assert_eq!(<m![[A, [B, C]]]>::to_value().factorize(), <m![[A, B], C]>::to_value().factorize());
    assert_ne!(<m![A, B]>::to_value().factorize(), <m![B, A]>::to_value().factorize());
}

#[test]
fn mappings_know_their_size() {
    assert_eq!(<m![A, B # 16]>::to_value().size(), 128);
}

#[test]
fn the_array_behind_a_tensor() {
    let mut t = Tensor::<i32, m![C, A]>::zero();
    for (i, v) in t.data_mut().iter_mut().enumerate() {
        *v = Opt::Init(i as i32);
    }
    // The array is in the order of the names of the axes: A, then C.
    assert_eq!(t.to_buf()[1], Opt::Init(5));
}
