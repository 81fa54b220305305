// Sums of own types, functions where closures are taken, lists of different kinds compared.
use std::panic::catch_unwind;
#[derive(Debug, Clone, Copy, PartialEq)]
struct V(i32, i32);
impl std::iter::Sum for V {
    fn sum<I: Iterator<Item = V>>(iter: I) -> Self { iter.fold(V(0, 0), |a, b| V(a.0 + b.0, a.1 + b.1)) }
}
fn square(i: usize) -> usize { i * i }
fn apply<F: Fn(i32) -> i32>(f: F, x: i32) -> i32 { f(x) }
fn both<A, B, F: Fn(A) -> B>(f: F, x: A) -> B { f(x) }
fn neg(x: i32) -> i32 { -x }
const fn four(n: usize) -> usize { n * 4 }
const X: usize = four(4);
#[test]
fn all_of_it() {
    assert_eq!(vec![V(1, 2), V(3, 4)].into_iter().sum::<V>(), V(4, 6));
    let s: Result<i64, std::num::ParseIntError> = "1,2".split(',').map(|x| x.parse::<i64>()).sum();
    assert_eq!(s, Ok(3));
    let s: Option<i32> = [Some(1), None].into_iter().sum();
    assert_eq!(s, None);
    assert_eq!(true.then_some(3), Some(3));
    assert_eq!(false.then(|| 3), None);
    assert_eq!(std::array::from_fn::<usize, 3, _>(|i| i * i), [0, 1, 4]);
    let a: [usize; 3] = std::array::from_fn(square);
    assert_eq!(a, [0, 1, 4]);
    let a: [i32; 2] = std::array::from_fn(|i| i as i32);
    assert_eq!(a, [0, 1]);
    assert_eq!(apply(neg, 2) + apply(|x| x + 1, 2), 1);
    assert_eq!(both(neg, 2), -2);
    let k = 3;
    let g = move |x: i32| x * k;
    assert_eq!(both(g, 2), 6);
    assert_eq!(both(&g, 2), 6);
    let e = catch_unwind(|| panic!("number {k}")).unwrap_err();
    assert_eq!(e.downcast_ref::<String>().unwrap(), "number 3");
    assert!(!cfg!(debug_assertions));
    assert_eq!(stringify!(A + b), "A + b");
    assert_eq!(size_of_val(&5u16), 2);
    assert_eq!(X, 16);
    assert_eq!(vec![vec![1, 1], vec![1, 8]], [[1, 1], [1, 8]]);
    assert!(vec![1, 2] == [1, 2] && vec![1, 2] < vec![1, 3]);
    assert_eq!((1, 2).max((1, 3)), (1, 3));
    assert_eq!([1, 2].cmp(&[1, 3]), std::cmp::Ordering::Less);
    let r = match (true, "y") { (true, "y") => 1, _ => 0 };
    assert_eq!(r, 1);
    let fs: Vec<Box<dyn Fn(i32) -> i32>> = vec![Box::new(|x| x + 1), Box::new(move |x| x * k), Box::new(neg)];
    assert_eq!(fs.iter().map(|f| f(2)).collect::<Vec<_>>(), [3, 6, -2]);
    assert_eq!(fs[1](5), 15);
    let m: std::collections::HashMap<&str, i32> = [("a", 1)].into_iter().collect();
    assert_eq!(m["a"], 1);
    assert_eq!(m[&"a"], 1);
}
