// A pass fetches more packets of a tensor in HBM than a filter of the launch before let pass.
// reports: E0861
use furiosa_visa_std::prelude::*;

axes![S = 256, Q = 8, A = 8];

type Chip = m![1];
type Cluster = m![1 # 2];
type Table = HbmTensor<i32, Chip, m![S, Q, A]>;
type Rows = DmTensor<i32, Chip, Cluster, m![S], m![Q, A]>;

// Of eight rows every other one.
fn odd_rows(ctx: &mut Context, x: &Rows) -> Rows {
    ctx.main
        .begin(x.view())
        .fetch::<i32, m![Q], m![A]>()
        .collect::<m![Q], m![A]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::AxisToggle { axis: Ident::Q })
        .vector_filter::<m![Q]>(ValidBranchIds::ValidGroup { id: GroupId::One })
        .vector_final()
        .commit(0x1000)
}

#[device(chip = 1)]
fn filtered(ctx: &mut Context, x: &Table) -> Table {
    let x = x.to_dm::<Cluster, m![S], m![Q, A]>(&mut ctx.tdma, 0);
    odd_rows(ctx, &x).to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn read_all(ctx: &mut Context, x: &Table) -> Table {
    let x = x.to_dm::<Cluster, m![S], m![Q, A]>(&mut ctx.tdma, 0);
    let again: Rows =
        ctx.main.begin(x.view()).fetch::<i32, m![Q], m![A]>().collect::<m![Q], m![A]>().commit(0x2000);
    again.to_hbm(&mut ctx.tdma, 1 << 29)
}

#[device(chip = 1)]
fn read_half(ctx: &mut Context, x: &Table) -> Table {
    let x = x.to_dm::<Cluster, m![S], m![Q, A]>(&mut ctx.tdma, 0);
    let mut again = unsafe { Rows::from_addr(0x2000) };
    ctx.main
        .begin(x.view().tile::<m![Q / 4], 1, m![1 # 2, Q % 4, A]>(0))
        .fetch::<i32, m![1 # 2, Q % 4], m![A]>()
        .collect::<m![1 # 2, Q % 4], m![A]>()
        .commit_view(again.view_mut().tile::<m![Q / 4], 1, m![1 # 2, Q % 4, A]>(0));
    again.to_hbm(&mut ctx.tdma, 1 << 29)
}

async fn filter(ctx: &mut Context) -> Table {
    let x = HostTensor::<i32, m![S, Q, A]>::from_buf((0..16384).map(Opt::Init).collect());
    let x: Table = x.to_hbm(&mut ctx.pdma, 0).await;
    launch(filtered, (&mut *ctx, &x)).await
}

#[tokio::test]
async fn fault() {
    let mut ctx = Context::acquire();
    let rows = filter(&mut ctx).await;
    let _ = launch(read_all, (&mut *ctx, &rows)).await;
}

#[tokio::test]
async fn clean() {
    let mut ctx = Context::acquire();
    let rows = filter(&mut ctx).await;
    let _ = launch(read_half, (&mut *ctx, &rows)).await;
}
