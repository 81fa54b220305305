// A struct that does not exist is an error once; the arms that name it count as if they took anything.
struct Pair {
    left: i32,
    right: bool,
}

fn number(x: i32) -> i32 {
    match x {
        Missing { left } => 1, // expect error: E0420
        _ => 2,
    }
}

fn tuple(x: (i32, i32)) -> i32 {
    match x {
        Missing { left } => 1,
        (1, _) => 2,
    }
}

fn list(x: &[i32]) -> i32 {
    match x {
        Missing { left, .. } => 1,
        [1, 2] => 2,
    }
}

fn pair(x: Pair) -> i32 {
    match x {
        Missing { left, .. } => 1,
        Pair { right: true, .. } => 2,
    }
}
