// Types of one's own in a kernel: what they give is worked out while it is traced.
use furiosa_visa_std::prelude::*;
use std::ops::{Add, AddAssign, Deref, Index, IndexMut, Mul, Neg, Not, Sub};
use std::cmp::Ordering;
axes![S = 256, A = 16];

#[derive(Clone, Copy)]
struct At { bank: u64, offset: u64 }

impl Add<u64> for At {
    type Output = At;
    fn add(self, by: u64) -> At {
        At { offset: self.offset + by, ..self }
    }
}

impl Add for At {
    type Output = Self;
    fn add(self, o: Self) -> Self {
        At { bank: self.bank + o.bank, offset: self.offset + o.offset }
    }
}

impl Sub<u64> for At {
    type Output = u64;
    fn sub(self, by: u64) -> Self::Output {
        self.offset - by
    }
}

impl Mul<At> for u64 {
    type Output = At;
    fn mul(self, at: At) -> At {
        At { bank: at.bank, offset: at.offset * self }
    }
}

impl Neg for At {
    type Output = i64;
    fn neg(self) -> i64 {
        -(self.offset as i64)
    }
}

impl Not for At {
    type Output = bool;
    fn not(self) -> bool {
        self.offset == 0
    }
}

impl AddAssign<u64> for At {
    fn add_assign(&mut self, by: u64) {
        self.offset += by;
    }
}

impl PartialEq for At {
    fn eq(&self, o: &At) -> bool {
        self.offset == o.offset
    }
}

impl PartialEq<u64> for At {
    fn eq(&self, o: &u64) -> bool {
        self.offset == *o
    }
}

impl PartialOrd for At {
    fn partial_cmp(&self, o: &At) -> Option<Ordering> {
        if self.offset < o.offset {
            Some(Ordering::Less)
        } else if self.offset == o.offset {
            Some(Ordering::Equal)
        } else {
            Some(Ordering::Greater)
        }
    }
}

impl From<u64> for At {
    fn from(offset: u64) -> Self {
        At { bank: 0, offset }
    }
}

impl From<(u64, u64)> for At {
    fn from((bank, offset): (u64, u64)) -> Self {
        At { bank, offset }
    }
}

struct Places {
    of: [u64; 4],
    base: At,
}

impl Index<usize> for Places {
    type Output = u64;
    fn index(&self, i: usize) -> &u64 {
        &self.of[i]
    }
}

impl IndexMut<usize> for Places {
    fn index_mut(&mut self, i: usize) -> &mut u64 {
        &mut self.of[i]
    }
}

impl Deref for Places {
    type Target = At;
    fn deref(&self) -> &At {
        &self.base
    }
}

impl At {
    fn twice(&self) -> u64 {
        self.offset * 2
    }
}

trait Shape {
    const SIDES: u64;
    const TWICE: u64 = 2;
    fn sides(&self) -> u64 {
        Self::SIDES * Self::TWICE
    }
    fn make() -> Self;
}

struct Tri;
struct Quad;

impl Shape for Tri {
    const SIDES: u64 = 3;
    fn make() -> Self {
        Tri
    }
}

impl Shape for Quad {
    const SIDES: u64 = 4;
    const TWICE: u64 = 10;
    fn make() -> Self {
        Quad
    }
}

struct Grid<const R: usize, const C: usize>;

impl<const R: usize, const C: usize> Grid<R, C> {
    const CELLS: usize = R * C;
    fn cells(&self) -> usize {
        Self::CELLS
    }
}

fn flag<const B: bool>() -> u64 {
    if B { 1 } else { 2 }
}

fn neg<const N: i32>() -> i32 {
    N
}

fn sides(x: impl Shape) -> u64 {
    x.sides()
}

fn conv(x: impl Into<At>) -> u64 {
    x.into().offset
}

#[device(chip = 1)]
fn kernel(ctx: &mut Context, input: &HbmTensor<i32, m![1], m![S, A]>) -> HbmTensor<i32, m![1], m![S, A]> {
    let a = At { bank: 1, offset: 8 };
    let mut b = a + 4 + a;
    assert_eq!(b.offset, 20);
    assert_eq!(b.bank, 2);
    b += 2;
    assert_eq!(b, 22);
    assert!(b == At::from(22));
    assert!(b != a && a < b && b >= a && !(a > b));
    assert_eq!(b - 2, 20);
    assert_eq!((3 * a).offset, 24);
    assert_eq!(-a, -8);
    assert!(!At::from(0));
    let c: At = (7, 9).into();
    assert_eq!(c.bank + c.offset, 16);
    let d: At = 5.into();
    assert_eq!(d, At::from((1, 5)));
    let mut p = Places {
        of: [0; 4], base: a
    };
    p[2] = 0x100;
    p[2] += 1;
    assert_eq!(p[2], 0x101);
    assert_eq!(p.twice(), 16);
    assert_eq!(p.offset, 8);
    assert_eq!((*p).offset, 8);
    assert_eq!(Tri.sides() + Shape::sides(&Quad) + <Tri as Shape>::SIDES, 6 + 40 + 3);
    assert_eq!(sides(Tri) + sides(Quad), 46);
    assert_eq!(conv(3) + conv((1, 2)), 5);
    let q: Quad = Shape::make();
    assert_eq!(q.sides(), 40);
    assert_eq!(Grid::<2, 3>::CELLS + Grid::<4, 5>::CELLS + Grid::<1, 2>.cells(), 28);
    assert_eq!(flag::<true>() * 10 + flag::<false>(), 12);
    assert_eq!(neg::<-3>(), -3);
    let dm: DmTensor<i32, m![1], m![1 # 2], m![S], m![A]> = input.to_dm(&mut ctx.tdma, p[0]);
    dm.to_hbm(&mut ctx.tdma, 0)
}
