// A kernel passes on a tensor that nobody wrote; a pass of the next launch reads what it gave back.
// reports: E0861
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 32];

type Chip = m![1];
type Cluster = m![1 # 2];
type Rows = HbmTensor<i8, Chip, m![S, A]>;

const FROM: u64 = 1 << 20;

#[device(chip = 1)]
fn relay(ctx: &mut Context, input: &Rows) -> Rows {
    input.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn doubled(ctx: &mut Context, input: &Rows) -> Rows {
    let dm = input.to_dm::<Cluster, m![S], m![A]>(&mut ctx.tdma, 0);
    let copy: DmTensor<i8, Chip, Cluster, m![S], m![A]> =
        ctx.main.begin(dm.view()).fetch::<i8, m![1], m![A]>().collect::<m![1], m![A]>().commit(0x2000);
    copy.to_hbm(&mut ctx.tdma, 1 << 29)
}

#[tokio::test]
async fn fault() {
    let mut ctx = Context::acquire();
    let forgotten = unsafe { Rows::from_addr(FROM) };
    let relayed = launch(relay, (&mut *ctx, &forgotten)).await;
    let _result = launch(doubled, (&mut *ctx, &relayed)).await;
}

#[tokio::test]
async fn clean() {
    let mut ctx = Context::acquire();
    let host = HostTensor::<i8, m![S, A]>::from_buf((0..8192).map(|i| Opt::Init((i % 90) as i8)).collect());
    let _there: Rows = host.to_hbm(&mut ctx.pdma, FROM).await;
    let name = unsafe { Rows::from_addr(FROM) };
    let relayed = launch(relay, (&mut *ctx, &name)).await;
    let result = launch(doubled, (&mut *ctx, &relayed)).await;
    assert_eq!(result.to_host::<m![S, A]>(&mut ctx.pdma).await.to_buf()[91], Opt::Init(1));
}
