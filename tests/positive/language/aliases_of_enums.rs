// Variants and constants through an alias and through Self.
use furiosa_visa_std::prelude::*;

enum Cfg { A { n: usize }, B(u32), C }
type Sw = Cfg;

impl Cfg {
    const LIMIT: usize = 4;
    fn make(n: usize) -> Self {
        if n > Self::LIMIT { Self::A { n } } else if n == 0 { Self::C } else { Self::B(n as u32) }
    }
    fn size(&self) -> usize {
        match self {
            Self::A { n } => *n,
            Self::B(x) => *x as usize,
            Self::C => 0,
        }
    }
}

struct E;

impl E {
    const N: usize = 3;
    const M: usize = Self::N * 2;
    const ALL: [u32; Self::N] = [1; Self::N];
    fn arr() -> [i32; Self::N] {
        [0; Self::N]
    }
}

struct Pt(i32, i32);

impl Pt {
    const ORIGIN: Pt = Pt(0, 0);
    fn new() -> Self {
        Self(1, 2)
    }
    fn swap(self) -> Self {
        let Self(a, b) = self;
        Self(b, a)
    }
}

struct Named { a: i32 }

impl Named {
    fn new() -> Self {
        Self { a: 1 }
    }
    fn get(self) -> i32 {
        let Self { a } = self;
        a
    }
}

#[test]
fn works() {
    let a = Sw::A { n: 3 };
    let b = Sw::B(2);
    let c = Sw::C;
    match a { Sw::A { n } => assert_eq!(n, 3), Sw::B(_) | Sw::C => panic!() }
    assert_eq!(b.size() + c.size(), 2);
    assert_eq!(Cfg::make(5).size(), 5);
    let z = [0; E::N];
    let y: [i32; E::N] = [1; E::N];
    let w = [0u8; E::M + 1];
    assert_eq!(z.len() + y.len() + w.len(), 13);
    assert_eq!(E::ALL[0] as i32 + E::arr()[0], 1);
    assert_eq!(Pt::new().swap().0, 2);
    assert_eq!(Pt::ORIGIN.0 + Named::new().get(), 1);
}
