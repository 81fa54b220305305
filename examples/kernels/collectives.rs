//! Four chips that add up what each of them has: ReduceScatter, AllGather and, made of both, AllReduce.
//!
//!     reduce_scatter  chip c:      sum over chips d of x[d, piece c]
//!     all_gather      every chip:  y[k] of every chip k
//!     all_reduce      every chip:  sum over chips d of x[d]
//!
//! Chips are joined by PCIe, 30 bytes a cycle out of a chip and as many into it, where its HBM moves 1,500. So what
//! counts is how few bytes cross, and that all links are at work all the time. The functions are in
//! `collectives_kernel/mod.rs` and know no number of chips; this file has four, `collectives_eight.rs` eight.
//!
//! # Mapping
//!
//! `m![Chips]` is the first dimension of tensors in HBM and DM: each chip has its own x, cut into as many pieces as
//! there are chips. Rows go to clusters and slices, a piece of a row to the elements of a slice.
//!
//! `reduce_scatter` takes one step less than there are chips. In step s chip c reads from chip c + s, round the ring,
//! and only what it needs of it, piece c. The commands of a kernel are the same on all chips, but pieces differ from
//! chip to chip: `parallel_copy_chip_slice` picks, on each chip, the one that the other end wants, and
//! `dm_chip_shuffle` moves it. Every chip sends one piece and gets one in each step, so that no link waits for another.
//!
//! `all_gather` goes the same way round with one part that is never changed. What comes in step s is part c + s,
//! another one on each chip, and no command writes to other places on other chips: so parts are put in the order of
//! steps, and when all are there `parallel_copy_chip_slice` picks part k, which chip c got in step k - c.
//!
//! Clusters are added up in the same way, with `dm_cluster_shuffle` and one step: see `layer_norm` in
//! `split_reduce.rs`.
//!
//! # Engines and memory
//!
//! DMA (HBM; between chips), copies of the sub context, Fetch (two tensors in turn), Collect, Vector (two groups,
//! clip), Commit. In a slice: x at 0 (1 KiB), two sums in turn (256 bytes each), parts by step, parts in order (1 KiB
//! each). What is picked and what has come lies where the compiler finds room.
//!
//! # What bounds it
//!
//! The links. x has 512 KiB on each of four chips and 1 MiB on each of eight, a piece 128 KiB: 4,370 cycles at 30
//! bytes. Additions take 17 cycles, a pick 32.
//!
//!     kernel                 cycles   bytes out of a chip   at 30 a cycle   links at work
//!     reduce_scatter, four   16,215               393,216          13,107            81 %
//!     all_gather, four       16,388               393,216          13,107            80 %
//!     all_reduce, four       31,433               786,432          26,214            83 %
//!     reduce_scatter, eight  36,233               917,504          30,583            84 %
//!     all_gather, eight      36,594               917,504          30,583            84 %
//!     all_reduce, eight      71,657             1,835,008          61,167            85 %
//!
//! With N chips no AllReduce sends less than 2 (N - 1) / N of x out of each; that is what is sent here. What is lost
//! are 500 cycles to start each command (six of 4,870 in `all_reduce` on four chips), 1,682 for x from and to HBM, and
//! some 50 between steps. With pieces of 1 MiB (Width = 512) the links are at work for 93 %.
//!
//! # Sizes
//!
//! Width is any multiple of 8, as long as a slice has room for 3 x pieces + 4 parts; of 64 if results are to reach HBM
//! in units of 256 bytes: with 32 the store of `all_reduce` takes 17,567 cycles, since HBM reads, changes and writes
//! back each unit. Row is 512: all slices. For another number of chips change `Chips`, `Piece`, `Turn`, `One` and the
//! three `#[device(chip = ..)]` alike. Where they differ the kernel is refused (E0504, E0521).
//!
//! # What to try
//!
//! - `hello/all_reduce.rs` adds up in two steps instead of six and sends all of x in each: that is quicker as long as
//!   starts count more than bytes, below 30 KiB or so.
//! - Send bf16: cast the picked piece, and add up in f32. Half of the bytes cross.
//! - Pick all pieces before the first shuffle: the 50 cycles between steps are gone.

use furiosa_visa_std::prelude::*;

mod collectives_kernel;
use collectives_kernel::{Given, GivenPart, gathered, reduced, reduced_and_scattered};

axes![Chips = 4, Piece = 4, Turn = 4, Row = 512, Width = 64, Pair = 2];

type One = m![1 # 4]; // of Piece, and of Turn

#[device(chip = 4)]
fn reduce_scatter(ctx: &mut Context, x: &Given) -> GivenPart {
    reduced_and_scattered(ctx, x)
}

#[device(chip = 4)]
fn all_gather(ctx: &mut Context, x: &GivenPart) -> Given {
    gathered(ctx, x)
}

#[device(chip = 4)]
fn all_reduce(ctx: &mut Context, x: &Given) -> Given {
    reduced(ctx, x)
}
