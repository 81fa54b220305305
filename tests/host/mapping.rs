//! Mapping expressions from the host: sizes, positions, indices and their text.

use furiosa_visa_std::prelude::*;

axes![A = 8, B = 12, C = 5, Long = 60];

#[test]
fn sizes_are_values() {
    assert_eq!(<m![A]>::SIZE, 8);
    assert_eq!(<m![A, B]>::SIZE, 96);
    assert_eq!(<m![1]>::SIZE, 1);
    assert_eq!(<m![B / 4]>::SIZE + <m![B % 4]>::SIZE, 7);
    assert_eq!(<m![C # 8]>::SIZE, 8);
    assert_eq!(<m![A = 3]>::SIZE, 3);
    assert_eq!(<m![[A, C] # 64]>::SIZE, 64);
    assert_eq!(<m![1 # 256]>::SIZE, 256);
    assert_eq!(<m![A, 1 # 2, (B, C)]>::SIZE, 960);
    type Tile = m![A / 2, B % 3];
    assert_eq!(Tile::SIZE, 12);
    const POSITIONS: usize = <m![Long, C]>::SIZE;
    assert_eq!([0u8; POSITIONS].len(), 300);
}

#[test]
fn a_symbol_counts() {
    type E = m![A];
    for i in 0..E::SIZE {
        assert_eq!(E::map(i), Some(i![A: i]));
    }
    assert!(E::map(8).is_none());
}

#[test]
fn a_pair_counts_the_inner_first() {
    type E = m![A, B];
    assert_eq!(E::map(0), Some(i![A: 0, B: 0]));
    assert_eq!(E::map(11), Some(i![A: 0, B: 11]));
    assert_eq!(E::map(12), Some(i![A: 1, B: 0]));
    let (a, b) = (5, 7);
    assert_eq!(E::map(a * 12 + b), Some(i![A: a, B: b]));
    assert_eq!(E::map(E::SIZE), None);
}

#[test]
fn strides_and_remainders() {
    type Outer = m![B / 4];
    type Inner = m![B % 4];
    assert_eq!(Outer::map(2), Some(i![B / 4: 2]));
    assert_eq!(Outer::map(2), <m![B]>::map(8));
    assert_eq!(Outer::map(3), None);
    assert_eq!(Inner::map(3), Some(i![B % 4: 3]));
    for i in 0..12 {
        assert_eq!(<m![B / 4, B % 4]>::map(i), <m![B]>::map(i));
    }
    assert_eq!(<m![B % 4, B / 4]>::map(1), <m![B]>::map(4));
}

#[test]
fn padding_is_no_position() {
    type E = m![A, C # 8];
    let held = (0..E::SIZE).filter(|&i| E::map(i).is_some()).count();
    assert_eq!(held, 40);
    assert_eq!(E::map(4), Some(i![A: 0, C: 4]));
    assert_eq!(E::map(5), None);
    assert_eq!(E::map(8), Some(i![A: 1, C: 0]));
    assert_eq!(<m![1 # 4]>::map(0), Some(i![]));
    assert_eq!(<m![1 # 4]>::map(1), None);
}

#[test]
fn resizing_keeps_the_first() {
    type E = m![A = 3];
    let all: Vec<Option<Index>> = (0..4).map(|i| E::map(i)).collect();
    assert_eq!(all[2], Some(i![A: 2]));
    assert_eq!(all[3], None);
}

#[test]
fn an_expression_names_an_index() {
    let rows = vec![3, 1];
    let index = i![A: rows[0] + rows[1], B: rows.len()];
    assert_eq!(index, i![A: 4, B: 2]);
    assert_eq!(i![B: 2, A: 4], index);
    assert_ne!(i![A: 4, B: 3], index);
    assert_eq!(i![A, B: 53], <m![A, B]>::map(53).unwrap());
}

#[test]
fn indices_print() {
    assert_eq!(format!("{}", i![A: 1, B: 2]), "Index[A = 1, B = 2]");
    let padding = i![C # 8: 6];
    assert_eq!(padding.to_string(), "Invalid Index");
}

#[test]
fn mappings_print() {
    assert_eq!(<m![A]>::to_value().to_string(), "A");
    assert_eq!(<m![1]>::to_value().to_string(), "1");
    assert_eq!(<m![A / 2]>::to_value().to_string(), "A / 2");
    assert_eq!(<m![B % 4 = 3 # 8]>::to_value().to_string(), "B % 4 = 3 # 8");
    assert_eq!(<m![A, B, C]>::to_value().to_string(), "(A, B, C)");
    assert_eq!(format!("{}", <m![1 # 2]>::to_value()), "1 # 2");
}

#[test]
fn mappings_are_values() {
    assert_eq!(<m![A, B]>::to_value(), <m![A, B]>::to_value());
    assert_ne!(<m![A, B]>::to_value(), <m![B, A]>::to_value());
    assert_eq!(<m![(A, B)]>::to_value(), <m![[A, B]]>::to_value());
    assert_eq!(<Padding<Identity, 2>>::to_value(), <m![1 # 2]>::to_value());
}

#[test]
fn axes_have_names() {
    assert_eq!(A::SIZE, 8);
    assert_eq!(Long::NAME.as_str(), "Long");
    assert_eq!(Ident::new("Long").as_str(), Long::NAME.as_str());
}

#[test]
fn an_escape_inserts_an_alias() {
    type Inner = m![B % 4, C];
    type Outer = m![A, { Inner } # 32];
    assert_eq!(Outer::SIZE, 256);
    assert_eq!(Outer::map(32 + 6), Some(i![A: 1, B % 4: 1, C: 1]));
    assert_eq!(Outer::map(20), None);
}

fn positions<E: M>() -> Vec<bool> {
    (0..E::SIZE).map(|i| E::map(i).is_some()).collect()
}

#[test]
fn generic_over_mappings() {
    assert_eq!(positions::<m![C # 8]>(), [true, true, true, true, true, false, false, false]);
    assert_eq!(positions::<m![1]>(), [true]);
}

#[test]
fn local_axes_hide_others() {
    axes![A = 3, Z = 2];
    assert_eq!(<m![A, Z]>::SIZE, 6);
    {
        axes![Z = 7];
        assert_eq!(<m![A, Z]>::SIZE, 21);
    }
    assert_eq!(<m![A, B]>::SIZE, 36);
}
