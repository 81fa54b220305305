// Order, equality and text of numbers whose highest bit is set, wherever they are compared.
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
const H: u64 = 1 << 63;
const W: u128 = 1 << 127;

#[test]
fn orders_without_sign() {
    let mut v = vec![H, 1, u64::MAX, 0];
    v.sort_by_key(|x| *x);
    assert_eq!(v, [0, 1, H, u64::MAX]);
    v.sort_by(|a, b| b.cmp(a));
    assert_eq!(v, [u64::MAX, H, 1, 0]);
    v.sort_unstable_by_key(|x| Reverse(*x));
    assert_eq!(v[0], u64::MAX);
    assert_eq!(v.iter().min_by_key(|x| **x), Some(&0));
    assert_eq!(v.iter().max_by_key(|x| **x), Some(&u64::MAX));
    assert_eq!(v.iter().copied().max_by(|a, b| a.cmp(b)), Some(u64::MAX));
    assert_eq!(v.iter().copied().min(), Some(0));
    assert_eq!(std::cmp::max(H, 1), H);
    assert_eq!(std::cmp::min(H, 1), 1);
    assert!((H, 0) > (1u64, 5));
    assert!(Some(H) > Some(1));
    assert!([H, 0] > [1, 1]);
    assert!(vec![H] > vec![1]);
    assert_eq!([1, H, u64::MAX].binary_search(&H), Ok(1));
    assert_eq!([1, H, u64::MAX].partition_point(|x| *x < H), 1);
    assert!([1, H, u64::MAX].is_sorted());
    assert_eq!((H, 1).max((1, 2)), (H, 1));
}

#[test]
fn orders_in_collections() {
    let set: BTreeSet<u64> = [H, 1, u64::MAX].into_iter().collect();
    assert_eq!(set.iter().copied().collect::<Vec<_>>(), [1, H, u64::MAX]);
    assert_eq!(set.first(), Some(&1));
    assert_eq!(set.range(2..).count(), 2);
    assert_eq!(set.range(H..=u64::MAX).count(), 2);
    let map: BTreeMap<(u64, u8), i32> = [((H, 1), 1), ((1, 9), 2)].into_iter().collect();
    assert_eq!(map.values().copied().collect::<Vec<_>>(), [2, 1]);
    let wide: BTreeSet<u128> = [W, 1].into_iter().collect();
    assert_eq!(wide.last(), Some(&W));
    assert!((W, 0) > (1u128, 5));
    assert_eq!(std::cmp::max(W, 1), W);
    assert_eq!([W, 1].iter().copied().min_by_key(|x| *x), Some(1));
    let mut keys = vec![W, 3, 1];
    keys.sort_by_key(|k| Reverse(*k));
    assert_eq!(keys, [W, 3, 1]);
    assert_eq!(keys.iter().rev().copied().collect::<Vec<_>>(), [1, 3, W]);
    assert_eq!(Some(W).max(Some(1)), Some(W));
    assert_eq!(W.cmp(&1).reverse(), std::cmp::Ordering::Less);
}

#[derive(PartialEq, Eq, PartialOrd, Ord, Debug, Clone, Copy)]
struct Key(u64);
#[derive(PartialEq, PartialOrd, Debug)]
struct Both { a: u64, b: u128 }

#[test]
fn derived_orders() {
    assert!(Key(H) > Key(1));
    let mut keys = [Key(H), Key(1)];
    keys.sort();
    assert_eq!(keys, [Key(1), Key(H)]);
    assert_eq!(keys.iter().max(), Some(&Key(H)));
    assert!(Both { a: 1, b: W } > Both { a: 1, b: 1 });
    assert!(Both { a: H, b: 1 } > Both { a: 1, b: W });
    fn largest<T: PartialOrd + Copy>(all: &[T]) -> T {
        let mut best = all[0];
        for &x in all {
            if x > best {
                best = x;
            }
        }
        best
    }
    assert_eq!(largest(&[1, H, 3]), H);
    assert_eq!(largest(&[1, W, 3]), W);
    fn upper<T: Ord>(a: T, b: T) -> T { a.max(b) }
    assert_eq!(upper(H, 2), H);
    assert_eq!(upper(W, 2), W);
    let by: &dyn Fn(u64, u64) -> bool = &|a, b| a < b;
    assert!(by(1, H));
}

#[test]
fn texts_of_large_numbers() {
    assert_eq!(format!("{:?}", (H, Some(u64::MAX))), "(9223372036854775808, Some(18446744073709551615))");
    assert_eq!(vec![u64::MAX].iter().map(|x| x.to_string()).collect::<String>(), "18446744073709551615");
    let set: BTreeMap<u64, u128> = [(u64::MAX, W)].into_iter().collect();
    assert_eq!(format!("{set:?}"), "{18446744073709551615: 170141183460469231731687303715884105728}");
    assert_eq!(format!("{:?}", [usize::MAX; 2].iter().enumerate().collect::<Vec<_>>()), "[(0, 18446744073709551615), (1, 18446744073709551615)]");
    assert_eq!(format!("{:?}", [1u64, 2].iter().map(|x| x - 2).collect::<Vec<_>>()), "[18446744073709551615, 0]");
    assert_eq!(format!("{:?}", "a b".split(' ').map(|s| s.len().wrapping_sub(2)).collect::<Vec<_>>()), "[18446744073709551615, 18446744073709551615]");
    assert_eq!(format!("{}", [1u64].iter().zip([2u64]).map(|(a, b)| a - b).next().unwrap()), "18446744073709551615");
}
