// Option, Result, Ordering and `?`.
use std::cmp::Ordering;
use std::fmt;

#[derive(Debug)]
enum Fault {
    Number(std::num::ParseIntError),
    Small(i32),
}
impl From<std::num::ParseIntError> for Fault {
    fn from(error: std::num::ParseIntError) -> Fault {
        Fault::Number(error)
    }
}
impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Number(error) => write!(f, "no number: {error}"),
            Fault::Small(n) => write!(f, "{n} is too small"),
        }
    }
}
fn read(text: &str) -> Result<i32, Fault> {
    let n: i32 = text.trim().parse()?;
    if n < 10 {
        return Err(Fault::Small(n));
    }
    Ok(n * 2)
}
fn first_even(list: &[i32]) -> Option<i32> {
    let found = list.iter().find(|x| **x % 2 == 0)?;
    Some(*found * 100)
}

fn main() {
    let some = Some(4);
    let none: Option<i32> = None;
    println!("{:?} {:?} {}", some.map(|x| x + 1), none.map(|x| x + 1), some.is_some_and(|x| x > 3)); //> Some(5) None true
    println!("{} {} {}", some.unwrap_or(0), none.unwrap_or(7), none.unwrap_or_default()); //> 4 7 0
    println!("{} {}", none.unwrap_or_else(|| 9), some.map_or(0, |x| x * 2)); //> 9 8
    println!("{:?} {:?}", some.and_then(|x| x.checked_sub(5)), none.or(Some(1))); //> Some(-1) Some(1)
    println!("{:?} {:?} {:?}", some.xor(None), some.filter(|x| *x > 10), some.zip(Some('a'))); //> Some(4) None Some((4, 'a'))
    println!("{:?} {:?}", some.ok_or("no"), none.ok_or_else(|| "no".to_string())); //> Ok(4) Err("no")
    println!("{:?} {:?}", Some(Some(3)).flatten(), Some(Ok::<i32, String>(3)).transpose()); //> Some(3) Ok(Some(3))
    let mut slot = Some(1);
    println!("{:?} {:?}", slot.take(), slot); //> Some(1) None
    println!("{}", slot.get_or_insert_with(|| 5)); //> 5
    if let Some(x) = slot.as_mut() {
        *x += 1;
    }
    println!("{:?} {:?}", slot.replace(8), slot); //> Some(6) Some(8)
    println!("{}", slot.insert(9)); //> 9
    let text = Some(String::from("abc"));
    println!("{:?} {:?} {}", text.as_deref(), text.as_ref().map(|s| s.len()), text.iter().count()); //> Some("abc") Some(3) 1
    println!("{:?} {:?}", Some(&3).copied(), Some(&3).cloned()); //> Some(3) Some(3)
    let good: Result<i32, String> = Ok(3);
    let bad: Result<i32, String> = Err("bad".into());
    println!("{:?} {:?} {:?}", good.clone().map(|x| x * 2), bad.clone().map_err(|e| e.len()), good.clone().ok()); //> Ok(6) Err(3) Some(3)
    println!("{} {} {}", good.is_ok(), bad.is_err(), bad.clone().unwrap_or_else(|e| e.len() as i32)); //> true true 3
    println!("{:?} {:?}", good.as_ref().err(), bad.as_ref().unwrap_err()); //> None "bad"
    println!("{:?} {:?}", good.clone().and_then(|x| if x > 5 { Ok(x) } else { Err(format!("{x} <= 5")) }), bad.clone().or_else(|_| Ok::<i32, ()>(1))); //> Err("3 <= 5") Ok(1)
    println!("{:?} {:?}", read("21").unwrap(), read(" 5 ").unwrap_err().to_string()); //> 42 "5 is too small"
    match read("x1") {
        Err(e) => println!("{e} | {e:?}"), //> no number: invalid digit found in string | Number(ParseIntError { kind: InvalidDigit })
        Ok(n) => println!("{n}"),
    }
    println!("{:?} {:?}", first_even(&[1, 4]), first_even(&[1])); //> Some(400) None
    println!("{:?} {:?} {:?}", 1.cmp(&2), "b".cmp("a"), [1, 2].cmp(&[1, 2])); //> Less Greater Equal
    println!("{:?} {:?}", Ordering::Less.reverse(), Ordering::Equal.then(Ordering::Greater)); //> Greater Greater
    println!("{:?} {}", 1.cmp(&1).then_with(|| 3.cmp(&2)), 1.cmp(&2).is_lt()); //> Greater true
    println!("{} {}", Some(1) < Some(2), None < Some(0)); //> true true
    println!("{} {}", (1, "b") < (1, "c"), vec![1, 2] < vec![1, 2, 3]); //> true true
    println!("{} {}", Ok::<i32, i32>(5) < Err(1), [1.0] < [f64::NAN]); //> true false
    println!("{:?} {:?}", std::cmp::max("a", "b"), std::cmp::min(3, 2)); //> "b" 2
}
