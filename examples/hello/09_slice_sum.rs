//! A sum over slices: partial results that lie in different slices become one.
//!
//! Four slices share each of 64 groups. The Inter-Slice Block adds what the four send, element by element; afterwards
//! the axis Part is gone from the slices and 1 # 4 keeps their place. The second kernel asks for copies instead: a new
//! axis takes the place, and all four slices of a group hold the sum.
//!
//! Engines: DMA, Fetch, Collect, Vector (inter-slice reduce, then clip), Commit.
//! Memory in a slice: input at 0, result at 0x1000 (32 bytes each).

use furiosa_visa_std::prelude::*;
use rand::SeedableRng;
use rand::rngs::SmallRng;

axes![Group = 64, Part = 4, Replica = 4, Lane = 8];

type Chip = m![1];
type Cluster = m![1 # 2];

#[device(chip = 1)]
fn sum_of_parts(ctx: &mut Context, input: &HbmTensor<i32, Chip, m![Group, Part, Lane]>) -> HbmTensor<i32, Chip, m![Group, Lane]> {
    let dm = input.to_dm::<Cluster, m![Group, Part], m![Lane]>(&mut ctx.tdma, 0);
    let sum: DmTensor<i32, Chip, Cluster, m![Group, 1 # 4], m![Lane]> = ctx
        .main
        .begin(dm.view())
        .fetch::<i32, m![1], m![Lane]>()
        .collect::<m![1], m![Lane]>()
        .vector_init()
        .vector_inter_slice_reduce::<m![Group, 1 # 4], m![1]>(InterSliceReduceOpI32::AddSat)
        .vector_final()
        .commit(0x1000);
    sum.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn largest_to_everyone(
    ctx: &mut Context,
    input: &HbmTensor<i32, Chip, m![Group, Part, Lane]>,
) -> HbmTensor<i32, Chip, m![Group, Replica, Lane]> {
    let dm = input.to_dm::<Cluster, m![Group, Part], m![Lane]>(&mut ctx.tdma, 0);
    let largest: DmTensor<i32, Chip, Cluster, m![Group, Replica], m![Lane]> = ctx
        .main
        .begin(dm.view())
        .fetch::<i32, m![1], m![Lane]>()
        .collect::<m![1], m![Lane]>()
        .vector_init()
        .vector_inter_slice_reduce::<m![Group, Replica], m![1]>(InterSliceReduceOpI32::Max)
        .vector_intra_slice_branch(BranchMode::Unconditional) // work inside the slice may follow
        .vector_clip(ClipBinaryOpI32::Max, 0)
        .vector_final()
        .commit(0x1000);
    largest.to_hbm(&mut ctx.tdma, 2 << 28)
}

#[tokio::main]
async fn main() {
    let mut ctx = Context::acquire();
    let mut rng = SmallRng::seed_from_u64(9);
    let input = HostTensor::<i32, m![Group, Part, Lane]>::rand(&mut rng);

    let in_hbm = input.to_hbm(&mut ctx.pdma, 0).await;
    let sum = launch(sum_of_parts, (&mut *ctx, &in_hbm)).await.to_host::<m![Group, Lane]>(&mut ctx.pdma).await.to_buf();
    let largest =
        launch(largest_to_everyone, (&mut *ctx, &in_hbm)).await.to_host::<m![Group, Replica, Lane]>(&mut ctx.pdma).await.to_buf();

    let input = input.to_buf();
    for g in 0..64 {
        for l in 0..8 {
            let parts: Vec<i32> = (0..4).map(|p| input[32 * g + 8 * p + l].unwrap()).collect();
            let total = parts[1..].iter().fold(parts[0], |a, b| a.saturating_add(*b));
            assert_eq!(sum[8 * g + l], Opt::Init(total));
            let top = parts.iter().fold(0, |a, b| a.max(*b));
            for copy in 0..4 {
                assert_eq!(largest[32 * g + 8 * copy + l], Opt::Init(top));
            }
        }
    }
}
