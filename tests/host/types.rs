//! Structs, enums, traits, generics and operators that a program defines itself.

use std::collections::HashMap;
use std::fmt::Debug;
use std::ops::{Add, AddAssign, Index, IndexMut, Mul, Neg, Sub};

#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct Vector {
    x: f32,
    y: f32,
}

impl Vector {
    const ORIGIN: Vector = Vector { x: 0.0, y: 0.0 };

    fn new(x: f32, y: f32) -> Self {
        Self { x, y }
    }

    fn length(&self) -> f32 {
        (self.x * self.x + self.y * self.y).sqrt()
    }

    fn scale(&mut self, by: f32) -> &mut Self {
        self.x *= by;
        self.y *= by;
        self
    }
}

impl Add for Vector {
    type Output = Vector;
    fn add(self, other: Vector) -> Vector {
        Vector::new(self.x + other.x, self.y + other.y)
    }
}

impl Sub for Vector {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul<f32> for Vector {
    type Output = Vector;
    fn mul(self, by: f32) -> Vector {
        Vector { x: self.x * by, y: self.y * by }
    }
}

impl Mul<Vector> for f32 {
    type Output = Vector;
    fn mul(self, v: Vector) -> Vector {
        v * self
    }
}

impl Neg for Vector {
    type Output = Vector;
    fn neg(self) -> Vector {
        Vector { x: -self.x, y: -self.y }
    }
}

impl AddAssign for Vector {
    fn add_assign(&mut self, other: Vector) {
        self.x += other.x;
        self.y += other.y;
    }
}

#[test]
fn structs_have_methods_and_constants() {
    let mut v = Vector::new(3.0, 4.0);
    assert_eq!(v.length(), 5.0);
    v.scale(2.0).scale(0.25);
    assert_eq!(v, Vector { x: 1.5, y: 2.0 });
    assert_eq!(Vector::default(), Vector::ORIGIN);
    let copy = v;
    v.x = 0.0;
    assert_eq!(copy.x, 1.5);
    let moved = Vector { y: -1.0, ..copy };
    assert_eq!(moved, Vector::new(1.5, -1.0));
    let Vector { x, y: height } = moved;
    assert_eq!(x + height, 0.5);
}

#[test]
fn operators_are_overloaded() {
    let a = Vector::new(1.0, 2.0);
    let b = Vector::new(0.5, -1.0);
    assert_eq!(a + b, Vector::new(1.5, 1.0));
    assert_eq!(a - b, Vector::new(0.5, 3.0));
    assert_eq!(a * 2.0, 2.0 * a);
    let mut sum = Vector::ORIGIN;
    for v in [a, b, -a] {
        sum += v;
    }
    assert_eq!(sum, b);
}

struct Matrix<const R: usize, const C: usize> {
    cells: [[i32; C]; R],
}

impl<const R: usize, const C: usize> Matrix<R, C> {
    fn zero() -> Self {
        Matrix { cells: [[0; C]; R] }
    }

    fn product<const K: usize>(&self, other: &Matrix<C, K>) -> Matrix<R, K> {
        let mut out = Matrix::<R, K>::zero();
        for r in 0..R {
            for k in 0..K {
                out[(r, k)] = (0..C).map(|c| self[(r, c)] * other[(c, k)]).sum();
            }
        }
        out
    }
}

impl<const R: usize, const C: usize> Index<(usize, usize)> for Matrix<R, C> {
    type Output = i32;
    fn index(&self, (r, c): (usize, usize)) -> &i32 {
        &self.cells[r][c]
    }
}

impl<const R: usize, const C: usize> IndexMut<(usize, usize)> for Matrix<R, C> {
    fn index_mut(&mut self, (r, c): (usize, usize)) -> &mut i32 {
        &mut self.cells[r][c]
    }
}

#[test]
fn sizes_are_parameters() {
    let a = Matrix { cells: [[1, 2, 3], [4, 5, 6]] };
    let b = Matrix { cells: [[1, 0], [0, 1], [1, 1]] };
    assert_eq!(a.product(&b).cells, [[4, 5], [10, 11]]);
}

trait Layer {
    fn name(&self) -> String;
    fn apply(&self, x: i32) -> i32;
    fn describe(&self) -> String {
        format!("{} sends 10 to {}", self.name(), self.apply(10))
    }
}

struct Scale(i32);

struct Clip {
    low: i32,
    high: i32,
}

impl Layer for Scale {
    fn name(&self) -> String {
        "scale".into()
    }
    fn apply(&self, x: i32) -> i32 {
        x * self.0
    }
}

impl Layer for Clip {
    fn name(&self) -> String {
        String::from("clip")
    }
    fn apply(&self, x: i32) -> i32 {
        x.clamp(self.low, self.high)
    }
    fn describe(&self) -> String {
        format!("clip to {}..={}", self.low, self.high)
    }
}

fn run<L: Layer>(layer: &L, times: usize) -> i32 {
    (0..times).fold(1, |x, _| layer.apply(x))
}

#[test]
fn traits_with_default_methods() {
    let layers: Vec<Box<dyn Layer>> = vec![Box::new(Scale(3)), Box::new(Clip { low: 0, high: 20 })];
    assert_eq!(layers.iter().fold(10, |x, layer| layer.apply(x)), 20);
    assert_eq!(layers[0].describe(), "scale sends 10 to 30");
    assert_eq!(layers[1].describe(), "clip to 0..=20");
    assert_eq!(run(&Scale(2), 5), 32);
}

trait Zero {
    const ZERO: Self;
    fn is_zero(&self) -> bool;
}

impl Zero for i32 {
    const ZERO: i32 = 0;
    fn is_zero(&self) -> bool {
        *self == 0
    }
}

impl Zero for f32 {
    const ZERO: f32 = 0.0;
    fn is_zero(&self) -> bool {
        *self == 0.0
    }
}

fn total<T: Zero + Copy + Add<Output = T>>(values: &[T]) -> T {
    let mut sum = T::ZERO;
    for v in values {
        sum = sum + *v;
    }
    sum
}

fn largest<T>(values: &[T]) -> Option<&T>
where
    T: PartialOrd,
{
    let mut best = values.first()?;
    for v in values {
        if v > best {
            best = v;
        }
    }
    Some(best)
}

#[test]
fn generic_functions() {
    assert_eq!(total(&[1, 2, 3]), 6);
    assert_eq!(total(&[0.5f32, 0.25]), 0.75);
    assert!(total::<i32>(&[]).is_zero());
    assert_eq!(largest(&["b", "c", "a"]), Some(&"c"));
    assert_eq!(largest(&[1.5, -2.0]), Some(&1.5));
    assert_eq!(largest::<u8>(&[]), None);
}

#[derive(Debug, Clone, PartialEq)]
struct Stack<T> {
    items: Vec<T>,
}

impl<T: Clone + Debug> Stack<T> {
    fn new() -> Self {
        Stack { items: Vec::new() }
    }
    fn with(mut self, item: T) -> Self {
        self.items.push(item);
        self
    }
    fn top(&self) -> Option<&T> {
        self.items.last()
    }
    fn map<U, F: Fn(&T) -> U>(&self, f: F) -> Stack<U> {
        Stack { items: self.items.iter().map(f).collect() }
    }
}

#[test]
fn generic_structs() {
    let stack = Stack::new().with(1).with(5);
    assert_eq!(stack.top(), Some(&5));
    let text = stack.map(|x| format!("<{x}>"));
    assert_eq!(format!("{text:?}"), "Stack { items: [\"<1>\", \"<5>\"] }");
    assert_ne!(stack, stack.clone().with(0));
}

struct Countdown(u32);

impl Iterator for Countdown {
    type Item = u32;
    fn next(&mut self) -> Option<u32> {
        if self.0 == 0 {
            return None;
        }
        self.0 -= 1;
        Some(self.0 + 1)
    }
}

struct Samples {
    values: Vec<f32>,
}

impl IntoIterator for Samples {
    type Item = f32;
    type IntoIter = std::vec::IntoIter<f32>;
    fn into_iter(self) -> Self::IntoIter {
        self.values.into_iter()
    }
}

#[test]
fn own_iterators() {
    assert_eq!(Countdown(3).collect::<Vec<_>>(), [3, 2, 1]);
    assert_eq!(Countdown(10).filter(|x| x % 2 == 0).map(|x| x * x).sum::<u32>(), 220);
    let mut seen = 0;
    for x in Countdown(4) {
        seen = seen * 10 + x;
    }
    assert_eq!(seen, 4321);
    assert_eq!(Countdown(3).zip(Countdown(2)).last(), Some((2, 1)));
    let mut sum = 0.0;
    for v in (Samples { values: vec![0.5, 1.5] }) {
        sum += v;
    }
    assert_eq!(sum, 2.0);
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Level {
    Low = 1,
    Mid = 5,
    High,
}

impl Level {
    const ALL: [Level; 3] = [Level::Low, Level::Mid, Level::High];

    fn next(self) -> Option<Level> {
        match self {
            Self::Low => Some(Self::Mid),
            Self::Mid => Some(Self::High),
            Self::High => None,
        }
    }
}

impl TryFrom<i32> for Level {
    type Error = String;
    fn try_from(n: i32) -> Result<Self, Self::Error> {
        Level::ALL.into_iter().find(|l| *l as i32 == n).ok_or_else(|| format!("no level {n}"))
    }
}

#[test]
fn plain_enums() {
    assert_eq!(Level::High as i32, 6);
    assert!(Level::Low < Level::High);
    assert_eq!(Level::ALL.iter().max(), Some(&Level::High));
    assert_eq!(Level::Mid.next(), Some(Level::High));
    assert_eq!(Level::try_from(5), Ok(Level::Mid));
    assert_eq!(Level::try_from(2), Err("no level 2".to_string()));
    let mut uses: HashMap<Level, u32> = HashMap::new();
    for l in [Level::Low, Level::High, Level::Low] {
        *uses.entry(l).or_insert(0) += 1;
    }
    assert_eq!(uses[&Level::Low], 2);
    use Level::*;
    assert_eq!([High, Low, Mid].into_iter().min(), Some(Low));
}

#[derive(Debug, Clone, PartialEq)]
enum Expr {
    Number(i64),
    Sum(Box<Expr>, Box<Expr>),
    Product(Vec<Expr>),
}

impl Expr {
    fn value(&self) -> i64 {
        match self {
            Expr::Number(n) => *n,
            Expr::Sum(a, b) => a.value() + b.value(),
            Expr::Product(all) => all.iter().map(Expr::value).product(),
        }
    }
}

#[test]
fn trees() {
    let three = Expr::Sum(Box::new(Expr::Number(1)), Box::new(Expr::Number(2)));
    let tree = Expr::Product(vec![three.clone(), Expr::Number(5), three]);
    assert_eq!(tree.value(), 45);
}

/// Equal when both are NaN, or close enough; what people write to compare results.
#[derive(Clone, Copy)]
struct Close(f32);

impl PartialEq for Close {
    fn eq(&self, other: &Self) -> bool {
        (self.0.is_nan() && other.0.is_nan()) || (self.0 - other.0).abs() < 1e-3
    }
}

impl Debug for Close {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "~{}", self.0)
    }
}

#[test]
fn own_equality_inside_lists() {
    let a: Vec<Close> = [1.0, f32::NAN, 3.0].into_iter().map(Close).collect();
    let b = vec![Close(1.0004), Close(f32::NAN), Close(2.9999)];
    assert_eq!(a, b);
    assert_ne!(Some(Close(1.0)), Some(Close(1.1)));
    assert_eq!(format!("{:?}", &a[..2]), "[~1, ~NaN]");
    assert_eq!((Close(0.5), 1), (Close(0.5001), 1));
}

struct Celsius(f64);
struct Fahrenheit(f64);

impl From<Celsius> for Fahrenheit {
    fn from(c: Celsius) -> Self {
        Fahrenheit(c.0 * 9.0 / 5.0 + 32.0)
    }
}

#[test]
fn conversions_between_own_types() {
    let f: Fahrenheit = Celsius(100.0).into();
    assert_eq!(f.0, 212.0);
    assert_eq!(Fahrenheit::from(Celsius(-40.0)).0, -40.0);
}

const LIMITS: [u32; 3] = [8, 64, 512];
const TOTAL: u32 = LIMITS[0] + LIMITS[1] * 2;
static GREETING: &str = "hello";
static TABLE: [(&str, i32); 2] = [("one", 1), ("two", 2)];

const fn squared(n: usize) -> usize {
    n * n
}

const CELLS: usize = squared(4);

#[test]
fn constants_and_statics() {
    assert_eq!(TOTAL, 136);
    assert_eq!(GREETING.len() + CELLS, 21);
    let cells = [0u8; CELLS];
    assert_eq!(cells.len(), 16);
    assert_eq!(TABLE.iter().find(|(name, _)| *name == "two").unwrap().1, 2);
    const LOCAL: f32 = 1.0 / 4.0;
    assert_eq!(LOCAL, 0.25);
}

mod outer {
    pub const BASE: i32 = 100;

    pub mod inner {
        use super::BASE;

        pub fn lifted(x: i32) -> i32 {
            BASE + x + super::hidden()
        }

        pub(crate) mod deepest {
            pub struct Level(pub u8);
            pub fn path() -> String {
                format!("{}", crate::outer::inner::lifted(0))
            }
        }
    }

    fn hidden() -> i32 {
        1
    }

    pub use inner::deepest::Level as Depth;
}

#[test]
fn nested_modules() {
    use outer::inner::{self, deepest};
    assert_eq!(inner::lifted(5), 106);
    assert_eq!(deepest::path(), "101");
    assert_eq!(outer::Depth(3).0, 3);
    assert_eq!(self::outer::BASE, 100);
}

#[test]
fn aliases_and_tuples() {
    type Pairs = Vec<(usize, &'static str)>;
    let pairs: Pairs = vec!["x", "y"].into_iter().enumerate().collect();
    assert_eq!(pairs, [(0, "x"), (1, "y")]);
    let ((a, _), nested) = (pairs[1], (1, (2, 3)));
    assert_eq!(a + nested.1.0, 3);
    let unit = ();
    assert_eq!(unit, ());
}
