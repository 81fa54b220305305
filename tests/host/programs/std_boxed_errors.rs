// prints: 13
// prints: my 5
// prints: plain
// prints: my 9
// prints: MyErr(9)
// prints: x
// prints: n 3
// prints: down 9
// prints: invalid digit found in string
use std::error::Error;
use std::fmt;
#[derive(Debug)]
struct MyErr(i32);
impl fmt::Display for MyErr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "my {}", self.0)
    }
}
impl Error for MyErr {}
fn f(x: i32) -> Result<i32, Box<dyn Error>> {
    if x > 3 {
        return Err(Box::new(MyErr(x)));
    }
    let n: i32 = "12".parse()?;
    Ok(n + x)
}
fn g(x: i32) -> Result<i32, Box<dyn std::error::Error>> {
    let y = f(x)?;
    Ok(y)
}
fn h() -> Result<(), Box<dyn Error>> {
    Err("plain")?
}
fn k() -> Result<(), Box<dyn Error>> {
    Err(MyErr(9))?
}
fn l() -> Result<(), Box<dyn Error>> {
    Err("x".into())
}
fn m() -> Result<(), Box<dyn Error>> {
    Err(format!("n {}", 3).into())
}
fn main() {
    println!("{:?}", g(1).unwrap());
    match g(5) {
        Err(e) => println!("{e}"),
        Ok(_) => {}
    }
    println!("{}", h().unwrap_err());
    println!("{}", k().unwrap_err());
    println!("{:?}", k().unwrap_err());
    println!("{}", l().unwrap_err());
    println!("{}", m().unwrap_err().to_string());
    let e = k().unwrap_err();
    if let Some(m) = e.downcast_ref::<MyErr>() {
        println!("down {}", m.0);
    }
    println!("{}", "z".parse::<i32>().unwrap_err());
}
