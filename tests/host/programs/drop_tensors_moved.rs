// prints: 1 2 3
// prints: 4 5 6 7
// prints: 8 9 10
// prints: 11 12 13 14
// prints: 15 16 17
// prints: 18 19 20 21
//! Tensors on every way a value can go: out of loops, patterns, closures, containers and futures.

use furiosa_visa_std::prelude::*;
use std::collections::VecDeque;

axes![A = 16];

type Host = HostTensor<i32, m![A]>;

fn full(value: i32) -> Host {
    Host::from_buf((0..16).map(|_| Opt::Init(value)).collect())
}

fn first(tensor: &Host) -> i32 {
    tensor.to_buf()[0].unwrap()
}

#[derive(Clone)]
struct Layer {
    weight: Host,
    bias: Host,
}

enum Step {
    One(Host),
    Two { left: Host, right: Host },
}

fn pairs() -> (Host, Host) {
    let left = full(1);
    let right = full(2);
    (left, right)
}

fn swallow(_: Host, (kept, _lost): (Host, Host)) -> Host {
    kept
}

fn loops() {
    let (a, b) = pairs();
    let c = swallow(full(0), (full(3), full(0)));
    println!("{} {} {}", first(&a), first(&b), first(&c));

    let mut stack = vec![full(6), full(5), full(4)];
    let mut found = Vec::new();
    while let Some(top) = stack.pop() {
        found.push(top);
    }
    let last = loop {
        let made = full(7);
        if first(&made) == 7 {
            break made;
        }
    };
    println!("{} {} {} {}", first(&found[0]), first(&found[1]), first(&found[2]), first(&last));
}

fn patterns() {
    let mut sum = Vec::new();
    for step in [Step::One(full(8)), Step::Two { left: full(9), right: full(10) }] {
        match step {
            Step::One(one) => sum.push(one),
            Step::Two { left, right } => {
                sum.push(left);
                sum.push(right);
            }
        }
    }
    println!("{} {} {}", first(&sum[0]), first(&sum[1]), first(&sum[2]));

    let layer = Layer { weight: full(11), bias: full(12) };
    let copy = layer.clone();
    let weight = layer.weight;
    let changed = Layer { weight: full(13), ..copy };
    let boxed = Box::new(full(14));
    let open = *boxed;
    println!("{} {} {} {}", first(&weight), first(&changed.bias), first(&changed.weight), first(&open));
}

fn containers() {
    let mut ring: VecDeque<Host> = (0..3).map(|i| full(15 + i)).collect();
    for _ in 0..7 {
        let front = ring.pop_front().unwrap();
        ring.push_back(front);
    }
    ring.rotate_right(1);
    let mut list: Vec<Host> = ring.into_iter().collect();
    list.sort_by_key(first);
    list[0] = full(15);
    let (x, rest) = list.split_first().unwrap();
    println!("{} {} {}", first(x), first(&rest[0]), first(&rest[1]));
}

async fn made_later(value: i32) -> Host {
    full(value)
}

#[tokio::main]
async fn main() {
    let _ctx = Context::acquire();
    loops();
    patterns();
    containers();
    let once = full(18);
    let give = move || once;
    let given = give();
    let (left, right) = tokio::join!(made_later(19), made_later(20));
    let mut a = full(0);
    let mut b = Some(full(21)).map(|t| t).unwrap_or_else(|| full(0));
    std::mem::swap(&mut a, &mut b);
    drop(b);
    println!("{} {} {} {}", first(&given), first(&left), first(&right), first(&a));
}
