//! Four chips, one sum: every chip ends with the total of what all of them hold (an all-reduce).
//!
//! The first dimension of a tensor in HBM says which chip holds what: with `m![Chips]` each has 2048 numbers of its own.
//! A kernel with `chip = 4` runs on all four at once, with the same commands; a pass never looks at another chip. What
//! brings data across is a shuffle, a DMA between the data memories: entry t of its pattern names the chip that chip t
//! reads from. Two of them are enough for four chips. After the first, with the next chip, each has the sum of a pair;
//! after the second, with the chip two further on, the sum of both pairs. With one step at a time it would take three.
//!
//! A shuffle takes no address: its result lies where the compiler finds room while it is needed (`contra compile` shows
//! where). Everything else lies where the program says.
//!
//! Engines: DMA (between chips), Fetch (interleaved), Collect, Vector (two groups), Commit.
//! Memory in a slice: own numbers at 0x1000, sums of pairs at 0x2000, totals at 0x3000 (32 bytes each).

use furiosa_visa_std::prelude::*;

axes![Chips = 4, Rows = 256, N = 8, Which = 2];

type Chip = m![Chips];
type Cluster = m![1 # 2];
type Slice = m![Rows];
type Element = m![N];
type Part = DmTensor<i32, Chip, Cluster, Slice, Element>;

// Both as one stream, taking turns; on every chip its own. See interleaved_add.
fn add(ctx: &mut Context, left: &Part, right: &Part, address: u64) -> Part {
    ctx.main
        .begin_interleaved::<Which, _, _, _, _, _>(left.view(), right.view())
        .fetch::<i32, m![Which], m![N]>()
        .collect::<m![Which], m![N]>()
        .vector_init()
        .vector_intra_slice_unzip::<Which, m![1 # 2], m![1]>()
        .vector_clip_zip(ClipBinaryOpI32::AddFxp)
        .vector_final()
        .commit(address)
}

#[device(chip = 4)]
fn all_reduce(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![Rows, N]>) -> HbmTensor<i32, Chip, m![Rows, N]> {
    let own = x.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0x1000);
    let next: Part = ctx.tdma.dm_chip_shuffle::<_, 4, _, _, _, _>(own.view(), &[1, 2, 3, 0]);
    let pairs = add(ctx, &own, &next, 0x2000); // chip t: t and t + 1
    let others: Part = ctx.tdma.dm_chip_shuffle::<_, 4, _, _, _, _>(pairs.view(), &[2, 3, 0, 1]);
    let total = add(ctx, &pairs, &others, 0x3000); // and t + 2 and t + 3
    total.to_hbm(&mut ctx.tdma, 1 << 28)
}

// The numbers of all chips in, one after the other; the same of their totals out.
async fn run(values: Vec<i32>) -> Vec<i32> {
    let mut ctx = Context::acquire();
    let x = HostTensor::<i32, m![Chips, Rows, N]>::from_buf(values.into_iter().map(Opt::Init).collect());
    let x_hbm = x.to_hbm(&mut ctx.pdma, 0).await;
    let out_hbm = launch(all_reduce, (&mut *ctx, &x_hbm)).await;
    let out = out_hbm.to_host::<m![Chips, Rows, N]>(&mut ctx.pdma).await;
    out.to_buf().into_iter().map(|value| value.unwrap()).collect()
}

#[tokio::main]
async fn main() {
    let out = run((0..8192).map(|i| 10 * (i / 2048) + 1).collect()).await; // 1, 11, 21 and 31
    println!("the total on chips 0 to 3: {}, {}, {}, {}", out[0], out[2048], out[4096], out[6144]);
    assert_eq!(out, vec![64; 8192]);
}

#[tokio::test]
async fn every_chip_has_the_total() {
    let values: Vec<i32> = (0..8192).map(|i| i * i - 300 * i).collect();
    let out = run(values.clone()).await;
    for i in 0..8192 {
        let total: i32 = (0..4).map(|chip| values[2048 * chip + i % 2048]).sum();
        assert_eq!(out[i], total, "number {} of chip {}", i % 2048, i / 2048);
    }
}
