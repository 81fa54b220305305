// A pass fetches more packets than a filter let pass.
// reports: E0861
use furiosa_visa_std::prelude::*;

axes![S = 256, Q = 8, A = 8];

type Chip = m![1];
type Cluster = m![1 # 2];
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
fn fault(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![S, Q, A]>) -> HbmTensor<i32, Chip, m![S, Q, A]> {
    let x = x.to_dm::<Cluster, m![S], m![Q, A]>(&mut ctx.tdma, 0);
    let rows = odd_rows(ctx, &x);
    let again: Rows = ctx
        .main
        .begin(rows.view())
        .fetch::<i32, m![Q], m![A]>()
        .collect::<m![Q], m![A]>()
        .commit(0x2000);
    again.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn clean(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![S, Q, A]>) -> HbmTensor<i32, Chip, m![S, Q, A]> {
    let x = x.to_dm::<Cluster, m![S], m![Q, A]>(&mut ctx.tdma, 0);
    let rows = odd_rows(ctx, &x);
    let mut again = unsafe { Rows::from_addr(0x2000) };
    ctx.main
        .begin(rows.view().tile::<m![Q / 4], 1, m![1 # 2, Q % 4, A]>(0))
        .fetch::<i32, m![1 # 2, Q % 4], m![A]>()
        .collect::<m![1 # 2, Q % 4], m![A]>()
        .commit_view(again.view_mut().tile::<m![Q / 4], 1, m![1 # 2, Q % 4, A]>(0));
    again.to_hbm(&mut ctx.tdma, 1 << 28)
}
