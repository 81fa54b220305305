// Together the arms take every value.
use furiosa_visa_std::prelude::*;
use std::cmp::Ordering;

const TOP: u8 = 255;
const YES: bool = true;

#[derive(Clone, Copy)]
enum Step {
    Skip,
    By(u64),
    Back { bytes: u64, far: bool },
}

enum Nothing {}

struct Place {
    step: Step,
    row: Option<u64>,
}

fn variants(step: Step, again: &Step) -> u64 {
    match (step, again) {
        (Step::Skip, _) => 0,
        (Step::By(n), Step::By(m)) => n + m,
        (Step::By(n), Step::Skip | Step::Back { .. }) => n,
        (Step::Back { bytes, far: true }, _) => bytes,
        (Step::Back { far: false, .. }, other) => match *other {
            Step::By(n) if n > 8 => 1,
            Step::By(_) => 2,
            _ => 3,
        },
    }
}

fn structs(place: Place) -> u64 {
    let Place { step: _, row } = &place;
    match place {
        Place { step: Step::Skip, row: Some(n) } => n,
        Place { row: None, .. } => 0,
        Place { step: Step::By(..) | Step::Back { .. }, row: Some(all @ 0..=9) } => all,
        Place { row: Some(10..), .. } => 1,
    }
}

fn numbers(a: u8, b: i8, c: char) -> u64 {
    let first = match a {
        0..=99 => 1,
        100..TOP => 2,
        TOP => 3,
    };
    let second = match b {
        i8::MIN..=-1 => 1,
        0 => 2,
        1..=i8::MAX => 3,
    };
    let third = match c {
        'a'..='z' => 1,
        _ => 0,
    };
    first + second + third
}

fn flags(a: bool, b: Option<bool>) -> u64 {
    match (a, b) {
        (true, None) | (false, Some(true)) => 0,
        (false, None) => 1,
        (_, Some(false)) => 2,
        (true, Some(x)) => x as u64,
    }
}

fn constants(a: bool) -> u64 {
    match a {
        YES => 1,
        false => 0,
    }
}

fn lists(items: &[u64], three: [bool; 3]) -> u64 {
    let length = match items {
        [] => 0,
        [one] => *one,
        [first, .., last] => first + last,
    };
    let set = match three {
        [true, ..] => 1,
        [false, true, _] => 2,
        [false, false, x] => x as u64,
    };
    length + set
}

fn orders(a: u64, b: u64, nothing: Result<u64, Nothing>) -> u64 {
    let Ok(n) = nothing;
    match a.cmp(&b) {
        Ordering::Less => n,
        Ordering::Equal | Ordering::Greater => b,
    }
}

fn elements(x: Opt<i32>, y: Opt<i32>) -> i32 {
    match (x, y) {
        (Opt::Init(a), Opt::Init(b)) => a + b,
        _ => panic!("nobody wrote {x:?}"),
    }
}

fn never(nothing: Nothing) -> u64 {
    match nothing {}
}

fn refutable(value: Option<u64>) -> u64 {
    let Some(n) = value else { return 0 };
    if let Some(0) = value {
        return 1;
    }
    let (a, [b, ..]) = (n, [n, 1]);
    a + b
}
