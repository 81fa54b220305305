// expect: 2 passed, 2 failed, 0 ignored
// says: SubFxp needs the FxpAdd ALU
// says: refused_kernel.rs:35
// says: collect yields flits of 32 bytes
// lacks: `L % 2` and `L % 2`
use furiosa_visa_std::prelude::*;

axes![S = 256, L = 8];

type Chip = m![1];
type Cluster = m![1 # 2];
type Table = HbmTensor<i32, Chip, m![S, L]>;

#[device(chip = 1)]
fn right(ctx: &mut Context, x: &Table) -> Table {
    let dm = x.to_dm::<Cluster, m![S], m![L]>(&mut ctx.tdma, 0);
    let y: DmTensor<i32, Chip, Cluster, m![S], m![L]> = ctx
        .main
        .begin(dm.view())
        .fetch::<i32, m![1], m![L]>()
        .collect::<m![1], m![L]>()
        .commit(0x1000);
    y.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn one_alu_twice(ctx: &mut Context, x: &Table) -> Table {
    let dm = x.to_dm::<Cluster, m![S], m![L]>(&mut ctx.tdma, 0);
    let y: DmTensor<i32, Chip, Cluster, m![S], m![L]> = ctx
        .main
        .begin(dm.view())
        .fetch::<i32, m![1], m![L]>()
        .collect::<m![1], m![L]>()
        .vector_init().vector_intra_slice_branch(BranchMode::Unconditional).vector_fxp(FxpBinaryOp::AddFxp, 1)
        .vector_fxp(FxpBinaryOp::SubFxp, 1)
        .vector_final()
        .commit(0x1000);
    y.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn half_a_flit(ctx: &mut Context, x: &Table) -> Table {
    let dm = x.to_dm::<Cluster, m![S], m![L]>(&mut ctx.tdma, 0);
    let y: DmTensor<i32, Chip, Cluster, m![S], m![L % 2, L % 2]> = ctx
        .main
        .begin(dm.view())
        .fetch::<i32, m![1], m![L]>()
        .collect::<m![L / 4], m![L % 4]>()
        .commit(0x1000);
    y.to_hbm(&mut ctx.tdma, 1 << 28)
}

async fn send(ctx: &mut Context) -> Table {
    HostTensor::<i32, m![S, L]>::from_buf((0..2048).map(Opt::Init).collect()).to_hbm(&mut ctx.pdma, 0).await
}

#[tokio::test]
async fn a_first_that_passes() {
    let mut ctx = Context::acquire();
    let x = send(&mut ctx).await;
    launch(right, (&mut *ctx, &x)).await;
}

#[tokio::test]
async fn b_refused() {
    let mut ctx = Context::acquire();
    let x = send(&mut ctx).await;
    launch(one_alu_twice, (&mut *ctx, &x)).await;
}

#[tokio::test]
async fn c_refused_before_nonsense() {
    let mut ctx = Context::acquire();
    let x = send(&mut ctx).await;
    launch(half_a_flit, (&mut *ctx, &x)).await;
}

#[tokio::test]
async fn d_another_that_passes() {
    let mut ctx = Context::acquire();
    let x = send(&mut ctx).await;
    let y = launch(right, (&mut *ctx, &x)).await.to_host::<m![S, L]>(&mut ctx.pdma).await;
    assert_eq!(y.to_buf()[2047], Opt::Init(2047));
}
