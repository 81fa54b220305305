// What is missing because of `#[cfg(..)]`: each error names the attribute.
mod shapes {
    #[cfg(windows)]
    pub fn far() {}
    pub fn fat() {}
    #[cfg_attr(unix, cfg(windows))]
    pub struct Big;
}

use shapes::far; // expect error: E0421

struct Pair {
    left: i32,
    #[cfg(feature = "wide")]
    right: i32,
}

impl Pair {
    #[cfg(any())]
    fn sum(&self) -> i32 {
        self.left
    }
    fn sun(&self) {}
}

enum Kind {
    Small,
    #[cfg(not(unix))]
    Smell,
}

#[cfg(windows)]
const LENGTH: usize = 4;

fn uses(pair: Pair) -> i32 {
    #[cfg(windows)]
    fn inner() {}
    inner(); // expect error: E0420
    shapes::fat();
    pair.sun();
    let _ = [Kind::Small, Kind::Smell]; // expect error: E0420
    let _ = shapes::Big; // expect error: E0420
    let _ = [0; LENGTH]; // expect error: E0420
    pair.sum() // expect error: E0434
        + pair.right // expect error: E0436
}
