// An enum made of itself, and one with numbers.
use std::fmt;

#[derive(Debug, Clone, PartialEq)]
enum Expr { Num(f64), Neg(Box<Expr>), Bin { op: char, l: Box<Expr>, r: Box<Expr> } }
use Expr::{Bin, Neg, Num};

impl Expr {
    fn eval(&self) -> Result<f64, String> {
        Ok(match self { Num(x) => *x, Neg(e) => -e.eval()?, Bin { op: '+', l, r } => l.eval()? + r.eval()?, Bin { op: '/', l, r } => { let d = r.eval()?; if d == 0.0 { return Err("zero".to_string()); } l.eval()? / d } Bin { op, .. } => return Err(format!("bad {op}")), })
    }
    fn depth(&self) -> usize {
        match self {
            Self::Num(_) => 1,
            Self::Neg(e) => 1 + e.depth(),
            Self::Bin { l, r, .. } => 1 + l.depth().max(r.depth()),
        }
    }
}

impl From<f64> for Expr {
    fn from(x: f64) -> Self {
        Num(x)
    }
}

impl std::ops::Add for Expr {
    type Output = Expr;
    fn add(self, o: Expr) -> Expr {
        Bin { op: '+', l: Box::new(self), r: Box::new(o) }
    }
}

impl std::ops::Neg for Expr {
    type Output = Expr;
    fn neg(self) -> Expr {
        Neg(Box::new(self))
    }
}

impl fmt::Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Num(x) => write!(f, "{x}"),
            Neg(e) => write!(f, "-{e}"),
            Bin { op, l, r } => write!(f, "({l} {op} {r})"),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[repr(u8)]
enum Color { Red = 1, Green = 2, Blue = 4 }

impl Color {
    const ALL: [Color; 3] = [Color::Red, Color::Green, Color::Blue];
    fn bits(self) -> u8 {
        self as u8
    }
    fn next(self) -> Self {
        use Color::*;
        match self { Red => Green, Green => Blue, Blue => Red }
    }
}

impl TryFrom<u8> for Color {
    type Error = String;
    fn try_from(v: u8) -> Result<Self, String> {
        Color::ALL.iter().copied().find(|c| c.bits() == v).ok_or(format!("no {v}"))
    }
}

#[test]
fn works() {
    let e = Expr::from(1.0) + -Num(2.0) + 3.0.into();
    assert_eq!(e.eval(), Ok(2.0));
    assert_eq!(e.depth(), 4);
    assert_eq!(e.to_string(), "((1 + -2) + 3)");
    assert_eq!(Color::ALL.map(|c| c.bits()).iter().sum::<u8>(), 7);
    assert_eq!(Color::try_from(2).unwrap().next(), Color::Blue);
    assert!(Color::try_from(9).is_err());
    if let Bin { l, .. } = &e && let Bin { r, .. } = l.as_ref() {
        assert_eq!(**r, Neg(Box::new(Num(2.0))));
    }
    let moved = match e { Bin { l, .. } => *l, other => other };
    assert_eq!(moved.depth(), 3);
}
