// A struct of one's own that compares floats with a tolerance and treats missing numbers as equal.
use furiosa_visa_std::prelude::*;
use std::fmt;

struct Close(Vec<Opt<f32>>);

impl PartialEq for Close {
    fn eq(&self, other: &Self) -> bool {
        self.0.len() == other.0.len()
            && self.0.iter().zip(other.0.iter()).all(|(a, b)| match (a, b) {
                (Opt::Init(x), Opt::Init(y)) => (x.is_nan() && y.is_nan()) || (x - y).abs() <= 1e-6 * y.abs().max(1.0),
                (Opt::Uninit, Opt::Uninit) => true,
                _ => false,
            })
    }
}

impl fmt::Debug for Close {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} values", self.0.len())
    }
}

#[test]
fn nearly_equal() {
    let a = Close(vec![Opt::Init(1.0), Opt::Init(f32::NAN), Opt::Uninit]);
    let b = Close(vec![Opt::Init(1.0 + 5e-7), Opt::Init(f32::NAN), Opt::Uninit]);
    assert_eq!(a, b);
    assert_eq!(format!("{a:?}"), "3 values");
}

#[test]
fn not_equal() {
    assert!(Close(vec![Opt::Init(1.0)]) != Close(vec![Opt::Init(1.1)]));
    assert!(Close(vec![Opt::Init(1.0)]) != Close(vec![Opt::Uninit]));
}
