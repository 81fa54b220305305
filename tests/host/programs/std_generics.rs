// prints: 9 b [7, 7, 7] 120
// prints: 6 5 4
// prints: [0, 0, 0] 2
// prints: 3 3.5
// prints: 3 6 12 1.5
// prints: 8 3
// prints: ["1", "2"]
// prints: shape4 4
// prints: ["woof", "meow3"] MEOW3
// prints: 5 1
// prints: {1: 1, 2: 2}
// prints: Some(2)
// prints: 2
// prints: 12
// prints: 5
mod geo {
    pub mod inner {
        pub const K: i32 = 4;
        pub static NAMES: [&str; 2] = ["a", "b"];
        pub fn sq(x: i32) -> i32 {
            super::help(x) * x
        }
        #[derive(Debug)]
        pub struct Pt<const N: usize> {
            pub c: [i32; N],
        }
        impl<const N: usize> Pt<N> {
            pub const fn new(c: [i32; N]) -> Self {
                Pt { c }
            }
            pub fn sum(&self) -> i32 {
                self.c.iter().sum()
            }
            pub fn dims() -> usize {
                N
            }
        }
    }
    fn help(x: i32) -> i32 {
        x
    }
    pub use inner::sq;
}
use geo::inner::{self, K, Pt};
const fn fact(n: u64) -> u64 {
    if n == 0 { 1 } else { n * fact(n - 1) }
}
const F5: u64 = fact(5);
const ARR: [u8; F5 as usize / 40] = [7; 3];
static TABLE: &[(&str, i32)] = &[("x", 1), ("y", 2)];
fn zeros<const N: usize>() -> [i32; N] {
    [0; N]
}
fn add<T: std::ops::Add<Output = T> + Copy>(a: T, b: T) -> T {
    a + b
}
fn apply(f: impl Fn(i32) -> i32, x: i32) -> i32 {
    f(x)
}
fn adder(n: i32) -> impl Fn(i32) -> i32 {
    move |x| x + n
}
fn boxed(n: i32) -> Box<dyn Fn(i32) -> i32> {
    if n > 0 {
        Box::new(move |x| x * n)
    } else {
        Box::new(|x| x)
    }
}
fn compose<A, B, C>(f: impl Fn(A) -> B, g: impl Fn(B) -> C) -> impl Fn(A) -> C {
    move |x| g(f(x))
}
fn dbl(x: i32) -> i32 {
    x * 2
}
struct Stack<T> {
    v: Vec<T>,
}
impl<T: Clone + std::fmt::Debug> Stack<T> {
    fn new() -> Self {
        Stack { v: vec![] }
    }
    fn push(&mut self, t: T) -> &mut Self {
        self.v.push(t);
        self
    }
    fn map<U>(&self, f: impl Fn(&T) -> U) -> Stack<U> {
        Stack {
            v: self.v.iter().map(f).collect(),
        }
    }
}
trait Shape {
    const SIDES: u32;
    fn area(&self) -> f64;
    fn name(&self) -> String {
        format!("shape{}", Self::SIDES)
    }
}
struct Sq(f64);
impl Shape for Sq {
    const SIDES: u32 = 4;
    fn area(&self) -> f64 {
        self.0 * self.0
    }
}
trait Animal {
    fn say(&self) -> String;
}
struct Dog;
struct Cat {
    n: u8,
}
impl Animal for Dog {
    fn say(&self) -> String {
        "woof".into()
    }
}
impl Animal for Cat {
    fn say(&self) -> String {
        format!("meow{}", self.n)
    }
}
fn loud(a: &dyn Animal) -> String {
    a.say().to_uppercase()
}
fn largest<T: PartialOrd + Copy>(v: &[T]) -> T {
    let mut m = v[0];
    for &x in v {
        if x > m {
            m = x;
        }
    }
    m
}
fn count_by<K, V, F>(v: &[V], f: F) -> std::collections::BTreeMap<K, usize>
where
    K: Ord,
    F: Fn(&V) -> K,
{
    let mut m = std::collections::BTreeMap::new();
    for x in v {
        *m.entry(f(x)).or_insert(0) += 1;
    }
    m
}
fn main() {
    println!("{} {} {:?} {}", geo::sq(3), inner::NAMES[1], ARR, F5);
    let p = Pt::new([1, 2, 3]);
    println!("{} {} {}", p.sum(), Pt::<5>::dims(), K);
    println!("{:?} {}", zeros::<3>(), zeros::<2>().len());
    println!("{} {}", add(1, 2), add(1.5, 2.0));
    println!(
        "{} {} {} {}",
        apply(|x| x + 1, 2),
        adder(5)(1),
        boxed(3)(4),
        compose(dbl, |x| x as f32 / 4.0)(3)
    );
    let fp: fn(i32) -> i32 = dbl;
    let fs: [(&str, fn(i32) -> i32); 2] = [("d", dbl), ("n", |x| -x)];
    println!("{} {}", fp(4), fs.iter().map(|(_, f)| f(3)).sum::<i32>());
    let mut s = Stack::new();
    s.push(1).push(2);
    println!("{:?}", s.map(|x| x.to_string()).v);
    println!("{} {}", Sq(2.0).name(), Sq(2.0).area());
    let zoo: Vec<Box<dyn Animal>> = vec![Box::new(Dog), Box::new(Cat { n: 3 })];
    println!(
        "{:?} {}",
        zoo.iter().map(|a| a.say()).collect::<Vec<_>>(),
        loud(zoo[1].as_ref())
    );
    println!("{} {}", largest(&[1, 5, 2]), largest(&[1.0, 0.5]));
    println!("{:?}", count_by(&["a", "bb", "cc"], |s| s.len()));
    println!("{:?}", TABLE.iter().find(|(n, _)| *n == "y").map(|x| x.1));
    let mut cnt = 0;
    let mut inc = || {
        cnt += 1;
        cnt
    };
    inc();
    inc();
    println!("{cnt}");
    let mk = |a: i32| move |b: i32| a * b;
    println!("{}", mk(3)(4));
    let fns: Vec<Box<dyn Fn(f64) -> f64>> = vec![Box::new(f64::sqrt), Box::new(|x| x + 1.0)];
    println!("{}", fns.iter().fold(16.0, |a, f| f(a)));
}
