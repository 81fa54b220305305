//! Control flow: blocks, loops, patterns, closures, recursion, options and results.

#[test]
fn blocks_and_branches_are_values() {
    let x = {
        let y = 3;
        y * y
    };
    let kind = if x > 5 { "large" } else { "small" };
    assert_eq!((x, kind), (9, "large"));
    let sign = if x < 0 {
        -1
    } else if x == 0 {
        0
    } else {
        1
    };
    assert_eq!(sign, 1);
    let unit = {
        x;
    };
    assert_eq!(unit, ());
}

#[test]
fn names_are_shadowed() {
    let x = 5;
    let x = x * 2;
    {
        let x = "inner";
        assert_eq!(x.len(), 5);
    }
    let x = format!("{x}!");
    assert_eq!(x, "10!");
}

#[test]
fn loops_end_in_many_ways() {
    let mut n = 0;
    let found = loop {
        n += 1;
        if n * n > 50 {
            break n;
        }
    };
    assert_eq!(found, 8);
    while n > 3 {
        n -= 2;
    }
    assert_eq!(n, 2);
    let mut odd = vec![];
    for i in 0..10 {
        if i % 2 == 0 {
            continue;
        }
        odd.push(i);
        if odd.len() == 3 {
            break;
        }
    }
    assert_eq!(odd, [1, 3, 5]);
}

#[test]
fn labelled_loops() {
    let mut pairs = 0;
    'rows: for i in 0..10 {
        for j in 0..10 {
            if j > i {
                continue 'rows;
            }
            if i + j > 12 {
                break 'rows;
            }
            pairs += 1;
        }
    }
    assert_eq!(pairs, 34);
    let value = 'found: {
        for x in [4, 9, 16] {
            if x % 3 == 0 {
                break 'found Some(x);
            }
        }
        None
    };
    assert_eq!(value, Some(9));
}

fn describe(n: i32) -> &'static str {
    match n {
        i32::MIN..=-1 => "negative",
        0 => "zero",
        1 | 2 | 3 => "few",
        x if x % 100 == 0 => "round",
        4..=99 => "some",
        _ => "many",
    }
}

#[test]
fn match_on_numbers() {
    let words: Vec<_> = [-5, 0, 2, 50, 200, 101].iter().map(|&n| describe(n)).collect();
    assert_eq!(words, ["negative", "zero", "few", "some", "round", "many"]);
}

enum Shape {
    Point,
    Circle(f32),
    Box { width: f32, height: f32 },
}

fn area(shape: &Shape) -> f32 {
    match shape {
        Shape::Point => 0.0,
        Shape::Circle(r) => 3.0 * r * r,
        Shape::Box { width, height: h } => width * h,
    }
}

#[test]
fn match_on_enums_and_tuples() {
    let shapes = [Shape::Point, Shape::Circle(2.0), Shape::Box { width: 2.0, height: 1.5 }];
    let total: f32 = shapes.iter().map(area).sum();
    assert_eq!(total, 15.0);
    let verdict = match (3 > 2, "x") {
        (true, "y") => 1,
        (true, name) if name.len() == 1 => 2,
        (true, _) => 3,
        (false, ..) => 4,
    };
    assert_eq!(verdict, 2);
    let list = [1, 2, 3, 4];
    let text = match list.as_slice() {
        [] => "empty".to_string(),
        [only] => format!("{only}"),
        [first, rest @ ..] => format!("{first} and {} more", rest.len()),
    };
    assert_eq!(text, "1 and 3 more");
    let small @ 0..=9 = 7 else { panic!("not a digit") };
    assert_eq!(small, 7);
}

#[test]
fn match_with_names_for_parts() {
    let message = match Some((3, 'k')) {
        Some((n @ 1..=5, c)) => format!("{c}{n}"),
        Some(other) => format!("{other:?}"),
        None => String::new(),
    };
    assert_eq!(message, "k3");
    let ((a, b), [c, d, ..]) = ((1, 2), [3, 4, 5]);
    assert_eq!(a + b + c + d, 10);
    assert!(matches!(Some(5), Some(n) if n > 4));
}

#[test]
fn if_let_and_let_else() {
    fn half(n: i32) -> Option<i32> {
        let Some(h) = (n % 2 == 0).then_some(n / 2) else {
            return None;
        };
        Some(h)
    }
    assert_eq!((half(8), half(7)), (Some(4), None));
    let mut stack = vec![1, 2, 3];
    let mut sum = 0;
    while let Some(top) = stack.pop() {
        sum = sum * 10 + top;
    }
    assert_eq!(sum, 321);
    if let Some(x) = half(6) {
        assert_eq!(x, 3);
    } else {
        unreachable!();
    }
}

#[test]
fn closures_capture() {
    let factor = 3;
    let scale = |x: i32| x * factor;
    assert_eq!(scale(4), 12);
    let mut log = Vec::new();
    let mut note = |x| log.push(x);
    note(1);
    note(2);
    assert_eq!(log, [1, 2]);
    let owned = String::from("moved");
    let length = move || owned.len();
    assert_eq!(length(), 5);
    let add = |a: i32| move |b: i32| a + b;
    assert_eq!(add(2)(5), 7);
}

fn twice(f: impl Fn(i32) -> i32, x: i32) -> i32 {
    f(f(x))
}

fn compose<A, B, C>(f: impl Fn(A) -> B, g: impl Fn(B) -> C) -> impl Fn(A) -> C {
    move |x| g(f(x))
}

fn apply(f: &dyn Fn(f32) -> f32, x: f32) -> f32 {
    f(x)
}

fn increment(x: i32) -> i32 {
    x + 1
}

#[test]
fn functions_are_values() {
    assert_eq!(twice(increment, 5), 7);
    assert_eq!(twice(|x| x * x, 3), 81);
    let shout = compose(|n: i32| n * 2, |n: i32| format!("{n}!"));
    assert_eq!(shout(21), "42!");
    assert_eq!(apply(&|x| x / 2.0, 3.0), 1.5);
    let table: Vec<(&str, fn(i32) -> i32)> = vec![("inc", increment), ("neg", |x| -x)];
    assert_eq!(table.iter().map(|(_, f)| f(10)).sum::<i32>(), 1);
    let boxed: Vec<Box<dyn Fn(i32) -> i32>> = vec![Box::new(|x| x + 1), Box::new(move |x| x * 2)];
    assert_eq!(boxed.iter().fold(3, |x, f| f(x)), 8);
}

fn fibonacci(n: u32) -> u64 {
    if n < 2 { n as u64 } else { fibonacci(n - 1) + fibonacci(n - 2) }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

fn ackermann(m: u64, n: u64) -> u64 {
    match (m, n) {
        (0, n) => n + 1,
        (m, 0) => ackermann(m - 1, 1),
        (m, n) => ackermann(m - 1, ackermann(m, n - 1)),
    }
}

#[test]
fn recursion() {
    assert_eq!(fibonacci(20), 6765);
    assert_eq!(gcd(1071, 462), 21);
    assert_eq!(ackermann(2, 3), 9);
    fn depth(n: u32) -> u32 {
        if n == 0 { 0 } else { 1 + depth(n - 1) }
    }
    assert_eq!(depth(1000), 1000);
}

#[test]
fn options_in_a_chain() {
    let sizes = [Some(4), None, Some(6)];
    assert_eq!(sizes[0].map(|x| x * 2).unwrap_or(0), 8);
    assert_eq!(sizes[1].unwrap_or_else(|| 100), 100);
    assert_eq!(sizes[1].unwrap_or_default(), 0);
    assert_eq!(sizes[2].filter(|x| x % 4 == 0), None);
    assert_eq!(sizes[0].and_then(|x| if x > 3 { Some(x - 3) } else { None }), Some(1));
    assert_eq!(sizes[1].or(Some(5)), Some(5));
    assert_eq!(sizes[1].ok_or("missing"), Err("missing"));
    assert_eq!(sizes[0].zip(sizes[2]), Some((4, 6)));
    assert_eq!(sizes.iter().flatten().sum::<i32>(), 10);
    assert_eq!(sizes[0].map_or(0, |x| x + 1), 5);
    assert_eq!(sizes[0].is_some_and(|x| x == 4), true);
    let mut slot = Some(3);
    assert_eq!(slot.take(), Some(3));
    assert!(slot.is_none());
    assert_eq!(*slot.get_or_insert(9), 9);
    assert_eq!(slot.replace(1), Some(9));
    if let Some(x) = slot.as_mut() {
        *x += 41;
    }
    assert_eq!(slot, Some(42));
    assert_eq!(Some("text".to_string()).as_deref(), Some("text"));
}

#[derive(Debug, PartialEq)]
enum Problem {
    NotANumber(String),
    TooLarge { value: i64, limit: i64 },
}

impl From<std::num::ParseIntError> for Problem {
    fn from(error: std::num::ParseIntError) -> Self {
        Problem::NotANumber(error.to_string())
    }
}

fn read(text: &str, limit: i64) -> Result<i64, Problem> {
    let value: i64 = text.trim().parse()?;
    if value > limit {
        return Err(Problem::TooLarge { value, limit });
    }
    Ok(value)
}

#[test]
fn results_in_a_chain() {
    assert_eq!(read(" 12", 100), Ok(12));
    assert_eq!(read("120", 100), Err(Problem::TooLarge { value: 120, limit: 100 }));
    assert_eq!(read("x", 100), Err(Problem::NotANumber("invalid digit found in string".to_string())));
    assert_eq!(read("7", 10).map(|x| x * 2).unwrap(), 14);
    assert_eq!(read("7", 1).unwrap_or(-1), -1);
    assert_eq!(read("7", 10).ok(), Some(7));
    assert!(read("7", 1).is_err_and(|e| matches!(e, Problem::TooLarge { .. })));
    let sum: Result<i64, Problem> = ["1", "2", "3"].iter().map(|t| read(t, 9)).sum();
    assert_eq!(sum, Ok(6));
    assert_eq!(read("9", 5).map_err(|e| format!("{e:?}")), Err("TooLarge { value: 9, limit: 5 }".to_string()));
    assert_eq!(read("3", 5).and_then(|x| read("4", x)).is_err(), true);
}

#[test]
fn a_test_may_answer_with_a_result() -> Result<(), String> {
    let value: i32 = "17".parse().map_err(|_| "no number".to_string())?;
    if value != 17 {
        return Err(format!("{value} is not 17"));
    }
    Ok(())
}

#[test]
fn several_assignments() {
    let (mut a, mut b) = (1, 2);
    (a, b) = (b, a + b);
    std::mem::swap(&mut a, &mut b);
    assert_eq!((a, b), (3, 2));
    let old = std::mem::replace(&mut a, 10);
    assert_eq!(old + a, 13);
    let mut list = vec![1];
    assert_eq!(std::mem::take(&mut list), [1]);
    assert!(list.is_empty());
    let later;
    if a > 5 {
        later = "set";
    } else {
        later = "too";
    }
    assert_eq!(later, "set");
    let _ = b;
}

#[test]
fn references_lead_to_their_owner() {
    fn bump(values: &mut Vec<i32>, by: &i32) {
        for v in values.iter_mut() {
            *v += by;
        }
        values.push(*by);
    }
    fn longest<'a>(a: &'a str, b: &'a str) -> &'a str {
        if a.len() >= b.len() { a } else { b }
    }
    let mut values = vec![1, 2];
    bump(&mut values, &10);
    assert_eq!(values, [11, 12, 10]);
    let first = &mut values[0];
    *first = 0;
    assert_eq!(values[0], 0);
    assert_eq!(longest("ab", "abc"), "abc");
    let copy = values.clone();
    values.clear();
    assert_eq!(copy.len(), 3);
}

#[test]
fn conditions_stop_early() {
    let mut calls = 0;
    let mut yes = || {
        calls += 1;
        true
    };
    let both = false && yes();
    let either = true || yes();
    let strict = false & yes() | yes();
    assert_eq!((both, either, strict), (false, true, true));
    assert_eq!(calls, 2);
    assert!(!(1 > 2) ^ false);
}

#[test]
#[ignore]
fn ignored_tests_are_counted() {
    panic!("an ignored test does not run");
}

#[test]
#[ignore = "takes a week"]
fn ignored_with_a_reason() {
    loop {}
}
