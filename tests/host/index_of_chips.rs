// options: --check-oracle
//! Every chip has an index of its own, on the device and by the definition.

use furiosa_visa_std::prelude::*;

axes![C = 3, V = 37, P = 5, A = 8];

type Chip = m![C];
type Index = HbmTensor<i32, Chip, m![P]>;
type Table = HbmTensor<i32, Chip, m![V, A]>;
type Rows = HbmTensor<i32, Chip, m![P, A]>;
type RowsOnChip = DmTensor<i32, Chip, m![1 # 2], m![P # 256], m![A]>;

#[device(chip = 3)]
fn gather(ctx: &mut Context, table: &Table, index: &Index) -> Rows {
    let rows: RowsOnChip = table.dma_gather(index, 0);
    rows.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 3)]
fn scatter(ctx: &mut Context, rows: &Rows, index: &Index, table: &mut Table) {
    let rows: RowsOnChip = rows.to_dm(&mut ctx.tdma, 0);
    rows.dma_scatter::<m![P], _, _>(index, table, false);
}

/// No row twice on a chip, and others on each.
fn row_of(chip: usize, p: usize) -> usize {
    (7 * p + 11 * chip + 3) % V::SIZE
}

async fn index_of_all(ctx: &mut Context) -> Index {
    let entries = (0..15).map(|e| Opt::Init(row_of(e / 5, e % 5) as i32)).collect();
    HostTensor::<i32, m![C, P]>::from_buf(entries).to_hbm(&mut ctx.pdma, 1 << 20).await
}

#[tokio::test]
async fn of_a_scatter() {
    let mut ctx = Context::acquire();
    let rows = HostTensor::<i32, m![C, P, A]>::from_buf((0..120).map(Opt::Init).collect());
    let rows: Rows = rows.to_hbm(&mut ctx.pdma, 0).await;
    let index = index_of_all(&mut ctx).await;
    let table = HostTensor::<i32, m![C, V, A]>::from_buf(vec![Opt::Init(-1); 888]);
    let mut table: Table = table.to_hbm(&mut ctx.pdma, 1 << 28).await;
    launch(scatter, (&mut *ctx, &rows, &index, &mut table)).await;
    let table = table.to_host::<m![C, V, A]>(&mut ctx.pdma).await.to_buf();
    let mut expected = vec![Opt::Init(-1); 888];
    for e in 0..120 {
        expected[(e / 40 * 37 + row_of(e / 40, e / 8 % 5)) * 8 + e % 8] = Opt::Init(e as i32);
    }
    assert_eq!(table, expected);
}

#[tokio::test]
async fn of_a_gather() {
    let mut ctx = Context::acquire();
    let table = HostTensor::<i32, m![C, V, A]>::from_buf((0..888).map(Opt::Init).collect());
    let table: Table = table.to_hbm(&mut ctx.pdma, 0).await;
    let index = index_of_all(&mut ctx).await;
    let rows = launch(gather, (&mut *ctx, &table, &index)).await;
    let rows = rows.to_host::<m![C, P, A]>(&mut ctx.pdma).await.to_buf();
    for e in 0..120 {
        let row = e / 40 * 37 + row_of(e / 40, e / 8 % 5);
        assert_eq!(rows[e], Opt::Init((row * 8 + e % 8) as i32));
    }
}
