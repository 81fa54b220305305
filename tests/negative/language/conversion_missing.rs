// Nothing says how the one becomes the other.
struct Feet(f64);
struct Meter(f64);

impl From<Feet> for Meter {
    fn from(feet: Feet) -> Self {
        Meter(feet.0 * 0.3048)
    }
}

fn back(meter: Meter) -> Feet {
    meter.into() // expect error: E0430 nothing makes
}
