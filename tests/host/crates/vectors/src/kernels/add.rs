//! Adding. The helper is shared by two kernels: a device function cannot call another one.

use super::*;
use crate::N;
use furiosa_visa_std::prelude::*;

type Slice = m![N / 16];
type Element = m![N % 16];
type Sum = DmTensor<i32, Chip, Cluster, Slice, Element>;

fn add_constant(ctx: &mut Context, x: &DmTensor<i32, Chip, Cluster, Slice, Element>, by: i32, address: u64) -> Sum {
    ctx.main
        .begin(x.view())
        .fetch::<i32, m![N / 8 % 2], m![N % 8]>()
        .collect::<m![N / 8 % 2], m![N % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_fxp(FxpBinaryOp::AddFxp, by)
        .vector_final()
        .commit(address)
}

#[device(chip = 1)]
pub fn add_one(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![N]>) -> HbmTensor<i32, Chip, m![N]> {
    let dm = x.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0);
    let sum = add_constant(ctx, &dm, 1, 0x1000);
    sum.to_hbm(&mut ctx.tdma, 1 << 28)
}

/// Adds 1, then 2, then 3: tensors take turns between two addresses.
#[device(chip = 1)]
pub fn add_six(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![N]>) -> HbmTensor<i32, Chip, m![N]> {
    let mut dm: Sum = x.to_dm(&mut ctx.tdma, 0);
    for step in 1..4 {
        let address = if step % 2 == 1 { 0x1000 } else { 0 };
        dm = add_constant(ctx, &dm, step, address);
    }
    dm.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn steps_add_up() {
        let mut ctx = Context::acquire();
        let x = HostTensor::<i32, m![N]>::zero().to_hbm(&mut ctx.pdma, 0).await;
        let y = launch(add_six, (&mut *ctx, &x)).await.to_host::<m![N]>(&mut ctx.pdma).await;
        assert_eq!(y.to_buf(), vec![Opt::Init(6); 4096]);
    }
}
