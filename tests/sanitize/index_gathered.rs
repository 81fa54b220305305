// The index of a gather names a row that the table does not have.
// reports: E0872
use furiosa_visa_std::prelude::*;

axes![V = 100, P = 256, A = 8];

type Rows = DmTensor<i32, m![1], m![1 # 2], m![P], m![A]>;

#[device(chip = 1)]
fn look_up(
    ctx: &mut Context,
    table: &HbmTensor<i32, m![1], m![V, A]>,
    tokens: &HbmTensor<i32, m![1], m![P]>,
) -> HbmTensor<i32, m![1], m![P, A]> {
    let rows: Rows = table.dma_gather(tokens, 0);
    rows.to_hbm(&mut ctx.tdma, 1 << 28)
}

async fn look_up_with(wrong: i32) -> Vec<Opt<i32>> {
    let mut ctx = Context::acquire();
    let table = HostTensor::<i32, m![V, A]>::from_buf((0..800).map(Opt::Init).collect());
    let table = table.to_hbm::<m![1], m![V, A]>(&mut ctx.pdma, 0).await;
    let tokens = HostTensor::<i32, m![P]>::from_buf((0..256).map(|p| Opt::Init(if p % 100 == 42 { wrong } else { p % 100 })).collect());
    let tokens = tokens.to_hbm::<m![1], m![P]>(&mut ctx.pdma, 1 << 20).await;
    let rows = launch(look_up, (&mut *ctx, &table, &tokens)).await;
    rows.to_host::<m![P, A]>(&mut ctx.pdma).await.to_buf()
}

#[tokio::test]
async fn fault() {
    let _ = look_up_with(100).await;
}

#[tokio::test]
async fn clean() {
    assert_eq!(look_up_with(99).await[42 * 8], Opt::Init(99 * 8));
}
