// Traits that add to types of others.
use std::fmt::{self, Display};

mod shapes {
    use super::Area;
    pub struct Sq(pub f32);
    impl Area for Sq {
        fn area(&self) -> f32 {
            self.0
        }
    }
    impl super::Area for (f32, f32) {
        fn area(&self) -> f32 {
            self.0 * self.1
        }
    }
}

pub trait Area {
    fn area(&self) -> f32;
    fn bigger<'a>(&'a self, o: &'a dyn Area) -> bool {
        self.area() > o.area()
    }
    fn boxed(self) -> Box<dyn Area> where Self: Sized + 'static {
        Box::new(self)
    }
}

impl<T: Area + ?Sized> Area for Box<T> {
    fn area(&self) -> f32 {
        (**self).area()
    }
}

impl<A: Area, const N: usize> Area for [A; N] {
    fn area(&self) -> f32 {
        self.iter().map(|a| a.area()).sum()
    }
}

impl<A: Area> Area for Option<A> {
    fn area(&self) -> f32 {
        self.as_ref().map_or(0.0, |a| a.area())
    }
}

impl<A: Area> Area for [A] {
    fn area(&self) -> f32 {
        self.iter().map(Area::area).sum()
    }
}

fn sum_areas<'a, I>(items: I) -> f32 where I: IntoIterator<Item = &'a dyn Area> {
    items.into_iter().map(|a| a.area()).sum()
}

fn print_all<T>(items: &[T]) -> String where T: Display {
    items.iter().map(|i| i.to_string()).collect::<Vec<_>>().join(",")
}

struct Meters(f64);

impl Display for Meters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(p) = f.precision() { write!(f, "{:.*}m", p, self.0) } else { write!(f, "{}m", self.0) }
    }
}

macro_rules! sq {
    ($x:expr) => { $x * $x };
}

trait Ext {
    fn double(&self) -> Self;
    fn last_or(&self, d: i32) -> i32;
}

impl Ext for Vec<i32> {
    fn double(&self) -> Self {
        self.iter().map(|x| x * 2).collect()
    }
    fn last_or(&self, d: i32) -> i32 {
        *self.last().unwrap_or(&d)
    }
}

trait IterExt: Iterator {
    fn every(self, n: usize) -> Vec<Self::Item> where Self: Sized {
        self.step_by(n).collect()
    }
}

impl<I: Iterator> IterExt for I {}

impl<F> Area for F where F: Fn() -> f32 {
    fn area(&self) -> f32 {
        self()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Version { major: u32, minor: u32 }

impl Version {
    pub const ZERO: Self = Self { major: 0, minor: 0 };
}

impl std::str::FromStr for Version {
    type Err = String;
    fn from_str(s: &str) -> Result<Self, Self::Err> {
        let n = s.parse::<u32>().map_err(|e| e.to_string())?;
        Ok(Self { major: n, ..Self::ZERO })
    }
}

impl std::iter::Sum for Version {
    fn sum<I: Iterator<Item = Version>>(iter: I) -> Self {
        iter.fold(Version::ZERO, |a, b| Version { major: a.major + b.major, minor: a.minor + b.minor })
    }
}

impl AsRef<str> for Version {
    fn as_ref(&self) -> &str {
        "v"
    }
}

impl std::hash::Hash for Meters {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.0.to_bits().hash(state);
    }
}

fn takes_ref(s: impl AsRef<str>) -> usize {
    s.as_ref().len()
}

#[test]
fn works() {
    let s = shapes::Sq(2.0);
    assert!(s.bigger(&(0.5, 0.5)));
    assert_eq!([shapes::Sq(1.0), shapes::Sq(2.0)].area(), 3.0);
    assert_eq!(Some(shapes::Sq(1.0)).area() + None::<shapes::Sq>.area(), 1.0);
    assert_eq!(s.boxed().area(), 2.0);
    let list: Vec<Box<dyn Area>> = vec![Box::new(shapes::Sq(1.0)), Box::new((1.0, 2.0))];
    let total: f32 = list.iter().map(|a| a.area()).sum();
    assert_eq!(total, 3.0);
    assert_eq!(sum_areas(list.iter().map(|b| b.as_ref())), 3.0);
    assert_eq!(print_all(&[Meters(1.0), Meters(2.5)]), "1m,2.5m");
    assert_eq!(vec![1, 2].double().last_or(0), 4);
    assert_eq!((0..10).every(3), [0, 3, 6, 9]);
    assert_eq!((|| 2.0f32).area(), 2.0);
    let v: Version = "3".parse().unwrap();
    assert!(v > Version::ZERO);
    let t: Version = vec![v, v].into_iter().sum();
    assert_eq!(t.major as usize + takes_ref(v) + takes_ref("ab"), 9);
}
