// prints: before 0
// prints: dropped 1
// prints: after 1
// prints: still 2
// prints: dropped 2
// prints: 3 4
// prints: dropped 5
// prints: dropped 6
// prints: dropped 7
// prints: dropped 8
// prints: 9
// prints: 10 11 12
// prints: 13
// prints: dropped 14
// prints: 3 4 5
// prints: end
// prints: dropped 20
//! `drop` ends what it is given then and there, once; of a reference or a copy it ends nothing.

use furiosa_visa_std::prelude::*;
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

fn full(value: i32) -> Host {
    Host::from_buf((0..<m![S, L]>::SIZE).map(|_| Opt::Init(value)).collect())
}

fn first(tensor: &Host) -> i32 {
    tensor.to_buf()[0].unwrap()
}

// A tensor that tells when it goes.
struct Held {
    number: i32,
    tensor: Host,
}

impl Held {
    fn new(number: i32) -> Held {
        Held { number, tensor: full(number) }
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        println!("dropped {}", first(&self.tensor).max(self.number));
    }
}

fn references() {
    let held = Held::new(1);
    println!("before 0");
    drop(held);
    println!("after 1");

    let held = Held::new(2);
    drop(&held);
    println!("still {}", first(&held.tensor));
    std::mem::drop(held);

    let a = full(3);
    let mut b = full(0);
    drop(&a);
    drop(&mut b);
    b = full(4);
    println!("{} {}", first(&a), first(&b));
}

fn containers() {
    drop((Held::new(5), Some(Held::new(6))));
    vec![Held::new(7), Held::new(8)].into_iter().for_each(drop);

    let shared = Rc::new(full(9));
    let other = Rc::clone(&shared);
    drop(shared);
    println!("{}", first(&other));

    let copy = 10;
    drop(copy);
    let kept = full(11);
    let gone = kept.clone();
    drop(gone);
    let mut list = vec![full(0), full(12)];
    drop(list.remove(0));
    println!("{} {} {}", copy, first(&kept), first(&list[0]));

    let mut slot = Some(full(0));
    drop(slot.take());
    assert!(slot.is_none());
    slot = Some(full(13));
    println!("{}", first(slot.as_ref().unwrap()));

    let keep = Held::new(14);
    let end = move || drop(keep);
    end();
}

// Each result lies where the one before was, which is gone by then.
async fn launches(ctx: &mut Context) {
    let x: Hbm = full(2).to_hbm(&mut ctx.pdma, 0).await;
    let y = launch(add_one, (&mut *ctx, &x)).await;
    let mut seen = vec![first(&y.to_host::<m![S, L]>(&mut ctx.pdma).await)];
    drop(&y);
    let x: Hbm = y.to_host::<m![S, L]>(&mut ctx.pdma).await.to_hbm(&mut ctx.pdma, 0).await;
    drop(y);
    let y = launch(add_one, (&mut *ctx, &x)).await;
    seen.push(first(&y.to_host::<m![S, L]>(&mut ctx.pdma).await));
    drop(x);
    let x: Hbm = y.to_host::<m![S, L]>(&mut ctx.pdma).await.to_hbm(&mut ctx.pdma, 0).await;
    drop(y);
    let y = launch(add_one, (&mut *ctx, &x)).await;
    drop(x);
    seen.push(first(&y.to_host::<m![S, L]>(&mut ctx.pdma).await));
    let seen: Vec<String> = seen.iter().map(|value| value.to_string()).collect();
    println!("{}", seen.join(" "));
}

#[tokio::main]
async fn main() {
    let mut ctx = Context::acquire();
    references();
    containers();
    launches(&mut ctx).await;
    let _last = Held::new(20);
    println!("end");
}
