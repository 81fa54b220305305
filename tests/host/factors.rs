//! Mappings in factor form, terms and indices as values.

use furiosa_visa_std::prelude::*;

axes![A = 12, B = 4, C = 2, H = 6, Wide = 64];

fn factors<X: M>() -> FMapping {
    X::to_value().factorize()
}

#[test]
fn equal_mappings_have_equal_factors() {
    assert_eq!(factors::<m![A / 3, A % 3]>(), factors::<m![A]>());
    assert_eq!(factors::<m![A, 1, B]>(), factors::<m![[A, B]]>());
    assert_eq!(factors::<m![B # 8, C]>(), factors::<m![[B, C] # 16]>());
    assert_ne!(factors::<m![A % 3, A / 3]>(), factors::<m![A]>());
    assert_ne!(factors::<m![B, C # 4]>(), factors::<m![B, C, 1 # 2]>());
}

#[test]
fn factors_come_innermost_first() {
    let list = factors::<m![A / 4, B # 8]>().factors();
    assert_eq!(list.len(), 3);
    match &list[0] {
        Factor::Term { inner, resize } => {
            assert_eq!(*resize, 4);
            assert_eq!((inner.stride, inner.modulo), (1, 4));
            assert_eq!(inner.inner, Atom::Symbol { symbol: Ident::B, size: 4 });
        }
        Factor::Padding { .. } => panic!("a term comes first"),
    }
    assert_eq!(list[1], Factor::Padding { size: 8, kind: PaddingKind::Top });
    match list[2] {
        Factor::Term { ref inner, resize } => assert_eq!((inner.stride, resize), (4, 3)),
        _ => panic!("a term comes last"),
    }
}

#[test]
fn a_composite_stays_whole() {
    let cut = factors::<m![[H, B] / 3]>();
    assert_eq!(cut.size(), 8);
    match &cut.factors()[0] {
        Factor::Term { inner, .. } => match &inner.inner {
            Atom::Composite(whole) => assert_eq!(whole.size(), 24),
            Atom::Symbol { .. } => panic!("no axis ends there"),
        },
        _ => panic!("it has a term"),
    }
}

#[test]
fn factors_print() {
    assert_eq!(factors::<m![B # 8]>().to_string(), "FMapping[term(B:4 / 1 % 4 = 4) * pad(8)]");
    assert_eq!(factors::<m![1]>().to_string(), "FMapping[]");
}

#[test]
fn padding_comes_and_goes() {
    let b = factors::<m![B]>();
    assert_eq!(b.clone().pad(8), factors::<m![B # 8]>());
    assert_eq!(factors::<m![B # 32]>().pad(8), factors::<m![B # 8]>());
    assert_eq!(factors::<m![B # 32]>().remove_padding(), b);
    assert_eq!(b.padding(6, PaddingKind::Top).size(), 6);
    assert!(factors::<m![1 # 8]>().is_padding());
    assert!(factors::<m![1 # 8, C]>().has_terms());
}

#[test]
#[should_panic(expected = "padded")]
fn padding_does_not_cut() {
    factors::<m![A]>().pad(8);
}

#[test]
fn splitting() {
    let (outer, inner) = factors::<m![A, B]>().split_at(8);
    assert_eq!(outer, factors::<m![A / 2]>());
    assert_eq!(inner, factors::<m![A % 2, B]>());
    assert_eq!(outer.mul(inner), factors::<m![A, B]>());
    assert_eq!(factors::<m![A]>().stride(3), factors::<m![A / 3]>());
    assert_eq!(factors::<m![A]>().modulo(3), factors::<m![A % 3]>());
}

#[test]
#[should_panic(expected = "does not divide")]
fn splitting_at_no_divisor() {
    factors::<m![A]>().split_at(5);
}

#[test]
fn popping_takes_the_outermost() {
    let mut list = factors::<m![A, C]>();
    match list.pop() {
        Some(Factor::Term { resize, .. }) => assert_eq!(resize, 12),
        other => panic!("{other:?}"),
    }
    assert_eq!(list, factors::<m![C]>());
    assert!(list.pop().is_some());
    assert!(list.pop().is_none());
}

#[test]
fn names_in_a_mapping() {
    let all = factors::<m![A, B # 8, C]>();
    assert_eq!(all.idents(), [Ident::C, Ident::B, Ident::A]);
    assert!(all.contains_ident(Ident::B) && !all.contains_ident(Ident::H));
    assert_eq!(all.find_symbol_size(A::NAME), Some(12));
    assert_eq!(all.find_symbol_size(Ident::H), None);
    let strides: Vec<usize> = all.terms_with_stride().iter().map(|(_, _, stride)| *stride).collect();
    assert_eq!(strides, [1, 2, 16]);
}

#[test]
fn back_to_a_mapping() {
    let mapping = factors::<m![A / 4, B # 8]>().to_mapping();
    assert_eq!(mapping.size(), 24);
    assert_eq!(mapping.factorize(), factors::<m![A / 4, B # 8]>());
}

#[test]
fn a_prefix_is_a_resize() {
    let whole = factors::<m![Wide # 128]>();
    assert!(factors::<m![Wide]>().is_resize_of(&whole));
    assert!(factors::<m![Wide = 8]>().is_resize_of(&whole));
    assert!(!factors::<m![Wide / 2]>().is_resize_of(&whole));
}

#[test]
fn dividing_finds_terms() {
    let division = factors::<m![A, B]>().divide_relaxed(&factors::<m![B]>());
    assert_eq!(division.dividend_residue, factors::<m![A, 1 # 4]>());
    assert_eq!(division.division_terms.len(), 1);
    assert_eq!(division.division_terms[0].resize, 4);
    assert!(division.exact().is_ok());
    let other = factors::<m![A, B]>().divide_relaxed(&factors::<m![C]>());
    assert_eq!(other.exact(), Err(DivisionError::DivisorTermCannotDivide));
    let tile = factors::<m![C, B]>().divide_span(&factors::<m![B]>(), 3);
    assert_eq!(tile.dividend_residue, factors::<m![C, B = 3 # 4]>());
    let strict = factors::<m![C, B]>().divide_strict(&factors::<m![B]>());
    assert_ne!(strict.dividend_residue, factors::<m![C, 1 # 4]>());
}

#[test]
fn indices_of_positions() {
    let odd = factors::<m![C, H # 8]>();
    assert_eq!(odd.eval(9), i![C: 1, H: 1]);
    assert_eq!(odd.eval(7).to_string(), "Invalid Index");
    assert_eq!(i![A: 3].gen_indexes(&odd).len(), 12);
    assert_eq!(i![A: 3].gen_indexes(&odd)[6], i![A: 3, C: 1]);
}

#[test]
fn values_of_axes() {
    let mut index = i![A: 3, B / 2: 1];
    assert_eq!(index.ident_value(Ident::A), Ok(3));
    assert_eq!(index.ident_value(Ident::B), Ok(2));
    assert_eq!(index.ident_value(Ident::C), Ok(0));
    for (term, _, _) in factors::<m![A / 6]>().terms_with_stride() {
        index.add_term(term, 1);
    }
    assert_eq!(index.ident_value(Ident::A), Ok(9));
    index.mark_invalid();
    assert_eq!(index.ident_value(Ident::A), Err(IndexError::Invalid));
}

#[test]
fn a_mapping_from_axes() {
    let terms: Vec<Term> = factors::<m![A, B]>().terms_with_stride().into_iter().map(|(term, _, _)| term).collect();
    assert_eq!(FMapping::from_axes(&terms), factors::<m![B, A]>());
}

#[test]
fn elements_have_sizes() {
    assert_eq!(<bf16 as Scalar>::BITS, 16);
    assert_eq!(i4::BITS, 4);
    assert_eq!(i4::size_in_bytes_from_length(6), 3);
    assert_eq!(f32::size_in_bytes_from_length(6), 24);
    assert_eq!(i4::length_from_bytes(6), 12);
    assert_eq!(bf16::length_from_bytes(6), 3);
}

#[test]
#[should_panic(expected = "no whole number")]
fn half_a_byte_has_no_size() {
    i4::size_in_bytes_from_length(3);
}

#[test]
fn registers_have_room() {
    assert_eq!(TrfAddress::FirstHalf.capacity() + TrfAddress::SecondHalf.capacity(), TrfAddress::Full.capacity());
    assert_eq!(TrfAddress::Full.capacity(), 64 * 1024);
}
