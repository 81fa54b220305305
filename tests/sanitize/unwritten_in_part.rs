// A launch gives back a tensor that it wrote in part; a pass of the next launch reads all of it.
// reports: E0861
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 16];

type Chip = m![1];
type Cluster = m![1 # 2];
type Rows = HbmTensor<i32, Chip, m![S, A]>;
type RowsOnChip = DmTensor<i32, Chip, Cluster, m![S], m![A]>;

#[device(chip = 1)]
fn part<const PARTS: usize>(ctx: &mut Context, x: &Rows) -> Rows {
    let x = x.to_dm::<Cluster, m![S], m![A]>(&mut ctx.tdma, 0);
    let mut y = unsafe { RowsOnChip::from_addr(0x1000) };
    for i in 0..PARTS {
        ctx.main
            .begin(x.view().tile::<m![A / 8], 1, m![1 # 2, A % 8]>(i))
            .fetch::<i32, m![1 # 2], m![A % 8]>()
            .collect::<m![1 # 2], m![A % 8]>()
            .commit_view(y.view_mut().tile::<m![A / 8], 1, m![1 # 2, A % 8]>(i));
    }
    y.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn next(ctx: &mut Context, x: &Rows) -> Rows {
    let x = x.to_dm::<Cluster, m![S], m![A]>(&mut ctx.tdma, 0);
    let y: RowsOnChip =
        ctx.main.begin(x.view()).fetch::<i32, m![A / 8], m![A % 8]>().collect::<m![A / 8], m![A % 8]>().commit(0x2000);
    y.to_hbm(&mut ctx.tdma, 2 << 28)
}

fn counted() -> HostTensor<i32, m![S, A]> {
    HostTensor::from_buf((0..4096).map(Opt::Init).collect())
}

#[tokio::test]
async fn fault() {
    let mut ctx = Context::acquire();
    let x: Rows = counted().to_hbm(&mut ctx.pdma, 0).await;
    let y = launch(part::<1>, (&mut *ctx, &x)).await;
    launch(next, (&mut *ctx, &y)).await;
}

#[tokio::test]
async fn clean() {
    let mut ctx = Context::acquire();
    let x: Rows = counted().to_hbm(&mut ctx.pdma, 0).await;
    let y = launch(part::<2>, (&mut *ctx, &x)).await;
    let z = launch(next, (&mut *ctx, &y)).await;
    assert_eq!(z.to_host::<m![S, A]>(&mut ctx.pdma).await.to_buf()[9], Opt::Init(9));
}
