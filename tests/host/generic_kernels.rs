// Kernels with numbers, types and mappings as generics: each choice is a kernel of its own.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 32, B = 16];

type Chip = m![1];
type Cluster = m![1 # 2];

const FIVE: i32 = 5;

fn add<const N: i32>(
    ctx: &mut Context,
    x: &DmTensor<i32, Chip, Cluster, m![S], m![A]>,
    address: u64,
) -> DmTensor<i32, Chip, Cluster, m![S], m![A]> {
    ctx.main
        .begin(x.view())
        .fetch::<i32, m![A / 8], m![A % 8]>()
        .collect::<m![A / 8], m![A % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_fxp(FxpBinaryOp::AddFxp, N)
        .vector_final()
        .commit(address)
}

// Adds N, TIMES times.
#[device(chip = 1)]
fn adds<const N: i32, const TIMES: usize>(
    ctx: &mut Context,
    x: &HbmTensor<i32, Chip, m![S, A]>,
) -> HbmTensor<i32, Chip, m![S, A]> {
    let mut dm = x.to_dm::<Cluster, m![S], m![A]>(&mut ctx.tdma, 0);
    for i in 0..TIMES {
        dm = add::<N>(ctx, &dm, 0x1000 * (i as u64 + 1));
    }
    dm.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn copies<E: M>(ctx: &mut Context, x: &HbmTensor<i32, Chip, E>) -> HbmTensor<i32, Chip, E> {
    x.to_hbm(&mut ctx.tdma, 2 << 28)
}

async fn counted(ctx: &mut Context) -> HbmTensor<i32, Chip, m![S, A]> {
    HostTensor::<i32, m![S, A]>::from_buf((0..8192).map(Opt::Init).collect()).to_hbm(&mut ctx.pdma, 0).await
}

#[tokio::test]
async fn each_number_is_a_kernel() {
    let mut ctx = Context::acquire();
    let x = counted(&mut ctx).await;
    for round in 0..3 {
        let one = launch(adds::<1, 1>, (&mut *ctx, &x)).await.to_host::<m![S, A]>(&mut ctx.pdma).await.to_buf();
        assert_eq!(one[7], Opt::Init(8), "{round}");
        let six = launch(adds::<2, 3>, (&mut *ctx, &x)).await.to_host::<m![S, A]>(&mut ctx.pdma).await.to_buf();
        assert_eq!(six[8191], Opt::Init(8197), "{round}");
    }
}

#[tokio::test]
async fn constants_and_expressions() {
    let mut ctx = Context::acquire();
    let x = counted(&mut ctx).await;
    let y = launch(adds::<FIVE, { 1 + 1 }>, (&mut *ctx, &x)).await.to_host::<m![S, A]>(&mut ctx.pdma).await.to_buf();
    assert_eq!(y[0], Opt::Init(10));
    let kernel = adds::<-5, 1>;
    let y = launch(kernel, (&mut *ctx, &x)).await.to_host::<m![S, A]>(&mut ctx.pdma).await.to_buf();
    assert_eq!(y[0], Opt::Init(-5));
}

async fn twice<const N: i32>(ctx: &mut Context) -> Opt<i32> {
    let x = counted(ctx).await;
    launch(adds::<N, 2>, (&mut *ctx, &x)).await.to_host::<m![S, A]>(&mut ctx.pdma).await.to_buf()[1]
}

#[tokio::test]
async fn numbers_of_the_caller() {
    let mut ctx = Context::acquire();
    assert_eq!(twice::<4>(&mut ctx).await, Opt::Init(9));
    assert_eq!(twice::<10>(&mut ctx).await, Opt::Init(21));
}

#[tokio::test]
async fn mappings() {
    let mut ctx = Context::acquire();
    let x = counted(&mut ctx).await;
    let y = launch(copies::<m![S, A]>, (&mut *ctx, &x)).await.to_host::<m![S, A]>(&mut ctx.pdma).await.to_buf();
    assert_eq!(y[8191], Opt::Init(8191));
    let b = HostTensor::<i32, m![B]>::from_buf((0..16).map(Opt::Init).collect()).to_hbm(&mut ctx.pdma, 1 << 27).await;
    let y = launch(copies::<m![B]>, (&mut *ctx, &b)).await.to_host::<m![B]>(&mut ctx.pdma).await.to_buf();
    assert_eq!(y[15], Opt::Init(15));
}
