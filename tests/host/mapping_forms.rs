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
fn mappings_know_their_size() {
    assert_eq!(<m![A, B # 16]>::to_value().size(), 128);
}
