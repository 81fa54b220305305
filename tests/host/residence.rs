//! Tensors in HBM between launches: each has its values until somebody writes there.

use furiosa_visa_std::prelude::*;

axes![S = 256, B = 3, L = 8, Z = 4];

type Chip = m![1];
type Cluster = m![1 # 2];
type Row = HbmTensor<i32, Chip, m![S, L]>;

const FAR: u64 = 1 << 28;

fn one_more(ctx: &mut Context, x: &Row) -> Row {
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
    y.to_hbm(&mut ctx.tdma, FAR)
}

/// One more of each, at the address of `FAR`.
#[device(chip = 1)]
fn more(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![S, L]>) -> HbmTensor<i32, Chip, m![S, L]> {
    one_more(ctx, x)
}

/// Copies one tensor over another.
#[device(chip = 1)]
fn over(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![S, L]>, out: &mut HbmTensor<i32, Chip, m![S, L]>) {
    let dm = x.to_dm::<Cluster, m![S], m![L]>(&mut ctx.tdma, 0);
    dm.view().to_hbm_view(&mut ctx.tdma, out.view_mut());
}

/// The upper half of the rows only.
#[device(chip = 1)]
fn half(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![S, L]>, out: &mut HbmTensor<i32, Chip, m![S, L]>) {
    let tile = x.view().tile::<m![L / 4], 1, m![S, 1 # 2, L % 4]>(1);
    tile.to_hbm_view(&mut ctx.tdma, out.view_mut().tile::<m![L / 4], 1, m![S, 1 # 2, L % 4]>(1));
}

/// Through a scratch tensor in HBM that takes the bytes of whoever lies at 4096.
#[device(chip = 1)]
fn detour(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![S, L]>) -> HbmTensor<i32, Chip, m![S, L]> {
    let there: HbmTensor<i32, Chip, m![L, S]> = x.to_hbm(&mut ctx.tdma, 4096);
    there.to_hbm(&mut ctx.tdma, FAR)
}

#[device(chip = 4)]
fn on_four(ctx: &mut Context, x: &HbmTensor<i32, m![Z], m![S, L]>) -> HbmTensor<i32, m![Z], m![S, L]> {
    let dm = x.to_dm::<Cluster, m![S], m![L]>(&mut ctx.tdma, 0);
    dm.to_hbm(&mut ctx.tdma, 2 * FAR)
}

/// The upper half of the columns alone, which lies behind the lower one.
#[device(chip = 1)]
fn upper_half(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![L / 4, S, L % 4]>) -> HbmTensor<i32, Chip, m![S, L % 4]> {
    let tile = x.view().tile::<m![L / 4], 1, m![1 # 2, S, L % 4]>(1);
    tile.to_dm::<Cluster, m![S], m![L % 4]>(&mut ctx.tdma, 0).to_hbm(&mut ctx.tdma, FAR)
}

fn quarter(start: i32) -> HostTensor<i32, m![S, L % 4]> {
    HostTensor::from_buf((0..1024).map(|i| Opt::Init(start + i)).collect())
}

fn filled(start: i32) -> HostTensor<i32, m![S, L]> {
    HostTensor::from_buf((0..2048).map(|i| Opt::Init(start + i)).collect())
}

fn is_filled(values: &[Opt<i32>], start: i32) -> bool {
    values.len() == 2048 && values.iter().enumerate().all(|(i, v)| *v == Opt::Init(start + i as i32))
}

async fn values(ctx: &mut Context, x: &Row) -> Vec<Opt<i32>> {
    x.to_host::<m![S, L]>(&mut ctx.pdma).await.to_buf()
}

#[tokio::test]
async fn one_after_the_other_at_one_address() {
    let mut ctx = Context::acquire();
    let a: Row = filled(0).to_hbm(&mut ctx.pdma, 0).await;
    let a_more = launch(more, (&mut *ctx, &a)).await;
    assert!(is_filled(&values(&mut ctx, &a_more).await, 1));
    assert!(is_filled(&values(&mut ctx, &a).await, 0));
    let b: Row = filled(5000).to_hbm(&mut ctx.pdma, 0).await;
    let b_more = launch(more, (&mut *ctx, &b)).await; // at the address of the one before
    assert!(is_filled(&values(&mut ctx, &b_more).await, 5001));
    assert!(is_filled(&values(&mut ctx, &b).await, 5000));
}

#[tokio::test]
async fn a_result_over_its_argument() {
    let mut ctx = Context::acquire();
    let a: Row = filled(0).to_hbm(&mut ctx.pdma, 0).await;
    let once = launch(more, (&mut *ctx, &a)).await;
    assert!(is_filled(&values(&mut ctx, &once).await, 1));
    let twice = launch(more, (&mut *ctx, &once)).await; // both at FAR
    let thrice = launch(more, (&mut *ctx, &twice)).await;
    assert!(is_filled(&values(&mut ctx, &thrice).await, 3));
}

#[tokio::test]
async fn written_again() {
    let mut ctx = Context::acquire();
    let a: Row = filled(0).to_hbm(&mut ctx.pdma, 0).await;
    let mut b: Row = filled(100).to_hbm(&mut ctx.pdma, 1 << 20).await;
    let _c: Row = filled(200).to_hbm(&mut ctx.pdma, 1 << 20).await; // over b
    launch(over, (&mut *ctx, &a, &mut b)).await; // which is written before it is read
    assert!(is_filled(&values(&mut ctx, &b).await, 0));
    let d = launch(more, (&mut *ctx, &b)).await;
    assert!(is_filled(&values(&mut ctx, &d).await, 1));
}

#[tokio::test]
async fn the_other_half_is_read() {
    let mut ctx = Context::acquire();
    let a: HbmTensor<i32, Chip, m![L / 4, S, L % 4]> = filled(0).to_hbm(&mut ctx.pdma, 0).await;
    let b: HbmTensor<i32, Chip, m![S, L % 4]> = quarter(9000).to_hbm(&mut ctx.pdma, 0).await; // over the first half
    let upper = launch(upper_half, (&mut *ctx, &a)).await;
    let got = upper.to_host::<m![S, L % 4]>(&mut ctx.pdma).await.to_buf();
    assert!(got.iter().enumerate().all(|(i, v)| *v == Opt::Init((i / 4 * 8 + 4 + i % 4) as i32)));
    assert_eq!(b.to_host::<m![S, L % 4]>(&mut ctx.pdma).await.to_buf()[5], Opt::Init(9005));
}

#[tokio::test]
async fn the_host_writes_between_launches() {
    let mut ctx = Context::acquire();
    let a: Row = filled(0).to_hbm(&mut ctx.pdma, 0).await;
    let mut b: Row = filled(100).to_hbm(&mut ctx.pdma, 1 << 20).await;
    launch(over, (&mut *ctx, &a, &mut b)).await;
    assert!(is_filled(&values(&mut ctx, &b).await, 0));
    let c: Row = filled(300).to_hbm(&mut ctx.pdma, 2 << 20).await;
    c.view().to_hbm_view::<{ Dma::Tensor }, _>(&mut ctx.tdma, b.view_mut());
    let d = launch(more, (&mut *ctx, &b)).await;
    assert!(is_filled(&values(&mut ctx, &d).await, 301));
    assert!(is_filled(&values(&mut ctx, &b).await, 300));
}

#[tokio::test]
async fn a_part_of_what_the_device_wrote() {
    let mut ctx = Context::acquire();
    let a: Row = filled(0).to_hbm(&mut ctx.pdma, 0).await;
    let mut b: Row = filled(5000).to_hbm(&mut ctx.pdma, 1 << 20).await;
    launch(over, (&mut *ctx, &a, &mut b)).await;
    let c: Row = filled(9000).to_hbm(&mut ctx.pdma, 2 << 20).await;
    launch(half, (&mut *ctx, &c, &mut b)).await;
    let got = values(&mut ctx, &b).await;
    for (i, v) in got.iter().enumerate() {
        assert_eq!(*v, Opt::Init(if i % 8 < 4 { 0 } else { 9000 } + i as i32));
    }
}

#[tokio::test]
async fn what_nobody_wrote() {
    let mut ctx = Context::acquire();
    let a: Row = filled(0).to_hbm(&mut ctx.pdma, 0).await;
    let mut out: Row = unsafe { HbmTensor::from_addr(FAR) };
    launch(half, (&mut *ctx, &a, &mut out)).await;
    let got = values(&mut ctx, &out).await;
    for (i, v) in got.iter().enumerate() {
        assert_eq!(*v, if i % 8 < 4 { Opt::Uninit } else { Opt::Init(i as i32) });
    }
}

#[tokio::test]
async fn another_name_for_what_is_there() {
    let mut ctx = Context::acquire();
    let a: Row = filled(0).to_hbm(&mut ctx.pdma, 0).await;
    let full = launch(more, (&mut *ctx, &a)).await; // leaves its bytes at FAR
    let mut out: Row = unsafe { HbmTensor::from_addr(FAR) };
    assert!(is_filled(&values(&mut ctx, &out).await, 1));
    launch(half, (&mut *ctx, &a, &mut out)).await;
    let got = values(&mut ctx, &out).await;
    for (i, v) in got.iter().enumerate() {
        assert_eq!(*v, Opt::Init(i as i32 + if i % 8 < 4 { 1 } else { 0 }));
    }
    drop(full);
    assert!(is_filled(&values(&mut ctx, &a).await, 0));
}

#[tokio::test]
async fn scratch_of_a_kernel() {
    let mut ctx = Context::acquire();
    let a: Row = filled(0).to_hbm(&mut ctx.pdma, 2 << 20).await;
    let mut b: Row = filled(70).to_hbm(&mut ctx.pdma, 8192).await;
    launch(over, (&mut *ctx, &a, &mut b)).await; // newer there than on the host
    assert!(is_filled(&values(&mut ctx, &b).await, 0));
    let c = filled(7).to_hbm(&mut ctx.pdma, 1 << 20).await;
    let d = launch(detour, (&mut *ctx, &c)).await; // over b, which nobody reads any more
    assert!(is_filled(&values(&mut ctx, &d).await, 7));
}

#[tokio::test]
async fn more_chips_later() {
    let mut ctx = Context::acquire();
    let a: Row = filled(0).to_hbm(&mut ctx.pdma, 0).await;
    let b = launch(more, (&mut *ctx, &a)).await;
    let all = HostTensor::<i32, m![Z, S, L]>::from_buf((0..8192).map(Opt::Init).collect());
    let x = all.to_hbm::<m![Z], m![S, L]>(&mut ctx.pdma, 1 << 20).await;
    let y = launch(on_four, (&mut *ctx, &x)).await;
    let got = y.to_host::<m![Z, S, L]>(&mut ctx.pdma).await.to_buf();
    assert!(got.iter().enumerate().all(|(i, v)| *v == Opt::Init(i as i32)));
    assert!(is_filled(&values(&mut ctx, &b).await, 1));
    let c = launch(more, (&mut *ctx, &b)).await;
    assert!(is_filled(&values(&mut ctx, &c).await, 2));
}

#[tokio::test]
async fn a_copy_of_the_handle() {
    let mut ctx = Context::acquire();
    let a: Row = filled(0).to_hbm(&mut ctx.pdma, 0).await;
    let b = launch(more, (&mut *ctx, &a)).await;
    {
        let _copy = b.clone();
    }
    assert!(is_filled(&values(&mut ctx, &b).await, 1));
}

/// Columns of `B` alone, through a tile that leaves those between them out.
#[device(chip = 1)]
fn outer(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![S, L]>, out: &mut HbmTensor<i32, Chip, m![S, B, L]>) {
    let dm = x.to_dm::<Cluster, m![S], m![L]>(&mut ctx.tdma, 0);
    dm.view().to_hbm_view(&mut ctx.tdma, out.view_mut().tile::<m![B], 1, m![S, 1 # 3, L]>(0));
    dm.view().to_hbm_view(&mut ctx.tdma, out.view_mut().tile::<m![B], 1, m![S, 1 # 3, L]>(2));
}

#[device(chip = 1)]
fn write_middle(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![S, L]>, out: &mut HbmTensor<i32, Chip, m![S, B, L]>) {
    let dm = x.to_dm::<Cluster, m![S], m![L]>(&mut ctx.tdma, 0);
    dm.view().to_hbm_view(&mut ctx.tdma, out.view_mut().tile::<m![B], 1, m![S, 1 # 3, L]>(1));
}

#[device(chip = 1)]
fn read_middle(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![S, B, L]>) -> HbmTensor<i32, Chip, m![S, L]> {
    let tile = x.view().tile::<m![B], 1, m![S, 1 # 3, L]>(1);
    tile.to_dm::<Cluster, m![S], m![L]>(&mut ctx.tdma, 0).to_hbm(&mut ctx.tdma, FAR)
}

#[tokio::test]
async fn between_the_rows_of_another() {
    let mut ctx = Context::acquire();
    let a: Row = filled(0).to_hbm(&mut ctx.pdma, 0).await;
    let b: Row = filled(5000).to_hbm(&mut ctx.pdma, 1 << 20).await;
    let mut sides: HbmTensor<i32, Chip, m![S, B, L]> = unsafe { HbmTensor::from_addr(2 * FAR) };
    let mut middle: HbmTensor<i32, Chip, m![S, B, L]> = unsafe { HbmTensor::from_addr(2 * FAR) };
    launch(write_middle, (&mut *ctx, &b, &mut middle)).await;
    launch(outer, (&mut *ctx, &a, &mut sides)).await; // not over what `middle` has
    let got = launch(read_middle, (&mut *ctx, &middle)).await;
    assert!(is_filled(&values(&mut ctx, &got).await, 5000));
    let all = sides.to_host::<m![S, B, L]>(&mut ctx.pdma).await.to_buf(); // a name for all of them
    assert!(all.iter().enumerate().all(|(i, v)| {
        let (row, part) = (i / 24 * 8 + i % 8, i / 8 % 3);
        *v == Opt::Init(row as i32 + if part == 1 { 5000 } else { 0 })
    }));
}

#[tokio::test]
async fn a_part_that_the_host_copies() {
    let mut ctx = Context::acquire();
    let a: Row = filled(0).to_hbm(&mut ctx.pdma, 0).await;
    let b: Row = filled(5000).to_hbm(&mut ctx.pdma, 1 << 20).await;
    let mut upper: Row = unsafe { HbmTensor::from_addr(FAR) };
    let mut lower: Row = unsafe { HbmTensor::from_addr(FAR) };
    let first = a.view().tile::<m![L / 4], 1, m![S, 1 # 2, L % 4]>(0);
    let second = b.view().tile::<m![L / 4], 1, m![S, 1 # 2, L % 4]>(1);
    let to = lower.view_mut().tile::<m![L / 4], 1, m![S, 1 # 2, L % 4]>(0);
    first.to_hbm_view::<{ Dma::Tensor }, _>(&mut ctx.tdma, to);
    let to = upper.view_mut().tile::<m![L / 4], 1, m![S, 1 # 2, L % 4]>(1);
    second.to_hbm_view::<{ Dma::Tensor }, _>(&mut ctx.tdma, to);
    let got = values(&mut ctx, &lower).await;
    for (i, v) in got.iter().enumerate() {
        assert_eq!(*v, Opt::Init(i as i32 + if i % 8 < 4 { 0 } else { 5000 }));
    }
}

#[tokio::test]
async fn a_name_for_what_the_host_sent() {
    let mut ctx = Context::acquire();
    let _sent: Row = filled(7).to_hbm(&mut ctx.pdma, 4096).await;
    for _ in 0..3 {
        let name: Row = unsafe { HbmTensor::from_addr(4096) };
        let got = launch(more, (&mut *ctx, &name)).await;
        assert!(is_filled(&values(&mut ctx, &got).await, 8));
    }
}

#[tokio::test]
async fn a_name_for_what_a_launch_gave_back() {
    let mut ctx = Context::acquire();
    let a: Row = filled(0).to_hbm(&mut ctx.pdma, 4096).await;
    let _once = launch(more, (&mut *ctx, &a)).await;
    let name: Row = unsafe { HbmTensor::from_addr(FAR) };
    let twice = launch(more, (&mut *ctx, &name)).await;
    assert!(is_filled(&values(&mut ctx, &twice).await, 2));
}

/// One more of what lies at 4096, by the address alone.
#[device(chip = 1)]
fn more_of_4096(ctx: &mut Context) -> HbmTensor<i32, Chip, m![S, L]> {
    let x = unsafe { HbmTensor::<i32, Chip, m![S, L]>::from_addr(4096) };
    one_more(ctx, &x)
}

#[tokio::test]
async fn a_name_in_a_kernel() {
    let mut ctx = Context::acquire();
    let _sent: Row = filled(7).to_hbm(&mut ctx.pdma, 4096).await;
    for _ in 0..2 {
        let got = launch(more_of_4096, &mut *ctx).await;
        assert!(is_filled(&values(&mut ctx, &got).await, 8));
    }
}

#[tokio::test]
async fn bytes_of_a_tensor_that_was_dropped() {
    let mut ctx = Context::acquire();
    {
        let _sent: Row = filled(7).to_hbm(&mut ctx.pdma, 4096).await;
    }
    let name: Row = unsafe { HbmTensor::from_addr(4096) };
    assert!(is_filled(&values(&mut ctx, &name).await, 7));
    let got = launch(more, (&mut *ctx, &name)).await;
    assert!(is_filled(&values(&mut ctx, &got).await, 8));
    drop(got);
    let name: Row = unsafe { HbmTensor::from_addr(FAR) };
    let got = launch(more, (&mut *ctx, &name)).await;
    assert!(is_filled(&values(&mut ctx, &got).await, 9));
    let got = launch(more_of_4096, &mut *ctx).await;
    assert!(is_filled(&values(&mut ctx, &got).await, 8));
}

#[tokio::test]
async fn the_last_one_is_there_on_more_chips_too() {
    let mut ctx = Context::acquire();
    let first: Row = filled(300).to_hbm(&mut ctx.pdma, 1 << 20).await;
    let padded = filled(0).to_hbm::<Chip, m![S, L # 16]>(&mut ctx.pdma, 0).await;
    let eight = HostTensor::<i32, m![L]>::from_buf((90..98).map(Opt::Init).collect());
    let _inside: HbmTensor<i32, Chip, m![L]> = eight.to_hbm(&mut ctx.pdma, 32).await; // in its padding
    drop(first);
    let all = HostTensor::<i32, m![Z, S, L]>::from_buf((0..8192).map(Opt::Init).collect());
    let x = all.to_hbm::<m![Z], m![S, L]>(&mut ctx.pdma, 3 << 20).await;
    let _y = launch(on_four, (&mut *ctx, &x)).await;
    let name: HbmTensor<i32, Chip, m![L]> = unsafe { HbmTensor::from_addr(32) };
    let got = name.to_host::<m![L]>(&mut ctx.pdma).await.to_buf();
    assert!(got.iter().enumerate().all(|(i, v)| *v == Opt::Init(90 + i as i32)));
    assert!(is_filled(&padded.to_host::<m![S, L]>(&mut ctx.pdma).await.to_buf(), 0));
}

#[tokio::test]
async fn on_one_chip_of_four() {
    let mut ctx = Context::acquire();
    let all = HostTensor::<i32, m![Z, S, L]>::from_buf((0..8192).map(Opt::Init).collect());
    let _x = all.to_hbm::<m![Z], m![S, L]>(&mut ctx.pdma, 0).await;
    let _one = filled(40).to_hbm::<m![1 # 4], m![S, L]>(&mut ctx.pdma, 0).await;
    let name: HbmTensor<i32, m![Z], m![S, L]> = unsafe { HbmTensor::from_addr(0) };
    let got = name.to_host::<m![Z, S, L]>(&mut ctx.pdma).await.to_buf();
    assert_eq!((got[2047], got[2048], got[8191]), (Opt::Init(2087), Opt::Init(2048), Opt::Init(8191)));
}

#[tokio::test]
async fn in_padding_of_another() {
    let mut ctx = Context::acquire();
    let mut narrow: HbmTensor<i32, Chip, m![S, L # 16]> = unsafe { HbmTensor::from_addr(FAR) };
    let mut wide: HbmTensor<i32, Chip, m![S, L / 4 # 4, L % 4]> = unsafe { HbmTensor::from_addr(FAR + 32) };
    let a = filled(0).to_hbm::<Chip, m![S, L # 16]>(&mut ctx.pdma, 0).await;
    let b = filled(700).to_hbm::<Chip, m![S, L / 4 # 4, L % 4]>(&mut ctx.pdma, 1 << 20).await;
    a.view().to_hbm_view::<{ Dma::Tensor }, _>(&mut ctx.tdma, narrow.view_mut());
    b.view().to_hbm_view::<{ Dma::Tensor }, _>(&mut ctx.tdma, wide.view_mut());
    a.view().to_hbm_view::<{ Dma::Tensor }, _>(&mut ctx.tdma, narrow.view_mut());
    assert!(is_filled(&narrow.to_host::<m![S, L]>(&mut ctx.pdma).await.to_buf(), 0));
    assert!(is_filled(&wide.to_host::<m![S, L]>(&mut ctx.pdma).await.to_buf(), 700));
}

#[tokio::test]
async fn many_at_a_time() {
    let mut ctx = Context::acquire();
    let mut all: Vec<HbmTensor<i32, Chip, m![L]>> = vec![];
    for i in 0..6000 {
        let one = HostTensor::<i32, m![L]>::from_buf(vec![Opt::Init(i); 8]);
        all.push(one.to_hbm(&mut ctx.pdma, i as u64 * 256).await);
    }
    for i in [0, 2999, 5999] {
        let got = all[i].to_host::<m![L]>(&mut ctx.pdma).await.to_buf();
        assert_eq!(got[7], Opt::Init(i as i32));
    }
}

// ---- what nobody wrote

/// Copies a row to `at`.
#[device(chip = 1)]
fn moved(ctx: &mut Context, x: &Row, at: u64) -> Row {
    x.to_dm::<Cluster, m![S], m![L]>(&mut ctx.tdma, 0).to_hbm(&mut ctx.tdma, at)
}

/// A name for a row of which only the first half was ever sent.
async fn half_written(ctx: &mut Context) -> Row {
    let half = HostTensor::<i32, m![S, L % 4]>::from_buf((0..1024).map(Opt::Init).collect());
    drop(half.to_hbm::<Chip, m![S, L % 4]>(&mut ctx.pdma, 3 * FAR).await);
    unsafe { Row::from_addr(3 * FAR) }
}

#[tokio::test]
#[should_panic(expected = "E0861")]
async fn a_copy_of_nothing_by_the_host_is_nothing() {
    let mut ctx = Context::acquire();
    let nothing = unsafe { Row::from_addr(3 * FAR) };
    let copy: Row = nothing.to_hbm(&mut ctx.tdma, 5 * FAR);
    let _ = launch(more, (&mut *ctx, &copy)).await;
}

#[tokio::test]
#[should_panic(expected = "E0861")]
async fn a_copy_of_a_half_by_the_host_has_a_half() {
    let mut ctx = Context::acquire();
    let copy: Row = half_written(&mut ctx).await.to_hbm(&mut ctx.tdma, 5 * FAR);
    let _ = launch(more, (&mut *ctx, &copy)).await;
}

#[tokio::test]
#[should_panic(expected = "E0861")]
async fn a_copy_of_a_half_by_a_kernel_has_a_half() {
    let mut ctx = Context::acquire();
    let half = half_written(&mut ctx).await;
    let copy = launch(moved, (&mut *ctx, &half, 5 * FAR)).await;
    let _ = launch(more, (&mut *ctx, &copy)).await;
}

#[tokio::test]
#[should_panic(expected = "E0863")]
async fn a_copy_of_what_was_left_behind_is_left_behind() {
    let mut ctx = Context::acquire();
    let x: Row = HostTensor::<i32, m![S, L]>::from_buf(vec![Opt::Init(1); 2048]).to_hbm(&mut ctx.pdma, FAR).await;
    let _ = launch(detour, (&mut *ctx, &x)).await;
    let left = unsafe { Row::from_addr(4096) };
    let copy = launch(moved, (&mut *ctx, &left, 5 * FAR)).await;
    let _ = launch(more, (&mut *ctx, &copy)).await;
}

#[tokio::test]
async fn the_written_half_of_a_copy_may_be_read() {
    let mut ctx = Context::acquire();
    let half = half_written(&mut ctx).await;
    let copy = launch(moved, (&mut *ctx, &half, 5 * FAR)).await;
    let mut whole: Row = copy.to_hbm(&mut ctx.tdma, 6 * FAR);
    let x = HostTensor::<i32, m![S, L]>::from_buf((0..2048).map(Opt::Init).collect());
    let x: Row = x.to_hbm(&mut ctx.pdma, 7 * FAR).await;
    assert_eq!(whole.to_host::<m![S, L]>(&mut ctx.pdma).await.to_buf()[1024], Opt::Uninit);
    launch(over, (&mut *ctx, &x, &mut whole)).await;
    let more = launch(more, (&mut *ctx, &whole)).await;
    assert_eq!(more.to_host::<m![S, L]>(&mut ctx.pdma).await.to_buf()[1024], Opt::Init(1025));
}

/// Many operations, each of which writes.
#[device(chip = 1)]
fn busy(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![L]>) {
    for i in 0..64 {
        let _: HbmTensor<i32, Chip, m![L]> = x.to_hbm(&mut ctx.tdma, 5 * FAR + i * 64);
    }
}

/// Writers are counted in 16 bits: what lies in HBM outlives their numbers.
#[tokio::test]
async fn values_outlive_the_numbers_of_their_writers() {
    let mut ctx = Context::acquire();
    let little = HostTensor::<i32, m![L]>::from_buf(vec![Opt::Init(1); 8]).to_hbm(&mut ctx.pdma, 7 * FAR).await;
    let x = HostTensor::<i32, m![S, L]>::from_buf((0..2048).map(Opt::Init).collect());
    let x: Row = x.to_hbm(&mut ctx.pdma, 8 * FAR).await;
    for _ in 0..600 {
        launch(busy, (&mut *ctx, &little)).await;
    }
    let more = launch(more, (&mut *ctx, &x)).await;
    assert_eq!(more.to_host::<m![S, L]>(&mut ctx.pdma).await.to_buf()[9], Opt::Init(10));
}
