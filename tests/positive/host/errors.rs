// Errors of one's own, passed on with a question mark.
use std::error::Error;
use std::fmt;

#[derive(Debug)]
enum MyErr { Parse(std::num::ParseIntError), Neg(i32) }

impl fmt::Display for MyErr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MyErr::Parse(e) => write!(f, "parse: {e}"),
            MyErr::Neg(n) => write!(f, "negative: {}", n),
        }
    }
}

impl Error for MyErr {}

impl From<std::num::ParseIntError> for MyErr {
    fn from(e: std::num::ParseIntError) -> Self {
        MyErr::Parse(e)
    }
}

fn parse(s: &str) -> Result<i32, MyErr> {
    let n: i32 = s.trim().parse()?;
    if n < 0 {
        return Err(MyErr::Neg(n));
    }
    Ok(n)
}

fn first(v: &[i32]) -> Option<i32> {
    let x = v.first()?;
    let y = v.get(1)?;
    Some(*x + *y)
}

fn dynamic(s: &str) -> Result<i32, Box<dyn Error>> {
    let n = parse(s)?;
    if n == 7 {
        return Err("seven".into());
    }
    if n == 8 {
        return Err(Box::new(MyErr::Neg(8)));
    }
    let m: i32 = s.parse()?;
    Ok(n + m)
}

fn send(s: &str) -> Result<(), Box<dyn Error + Send + Sync>> {
    if s.is_empty() {
        Err("empty")?;
    }
    Ok(())
}

type Res<T> = std::result::Result<T, MyErr>;

fn res(x: i32) -> Res<i32> {
    if x < 0 { Err(MyErr::Neg(x)) } else { Ok(x) }
}

fn chained() -> Res<i32> {
    let a = res(1)? + res(2)?;
    res(a).map(|x| x + 1).map_err(|e| e)
}

#[test]
fn works() -> Result<(), Box<dyn Error>> {
    assert_eq!(parse("3")?, 3);
    assert_eq!(first(&[1, 2]), Some(3));
    assert_eq!(dynamic("4")?, 8);
    send("x").unwrap();
    assert_eq!(chained()?, 4);
    match parse("-1") {
        Err(MyErr::Neg(n)) => assert_eq!(n, -1),
        Err(e) => panic!("{e}"),
        Ok(_) => unreachable!(),
    }
    let o: Option<Vec<i32>> = vec![Some(1), None].into_iter().collect();
    assert!(o.is_none());
    let inner = || -> Option<i32> {
        let x = first(&[1])?;
        Some(x)
    };
    assert!(inner().is_none());
    Ok(())
}
