//! Kernels that take numbers, and what the program launches them with.

use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8, B = 8];

const LAST: usize = A::SIZE - 1;

#[device(chip = 1)]
fn pick(ctx: &mut Context, input: &HbmTensor<i32, m![1], m![S, A, B]>, row: usize) -> HbmTensor<i32, m![1], m![S, B]> {
    let dm: DmTensor<i32, m![1], m![1 # 2], m![S], m![B]> =
        input.view().tile::<m![A], 1, m![S, 1 # 8, B]>(row).to_dm(&mut ctx.tdma, 0);
    dm.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn nobody_knows(ctx: &mut Context, input: &HbmTensor<i32, m![1], m![S, A, B]>, row: usize) -> HbmTensor<i32, m![1], m![S, B]> {
    let dm: DmTensor<i32, m![1], m![1 # 2], m![S], m![B]> =
        input.view().tile::<m![A], 1, m![S, 1 # 8, B]>(row).to_dm(&mut ctx.tdma, 0);
    dm.to_hbm(&mut ctx.tdma, 1 << 28)
}

async fn every_row(ctx: &mut Context, input: &HbmTensor<i32, m![1], m![S, A, B]>, some: usize) {
    launch(pick, (&mut *ctx, input, LAST)).await;
    launch(pick, (&mut *ctx, input, 7)).await;
    for row in 2..A::SIZE {
        launch(pick, (&mut *ctx, input, row)).await;
    }
    let chosen = 2 * 2 + 1;
    launch(pick, (&mut *ctx, input, chosen)).await;
    launch(nobody_knows, (&mut *ctx, input, some)).await;
}
