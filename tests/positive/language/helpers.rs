// Helper functions: the context reborrowed, tensors by reference, views by value, addresses as numbers.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 16, B = 8];

type Cluster = m![1 # 2];

fn load(ctx: &mut Context, view: HbmTensorView<i32, m![1], m![S, A = 2 # 16, B]>, address: u64) -> DmTensor<i32, m![1], Cluster, m![S], m![A = 2, B]> {
    view.to_dm(&mut ctx.tdma, address)
}

fn scale(
    ctx: &mut Context,
    dm: &DmTensor<i32, m![1], Cluster, m![S], m![A = 2, B]>,
    factor: i32,
    address: u64,
) -> DmTensor<i32, m![1], Cluster, m![S], m![A = 2, B]> {
    ctx.main
        .begin(dm.view())
        .fetch::<i32, m![A = 2], m![B]>()
        .collect::<m![A = 2], m![B]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_fxp(FxpBinaryOp::MulInt, factor)
        .vector_final()
        .commit(address)
}

fn store(ctx: &mut Context, dm: &DmTensor<i32, m![1], Cluster, m![S], m![A = 2, B]>, target: HbmTensorViewMut<'_, i32, m![1], m![S, A = 2 # 16, B]>) {
    dm.view().to_hbm_view(&mut ctx.tdma, target);
}

fn fill(ctx: &mut Context, source: HbmTensorView<'_, i32, m![1], m![S, B]>, target: DmTensorViewMut<i32, m![1], Cluster, m![S], m![B]>) {
    source.to_dm_view(&mut ctx.tdma, target);
}

#[device(chip = 1)]
fn kernel(
    ctx: &mut Context,
    input: &HbmTensor<i32, m![1], m![S, A, B]>,
    seed: &HbmTensor<i32, m![1], m![S, B]>,
    out: &mut HbmTensor<i32, m![1], m![S, A, B]>,
) {
    let mut first = unsafe { DmTensor::<i32, m![1], Cluster, m![S], m![B]>::from_addr(0x8000) };
    fill(ctx, seed.view(), first.view_mut());
    for i in 0..8 {
        let part = load(ctx, input.view().tile::<m![A], 2, m![S, A = 2 # 16, B]>(i * 2), 0);
        let scaled = scale(ctx, &part, 3, 0x1000);
        store(ctx, &scaled, out.view_mut().tile::<m![A], 2, m![S, A = 2 # 16, B]>(i * 2));
    }
}
