// options: --no-sanitize --check-oracle
//! Entries of an index that name no row move nothing, on the device and by the definition.

use furiosa_visa_std::prelude::*;

axes![V = 100, P = 256, A = 8];

type Chip = m![1];
type Rows = DmTensor<i32, Chip, m![1 # 2], m![P], m![A]>;

#[device(chip = 1)]
fn gather(
    ctx: &mut Context,
    table: &HbmTensor<i32, Chip, m![V, A]>,
    index: &HbmTensor<i32, Chip, m![P]>,
) -> HbmTensor<i32, Chip, m![P, A]> {
    let rows: Rows = table.dma_gather(index, 0);
    rows.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn scatter(
    ctx: &mut Context,
    x: &HbmTensor<i32, Chip, m![P, A]>,
    index: &HbmTensor<i32, Chip, m![P]>,
    table: &mut HbmTensor<i32, Chip, m![V, A]>,
) {
    let x: Rows = x.to_dm(&mut ctx.tdma, 0);
    x.dma_scatter::<m![P], _, _>(index, table, false);
}

#[device(chip = 1)]
fn scatter_scaled(
    ctx: &mut Context,
    x: &HbmTensor<i32, Chip, m![P, A]>,
    index: &HbmTensor<i32, Chip, m![P]>,
    table: &mut HbmTensor<i32, Chip, m![V, A]>,
) {
    let x: Rows = x.to_dm(&mut ctx.tdma, 0);
    x.dma_scatter::<m![P], _, _>(index, table, true);
}

const BEYOND: [i32; 6] = [-1, 100, 101, i32::MIN, i32::MAX, -100];

/// Row 7, but for the first entries, which name none.
fn entries(scale: i32) -> Vec<Opt<i32>> {
    (0..P::SIZE).map(|p| Opt::Init(if p < 6 { BEYOND[p].saturating_mul(scale) } else { 7 * scale })).collect()
}

async fn scattered(is_scaled: bool) -> Vec<Opt<i32>> {
    let mut ctx = Context::acquire();
    let x = HostTensor::<i32, m![P, A]>::from_buf((1..=2048).map(Opt::Init).collect());
    let x = x.to_hbm::<Chip, m![P, A]>(&mut ctx.pdma, 0).await;
    let index = HostTensor::<i32, m![P]>::from_buf(entries(if is_scaled { 32 } else { 1 }));
    let index = index.to_hbm::<Chip, m![P]>(&mut ctx.pdma, 1 << 20).await;
    let table = HostTensor::<i32, m![V, A]>::from_buf(vec![Opt::Init(0); 800]);
    let mut table = table.to_hbm::<Chip, m![V, A]>(&mut ctx.pdma, 1 << 28).await;
    if is_scaled {
        launch(scatter_scaled, (&mut *ctx, &x, &index, &mut table)).await;
    } else {
        launch(scatter, (&mut *ctx, &x, &index, &mut table)).await;
    }
    table.to_host::<m![V, A]>(&mut ctx.pdma).await.to_buf()
}

fn only_row_7(e: usize) -> Opt<i32> {
    Opt::Init(if e / 8 == 7 { 2041 + e as i32 % 8 } else { 0 })
}

#[tokio::test]
async fn a_gather_leaves_places_without_values() {
    let mut ctx = Context::acquire();
    let table = HostTensor::<i32, m![V, A]>::from_buf((0..800).map(Opt::Init).collect());
    let table = table.to_hbm::<Chip, m![V, A]>(&mut ctx.pdma, 0).await;
    let index = HostTensor::<i32, m![P]>::from_buf(entries(1));
    let index = index.to_hbm::<Chip, m![P]>(&mut ctx.pdma, 1 << 20).await;
    let rows = launch(gather, (&mut *ctx, &table, &index)).await;
    let rows = rows.to_host::<m![P, A]>(&mut ctx.pdma).await.to_buf();
    for e in 0..2048 {
        assert_eq!(rows[e], if e < 48 { Opt::Uninit } else { Opt::Init(56 + e as i32 % 8) });
    }
}

#[tokio::test]
async fn a_scatter_drops_rows() {
    let table = scattered(false).await;
    for e in 0..800 {
        assert_eq!(table[e], only_row_7(e));
    }
}

#[tokio::test]
async fn so_does_one_by_bytes() {
    let table = scattered(true).await;
    for e in 0..800 {
        assert_eq!(table[e], only_row_7(e));
    }
}
