//! Adding a constant: the shortest way through the Tensor Unit.
//!
//! 4096 integers lie in HBM. The DMA spreads them over the 256 slices of one cluster, 16 to a slice. Each slice then
//! sends its own data through the pipeline: the Fetch Engine reads packets of eight integers, the Collect Engine makes
//! a flit of 32 bytes of each, the Vector Engine adds 5, and the Commit Engine writes the flits back to data memory
//! (DM). A second DMA brings the result to HBM.
//!
//! Engines: DMA, Fetch, Collect, Vector (fixed point), Commit.
//! Memory in a slice: input at 0 (64 bytes), result at 0x1000 (64 bytes).

use furiosa_visa_std::prelude::*;
use rand::SeedableRng;
use rand::rngs::SmallRng;

axes![Values = 4096];

type Chip = m![1];
type Cluster = m![1 # 2]; // a chip has two clusters, one is used
type Slice = m![Values / 16]; // 256 slices
type Element = m![Values % 16]; // what one slice holds

#[device(chip = 1)]
fn add_five(ctx: &mut Context, input: &HbmTensor<i32, Chip, m![Values]>) -> HbmTensor<i32, Chip, m![Values]> {
    let dm = input.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0);
    let sum: DmTensor<i32, Chip, Cluster, Slice, Element> = ctx
        .main
        .begin(dm.view())
        .fetch::<i32, m![Values / 8 % 2], m![Values % 8]>() // two packets of 32 bytes
        .collect::<m![Values / 8 % 2], m![Values % 8]>() // each is one flit already
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional) // every element takes part
        .vector_fxp(FxpBinaryOp::AddFxp, 5)
        .vector_final()
        .commit(0x1000);
    sum.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[tokio::main]
async fn main() {
    let mut ctx = Context::acquire();
    let mut rng = SmallRng::seed_from_u64(1);
    let input = HostTensor::<i32, m![Values]>::rand(&mut rng);

    let in_hbm = input.to_hbm(&mut ctx.pdma, 0).await;
    let out_hbm = launch(add_five, (&mut *ctx, &in_hbm)).await;
    let out = out_hbm.to_host::<m![Values]>(&mut ctx.pdma).await;

    let expected = input.into_inner().map(|x| x.map(|v| v.wrapping_add(5)));
    assert_eq!(out.to_buf(), expected.to_buf());
}
