// prints: int: invalid digit found in string
// prints: Ok(7)
// prints: float: invalid float literal
// prints: other: zero
// prints: 2.5
// prints: int: invalid digit found in string
// prints: other: q
// prints: true
use std::fmt;
#[derive(Debug, PartialEq)]
enum E {
    P(std::num::ParseIntError),
    F(std::num::ParseFloatError),
    Other(String),
}
impl From<std::num::ParseIntError> for E {
    fn from(e: std::num::ParseIntError) -> Self {
        E::P(e)
    }
}
impl From<std::num::ParseFloatError> for E {
    fn from(e: std::num::ParseFloatError) -> Self {
        E::F(e)
    }
}
impl From<&str> for E {
    fn from(e: &str) -> Self {
        E::Other(e.to_string())
    }
}
impl fmt::Display for E {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            E::P(e) => write!(f, "int: {e}"),
            E::F(e) => write!(f, "float: {e}"),
            E::Other(s) => write!(f, "other: {s}"),
        }
    }
}
impl std::error::Error for E {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            E::P(e) => Some(e),
            _ => None,
        }
    }
}
fn f(a: &str, b: &str) -> Result<f64, E> {
    let x: i32 = a.parse()?;
    let y: f64 = b.parse()?;
    if x == 0 {
        Err("zero")?;
    }
    Ok(x as f64 + y)
}
fn main() {
    let c = |s: &str| -> Result<i32, E> {
        let v: i32 = s.parse()?;
        Ok(v)
    };
    println!("{}", c("q").unwrap_err());
    println!("{:?}", c("7"));
    println!("{}", f("1", "y").unwrap_err());
    println!("{}", f("0", "1").unwrap_err());
    println!("{}", f("1", "1.5").unwrap());
    let r: Result<Vec<i32>, E> = ["1", "2", "x"]
        .iter()
        .map(|s| -> Result<i32, E> { Ok(s.parse::<i32>()?) })
        .collect();
    println!("{}", r.unwrap_err());
    let b: Box<dyn std::error::Error> = Box::new(E::Other("q".into()));
    println!("{b}");
    println!("{}", f("x", "1").unwrap_err() == c("x").unwrap_err());
}
