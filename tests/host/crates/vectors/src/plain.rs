//! A plain file: nothing of it runs on the device.

use std::fmt;

/// A list that prints shortly and compares with a tolerance.
pub struct Values(pub Vec<f32>);

impl PartialEq for Values {
    fn eq(&self, other: &Self) -> bool {
        self.0.len() == other.0.len() && self.0.iter().zip(&other.0).all(|(a, b)| (a - b).abs() <= 1e-6 * b.abs())
    }
}

impl fmt::Debug for Values {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} values from {:?}", self.0.len(), self.0.first())
    }
}

#[test]
fn values_are_close() {
    assert_eq!(Values(vec![1.0, 2.0]), Values(vec![1.0000001, 2.0]));
    assert_ne!(Values(vec![1.0]), Values(vec![1.1]));
    assert_eq!(format!("{:?}", Values(vec![0.5, 1.0])), "2 values from Some(0.5)");
}
