// The host sends a tensor without any value to where another one lay: what is read there is not the other one's.
// reports: E0861
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 32];

type Chip = m![1];
type Cluster = m![1 # 2];
type Rows = HbmTensor<i8, Chip, m![S, A]>;

const PLACE: u64 = 1 << 24;

#[device(chip = 1)]
fn pass(ctx: &mut Context, input: &Rows) -> Rows {
    let dm = input.to_dm::<Cluster, m![S], m![A]>(&mut ctx.tdma, 0);
    let copy: DmTensor<i8, Chip, Cluster, m![S], m![A]> =
        ctx.main.begin(dm.view()).fetch::<i8, m![1], m![A]>().collect::<m![1], m![A]>().commit(0x2000);
    copy.to_hbm(&mut ctx.tdma, 1 << 29)
}

async fn send(ctx: &mut Context, value: Opt<i8>) -> Rows {
    HostTensor::<i8, m![S, A]>::from_buf(vec![value; 8192]).to_hbm(&mut ctx.pdma, PLACE).await
}

#[tokio::test]
async fn fault() {
    let mut ctx = Context::acquire();
    drop(send(&mut ctx, Opt::Init(6)).await);
    let nothing = send(&mut ctx, Opt::Uninit).await;
    let _result = launch(pass, (&mut *ctx, &nothing)).await;
}

#[tokio::test]
async fn clean() {
    let mut ctx = Context::acquire();
    drop(send(&mut ctx, Opt::Uninit).await);
    let something = send(&mut ctx, Opt::Init(6)).await;
    let result = launch(pass, (&mut *ctx, &something)).await;
    assert_eq!(result.to_host::<m![S, A]>(&mut ctx.pdma).await.to_buf()[77], Opt::Init(6));
}
