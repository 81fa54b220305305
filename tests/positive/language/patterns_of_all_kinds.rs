// Patterns: ranges, literals, alternatives, bindings, assignments that take apart.
const LIMIT: i32 = 10;

fn f(x: i32) -> &'static str {
    match x {
        i32::MIN..=-1 => "neg",
        0 => "zero",
        n @ 1..=9 if n % 2 == 0 => "even",
        1..=9 => "small",
        LIMIT => "limit",
        _ => "big",
    }
}

fn neg(x: i32) -> bool {
    matches!(x, -5 | -3..=-1)
}

fn ch(c: char) -> u32 {
    match c { 'a'..='z' => 1, 'A'..='Z' | '_' => 2, '0'..='9' => 3, _ => 0 }
}

fn nested(o: Option<Result<i32, ()>>) -> i32 {
    match o {
        Some(Ok(1 | 2)) => 1,
        Some(Ok(x @ (3 | 4))) => x,
        Some(Ok(n)) if n > 100 => n,
        Some(Ok(_) | Err(())) => 5,
        None => 0,
    }
}

fn elses(s: Option<&str>) -> usize {
    let Some(x) = s else { return 0 };
    let (Some(c), n) = (x.chars().next(), x.len()) else { panic!("empty") };
    n + c as usize
}

fn chain(a: Option<i32>, b: Option<i32>) -> i32 {
    if let Some(x) = a && let Some(y) = b && x < y { y - x } else { 0 }
}

fn open(x: u32) -> u32 {
    match x { 0 => 0, 1..5 => 1, 5.. => 2 }
}

fn to(x: i32) -> i32 {
    match x { ..0 => -1, 0 => 0, 1.. => 1 }
}

fn boolean(a: bool, b: bool) -> i32 {
    match (a, b) { (true, true) => 3, (true, false) => 2, (false, _) => 0 }
}

fn text(s: &str) -> i32 {
    match s { "a" | "b" => 1, x if x.starts_with("c") => 2, _ => 3 }
}

fn float(x: f32) -> i32 {
    match x { x if x < 0.0 => -1, 0.0 => 0, _ => 1 }
}

fn bytes(b: u8) -> bool {
    matches!(b, b'a'..=b'z' | b'_')
}

fn arr(a: [i32; 3]) -> i32 {
    let [x, y, z] = a;
    let [p, ..] = a;
    x + y + z + p
}

#[test]
fn works() {
    assert_eq!(f(-3), "neg");
    assert!(neg(-2) && !neg(0) && bytes(b'q'));
    assert_eq!(ch('q') + open(7), 3);
    assert_eq!(nested(Some(Ok(3))) + elses(Some("a")) as i32 + chain(Some(1), Some(3)) + to(-4) + boolean(true, false) + text("cd") + float(0.0) + arr([1, 2, 3]), 3 + 98 + 2 - 1 + 2 + 2 + 7);
    let mut stack = vec![1, 2, 3];
    while let Some(top) = stack.pop() {
        if top == 2 {
            continue;
        }
    }
    let whole @ (a, b) = (1, 2);
    assert_eq!(whole.0 + a + b, 4);
    let v = vec![Some(1), None];
    let n = v.iter().filter(|x| matches!(x, Some(k) if *k > 0)).count();
    assert_eq!(n, 1);
    let ((x, y), [z, ..], _) = ((1, 2), [3, 4, 5], "q");
    assert_eq!(x + y + z, 6);
    let (mut p, q);
    (p, q) = (1, 2);
    p += q;
    let mut w = 0;
    [w, _] = [p, 4];
    (w, _) = (w + 1, 3);
    assert_eq!(w, 4);
}
