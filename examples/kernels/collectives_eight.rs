//! ReduceScatter, AllGather and AllReduce on eight chips.
//!
//! The kernels are those of `collectives.rs`, which explains them and has four chips. AllReduce of 1 MiB on each chip
//! takes 71,657 cycles, of which 61,167 are what the links need for their bytes.

use furiosa_visa_std::prelude::*;

mod collectives_kernel;
use collectives_kernel::{Given, GivenPart, gathered, reduced, reduced_and_scattered};

axes![Chips = 8, Piece = 8, Turn = 8, Row = 512, Width = 64, Pair = 2];

type One = m![1 # 8]; // of Piece, and of Turn

#[device(chip = 8)]
fn reduce_scatter(ctx: &mut Context, x: &Given) -> GivenPart {
    reduced_and_scattered(ctx, x)
}

#[device(chip = 8)]
fn all_gather(ctx: &mut Context, x: &GivenPart) -> Given {
    gathered(ctx, x)
}

#[device(chip = 8)]
fn all_reduce(ctx: &mut Context, x: &Given) -> Given {
    reduced(ctx, x)
}
