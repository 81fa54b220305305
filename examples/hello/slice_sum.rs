//! A sum over slices: partial results that lie in different slices become one.
//!
//! Four slices share each of 64 groups. The Inter-Slice Block adds what the four send, element by element; afterwards
//! the axis Part is gone from the slices and 1 # 4 keeps their place. The second kernel asks for copies instead: a new
//! axis takes the place, and all four slices of a group hold the sum.
//!
//! Engines: DMA, Fetch, Collect, Vector (inter-slice reduce, then clip), Commit.
//! Memory in a slice: input at 0, result at 0x1000 (32 bytes each).

use furiosa_visa_std::prelude::*;

axes![Group = 64, Part = 4, Replica = 4, Lane = 8];

type Chip = m![1];
type Cluster = m![1 # 2];

#[device(chip = 1)]
fn sum_of_parts(
    ctx: &mut Context,
    input: &HbmTensor<i32, Chip, m![Group, Part, Lane]>,
) -> HbmTensor<i32, Chip, m![Group, Lane]> {
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

// A tensor of the host with one number for each group, part and lane.
fn numbers(f: impl Fn(usize) -> i32) -> HostTensor<i32, m![Group, Part, Lane]> {
    HostTensor::from_buf((0..64 * 4 * 8).map(|e| Opt::Init(f(e))).collect())
}

#[tokio::main]
async fn main() {
    let mut ctx = Context::acquire();
    let input = numbers(|e| e as i32 - 1000).to_hbm(&mut ctx.pdma, 0).await;
    let sum = launch(sum_of_parts, (&mut *ctx, &input)).await.to_host::<m![Group, Lane]>(&mut ctx.pdma).await.to_buf();
    let largest_hbm = launch(largest_to_everyone, (&mut *ctx, &input)).await;
    let largest = largest_hbm.to_host::<m![Group, Replica, Lane]>(&mut ctx.pdma).await.to_buf();

    // Group 40 holds 280..312, eight to a part.
    let (total, top) = (sum[40 * 8].unwrap(), largest[40 * 32 + 3 * 8].unwrap());
    println!("280 + 288 + 296 + 304 = {total}, and the largest of them, which all four slices know, is {top}");
    assert_eq!((total, top), (1168, 304));
}

#[tokio::test]
async fn sums_saturate() {
    let value = |e: usize| if e / 32 % 2 == 0 { i32::MAX - e as i32 } else { e as i32 };
    let mut ctx = Context::acquire();
    let input = numbers(value).to_hbm(&mut ctx.pdma, 0).await;
    let sum = launch(sum_of_parts, (&mut *ctx, &input)).await.to_host::<m![Group, Lane]>(&mut ctx.pdma).await.to_buf();
    for g in 0..64 {
        for l in 0..8 {
            let expected = (1..4).fold(value(32 * g + l), |total, p| total.saturating_add(value(32 * g + 8 * p + l)));
            assert_eq!(sum[8 * g + l], Opt::Init(expected), "group {g}, lane {l}");
        }
    }
}

#[tokio::test]
async fn everyone_knows_the_largest() {
    let value = |e: usize| (e * 37 % 101) as i32 - 60;
    let mut ctx = Context::acquire();
    let input = numbers(value).to_hbm(&mut ctx.pdma, 0).await;
    let largest_hbm = launch(largest_to_everyone, (&mut *ctx, &input)).await;
    let largest = largest_hbm.to_host::<m![Group, Replica, Lane]>(&mut ctx.pdma).await.to_buf();
    for g in 0..64 {
        for l in 0..8 {
            let expected = (0..4).fold(0, |top, p| value(32 * g + 8 * p + l).max(top));
            for copy in 0..4 {
                assert_eq!(largest[32 * g + 8 * copy + l], Opt::Init(expected));
            }
        }
    }
}
