// Constants as arguments: negative, true, a letter, an expression; functions that make constants.
fn g<const N: i32>() -> i32 {
    N * 2
}

fn b<const FLAG: bool>() -> i32 {
    if FLAG { 1 } else { 0 }
}

fn c<const C: char>() -> char {
    C
}

fn arr<const N: usize>(x: [i32; N]) -> usize {
    N + x.len()
}

struct Mat<const R: usize, const C: usize> {
    d: [[f32; C]; R],
}

impl<const R: usize, const C: usize> Mat<R, C> {
    const LEN: usize = R * C;
    fn zero() -> Self {
        Self {
            d: [[0.0; C]; R]
        }
    }
    fn t(&self) -> Mat<C, R> {
        let mut m = Mat::<C, R>::zero();
        for i in 0..R {
            for j in 0..C {
                m.d[j][i] = self.d[i][j];
            }
        }
        m
    }
    fn mul<const K: usize>(&self, o: &Mat<C, K>) -> Mat<R, K> {
        let mut m = Mat::zero();
        for i in 0..R {
            for k in 0..K {
                for j in 0..C {
                    m.d[i][k] += self.d[i][j] * o.d[j][k];
                }
            }
        }
        m
    }
}

const N: usize = 4;

const fn square(x: usize) -> usize {
    x * x
}

const SQ: usize = square(N);
static TABLE: [u32; SQ] = [7; SQ];
static GREETING: &str = "hi";

fn outer() -> i32 {
    fn inner(x: i32) -> i32 {
        x + 1
    }
    const K: i32 = 3;
    inner(K)
}

#[test]
fn works() {
    assert_eq!(g::<-3>(), -6);
    assert_eq!(g::<{ 1 + 2 }>(), 6);
    assert_eq!(b::<true>() + b::<false>(), 1);
    assert_eq!(c::<'x'>(), 'x');
    assert_eq!(arr([1, 2, 3]), 6);
    assert_eq!(arr::<{ N * 2 }>([0; N * 2]), 16);
    let m = Mat::<2, 3>::zero();
    let p = m.mul(&m.t());
    assert_eq!(p.d.len() + Mat::<2, 3>::LEN, 8);
    assert_eq!(TABLE.len() + GREETING.len(), 18);
    assert_eq!(outer(), 4);
}
