// prints: Some(4) None Some(3)
// prints: Ok(3) Some(1) Some(2) Some(3)
// prints: Some((3, 'a')) 6 3
// prints: Some(4) None
// prints: None 5
// prints: 8
// prints: Some([1])
// prints: Some(2)
// prints: Some([1, 2]) Some("s")
// prints: Some(1)
// prints: Ok(Some(1))
// prints: true true
// prints: Some(8)
// prints: 3 ""
// prints: Ok(4) Err(3) Some(2)
// prints: Some("bad") 7 3
// prints: Err("2") Ok(3)
// prints: Some(2) true
// prints: true
// prints: 2
// prints: [1] true
// prints: Greater
// prints: Some(Ok(1))
// prints: (Some(1), Some('a'))
// prints: i5
// prints: Some(5)
// prints: Some(1) Some(1)
// prints: 0
// prints: 4
// prints: 2
// prints: bad
// prints: Some("x")
// prints: Ok(1)
// prints: Some(Ok(5))
// prints: 3
fn main() {
    let o = Some(3);
    println!(
        "{:?} {:?} {:?}",
        o.map(|x| x + 1),
        o.and_then(|x| if x > 5 { Some(x) } else { None }),
        o.filter(|x| *x == 3)
    );
    println!(
        "{:?} {:?} {:?} {:?}",
        o.ok_or("e"),
        None::<i32>.or(Some(1)),
        None::<i32>.or_else(|| Some(2)),
        o.xor(None)
    );
    println!(
        "{:?} {} {}",
        o.zip(Some('a')),
        o.map_or(0, |x| x * 2),
        o.map_or_else(|| 9, |x| x)
    );
    let mut p = Some(4);
    println!("{:?} {:?}", p.take(), p);
    println!("{:?} {:?}", p.replace(5), p.get_or_insert(7));
    println!("{:?}", p.insert(8));
    let mut q: Option<Vec<i32>> = None;
    q.get_or_insert_with(Vec::new).push(1);
    println!("{q:?}");
    if let Some(v) = q.as_mut() {
        v.push(2);
    }
    println!("{:?}", q.as_ref().map(|v| v.len()));
    println!("{:?} {:?}", q.as_deref(), Some(String::from("s")).as_deref());
    println!("{:?}", Some(Some(1)).flatten());
    println!("{:?}", Some(Ok::<i32, String>(1)).transpose());
    println!("{} {}", o.is_some_and(|x| x > 2), o.is_none_or(|x| x > 2));
    println!("{:?}", p.take_if(|x| *x > 7));
    println!(
        "{:?} {:?}",
        o.unwrap_or_default(),
        None::<String>.unwrap_or_default()
    );
    let r: Result<i32, String> = Ok(2);
    let e: Result<i32, String> = Err("bad".into());
    println!(
        "{:?} {:?} {:?}",
        r.as_ref().map(|x| x * 2),
        e.as_ref().map_err(|s| s.len()),
        r.as_ref().ok()
    );
    println!(
        "{:?} {} {}",
        e.clone().err(),
        e.clone().unwrap_or(7),
        e.clone().unwrap_or_else(|s| s.len() as i32)
    );
    println!(
        "{:?} {:?}",
        r.clone()
            .and_then(|x| if x > 5 { Ok(x) } else { Err(format!("{x}")) }),
        e.clone().or_else(|_| Ok::<i32, ()>(3))
    );
    println!("{:?} {}", r.iter().next(), r.clone().is_ok_and(|x| x == 2));
    println!("{:?}", e.as_deref_like());
    println!("{:?}", r.clone().map_or(0, |x| x));
    println!(
        "{:?} {:?}",
        Some(1).into_iter().chain(None).collect::<Vec<i32>>(),
        Some(2) > None
    );
    println!("{:?}", Some(3).cmp(&Some(2)));
    println!("{:?}", Ok::<Option<i32>, ()>(Some(1)).transpose());
    println!("{:?}", Some((1, 'a')).unzip());
    println!("{:?}", Some(5).inspect(|x| println!("i{x}")));
    let w: Option<&i32> = Some(&1);
    println!("{:?} {:?}", w.copied(), w.cloned());
    println!("{:?}", e.clone().unwrap_or_default());
    println!("{:?}", Some(4).ok_or_else(|| "x").unwrap());
    println!("{}", r.clone().expect("fine"));
    println!("{}", e.expect_err("no"));
    println!("{:?}", Some(3).and(Some("x")));
    println!("{:?}", r.and(Ok::<u8, String>(1)));
    println!("{:?}", Some("5").map(str::parse::<i32>));
    println!("{:?}", Some(vec![1, 2]).into_iter().flatten().sum::<i32>());
}
trait D {
    fn as_deref_like(&self) -> bool;
}
impl<T, E> D for Result<T, E> {
    fn as_deref_like(&self) -> bool {
        self.is_err()
    }
}
