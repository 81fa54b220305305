//! Rotary position embedding: the two halves of a head are turned against each other, by an angle of their position.
//!
//!     y[p, h, d]      = x[p, h, d] * cos[p, d] - x[p, h, d + 64] * sin[p, d]        d below 64
//!     y[p, h, d + 64] = x[p, h, d] * sin[p, d] + x[p, h, d + 64] * cos[p, d]
//!
//! Both halves of the result need both halves of x. The Fetch Engine reads two tensors in turn (`begin_interleaved`),
//! here the two halves of one, and the Vector Engine takes the packets apart again, as two groups with operands of
//! their own: one is multiplied by cosines, the other one by sines, and `vector_fp_zip` makes one of both. That is half
//! of the result; a second pass with the operands exchanged is the other half.
//!
//! # Mapping
//!
//! A position to a slice, neighbouring positions to neighbouring slices, with all heads, so that angles are loaded once
//! for all of them: an operand in VRF without the axis Head is repeated along it. Tiles of 1,024 positions, two in each
//! slice: while one is turned the next one is loaded, by a command in front of the store of this one.
//!
//! # Engines and memory
//!
//! DMA, Fetch (two tensors in turn, bf16 to f32), Collect, Vector (unzip, narrow, float, zip, widen), Cast, Commit into
//! a view; the sub context for VRF. In a slice two tiles of x and two of y, in turn, 4 KiB each, and the sines and
//! cosines of all positions, 1 KiB each. VRF: those of two tiles, 2 KiB. Heads lie outside of positions in DM,
//! `m![Head, Pos / 512 % 2, Dim]`: DMA then goes over all slices with one head, 256 bytes, before it goes on in any,
//! and both networks of an engine are at work. With the 2 KiB of a position at once a tile takes 2,166 cycles instead
//! of 1,865.
//!
//! # What bounds it
//!
//! HBM: 4 MiB in and out and 1 MiB of angles, 6,291 cycles at 1.5 TB/s. Predicted: 9,142, 69 % of what it could move.
//! All of that is DMA: four commands of 1,865 for tiles, two of 841 for angles, 500 of each to start. The passes, twice
//! 260 for a tile, are hidden. In a model queries and keys are in DM when they are turned, and only the passes are
//! left.
//!
//! # Sizes
//!
//! Pos is any multiple of 1,024, as many tiles as `OneTile` says. Head is free, as long as four tiles leave room for
//! angles: 8 x Head x Dim x 2 + Pos bytes of 512 KiB. Dim is any multiple of 16: half of it stands as 64 in the
//! mappings, and 64 / 8 and 64 / 4 beside it. Other sizes are refused.
//!
//! With more heads the pieces that DMA reads one after the other lie so far apart in HBM that each opens a row of its
//! bank again. `TileInHbm` then says `m![Head, Pos % 1024, Dim]`, the order of DMA, in which a product can leave them
//! as well. Nothing else changes.
//!
//!     Head   positions as they are   head by head
//!     8      9,142, 69 %             9,142, 69 %
//!     16     29,624, 40 %            14,606, 81 %
//!     32     136,802, 17 %           25,526, 90 %
//!
//! A head should have 256 bytes, a unit of HBM, or a multiple of it: of smaller ones two share a unit, which is read,
//! changed and written back. With Dim = 64 that takes 142,946 cycles; with `Pos / 512 % 2` outside of `Head` in both
//! `Heads` and `HalfHeads`, so that the heads of a position are moved as one piece, 6,414.
//!
//! # What to try
//!
//! - Sines and cosines as one tensor `m![Pos, Pair, Dim % 64]`: a command less, 500 cycles.
//! - Angles in bf16: half of their bytes, and y off by a part in 256.

use furiosa_visa_std::prelude::*;

axes![Pos = 2048, Head = 8, Dim = 128, Pair = 2];

type Chip = m![1];
type Cluster = m![Pos / 256 % 2];
type Slice = m![Pos % 256];
type OneTile = m![1 # 2]; // of Pos / 1024
type Heads = DmTensor<bf16, Chip, Cluster, Slice, m![Head, Pos / 512 % 2, Dim]>; // of a tile
type TileInHbm = m![Pos % 1024, Head, Dim];
type InHbm = m![Pos / 1024, { TileInHbm }];
type HalfHeads = m![Head, Pos / 512 % 2, 1 # 2, Dim % 64];
type Steps = m![Head, Pos / 512 % 2, Dim / 8 % 8];
type Angles = DmTensor<f32, Chip, Cluster, Slice, m![Pos / 512, Dim % 64]>; // of all
type TileAngles = VrfTensor<f32, Chip, Cluster, Slice, m![Pos / 512 % 2, Dim % 64]>;

const TILES: usize = <m![Pos / 1024]>::SIZE;
const TILE_BYTES: u64 = (2 * Head::SIZE * Dim::SIZE * 2) as u64;
const ANGLE_BYTES: u64 = (Pos::SIZE / 512 * 64 * 4) as u64;
const X_ADDRESS: u64 = 0; // two tiles, in turn
const Y_ADDRESS: u64 = X_ADDRESS + 2 * TILE_BYTES; // two, likewise
const SIN_ADDRESS: u64 = Y_ADDRESS + 2 * TILE_BYTES;
const COS_ADDRESS: u64 = SIN_ADDRESS + ANGLE_BYTES;
const VRF_BYTES: u64 = 2 * 64 * 4; // sines of a tile, or cosines

fn load(ctx: &mut Context, x: &HbmTensor<bf16, Chip, InHbm>, heads: &mut Heads, tile: usize) {
    x.view()
        .tile::<m![Pos / 1024], 1, m![{ OneTile }, { TileInHbm }]>(tile)
        .to_dm_view(&mut ctx.tdma, heads.view_mut());
}

// Sines or cosines of a tile to VRF.
fn load_angles(ctx: &mut Context, angles: &Angles, tile: usize, vrf: u64) -> TileAngles {
    ctx.sub
        .begin(angles.view().tile::<m![Pos / 1024], 1, m![{ OneTile }, Pos / 512 % 2, Dim % 64]>(tile))
        .fetch::<f32, m![Pos / 512 % 2, Dim / 8 % 8], m![Dim % 8]>()
        .collect::<m![Pos / 512 % 2, Dim / 8 % 8], m![Dim % 8]>()
        .to_vrf(vrf)
}

// One half of y: op(first half of x * `first`, second half of x * `second`).
fn half(
    ctx: &mut Context,
    x: &Heads,
    y: &mut Heads,
    which: usize,
    first: &TileAngles,
    second: &TileAngles,
    op: FpBinaryOp,
) {
    ctx.main
        .begin_interleaved::<Pair, _, _, _, _, _>(
            x.view().tile::<m![Dim / 64], 1, HalfHeads>(0),
            x.view().tile::<m![Dim / 64], 1, HalfHeads>(1),
        )
        .fetch::<f32, m![{ Steps }, Pair], m![Dim % 8]>()
        .collect::<m![{ Steps }, Pair], m![Dim % 8]>()
        .vector_init()
        .vector_intra_slice_unzip::<Pair, m![{ Steps }, 1 # 2], Steps>()
        .vector_split::<m![Head, Pos / 512 % 2, Dim / 4 % 16], m![Dim % 4]>()
        .vector_fp_binary(FpBinaryOp::MulF(FpMulAlu::Mul0), first, second)
        .vector_fp_zip(op)
        .vector_concat::<Steps, m![Dim % 8]>()
        .vector_final()
        .cast::<bf16, m![Dim % 8 # 16]>()
        .commit_view(y.view_mut().tile::<m![Dim / 64], 1, HalfHeads>(which));
}

#[device(chip = 1)]
fn rope(
    ctx: &mut Context,
    x: &HbmTensor<bf16, Chip, InHbm>,
    sin: &HbmTensor<f32, Chip, m![Pos, Dim % 64]>,
    cos: &HbmTensor<f32, Chip, m![Pos, Dim % 64]>,
    y: &mut HbmTensor<bf16, Chip, InHbm>,
) {
    let mut heads: [Heads; 2] =
        unsafe { [DmTensor::from_addr(X_ADDRESS), DmTensor::from_addr(X_ADDRESS + TILE_BYTES)] };
    let mut results: [Heads; 2] =
        unsafe { [DmTensor::from_addr(Y_ADDRESS), DmTensor::from_addr(Y_ADDRESS + TILE_BYTES)] };
    let sin: Angles = sin.to_dm(&mut ctx.tdma, SIN_ADDRESS);
    let cos: Angles = cos.to_dm(&mut ctx.tdma, COS_ADDRESS);
    load(ctx, x, &mut heads[0], 0);
    for tile in 0..TILES {
        if tile + 1 < TILES {
            load(ctx, x, &mut heads[(tile + 1) % 2], tile + 1); // in front of the store, which waits for the passes
        }
        let vrf = (tile % 2) as u64 * 2 * VRF_BYTES;
        let sin = load_angles(ctx, &sin, tile, vrf);
        let cos = load_angles(ctx, &cos, tile, vrf + VRF_BYTES);
        half(ctx, &heads[tile % 2], &mut results[tile % 2], 0, &cos, &sin, FpBinaryOp::SubF);
        half(ctx, &heads[tile % 2], &mut results[tile % 2], 1, &sin, &cos, FpBinaryOp::AddF);
        results[tile % 2].view().to_hbm_view(
            &mut ctx.tdma,
            y.view_mut().tile::<m![Pos / 1024], 1, m![{ OneTile }, { TileInHbm }]>(tile),
        );
    }
}

// ---- the host

const HALF: usize = Dim::SIZE / 2;

fn angle(position: usize, d: usize) -> f64 {
    position as f64 / 10000.0_f64.powf(d as f64 / HALF as f64)
}

#[tokio::test]
async fn heads_are_turned_by_their_position() {
    let mut ctx = Context::acquire();
    let size = Pos::SIZE * Head::SIZE * Dim::SIZE;
    let x: Vec<f32> = (0..size).map(|e| ((e * 37 + e / Dim::SIZE) % 255) as f32 / 64.0 - 2.0).collect();
    let angles: Vec<f64> = (0..Pos::SIZE * HALF).map(|e| angle(e / HALF, e % HALF)).collect();
    let x_host = HostTensor::<bf16, m![Pos, Head, Dim]>::from_buf(x.iter().map(|v| Opt::Init(bf16::from_f32(*v))).collect());
    let sin = HostTensor::<f32, m![Pos, Dim % 64]>::from_buf(angles.iter().map(|a| Opt::Init(a.sin() as f32)).collect());
    let cos = HostTensor::<f32, m![Pos, Dim % 64]>::from_buf(angles.iter().map(|a| Opt::Init(a.cos() as f32)).collect());
    let x_hbm = x_host.to_hbm(&mut ctx.pdma, 0).await;
    let sin_hbm = sin.to_hbm(&mut ctx.pdma, 1 << 28).await;
    let cos_hbm = cos.to_hbm(&mut ctx.pdma, 2 << 28).await;
    let mut y = unsafe { HbmTensor::<bf16, Chip, InHbm>::from_addr(1 << 30) };
    launch(rope, (&mut *ctx, &x_hbm, &sin_hbm, &cos_hbm, &mut y)).await;
    let y = y.to_host::<m![Pos, Head, Dim]>(&mut ctx.pdma).await.to_buf();
    for position in (0..Pos::SIZE).step_by(53) {
        for e in 0..Head::SIZE * HALF {
            let at = position * Head::SIZE * Dim::SIZE + e / HALF * Dim::SIZE + e % HALF;
            let (a, b) = (x[at] as f64, x[at + HALF] as f64);
            let turn = angle(position, e % HALF);
            for (place, expected) in [(at, a * turn.cos() - b * turn.sin()), (at + HALF, a * turn.sin() + b * turn.cos())] {
                let found = y[place].unwrap().to_f32() as f64;
                // one rounding to bf16, a part in 256; a difference of numbers below 4 in f32 is off by 1e-6 at most
                assert!((found - expected).abs() <= expected.abs() / 250.0 + 1.0e-6, "{place}: {found}, not {expected}");
            }
        }
    }
}
