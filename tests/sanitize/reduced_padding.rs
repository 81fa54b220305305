// Every fourth slice is padding: 100 is added to it, too, and it is added to the others.
// reports: E0869
// options: --relax=valid-count
use furiosa_visa_std::prelude::*;

axes![W = 64, R = 3, P = 8];

type Chip = m![1];
type Cluster = m![1 # 2];
type Given = HbmTensor<i32, Chip, m![W, R # 4, P]>;
type Sums = HbmTensor<i32, Chip, m![W, P]>;

#[device(chip = 1)]
fn added_before(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![W, R # 4, P]>) -> HbmTensor<i32, Chip, m![W, P]> {
    let dm = x.to_dm::<Cluster, m![W, R # 4], m![P]>(&mut ctx.tdma, 0);
    let sums: DmTensor<i32, Chip, Cluster, m![W, 1 # 4], m![P]> = ctx
        .main
        .begin(dm.view())
        .fetch::<i32, m![1], m![P]>()
        .collect::<m![1], m![P]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_fxp(FxpBinaryOp::AddFxp, 100)
        .vector_inter_slice_reduce::<m![W, 1 # 4], m![1]>(InterSliceReduceOpI32::Add)
        .vector_final()
        .commit(0x1000);
    sums.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn added_behind(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![W, R # 4, P]>) -> HbmTensor<i32, Chip, m![W, P]> {
    let dm = x.to_dm::<Cluster, m![W, R # 4], m![P]>(&mut ctx.tdma, 0);
    let sums: DmTensor<i32, Chip, Cluster, m![W, 1 # 4], m![P]> = ctx
        .main
        .begin(dm.view())
        .fetch::<i32, m![1], m![P]>()
        .collect::<m![1], m![P]>()
        .vector_init()
        .vector_inter_slice_reduce::<m![W, 1 # 4], m![1]>(InterSliceReduceOpI32::Max)
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_fxp(FxpBinaryOp::AddFxp, 100)
        .vector_final()
        .commit(0x1000);
    sums.to_hbm(&mut ctx.tdma, 1 << 28)
}

async fn given(ctx: &mut Context) -> Given {
    let host = HostTensor::<i32, m![W, R, P]>::from_buf((0..1536).map(|i| Opt::Init(i - 5000)).collect());
    host.to_hbm(&mut ctx.pdma, 0).await
}

#[tokio::test]
async fn fault() {
    let mut ctx = Context::acquire();
    let x = given(&mut ctx).await;
    let _sums: Sums = launch(added_before, (&mut *ctx, &x)).await;
}

#[tokio::test]
async fn clean() {
    let mut ctx = Context::acquire();
    let x = given(&mut ctx).await;
    let most: Sums = launch(added_behind, (&mut *ctx, &x)).await;
    let got = most.to_host::<m![W, P]>(&mut ctx.pdma).await.to_buf();
    assert_eq!(got[9], Opt::Init(24 + 17 - 5000 + 100)); // all are below 0
}
