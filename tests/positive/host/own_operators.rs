// Operators on types of one's own, by value and by reference, with numbers on either side.
use std::ops::{Add, AddAssign, BitAnd, BitOr, BitXor, Div, DivAssign, Index, IndexMut, Mul, MulAssign, Neg, Not, Rem, Shl, Shr, Sub, SubAssign};

#[derive(Debug, Clone, Copy, PartialEq)]
struct V2 { x: f32, y: f32 }

impl Add for V2 {
    type Output = V2;
    fn add(self, o: V2) -> V2 {
        V2 { x: self.x + o.x, y: self.y + o.y }
    }
}

impl Sub for V2 {
    type Output = Self;
    fn sub(self, o: Self) -> Self::Output {
        Self { x: self.x - o.x, y: self.y - o.y }
    }
}

impl Mul<f32> for V2 {
    type Output = V2;
    fn mul(self, k: f32) -> V2 {
        V2 { x: self.x * k, y: self.y * k }
    }
}

impl Mul<V2> for f32 {
    type Output = V2;
    fn mul(self, v: V2) -> V2 {
        v * self
    }
}

impl Mul for V2 {
    type Output = f32;
    fn mul(self, o: V2) -> f32 {
        self.x * o.x + self.y * o.y
    }
}

impl Div<f32> for V2 {
    type Output = V2;
    fn div(self, k: f32) -> V2 {
        V2 { x: self.x / k, y: self.y / k }
    }
}

impl Rem<f32> for V2 {
    type Output = V2;
    fn rem(self, k: f32) -> V2 {
        V2 { x: self.x % k, y: self.y % k }
    }
}

impl Neg for V2 {
    type Output = V2;
    fn neg(self) -> V2 {
        V2 { x: -self.x, y: -self.y }
    }
}

impl<'a> Add<&'a V2> for &'a V2 {
    type Output = V2;
    fn add(self, o: &V2) -> V2 {
        *self + *o
    }
}

impl AddAssign for V2 {
    fn add_assign(&mut self, o: V2) {
        self.x += o.x;
        self.y += o.y;
    }
}

impl SubAssign for V2 {
    fn sub_assign(&mut self, o: V2) {
        self.x -= o.x;
        self.y -= o.y;
    }
}

impl MulAssign<f32> for V2 {
    fn mul_assign(&mut self, k: f32) {
        self.x *= k;
        self.y *= k;
    }
}

impl DivAssign<f32> for V2 {
    fn div_assign(&mut self, k: f32) {
        *self = *self / k;
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Mask(u8);

impl Not for Mask {
    type Output = Mask;
    fn not(self) -> Mask {
        Mask(!self.0)
    }
}

impl BitAnd for Mask {
    type Output = Mask;
    fn bitand(self, o: Mask) -> Mask {
        Mask(self.0 & o.0)
    }
}

impl BitOr for Mask {
    type Output = Mask;
    fn bitor(self, o: Mask) -> Mask {
        Mask(self.0 | o.0)
    }
}

impl BitXor for Mask {
    type Output = Mask;
    fn bitxor(self, o: Mask) -> Mask {
        Mask(self.0 ^ o.0)
    }
}

impl Shl<u32> for Mask {
    type Output = Mask;
    fn shl(self, n: u32) -> Mask {
        Mask(self.0 << n)
    }
}

impl Shr<u32> for Mask {
    type Output = Mask;
    fn shr(self, n: u32) -> Mask {
        Mask(self.0 >> n)
    }
}

struct Grid { rows: usize, cols: usize, data: Vec<i32> }

impl Index<(usize, usize)> for Grid {
    type Output = i32;
    fn index(&self, (r, c): (usize, usize)) -> &i32 {
        &self.data[r * self.cols + c]
    }
}

impl IndexMut<(usize, usize)> for Grid {
    fn index_mut(&mut self, (r, c): (usize, usize)) -> &mut i32 {
        &mut self.data[r * self.cols + c]
    }
}

impl Index<usize> for V2 {
    type Output = f32;
    fn index(&self, i: usize) -> &Self::Output {
        if i == 0 { &self.x } else { &self.y }
    }
}

#[test]
fn works() {
    let a = V2 { x: 1.0, y: 2.0 };
    let b = a + a * 2.0 - 0.5 * a;
    assert_eq!(-b, V2 { x: -2.5, y: -5.0 });
    let d: f32 = a * b;
    assert!(d > 0.0);
    let mut c = &a + &b;
    c += a;
    c -= b;
    c *= 2.0;
    c /= 4.0;
    assert_eq!((c % 2.0).x + c[1], c.x + c.y);
    assert_eq!((Mask(3) & Mask(1)) | (Mask(4) ^ Mask(8)), Mask(13));
    assert_eq!(!Mask(0xf0) << 2 >> 1, Mask(0x1e));
    let mut g = Grid {
        rows: 2, cols: 2, data: vec![0; 4]
    };
    g[(1, 0)] = 5;
    g[(0, 0)] += 2;
    assert_eq!(g[(1, 0)] + g[(0, 0)], 7);
    assert_eq!(g.rows, 2);
}
