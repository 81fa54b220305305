// Conversions: from several types, into what is wanted, from a text, and such as may fail.
use std::str::FromStr;
use std::convert::TryFrom;
struct Celsius(f32);
struct Kelvin(f32);

impl From<Celsius> for Kelvin {
    fn from(c: Celsius) -> Self {
        Kelvin(c.0 + 273.15)
    }
}

impl From<f32> for Celsius {
    fn from(v: f32) -> Self {
        Self(v)
    }
}

impl From<(i32, i32)> for Celsius {
    fn from((a, b): (i32, i32)) -> Self {
        Celsius((a + b) as f32)
    }
}

impl From<[f32; 2]> for Celsius {
    fn from(v: [f32; 2]) -> Self {
        Celsius(v[0])
    }
}

impl From<Kelvin> for f32 {
    fn from(k: Kelvin) -> f32 {
        k.0
    }
}

#[derive(Debug, PartialEq)]
enum Level { Low, High }

impl FromStr for Level {
    type Err = String;
    fn from_str(s: &str) -> Result<Self, Self::Err> {
        match s {
            "low" => Ok(Level::Low),
            "high" => Ok(Self::High),
            other => Err(format!("no {other}")),
        }
    }
}

impl TryFrom<i32> for Level {
    type Error = &'static str;
    fn try_from(v: i32) -> Result<Self, Self::Error> {
        match v { 0 => Ok(Level::Low), 1 => Ok(Level::High), _ => Err("level") }
    }
}

fn warm(k: impl Into<Kelvin>) -> f32 {
    k.into().0
}

#[test]
fn works() {
    let k: Kelvin = Celsius(1.0).into();
    let k2 = Kelvin::from(Celsius::from(2.0));
    let c = Celsius::from((1, 2));
    let c2: Celsius = [1.0, 2.0].into();
    assert!(k.0 < k2.0 && c.0 > c2.0);
    assert!(warm(Celsius(1.0)) > 0.0);
    let f: f32 = k.into();
    assert!(f > 0.0);
    let l: Level = "low".parse().unwrap();
    assert_eq!(l, Level::Low);
    assert_eq!("high".parse::<Level>(), Ok(Level::High));
    assert_eq!(Level::from_str("low").unwrap(), Level::Low);
    assert_eq!(Level::try_from(1), Ok(Level::High));
    let t: Result<Level, _> = 0.try_into();
    assert!(t.is_ok());
    let n: i64 = 3i32.into();
    let s: String = "x".into();
    let u = usize::try_from(n).unwrap();
    assert_eq!(u + s.len(), 4);
    assert_eq!(f64::from(1.5f32), 1.5);
}
