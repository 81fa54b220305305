// Names of a macro's own: they are out of the way of the caller's, in what is given and behind the call.
macro_rules! or_zero {
    ($x:expr) => {
        if let Some(v) = $x { v } else { 0 }
    };
}
macro_rules! next {
    ($x:expr) => {{
        let v: i64 = $x;
        v + 1
    }};
}
macro_rules! look_at {
    ($x:expr) => {
        let seen = $x;
        let _ = seen;
    };
}
macro_rules! swap {
    ($a:ident, $b:ident) => {
        let kept = $a;
        $a = $b;
        $b = kept;
    };
}
macro_rules! shown {
    ($x:expr) => {{
        let v = $x + 1;
        format!("{v} {v:>3} {{v}}")
    }};
}
#[derive(Debug, PartialEq)]
struct Point {
    x: i32,
    y: i32,
}
macro_rules! point {
    ($e:expr) => {{
        let x = $e;
        let y = x + 1;
        let Point { x, y: last } = Point { x: x, y };
        Point { x, y: last }
    }};
}
macro_rules! larger {
    ($a:expr, $b:expr) => {{
        let max = std::cmp::max($a, $b);
        max
    }};
}
macro_rules! shifted {
    ($list:expr, $by:expr) => {{
        let mut sum = 0;
        for x in $list {
            sum += x;
        }
        sum + $list.iter().map(|x: &i32| x + $by).sum::<i32>()
    }};
}
macro_rules! plus {
    ($o:expr, $d:expr) => {
        match $o {
            Some((a, b)) if a < b => a + $d,
            Some((a, _)) => { a - $d }
            None => $d,
        }
    };
}
macro_rules! nested {
    ($x:expr) => {{
        let v = $x;
        larger!(v, next!(v as i64) as i32)
    }};
}
macro_rules! declare {
    ($name:ident) => {
        macro_rules! $name {
            ($x:expr) => {
                $x + 1
            };
        }
    };
}
declare!(more);
macro_rules! sized {
    ($t:ty, twice) => { (<$t>::new(), <$t>::new()) };
    ($t:ty) => { <$t>::new() };
}

fn max() -> i32 {
    4
}

#[test]
fn what_is_given_keeps_its_meaning() {
    let k = 3;
    let v = 3;
    let x = 3;
    assert_eq!(or_zero!(Some(3)), 3);
    assert_eq!(next!(k as i64), 4);
    assert_eq!(next!(v as i64), 4);
    assert_eq!(shown!(v), "4   4 {v}");
    assert_eq!(point!(x), Point { x: 3, y: 4 });
    assert_eq!(larger!(max(), 3), 4);
    assert_eq!(shifted!([1, 2], x), 12);
    assert_eq!(nested!(v), 4);
    let (a, b) = (10, 20);
    assert_eq!(plus!(Some((1, 2)), a), 11);
    assert_eq!(plus!(Some((2, 1)), a + b), -28);
}

#[test]
fn what_stands_behind_keeps_its_meaning() {
    let seen = 1;
    look_at!(5);
    assert_eq!(seen, 1);
    let mut kept = 1;
    let mut other = 2;
    swap!(kept, other);
    assert_eq!((kept, other), (2, 1));
}

#[test]
fn rules_are_tried_one_after_the_other() {
    let mut list = sized!(Vec<Vec<i32>>);
    list.push(vec![1]);
    assert_eq!(list.len(), 1);
    assert_eq!(more!(3), 4);
}
