//! The order of checks is visible: each kernel breaks two rules, and the refusal names the one that comes first.

use furiosa_visa_std::prelude::*;

axes![S = 256, K = 64, T = 4, Three = 3, Eight = 8, Sixteen = 16, Big = 65536, Other = 2];

type Chip = m![1];
type Cluster = m![1 # 2];
type Input = HbmTensor<i8, Chip, m![S, T, K]>;
type Output = HbmTensor<i8, Chip, m![S, T, K]>;

#[device(chip = 1)]
fn rows_before_capacity(ctx: &mut Context, x: &Input, out: &mut Output) {
    let dm = x.to_dm::<Cluster, m![S], m![T, K]>(&mut ctx.tdma, 0);
    let _w: TrfTensor<i8, Chip, Cluster, m![S], m![Three], m![Big]> = ctx
        .sub
        .begin(dm.view())
        .fetch::<i8, m![T], m![K]>()
        .collect::<m![T, K / 32], m![K % 32]>()
        .to_trf(TrfAddress::Full);
    dm.view().to_hbm_view(&mut ctx.tdma, out.view_mut());
}

#[device(chip = 1)]
fn capacity_before_rows_of_time(ctx: &mut Context, x: &Input, out: &mut Output) {
    let dm = x.to_dm::<Cluster, m![S], m![T, K]>(&mut ctx.tdma, 0);
    let _w: TrfTensor<i8, Chip, Cluster, m![S], m![Eight], m![Big]> = ctx
        .sub
        .begin(dm.view())
        .fetch::<i8, m![T], m![K]>()
        .collect::<m![T, K / 32], m![K % 32]>()
        .to_trf(TrfAddress::Full);
    dm.view().to_hbm_view(&mut ctx.tdma, out.view_mut());
}

#[device(chip = 1)]
fn half_the_capacity(ctx: &mut Context, x: &Input, out: &mut Output) {
    let dm = x.to_dm::<Cluster, m![S], m![T, K]>(&mut ctx.tdma, 0);
    let _w: TrfTensor<i8, Chip, Cluster, m![S], m![T], m![Sixteen, K]> = ctx
        .sub
        .begin(dm.view())
        .fetch::<i8, m![T], m![K]>()
        .collect::<m![T, K / 32], m![K % 32]>()
        .to_trf(TrfAddress::FirstHalf);
    dm.view().to_hbm_view(&mut ctx.tdma, out.view_mut());
}

#[device(chip = 1)]
fn row_before_element(ctx: &mut Context, x: &Input, out: &mut Output) {
    let dm = x.to_dm::<Cluster, m![S], m![T, K]>(&mut ctx.tdma, 0);
    let _w: TrfTensor<i8, Chip, Cluster, m![S], m![Other, T / 2], m![Sixteen, K]> = ctx
        .sub
        .begin(dm.view())
        .fetch::<i8, m![T], m![K]>()
        .collect::<m![T, K / 32], m![K % 32]>()
        .to_trf(TrfAddress::Full);
    dm.view().to_hbm_view(&mut ctx.tdma, out.view_mut());
}

#[device(chip = 1)]
fn element_last(ctx: &mut Context, x: &Input, out: &mut Output) {
    let dm = x.to_dm::<Cluster, m![S], m![T, K]>(&mut ctx.tdma, 0);
    let _w: TrfTensor<i8, Chip, Cluster, m![S], m![T], m![K % 32, K / 32]> = ctx
        .sub
        .begin(dm.view())
        .fetch::<i8, m![T], m![K]>()
        .collect::<m![T, K / 32], m![K % 32]>()
        .to_trf(TrfAddress::Full);
    dm.view().to_hbm_view(&mut ctx.tdma, out.view_mut());
}

#[tokio::test]
#[should_panic(expected = "a tensor in TRF has 1, 2, 4 or 8")]
async fn a_wrong_number_of_rows_comes_first() {
    let (mut ctx, mut out) = (Context::acquire(), unsafe { Output::from_addr(1 << 28) });
    let x = HostTensor::<i8, m![S, T, K]>::zero().to_hbm(&mut ctx.pdma, 0).await;
    launch(rows_before_capacity, (&mut *ctx, &x, &mut out)).await;
}

#[tokio::test]
#[should_panic(expected = "bytes a row")]
async fn capacity_comes_before_mappings() {
    let (mut ctx, mut out) = (Context::acquire(), unsafe { Output::from_addr(1 << 28) });
    let x = HostTensor::<i8, m![S, T, K]>::zero().to_hbm(&mut ctx.pdma, 0).await;
    launch(capacity_before_rows_of_time, (&mut *ctx, &x, &mut out)).await;
}

#[tokio::test]
#[should_panic(expected = "each row takes up")]
async fn half_the_file_is_enough_so_the_element_is_named() {
    let (mut ctx, mut out) = (Context::acquire(), unsafe { Output::from_addr(1 << 28) });
    let x = HostTensor::<i8, m![S, T, K]>::zero().to_hbm(&mut ctx.pdma, 0).await;
    launch(half_the_capacity, (&mut *ctx, &x, &mut out)).await;
}

#[tokio::test]
#[should_panic(expected = "Row is the outermost part of Time")]
async fn the_row_comes_before_the_element() {
    let (mut ctx, mut out) = (Context::acquire(), unsafe { Output::from_addr(1 << 28) });
    let x = HostTensor::<i8, m![S, T, K]>::zero().to_hbm(&mut ctx.pdma, 0).await;
    launch(row_before_element, (&mut *ctx, &x, &mut out)).await;
}

#[tokio::test]
#[should_panic(expected = "each row takes up")]
async fn the_element_comes_last() {
    let (mut ctx, mut out) = (Context::acquire(), unsafe { Output::from_addr(1 << 28) });
    let x = HostTensor::<i8, m![S, T, K]>::zero().to_hbm(&mut ctx.pdma, 0).await;
    launch(element_last, (&mut *ctx, &x, &mut out)).await;
}
