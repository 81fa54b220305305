//! What one launch takes: the same small kernel again and again.

use furiosa_visa_std::prelude::*;

axes![N = 2048];

const LAUNCHES: usize = 1;

#[device(chip = 1)]
fn increment(ctx: &mut Context, x: &HbmTensor<i32, m![1], m![N]>) -> HbmTensor<i32, m![1], m![N]> {
    let x = x.to_dm::<m![1 # 2], m![N / 8], m![N % 8]>(&mut ctx.tdma, 0);
    let y: DmTensor<i32, m![1], m![1 # 2], m![N / 8], m![N % 8]> = ctx
        .main
        .begin(x.view())
        .fetch::<i32, m![1], m![N % 8]>()
        .collect::<m![1], m![N % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_fxp(FxpBinaryOp::AddFxp, 1)
        .vector_final()
        .commit(0x1000);
    y.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[tokio::main]
async fn main() {
    let mut ctx = Context::acquire();
    let x = HostTensor::<i32, m![N]>::from_buf((0..2048).map(Opt::Init).collect());
    let x = x.to_hbm(&mut ctx.pdma, 0).await;
    for _ in 0..LAUNCHES {
        let y = launch(increment, (&mut *ctx, &x)).await;
        drop(y);
    }
}
