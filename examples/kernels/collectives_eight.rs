//! ReduceScatter, AllGather and AllReduce on eight chips.
//!
//! The kernels are those of `collectives.rs`, which explains them and has four chips. AllReduce of 1 MiB on each chip
//! takes 71,657 cycles, of which 61,167 are what the links need for their bytes.

use furiosa_visa_std::prelude::*;

mod collectives_kernel;
use collectives_kernel::*;

axes![Chips = 8, Piece = 8, Turn = 8, Row = 512, Width = 64, Pair = 2];

type One = m![1 # 8]; // of Piece, and of Turn

#[device(chip = 8)]
fn reduce_scatter(
    ctx: &mut Context,
    x: &HbmTensor<f32, Chip, m![Piece, Row, Width]>,
) -> HbmTensor<f32, Chip, m![Row, Width]> {
    let own: Whole = x.to_dm(&mut ctx.tdma, OWN_ADDRESS);
    sum_of_pieces(ctx, &own).to_hbm(&mut ctx.tdma, 1 << 30)
}

#[device(chip = 8)]
fn all_gather(
    ctx: &mut Context,
    x: &HbmTensor<f32, Chip, m![Row, Width]>,
) -> HbmTensor<f32, Chip, m![Piece, Row, Width]> {
    let own: Part = x.to_dm(&mut ctx.tdma, OWN_ADDRESS);
    all_parts(ctx, &own).to_hbm(&mut ctx.tdma, 1 << 30)
}

#[device(chip = 8)]
fn all_reduce(
    ctx: &mut Context,
    x: &HbmTensor<f32, Chip, m![Piece, Row, Width]>,
) -> HbmTensor<f32, Chip, m![Piece, Row, Width]> {
    let own: Whole = x.to_dm(&mut ctx.tdma, OWN_ADDRESS);
    let part = sum_of_pieces(ctx, &own);
    all_parts(ctx, &part).to_hbm(&mut ctx.tdma, 1 << 30)
}

// ---- the host

// Small whole numbers, whose sums are exact.
fn number(chip: usize, e: usize) -> f32 {
    ((e * 7 + e / Width::SIZE * 3 + chip * 11) % 61) as f32 - 20.0
}

#[tokio::test]
async fn all_three_agree_with_plain_sums() {
    let mut ctx = Context::acquire();
    let each = Piece::SIZE * Row::SIZE * Width::SIZE; // numbers of a chip
    let part = Row::SIZE * Width::SIZE;
    let x: Vec<Opt<f32>> = (0..Chips::SIZE * each).map(|e| Opt::Init(number(e / each, e % each))).collect();
    let x = HostTensor::<f32, m![Chips, Piece, Row, Width]>::from_buf(x).to_hbm(&mut ctx.pdma, 0).await;

    let parts = launch(reduce_scatter, (&mut *ctx, &x)).await;
    let found = parts.to_host::<m![Chips, Row, Width]>(&mut ctx.pdma).await.to_buf();
    for e in (0..each).step_by(13) {
        let expected: f32 = (0..Chips::SIZE).map(|chip| number(chip, e)).sum();
        assert_eq!(found[e], Opt::Init(expected), "sum of piece {}, number {}", e / part, e % part);
    }

    let gathered = launch(all_gather, (&mut *ctx, &parts)).await;
    let gathered = gathered.to_host::<m![Chips, Piece, Row, Width]>(&mut ctx.pdma).await.to_buf();
    let reduced = launch(all_reduce, (&mut *ctx, &x)).await;
    let reduced = reduced.to_host::<m![Chips, Piece, Row, Width]>(&mut ctx.pdma).await.to_buf();
    for e in (0..Chips::SIZE * each).step_by(13) {
        assert_eq!(gathered[e], found[e % each], "gathered by chip {}, number {}", e / each, e % each);
        assert_eq!(reduced[e], found[e % each], "reduced on chip {}, number {}", e / each, e % each);
    }
}
