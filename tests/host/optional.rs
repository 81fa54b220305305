//! `Opt`: elements of a tensor that may have no value, and how tests compare them.

use furiosa_visa_std::prelude::*;

axes![A = 4, B = 3];

#[test]
fn operators_need_both_sides() {
    let (x, y): (Opt<i32>, Opt<i32>) = (Opt::Init(7), Opt::Init(2));
    assert_eq!(x + y, Opt::Init(9));
    assert_eq!(x - y, Opt::Init(5));
    assert_eq!(x * y, Opt::Init(14));
    assert_eq!(x / y, Opt::Init(3));
    assert_eq!(x + Opt::Uninit, Opt::Uninit);
    assert_eq!(Opt::Uninit * y, Opt::Uninit);
}

#[test]
fn sums_wrap() {
    assert_eq!(Opt::Init(i32::MAX) + Opt::Init(1), Opt::Init(i32::MIN));
    assert_eq!(Opt::Init(100i8) * Opt::Init(3), Opt::Init(44));
    assert_eq!(Opt::Init(-128i8) - Opt::Init(1), Opt::Init(127));
    assert_eq!(Opt::Init(200u8) + Opt::Init(100), Opt::Init(44));
}

#[test]
fn mapped_and_zipped() {
    let x = Opt::Init(3i32);
    assert_eq!(x.map(|v| v as f32 / 2.0), Opt::Init(1.5));
    assert_eq!(Opt::<i32>::Uninit.map(|v| v + 1), Opt::Uninit);
    assert_eq!(x.zip_map(Opt::Init(4), |a, b| a.max(b)), Opt::Init(4));
    assert_eq!(x.zip_map(Opt::<i32>::Uninit, |a, b| a + b), Opt::Uninit);
    let nested = x.map(|a| (0..a).map(|k| k * a).sum::<i32>());
    assert_eq!(nested, Opt::Init(9));
}

#[test]
fn unwrapped() {
    assert_eq!(Opt::Init(5u8).unwrap(), 5);
    assert_eq!(Opt::<i32>::zero(), Opt::Init(0));
    assert_eq!(Opt::<f32>::one().unwrap(), 1.0);
    assert!(Opt::<i32>::zero().is_zero());
    assert!(!Opt::<i32>::Uninit.is_zero());
}

#[test]
#[should_panic]
fn nothing_cannot_be_unwrapped() {
    Opt::<i32>::Uninit.unwrap();
}

#[test]
fn a_constructor_is_a_function() {
    let v: Vec<Opt<i32>> = (0..3).map(Opt::Init).collect();
    assert_eq!(v, [Opt::Init(0), Opt::Init(1), Opt::Init(2)]);
    let w = vec![1.5f32, -2.0].into_iter().map(Opt::Init).collect::<Vec<_>>();
    assert_eq!(w[1], Opt::Init(-2.0));
    let some: Vec<Option<u8>> = [1u8, 2].into_iter().map(Some).collect();
    assert_eq!(some, [Some(1), Some(2)]);
}

#[test]
fn compared_and_printed() {
    assert_eq!(format!("{:?}", Opt::Init(3)), "Init(3)");
    assert_eq!(format!("{:?}", vec![Opt::Init(0.5f32), Opt::Uninit]), "[Init(0.5), Uninit]");
    assert_ne!(Opt::Init(f32::NAN), Opt::Init(f32::NAN));
    assert_ne!(Opt::Init(0), Opt::Uninit);
    assert_eq!(Opt::Init(-0.0f32), Opt::Init(0.0));
}

#[test]
fn matched() {
    fn worst(got: &[Opt<f32>], want: &[Opt<f32>]) -> f32 {
        let mut worst = 0.0f32;
        for (a, b) in got.iter().zip(want) {
            match (a, b) {
                (Opt::Init(x), Opt::Init(y)) => worst = worst.max((x - y).abs()),
                (Opt::Uninit, Opt::Uninit) => {}
                (x, y) => panic!("{x:?} beside {y:?}"),
            }
        }
        worst
    }
    let a = [Opt::Init(1.0), Opt::Uninit, Opt::Init(2.0)];
    let b = [Opt::Init(1.5), Opt::Uninit, Opt::Init(1.75)];
    assert_eq!(worst(&a, &b), 0.5);
    if let Opt::Init(x) = a[2] {
        assert_eq!(x, 2.0);
    }
    let Opt::Init(first) = a[0] else { panic!("no value") };
    assert_eq!(first, 1.0);
}

#[test]
#[should_panic(expected = "Init(1.0) beside Uninit")]
fn matched_with_a_message() {
    let pair = (Opt::Init(1.0f32), Opt::<f32>::Uninit);
    match pair {
        (Opt::Init(x), Opt::Init(y)) => assert_eq!(x, y),
        (x, y) => panic!("{x:?} beside {y:?}"),
    }
}

/// Compares f32 results: NaN equals NaN, everything else bit for bit.
struct Same(Vec<Opt<f32>>);

impl PartialEq for Same {
    fn eq(&self, other: &Self) -> bool {
        self.0.len() == other.0.len()
            && self.0.iter().zip(other.0.iter()).all(|(a, b)| match (a, b) {
                (Opt::Init(a), Opt::Init(b)) => (a.is_nan() && b.is_nan()) || a.to_bits() == b.to_bits(),
                (Opt::Uninit, Opt::Uninit) => true,
                _ => false,
            })
    }
}

impl std::fmt::Debug for Same {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.0.iter().take(4)).finish()
    }
}

#[test]
fn compared_bit_for_bit() {
    let data = vec![Opt::Init(f32::NAN), Opt::Init(1.0), Opt::Uninit];
    let tensor = HostTensor::<f32, m![B]>::from_buf(data.clone());
    assert_eq!(Same(tensor.to_buf()), Same(data));
    assert_ne!(Same(vec![Opt::Init(0.0)]), Same(vec![Opt::Init(-0.0)]));
    assert_ne!(Same(vec![]), Same(vec![Opt::Uninit]));
}

#[test]
#[should_panic(expected = "[Init(1.0), Init(2.0), Init(3.0), Init(4.0)]")]
fn own_debug_is_what_the_failure_shows() {
    let long: Vec<Opt<f32>> = (1..10).map(|x| Opt::Init(x as f32)).collect();
    assert_eq!(Same(long), Same(vec![Opt::Uninit]));
}

#[test]
fn copies_are_independent() {
    let mut v = vec![Opt::Init(1); <m![A, B]>::SIZE];
    v[3] = Opt::Uninit;
    let w = v.clone();
    for (i, x) in v.iter_mut().enumerate() {
        *x = Opt::Init(i as i32);
    }
    assert_eq!(w[3], Opt::Uninit);
    assert_eq!(v[3], Opt::Init(3));
    assert_eq!(w.iter().filter(|x| **x == Opt::Uninit).count(), 1);
    assert!(v.iter().all(|x| matches!(x, Opt::Init(_))));
}
