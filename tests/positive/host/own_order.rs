// Comparisons of one's own, between types too, and an order.
use std::cmp::Ordering;

#[derive(Debug, Clone, Copy)]
struct Approx(f32);

impl PartialEq for Approx {
    fn eq(&self, o: &Self) -> bool {
        (self.0 - o.0).abs() < 1e-3
    }
}

impl PartialEq<f32> for Approx {
    fn eq(&self, o: &f32) -> bool {
        (self.0 - o).abs() < 1e-3
    }
}

impl PartialEq<Approx> for f32 {
    fn eq(&self, o: &Approx) -> bool {
        o == self
    }
}

impl PartialOrd for Approx {
    fn partial_cmp(&self, o: &Self) -> Option<Ordering> {
        self.0.partial_cmp(&o.0)
    }
}

#[derive(Debug, PartialEq, Eq)]
struct Task { cost: u32, name: String }

impl Ord for Task {
    fn cmp(&self, o: &Self) -> Ordering {
        self.cost.cmp(&o.cost).reverse()
    }
}

impl PartialOrd for Task {
    fn partial_cmp(&self, o: &Self) -> Option<Ordering> {
        Some(self.cmp(o))
    }
}

#[test]
fn works() {
    assert!(Approx(1.0) == Approx(1.0001));
    assert!(Approx(1.0) == 1.0001);
    assert!(1.0 == Approx(1.0));
    assert!(Approx(1.0) < Approx(2.0));
    assert!(Approx(1.0) >= Approx(0.5));
    assert_eq!(Approx(1.0), 1.0);
    assert_ne!(Approx(1.0), Approx(2.0));
    let a = Task { cost: 1, name: "a".to_string() };
    let b = Task { cost: 2, name: String::from("b") };
    assert!(a > b);
    assert_eq!(a.cmp(&b), Ordering::Greater);
}
