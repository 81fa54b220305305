//! Kernels that break a rule. The launch is refused, the test sees a panic, and the next test goes on.

use furiosa_visa_std::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind};
use tokio::runtime::Runtime;

axes![N = 4096, S = 256, L = 8, K = 64, Huge = 268435456];

type Chip = m![1];
type Cluster = m![1 # 2];

/// Uses the adder of the fixed-point stage twice.
#[device(chip = 1)]
fn adds_twice(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![S, L]>, out: &mut HbmTensor<i32, Chip, m![S, L]>) {
    let dm = x.to_dm::<Cluster, m![S], m![L]>(&mut ctx.tdma, 0);
    let y: DmTensor<i32, Chip, Cluster, m![S], m![L]> = ctx
        .main
        .begin(dm.view())
        .fetch::<i32, m![1], m![L]>()
        .collect::<m![1], m![L]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_fxp(FxpBinaryOp::AddFxp, 1)
        .vector_fxp(FxpBinaryOp::SubFxp, 2)
        .vector_final()
        .commit(0x1000);
    y.view().to_hbm_view(&mut ctx.tdma, out.view_mut());
}

/// Only 128 slices.
#[device(chip = 1)]
fn half_the_slices(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![N]>) -> HbmTensor<i32, Chip, m![N]> {
    let dm = x.to_dm::<Cluster, m![N / 32], m![N % 32]>(&mut ctx.tdma, 0);
    let y: DmTensor<i32, Chip, Cluster, m![N / 32], m![N % 32]> = ctx
        .main
        .begin(dm.view())
        .fetch::<i32, m![N / 8 % 4], m![N % 8]>()
        .collect::<m![N / 8 % 4], m![N % 8]>()
        .commit(0x1000);
    y.to_hbm(&mut ctx.tdma, 1 << 28)
}

/// The collect before the faulty one is right, the types after it are nonsense: only the first fault is named.
#[device(chip = 1)]
fn nonsense_after_the_fault(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![S, L]>) -> HbmTensor<i32, Chip, m![S, L]> {
    let dm = x.to_dm::<Cluster, m![S], m![L]>(&mut ctx.tdma, 0);
    let y: DmTensor<i32, Chip, Cluster, m![S], m![L % 2, L % 2]> = ctx
        .main
        .begin(dm.view())
        .fetch::<i32, m![1], m![L]>()
        .collect::<m![L / 4], m![L % 4]>()
        .commit(0x1000);
    y.to_hbm(&mut ctx.tdma, 1 << 28)
}

/// Names a tensor of 268 million positions that nobody may allocate before the rule is checked.
#[device(chip = 1)]
fn huge_after_the_fault(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![S, L]>, out: &mut HbmTensor<i32, Chip, m![Huge]>) {
    let dm = x.to_dm::<Cluster, m![S], m![L]>(&mut ctx.tdma, 0);
    let y: DmTensor<i32, Chip, Cluster, m![S], m![Huge]> = ctx
        .main
        .begin(dm.view())
        .fetch::<i32, m![1], m![L]>()
        .collect::<m![1], m![L % 4]>()
        .commit(0x1000);
    y.view().to_hbm_view(&mut ctx.tdma, out.view_mut());
}

#[device(chip = 1)]
fn copies(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![S, L]>) -> HbmTensor<i32, Chip, m![S, L]> {
    let dm = x.to_dm::<Cluster, m![S], m![L]>(&mut ctx.tdma, 0);
    dm.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[tokio::test]
#[should_panic]
async fn an_alu_is_used_twice() {
    let mut ctx = Context::acquire();
    let x = HostTensor::<i32, m![S, L]>::zero().to_hbm(&mut ctx.pdma, 0).await;
    let mut out = unsafe { HbmTensor::<i32, Chip, m![S, L]>::from_addr(1 << 28) };
    launch(adds_twice, (&mut *ctx, &x, &mut out)).await;
}

#[tokio::test]
#[should_panic(expected = "FxpAdd")]
async fn the_message_names_the_alu() {
    let mut ctx = Context::acquire();
    let x = HostTensor::<i32, m![S, L]>::zero().to_hbm(&mut ctx.pdma, 0).await;
    let mut out = unsafe { HbmTensor::<i32, Chip, m![S, L]>::from_addr(1 << 28) };
    launch(adds_twice, (&mut *ctx, &x, &mut out)).await;
}

#[tokio::test]
#[should_panic(expected = "256")]
async fn the_message_names_the_number() {
    let mut ctx = Context::acquire();
    let x = HostTensor::<i32, m![N]>::zero().to_hbm(&mut ctx.pdma, 0).await;
    launch(half_the_slices, (&mut *ctx, &x)).await;
}

#[tokio::test]
#[should_panic(expected = "collect")]
async fn the_first_fault_is_named() {
    let mut ctx = Context::acquire();
    let x = HostTensor::<i32, m![S, L]>::zero().to_hbm(&mut ctx.pdma, 0).await;
    launch(nonsense_after_the_fault, (&mut *ctx, &x)).await;
}

#[tokio::test]
#[should_panic(expected = "collect")]
async fn nothing_huge_is_allocated_first() {
    let mut ctx = Context::acquire();
    let x = HostTensor::<i32, m![S, L]>::zero().to_hbm(&mut ctx.pdma, 0).await;
    let mut out = unsafe { HbmTensor::from_addr(1 << 28) };
    launch(huge_after_the_fault, (&mut *ctx, &x, &mut out)).await;
}

#[tokio::test]
async fn the_next_test_acquires_the_context() {
    let mut ctx = Context::acquire();
    let x = HostTensor::<i32, m![S, L]>::from_buf((0..2048).map(Opt::Init).collect());
    let x_hbm = x.to_hbm(&mut ctx.pdma, 0).await;
    let y = launch(copies, (&mut *ctx, &x_hbm)).await.to_host::<m![S, L]>(&mut ctx.pdma).await;
    assert_eq!(y.to_buf(), x.to_buf());
}

fn refused(f: impl FnOnce()) -> bool {
    catch_unwind(AssertUnwindSafe(f)).is_err()
}

#[test]
fn a_refusal_is_caught_and_the_program_goes_on() {
    let is_refused = refused(|| {
        Runtime::new().unwrap().block_on(async {
            let mut ctx = Context::acquire();
            let x = HostTensor::<i32, m![S, L]>::zero().to_hbm(&mut ctx.pdma, 0).await;
            launch(nonsense_after_the_fault, (&mut *ctx, &x)).await;
        })
    });
    assert!(is_refused);
    let is_refused = refused(|| {
        Runtime::new().unwrap().block_on(async {
            let mut ctx = Context::acquire();
            let x = HostTensor::<i32, m![S, L]>::zero().to_hbm(&mut ctx.pdma, 0).await;
            launch(copies, (&mut *ctx, &x)).await;
        })
    });
    assert!(!is_refused);
}

#[tokio::test]
#[should_panic]
async fn a_move_that_drops_an_axis_is_refused_on_the_host() {
    let mut ctx = Context::acquire();
    let x = HostTensor::<i32, m![S, L]>::zero();
    let _ = x.to_hbm::<Chip, m![S]>(&mut ctx.pdma, 0).await;
}
