// Types with a parameter: operators, conversions, functions over them.
use std::marker::PhantomData;
use std::ops::{Add, Mul};

#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct V3<T> { x: T, y: T, z: T }

impl<T: Add<Output = T>> Add for V3<T> {
    type Output = Self;
    fn add(self, o: Self) -> Self {
        Self { x: self.x + o.x, y: self.y + o.y, z: self.z + o.z }
    }
}

impl<T: Mul<Output = T> + Copy> Mul<T> for V3<T> {
    type Output = V3<T>;
    fn mul(self, k: T) -> V3<T> {
        V3 { x: self.x * k, y: self.y * k, z: self.z * k }
    }
}

impl<T: Copy + Mul<Output = T> + Add<Output = T>> V3<T> {
    fn dot(&self, o: &V3<T>) -> T {
        self.x * o.x + self.y * o.y + self.z * o.z
    }
    fn map<U, F: Fn(T) -> U>(self, f: F) -> V3<U> {
        V3 { x: f(self.x), y: f(self.y), z: f(self.z) }
    }
}

impl<T> From<[T; 3]> for V3<T> {
    fn from([x, y, z]: [T; 3]) -> Self {
        V3 { x, y, z }
    }
}

impl<T> From<V3<T>> for [T; 3] {
    fn from(v: V3<T>) -> Self {
        [v.x, v.y, v.z]
    }
}

struct Meter;
struct Feet;
struct Len<U> { v: f64, unit: PhantomData<U> }

impl<U> Len<U> {
    fn new(v: f64) -> Self {
        Len { v, unit: PhantomData }
    }
}

impl<U> Add for Len<U> {
    type Output = Len<U>;
    fn add(self, o: Len<U>) -> Len<U> {
        Len::new(self.v + o.v)
    }
}

impl From<Len<Feet>> for Len<Meter> {
    fn from(f: Len<Feet>) -> Self {
        Len::new(f.v * 0.3048)
    }
}

fn map2<A, B, C>(a: &[A], b: &[B], f: impl Fn(&A, &B) -> C) -> Vec<C> {
    a.iter().zip(b.iter()).map(|(x, y)| f(x, y)).collect()
}

fn fold<T, A>(items: impl IntoIterator<Item = T>, init: A, mut f: impl FnMut(A, T) -> A) -> A {
    let mut acc = init;
    for i in items {
        acc = f(acc, i);
    }
    acc
}

fn check_all<F>(cases: &[(i32, i32)], f: F) where F: Fn(i32) -> i32 {
    for &(input, want) in cases {
        assert_eq!(f(input), want, "input {input}");
    }
}

fn close(a: &[f32], b: &[f32], tol: f32) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(x, y)| (x - y).abs() <= tol)
}

fn gen_vec<const N: usize, T: From<u8> + Copy>(f: fn(u8) -> T) -> [T; N] {
    let mut out = [T::from(0); N];
    for (i, o) in out.iter_mut().enumerate() {
        *o = f(i as u8);
    }
    out
}

fn opt_chain(x: Option<i32>) -> Option<String> {
    x.filter(|&v| v > 0).map(|v| v * 2).and_then(|v| if v < 100 { Some(format!("{v}")) } else { None })
}

fn iter_box<'a>(v: &'a [i32], rev: bool) -> Box<dyn Iterator<Item = &'a i32> + 'a> {
    if rev { Box::new(v.iter().rev()) } else { Box::new(v.iter()) }
}

fn evens<'a>(v: &'a [i32]) -> impl Iterator<Item = i32> + 'a {
    v.iter().copied().filter(|x| x % 2 == 0)
}

fn first_word(s: &str) -> &str {
    let b = s.as_bytes();
    for (i, &c) in b.iter().enumerate() {
        if c == b' ' {
            return &s[..i];
        }
    }
    s
}

#[test]
fn works() {
    let a: V3<f32> = [1.0, 2.0, 3.0].into();
    let b = V3::from([1.0f32; 3]);
    let c = a + b * 2.0;
    assert_eq!(c.dot(&b), 12.0);
    assert_eq!(c.map(|x| x as i32), V3 { x: 3, y: 4, z: 5 });
    let d: [f32; 3] = c.into();
    assert!(close(&d, &[3.0, 4.0, 5.0], 1e-6));
    let m: Len<Meter> = Len::<Feet>::new(1.0).into();
    assert!((m + Len::new(1.0)).v > 1.3);
    assert_eq!(map2(&[1, 2], &[3.0, 4.0], |x, y| *x as f64 * y), vec![3.0, 8.0]);
    assert_eq!(fold(vec![1, 2, 3], String::new(), |s, x| s + &x.to_string()), "123");
    assert_eq!(fold(0..4, 0, |a, x| a + x), 6);
    check_all(&[(1, 2), (2, 4)], |x| x * 2);
    let g: [u32; 3] = gen_vec(|i| u32::from(i) * 2);
    assert_eq!(g, [0, 2, 4]);
    assert_eq!(gen_vec::<2, f32>(|i| f32::from(i)).len(), 2);
    assert_eq!(opt_chain(Some(3)), Some("6".to_string()));
    assert_eq!(iter_box(&[1, 2, 3], true).map(|x| x * 2).collect::<Vec<_>>(), [6, 4, 2]);
    assert_eq!(evens(&[1, 2, 4]).sum::<i32>(), 6);
    for (i, x) in evens(&[2]).enumerate() {
        assert_eq!(i as i32 + 2, x);
    }
    assert_eq!(first_word("ab cd"), "ab");
    let V3 { x, .. } = a;
    assert_eq!(x, 1.0);
}
