//! Reductions of host tensors that keep a part of an axis: the other digits are folded, in ascending order.

use furiosa_visa_std::prelude::*;

axes![A = 8, B = 4, C = 6];

fn counted<E: M>() -> Tensor<i32, E> {
    Tensor::from_buf((0..E::SIZE).map(|x| Opt::Init(x as i32)).collect())
}

#[test]
fn outer_part_stays() {
    let t: Tensor<i32, m![A / 4]> = counted::<m![A]>().reduce_add();
    assert_eq!(t.to_buf(), [6, 22].map(Opt::Init));
}

#[test]
fn inner_part_stays() {
    let t: Tensor<i32, m![B, A % 2]> = counted::<m![A, B]>().reduce_add();
    assert_eq!(t.to_buf()[0], Opt::Init(0 + 8 + 16 + 24));
}

#[test]
fn padding_counts_for_nothing() {
    let six = Tensor::<i32, m![C # 8]>::from_buf((0..6).map(Opt::Init).collect());
    let t: Tensor<i32, m![C / 3]> = six.reduce_add();
    assert_eq!(t.to_buf(), [3, 12].map(Opt::Init));
}

#[test]
fn broadcast_part() {
    let t: Tensor<i32, m![A / 4, B]> = counted::<m![A]>().reduce_then_broadcast();
    assert_eq!(t.to_buf()[4], Opt::Init(22));
}

#[test]
fn contraction_part() {
    let t: Tensor<i32, m![A / 4]> = Tensor::contraction::<m![A], _, _>(&counted::<m![A]>(), &counted::<m![A]>());
    assert_eq!(t.to_buf(), [0 + 1 + 4 + 9, 16 + 25 + 36 + 49].map(Opt::Init));
}

#[test]
fn both_ends_stay() {
    let t: Tensor<i32, m![A / 4, A % 2]> = counted::<m![A, B]>().reduce_add();
    let e = |hi: i32, lo: i32| (0..2).map(|m| (0..4).map(|b| (hi * 4 + m * 2 + lo) * 4 + b).sum::<i32>()).sum::<i32>();
    assert_eq!(t.to_buf(), [e(0, 0), e(0, 1), e(1, 0), e(1, 1)].map(Opt::Init));
}

#[test]
fn the_middle_stays() {
    let t: Tensor<i32, m![A / 2 % 2]> = counted::<m![A]>().reduce(|a, b| a.zip_map(b, |a, b| a.max(b)), Opt::Init(-1));
    assert_eq!(t.to_buf(), [5, 7].map(Opt::Init));
    let t: Tensor<i32, m![B, A / 2 % 2]> = counted::<m![A, B]>().reduce_add();
    assert_eq!(t.to_buf()[1], Opt::Init((2 + 3 + 6 + 7) * 4));
}
