//! Transposing small matrices on their way through the pipeline.
//!
//! Every slice holds four matrices of 8 by 8 bytes. The Transpose Engine collects eight flits, one row of eight bytes
//! in each, and sends the columns out as flits of their own: the axis Line moves from time into the packet and Column
//! the other way. Each outgoing flit has eight bytes of data, and only these are committed.
//!
//! Engines: DMA, Fetch, Collect, Transpose, Commit.
//! Memory in a slice: input at 0, result at 0x1000 (256 bytes each).

use furiosa_visa_std::prelude::*;
use rand::SeedableRng;
use rand::rngs::SmallRng;

axes![S = 256, Matrix = 4, Line = 8, Column = 8];

type Chip = m![1];
type Cluster = m![1 # 2];

#[device(chip = 1)]
fn transpose(
    ctx: &mut Context,
    input: &HbmTensor<i8, Chip, m![S, Matrix, Line, Column]>,
) -> HbmTensor<i8, Chip, m![S, Matrix, Column, Line]> {
    let dm = input.to_dm::<Cluster, m![S], m![Matrix, Line, Column]>(&mut ctx.tdma, 0);
    let out: DmTensor<i8, Chip, Cluster, m![S], m![Matrix, Column, Line]> = ctx
        .main
        .begin(dm.view())
        .fetch::<i8, m![Matrix, Line], m![Column]>() // packets of eight bytes
        .collect::<m![Matrix, Line], m![Column # 32]>() // padded to a flit
        .transpose::<m![Matrix, Column], m![Line # 32]>()
        .commit(0x1000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[tokio::main]
async fn main() {
    let mut ctx = Context::acquire();
    let mut rng = SmallRng::seed_from_u64(11);
    let input = HostTensor::<i8, m![S, Matrix, Line, Column]>::rand(&mut rng);

    let in_hbm = input.to_hbm(&mut ctx.pdma, 0).await;
    let out_hbm = launch(transpose, (&mut *ctx, &in_hbm)).await;
    let out = out_hbm.to_host::<m![S, Matrix, Column, Line]>(&mut ctx.pdma).await;

    // The tensor is the same, only its order in memory has changed.
    let expected = input.into_inner().transpose::<m![S, Matrix, Column, Line]>(false);
    assert_eq!(out.to_buf(), expected.to_buf());
}
