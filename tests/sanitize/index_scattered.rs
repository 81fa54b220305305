// The index of a scatter names a row before the first of the table.
// reports: E0872
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8, V = 512];

#[device(chip = 1)]
fn by_row(
    ctx: &mut Context,
    rows: &HbmTensor<i32, m![1], m![S, A]>,
    index: &HbmTensor<i32, m![1], m![S]>,
    table: &mut HbmTensor<i32, m![1], m![V, A]>,
) {
    let dm = rows.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0);
    dm.dma_scatter::<m![S], _, _>(index, table, true);
}

async fn scattered_with(last: i32) -> Opt<i32> {
    let mut ctx = Context::acquire();
    let rows = HostTensor::<i32, m![S, A]>::from_buf(vec![Opt::Init(7); 2048]);
    let rows = rows.to_hbm::<m![1], m![S, A]>(&mut ctx.pdma, 0).await;
    let index = HostTensor::<i32, m![S]>::from_buf((0..256).map(|s| Opt::Init(if s == 255 { last } else { s * 32 })).collect());
    let index = index.to_hbm::<m![1], m![S]>(&mut ctx.pdma, 1 << 20).await;
    let table = HostTensor::<i32, m![V, A]>::from_buf(vec![Opt::Init(0); 4096]);
    let mut table = table.to_hbm::<m![1], m![V, A]>(&mut ctx.pdma, 1 << 28).await;
    launch(by_row, (&mut *ctx, &rows, &index, &mut table)).await;
    table.to_host::<m![V, A]>(&mut ctx.pdma).await.to_buf()[4095]
}

#[tokio::test]
async fn fault() {
    let _ = scattered_with(-32).await;
}

#[tokio::test]
async fn clean() {
    assert_eq!(scattered_with(511 * 32).await, Opt::Init(7));
}
