// Another tensor is sent over a row of a table. A scatter writes rows of the table: that one, or only others.
// reports: E0864
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8, V = 512];

type Chip = m![1];

#[device(chip = 1)]
fn by_row(
    ctx: &mut Context,
    rows: &HbmTensor<i32, m![1], m![S, A]>,
    index: &HbmTensor<i32, m![1], m![S]>,
    table: &mut HbmTensor<i32, m![1], m![V, A]>,
) {
    let dm = rows.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0);
    dm.dma_scatter::<m![S], _, _>(index, table, false);
}

/// The last rows of the table, of which another tensor took the very last.
async fn scattered_from(first: i32) -> (Opt<i32>, Opt<i32>) {
    let mut ctx = Context::acquire();
    let rows = HostTensor::<i32, m![S, A]>::from_buf(vec![Opt::Init(7); 2048]);
    let rows = rows.to_hbm::<Chip, m![S, A]>(&mut ctx.pdma, 0).await;
    let index = HostTensor::<i32, m![S]>::from_buf((first..first + 256).map(Opt::Init).collect());
    let index = index.to_hbm::<Chip, m![S]>(&mut ctx.pdma, 1 << 20).await;
    let table = HostTensor::<i32, m![V, A]>::from_buf(vec![Opt::Init(0); 4096]);
    let mut table = table.to_hbm::<Chip, m![V, A]>(&mut ctx.pdma, 1 << 28).await;
    let row = HostTensor::<i32, m![A]>::from_buf(vec![Opt::Init(9); 8]);
    let _row = row.to_hbm::<Chip, m![A]>(&mut ctx.pdma, (1 << 28) + 511 * 32).await;
    launch(by_row, (&mut *ctx, &rows, &index, &mut table)).await;
    let values = table.to_host::<m![V, A]>(&mut ctx.pdma).await.to_buf();
    (values[0], values[4095])
}

#[tokio::test]
async fn fault() {
    let _ = scattered_from(0).await;
}

#[tokio::test]
async fn clean() {
    assert_eq!(scattered_from(256).await, (Opt::Init(0), Opt::Init(7)));
}
