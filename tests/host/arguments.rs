//! What travels to a kernel and back besides whole tensors: numbers, views, nothing at all.

use furiosa_visa_std::prelude::*;
use std::collections::HashMap;

axes![S = 256, L = 8, Chips = 4];

type Chip = m![1];
type Cluster = m![1 # 2];
type Table = HbmTensor<i32, Chip, m![S, L]>;

#[device(chip = 1)]
fn add_number(ctx: &mut Context, x: &Table, whole: bool, n: usize, f: f32) -> Table {
    let dm = x.to_dm::<Cluster, m![S], m![L]>(&mut ctx.tdma, 0);
    let number = if whole { n as i32 } else { (f * 2.0) as i32 };
    let y: DmTensor<i32, Chip, Cluster, m![S], m![L]> = ctx
        .main
        .begin(dm.view())
        .fetch::<i32, m![1], m![L]>()
        .collect::<m![1], m![L]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_fxp(FxpBinaryOp::AddFxp, number)
        .vector_final()
        .commit(0x1000);
    y.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn nothing() {}

#[device(chip = 1)]
fn only_a_context(ctx: &mut Context) -> HbmTensor<i32, Chip, m![L]> {
    let _ = ctx;
    unsafe { HbmTensor::from_addr(0) }
}

fn counted() -> HostTensor<i32, m![S, L]> {
    HostTensor::from_buf((0..2048).map(Opt::Init).collect())
}

#[tokio::test]
async fn numbers_are_arguments() {
    let mut ctx = Context::acquire();
    let x = HostTensor::<i32, m![S, L]>::zero().to_hbm(&mut ctx.pdma, 0).await;
    let y = launch(add_number, (&mut *ctx, &x, true, 5, 0.0)).await.to_host::<m![S, L]>(&mut ctx.pdma).await;
    assert_eq!(y.to_buf()[3], Opt::Init(5));
    let (n, f) = (y.to_buf().len(), 4.75);
    let y = launch(add_number, (&mut *ctx, &x, false, n, f)).await.to_host::<m![L, S]>(&mut ctx.pdma).await;
    assert_eq!(y.to_buf()[3], Opt::Init(9));
}

#[tokio::test]
async fn no_argument_at_all() {
    launch(nothing, ()).await;
}

#[tokio::test]
async fn one_argument_is_no_tuple() {
    let mut ctx = Context::acquire();
    let t = launch(only_a_context, &mut *ctx).await;
    assert_eq!(t.to_host::<m![L]>(&mut ctx.pdma).await.to_buf(), [Opt::Uninit; 8]);
}

#[tokio::test]
async fn views_move_on_the_host() {
    let mut ctx = Context::acquire();
    let x = counted().to_hbm::<Chip, m![S, L]>(&mut ctx.pdma, 0).await;
    let mut turned = unsafe { HbmTensor::<i32, Chip, m![L, S]>::from_addr(1 << 20) };
    x.view().to_hbm_view(&mut ctx.tdma, turned.view_mut());
    let got = turned.to_host::<m![S, L]>(&mut ctx.pdma).await.to_buf();
    assert_eq!(got, counted().to_buf());

    let mut part = unsafe { Table::from_addr(1 << 21) };
    let row = x.view().tile::<m![S], 1, m![1 # 256, L]>(3);
    row.to_hbm_view(&mut ctx.tdma, part.view_mut().tile::<m![S], 1, m![1 # 256, L]>(7));
    let got = part.to_host::<m![S, L]>(&mut ctx.pdma).await.to_buf();
    assert_eq!(got[55..58], [Opt::Uninit, Opt::Init(24), Opt::Init(25)]);
    assert_eq!(got.iter().filter(|v| **v != Opt::Uninit).count(), 8);
}

#[tokio::test]
async fn tensors_lie_on_several_chips() {
    let mut ctx = Context::acquire();
    let x = HostTensor::<i8, m![Chips, L]>::from_buf((0..32).map(|v| Opt::Init(v as i8)).collect());
    let sent: HbmTensor<i8, m![Chips], m![L]> = x.to_hbm(&mut ctx.pdma, 0).await;
    let got = sent.to_host::<m![L, Chips]>(&mut ctx.pdma).await;
    assert_eq!(got.to_buf()[1], Opt::Init(8));
    assert_eq!(got.into_inner().transpose::<m![Chips, L]>(false).to_buf(), x.to_buf());
}

#[tokio::test]
async fn tensors_lie_in_lists_and_maps() {
    let mut ctx = Context::acquire();
    let mut named: HashMap<String, HbmTensor<i32, Chip, m![L]>> = HashMap::new();
    let mut listed = Vec::new();
    for i in 0..3 {
        let t = HostTensor::<i32, m![L]>::from_buf(vec![Opt::Init(i); 8]);
        named.insert(format!("t{i}"), t.to_hbm(&mut ctx.pdma, 4096 * i as u64).await);
        listed.push(t.to_hbm::<Chip, m![L]>(&mut ctx.pdma, 0x10_0000 + 4096 * i as u64).await);
    }
    let t = named.get("t2").unwrap().to_host::<m![L]>(&mut ctx.pdma).await;
    assert_eq!(t.to_buf()[7], Opt::Init(2));
    assert_eq!(named["t1"].address(), 4096);
    let addresses: Vec<u64> = listed.iter().map(|t| t.address()).collect();
    assert_eq!(addresses, [0x10_0000, 0x10_1000, 0x10_2000]);
}

#[tokio::test]
async fn a_future_waits() {
    let mut ctx = Context::acquire();
    let t = HostTensor::<i32, m![L]>::zero();
    let sending = t.to_hbm::<Chip, m![L]>(&mut ctx.pdma, 0x2000);
    let sent = sending.await;
    assert_eq!(sent.address(), 0x2000);
    let five = async { 5 }.await;
    let six = async move { five + 1 };
    assert_eq!(six.await, 6);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_flavor_changes_nothing() {
    let _ctx = Context::acquire();
}
