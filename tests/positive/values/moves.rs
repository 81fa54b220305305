// Data that only moves: switches, transposes, tiles, shuffles and scatters put every value where it belongs.
use furiosa_visa_std::prelude::*;

axes![S = 256, D = 8, E = 8, L = 2, V = 512, P = 8];

type Cluster = m![1 # 2];

#[device(chip = 1)]
fn transpose(ctx: &mut Context, input: &HbmTensor<i8, m![1], m![S, D, E]>) -> HbmTensor<i8, m![1], m![S, E, D]> {
    let dm = input.to_dm::<Cluster, m![S], m![D, E]>(&mut ctx.tdma, 0);
    let out = ctx
        .main
        .begin(dm.view())
        .fetch::<i8, m![D], m![E]>()
        .collect::<m![D], m![E # 32]>()
        .transpose::<m![E], m![D # 32]>()
        .commit::<m![E, D]>(0x1000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn turn_slices(ctx: &mut Context, input: &HbmTensor<i8, m![1], m![S, D]>) -> HbmTensor<i8, m![1], m![S, D]> {
    let dm = input.to_dm::<Cluster, m![S], m![D]>(&mut ctx.tdma, 0);
    let out = ctx
        .main
        .begin(dm.view())
        .fetch::<i8, m![1], m![D]>()
        .switch::<m![S % 16, S / 16], m![1]>(SwitchConfig::Transpose { slice1: 16, slice0: 16 })
        .collect::<m![1], m![D # 32]>()
        .commit::<m![D]>(0x1000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn swap_clusters(ctx: &mut Context, input: &HbmTensor<i32, m![1], m![L, S, D]>) -> HbmTensor<i32, m![1], m![L, S, D]> {
    let dm = input.to_dm::<m![L], m![S], m![D]>(&mut ctx.tdma, 0x1000);
    let swapped: DmTensor<i32, m![1], m![L], m![S], m![D]> =
        ctx.tdma.dm_cluster_shuffle::<_, 2, _, _, _, _>(dm.view(), &[1, 0]);
    swapped.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn scatter(
    ctx: &mut Context,
    rows: &HbmTensor<i32, m![1], m![S, P]>,
    index: &HbmTensor<i32, m![1], m![S]>,
    table: &mut HbmTensor<i32, m![1], m![V, P]>,
) {
    let dm = rows.to_dm::<Cluster, m![S], m![P]>(&mut ctx.tdma, 0);
    dm.dma_scatter::<m![S], _, _>(index, table, false);
}

#[tokio::test]
async fn rows_and_columns_swap() {
    let mut ctx = Context::acquire();
    let host = HostTensor::<i8, m![S, D, E]>::from_buf((0..16384).map(|x| Opt::Init(x as i8)).collect());
    let hbm = host.to_hbm(&mut ctx.pdma, 0).await;
    let out = launch(transpose, (&mut *ctx, &hbm)).await.to_host::<m![S, E, D]>(&mut ctx.pdma).await;
    assert_eq!(out.to_buf(), host.into_inner().transpose::<m![S, E, D]>(false).to_buf());
}

#[tokio::test]
async fn values_keep_their_index() {
    let mut ctx = Context::acquire();
    let host = HostTensor::<i8, m![S, D]>::from_buf((0..2048).map(|x| Opt::Init(x as i8)).collect());
    let hbm = host.to_hbm(&mut ctx.pdma, 0).await;
    let out = launch(turn_slices, (&mut *ctx, &hbm)).await.to_host::<m![S, D]>(&mut ctx.pdma).await;
    assert_eq!(out.to_buf(), host.to_buf());
}

#[tokio::test]
async fn clusters_swap() {
    let mut ctx = Context::acquire();
    let host = HostTensor::<i32, m![L, S, D]>::from_buf((0..4096).map(Opt::Init).collect());
    let hbm = host.to_hbm(&mut ctx.pdma, 0).await;
    let out = launch(swap_clusters, (&mut *ctx, &hbm)).await.to_host::<m![L, S, D]>(&mut ctx.pdma).await;
    assert_eq!(out.to_buf(), (0..4096).map(|x| Opt::Init((x + 2048) % 4096)).collect::<Vec<_>>());
}

#[tokio::test]
async fn rows_land_where_the_index_says() {
    let mut ctx = Context::acquire();
    let rows = HostTensor::<i32, m![S, P]>::from_buf((0..2048).map(Opt::Init).collect());
    let index = HostTensor::<i32, m![S]>::from_buf((0..256).map(|s| Opt::Init(511 - 2 * s)).collect());
    let table = HostTensor::<i32, m![V, P]>::zero();
    let rows = rows.to_hbm(&mut ctx.pdma, 0 << 28).await;
    let index = index.to_hbm(&mut ctx.pdma, 1 << 28).await;
    let mut table = table.to_hbm(&mut ctx.pdma, 2 << 28).await;
    launch(scatter, (&mut *ctx, &rows, &index, &mut table)).await;
    let out = table.to_host::<m![V, P]>(&mut ctx.pdma).await;
    let expected: Vec<Opt<i32>> = (0..512 * 8)
        .map(|i| {
            let (v, p) = (i / 8, i % 8);
            Opt::Init(if v % 2 == 1 { (511 - v) / 2 * 8 + p } else { 0 })
        })
        .collect();
    assert_eq!(out.to_buf(), expected);
}
