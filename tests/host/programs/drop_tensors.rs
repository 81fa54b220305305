// prints: 3 4 5 6 7
// prints: 10 10 11 12
// prints: 13 14 15
// prints: 16 17 18
// prints: 20 21 22 30
//! Tensors that are moved, kept and dropped: what is still in use keeps its values.

use furiosa_visa_std::prelude::*;
use std::collections::HashMap;
use std::rc::Rc;

axes![S = 256, L = 8];

type Chip = m![1];
type Cluster = m![1 # 2];
type Hbm = HbmTensor<i32, Chip, m![S, L]>;
type Host = HostTensor<i32, m![S, L]>;

#[device(chip = 1)]
fn add_one(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![S, L]>) -> HbmTensor<i32, Chip, m![S, L]> {
    let dm = x.to_dm::<Cluster, m![S], m![L]>(&mut ctx.tdma, 0);
    let y: DmTensor<i32, Chip, Cluster, m![S], m![L]> = ctx
        .main
        .begin(dm.view())
        .fetch::<i32, m![1], m![L]>()
        .collect::<m![1], m![L]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_fxp(FxpBinaryOp::AddFxp, 1)
        .vector_final()
        .commit(0x1000);
    y.to_hbm(&mut ctx.tdma, 1 << 28)
}

struct Pair {
    left: Host,
    right: Option<Host>,
}

fn full(value: i32) -> Host {
    Host::from_buf((0..<m![S, L]>::SIZE).map(|_| Opt::Init(value)).collect())
}

fn first(tensor: &Host) -> i32 {
    tensor.to_buf()[0].unwrap()
}

fn checked(tensor: Host, good: bool) -> Result<Host, String> {
    let result = if good { Ok(tensor) } else { Err(String::from("bad")) };
    let tensor = result?;
    let _dropped = full(99);
    Ok(tensor)
}

fn pick(tensors: Vec<Host>, index: usize) -> Option<Host> {
    tensors.into_iter().nth(index)
}

async fn launches(ctx: &mut Context) {
    let mut current: Hbm = full(2).to_hbm(&mut ctx.pdma, 0).await;
    let mut seen = Vec::new();
    for _ in 0..5 {
        current = launch(add_one, (&mut *ctx, &current)).await;
        let host = current.to_host::<m![S, L]>(&mut ctx.pdma).await;
        seen.push(host);
    }
    let firsts: Vec<String> = seen.iter().map(|t| first(t).to_string()).collect();
    println!("{}", firsts.join(" "));
}

fn main_of_moves() {
    let a = full(10);
    let b = a.clone();
    let c = {
        let inner = full(11);
        inner
    };
    let mut d = full(0);
    d = full(12);
    println!("{} {} {} {}", { let moved = a; first(&moved) }, first(&b), first(&c), first(&d));

    let pair = Pair { left: full(13), right: Some(full(14)) };
    let Pair { left, right } = pair;
    let shared = Rc::new(full(15));
    let other = Rc::clone(&shared);
    drop(shared);
    match right {
        Some(right) if first(&right) > 0 => println!("{} {} {}", first(&left), first(&right), first(&other)),
        _ => println!("none"),
    }

    let mut slot = Some(full(16));
    let taken = slot.take().unwrap();
    let old = std::mem::replace(&mut slot, Some(full(17)));
    assert!(old.is_none());
    let chosen = pick(vec![full(1), full(18), full(2)], 1).unwrap();
    println!("{} {} {}", first(&taken), first(slot.as_ref().unwrap()), first(&chosen));
}

fn main_of_containers() {
    let good = checked(full(20), true).unwrap();
    assert!(checked(full(20), false).is_err());
    let mut named = HashMap::new();
    named.insert("x", full(0));
    named.insert("x", full(21));
    let inner: Tensor<i32, m![S, L]> = full(22).into_inner();
    let view = inner.view();
    let made = move || first(&good);
    let raw = { let short = full(30); short.into_inner() };
    println!("{} {} {} {}", made(), first(&named["x"]), view.read().to_buf()[0].unwrap(), raw.to_buf()[5].unwrap());
}

#[tokio::main]
async fn main() {
    let mut ctx = Context::acquire();
    launches(&mut ctx).await;
    main_of_moves();
    main_of_containers();
}
