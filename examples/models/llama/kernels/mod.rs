//! The kernels of `main.rs`, which explains them. They have no sizes of their own: axes, and the mappings that change
//! with them, are those of the files that name this one as their module.

use super::*;

mod attention;
mod ends;
mod mlp;
mod step;

pub use attention::*;
pub use ends::*;
pub use mlp::*;
pub use step::step;

pub type Hidden = HbmTensor<bf16, Chip, m![Tok, Emb]>;
pub type Positions = HbmTensor<i32, Chip, m![Tok]>;
pub type Mask = HbmTensor<f32, Chip, m![Tok, { KeyPlaces }, { Keys }, 1 # 2]>;

const EPSILON: f32 = 1.0e-5;

// DM of a slice: two tiles of a matrix, each as large as TRF, then x and what is made of it.
const TILE_BYTES: u64 = 0x10000;
const EMB_BYTES: u64 = (Tok::SIZE * <EmbPart>::SIZE * 2) as u64;
const X_ADDRESS: u64 = 2 * TILE_BYTES;
const NORM_ADDRESS: u64 = X_ADDRESS + EMB_BYTES;
const GAIN_ADDRESS: u64 = NORM_ADDRESS + EMB_BYTES;
const SQUARES_ADDRESS: u64 = GAIN_ADDRESS + (<EmbPart>::SIZE * 2) as u64;
const FREE_ADDRESS: u64 = SQUARES_ADDRESS + (Tok::SIZE * 8) as u64; // for the rest of a kernel

const GAIN_VRF: u64 = 0;
const SCALE_VRF: u64 = GAIN_VRF + (<EmbPart>::SIZE * 4) as u64;

// HBM: what kernels have for themselves, and hidden states, in front of and behind attention.
const SCRATCH: u64 = 44 << 30;
const IN_FRONT: u64 = 45 << 30;
const BEHIND: u64 = 46 << 30;

// What each of these slices has goes to all of them. With a gap of 2 these are every other slice.
fn ring(slices: usize, gap: usize) -> SwitchConfig {
    SwitchConfig::Broadcast1 { slice1: slices, slice0: gap }
}

// x / sqrt(mean of x^2 + EPSILON) * gain. A slice has a part of every token.
fn norm<Cluster: M>(
    ctx: &mut Context,
    x: &Hidden,
    gain: &Gain,
) -> DmTensor<bf16, Chip, Cluster, EmbSlice, m![Tok, { EmbPart }]> {
    let x: DmTensor<bf16, Chip, Cluster, EmbSlice, m![Tok, { EmbPart }]> = x.to_dm(&mut ctx.tdma, X_ADDRESS);
    let gain: DmTensor<bf16, Chip, Cluster, EmbSlice, EmbPart> = gain.to_dm(&mut ctx.tdma, GAIN_ADDRESS);
    let gain: VrfTensor<f32, Chip, Cluster, EmbSlice, EmbPart> = ctx
        .sub
        .begin(gain.view())
        .fetch::<f32, m![{ EmbPart } / 8], m![Emb % 8]>()
        .collect::<m![{ EmbPart } / 8], m![Emb % 8]>()
        .to_vrf(GAIN_VRF);
    let mean_square: DmTensor<f32, Chip, Cluster, EmbCopies, m![Tok, 1 # 2]> = ctx
        .main
        .begin(x.view())
        .fetch::<f32, m![Tok, { EmbPart } / 8], m![Emb % 8]>()
        .collect::<m![Tok, { EmbPart } / 8], m![Emb % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![Tok, { EmbPart } / 4], m![Emb % 4]>()
        .vector_fp_binary_with_mode(FpBinaryOp::MulF(FpMulAlu::Mul0), BinaryArgMode::Mode00, 1.0f32) // x * x
        .vector_fp_binary(FpBinaryOp::MulF(FpMulAlu::Mul1), 1.0 / Emb::SIZE as f32)
        .vector_intra_slice_reduce::<Emb, m![Tok], m![1 # 4]>(IntraSliceReduceOpF32::Add)
        .vector_pad_way8::<m![1 # 8]>()
        .vector_inter_slice_reduce::<EmbCopies, m![Tok]>(InterSliceReduceOpF32::Add)
        .vector_final()
        .commit(SQUARES_ADDRESS);
    let mean_square: DmTensor<f32, Chip, Cluster, EmbSlice, m![Tok, 1 # 2]> = unsafe { mean_square.reshape() };
    let scale: VrfTensor<f32, Chip, Cluster, EmbSlice, m![Tok, 1 # 8]> = ctx
        .main
        .begin(mean_square.view())
        .fetch::<f32, m![Tok], m![1 # 2]>()
        .collect::<m![Tok], m![1 # 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_trim_way4::<m![1 # 4]>()
        .vector_fp_binary(FpBinaryOp::AddF, EPSILON)
        .vector_fp_unary(FpUnaryOp::Sqrt)
        .vector_fp_div(FpDivBinaryOp::DivF.with_mode(BinaryArgMode::Mode10), 1.0f32)
        .vector_pad_way8::<m![1 # 8]>()
        .vector_final()
        .to_vrf(SCALE_VRF);
    ctx.main
        .begin(x.view())
        .fetch::<f32, m![Tok, { EmbPart } / 8], m![Emb % 8]>()
        .collect::<m![Tok, { EmbPart } / 8], m![Emb % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![Tok, { EmbPart } / 4], m![Emb % 4]>()
        .vector_fp_binary(FpBinaryOp::MulF(FpMulAlu::Mul0), &scale)
        .vector_fp_binary(FpBinaryOp::MulF(FpMulAlu::Mul1), &gain)
        .vector_concat::<m![Tok, { EmbPart } / 8], m![Emb % 8]>()
        .vector_final()
        .cast::<bf16, m![Emb % 8 # 16]>()
        .commit(NORM_ADDRESS)
}

// A tile of a matrix, some rows for each slice, to one of two places in DM.
fn bring_tile<Cluster: M, Slice: M, Tiles: M, OneTile: M, Rest: M, Rows: M, K: M>(
    ctx: &mut Context,
    w: &HbmTensor<bf16, Chip, m![{ Tiles }, { Rest }]>,
    tile: usize,
) -> DmTensor<bf16, Chip, Cluster, Slice, m![{ Rows }, { K }]> {
    w.view().tile::<Tiles, 1, m![{ OneTile }, { Rest }]>(tile).to_dm(&mut ctx.tdma, (tile % 2) as u64 * TILE_BYTES)
}

// The first tiles, which DMA brings while something else is computed.
fn first_tiles<Cluster: M, Slice: M, Tiles: M, OneTile: M, Rest: M, Rows: M, K: M>(
    ctx: &mut Context,
    w: &HbmTensor<bf16, Chip, m![{ Tiles }, { Rest }]>,
) -> Vec<DmTensor<bf16, Chip, Cluster, Slice, m![{ Rows }, { K }]>> {
    let mut tiles = Vec::new();
    for tile in 0..Tiles::SIZE.min(2) {
        tiles.push(bring_tile::<Cluster, Slice, Tiles, OneTile, Rest, Rows, K>(ctx, w, tile));
    }
    tiles
}

// A tile in TRF. Where it was in DM there is room for the one after the next.
fn next_tile<Cluster: M, Slice: M, Tiles: M, OneTile: M, Rest: M, Rows: M, K: M>(
    ctx: &mut Context,
    w: &HbmTensor<bf16, Chip, m![{ Tiles }, { Rest }]>,
    tiles: &mut Vec<DmTensor<bf16, Chip, Cluster, Slice, m![{ Rows }, { K }]>>,
    tile: usize,
    places: [TrfAddress; 2],
) -> TrfTensor<bf16, Chip, Cluster, Slice, Rows, K> {
    let in_trf = ctx
        .sub
        .begin(tiles[tile].view())
        .fetch::<bf16, Rows, K>()
        .collect::<m![{ Rows }, { K } / 16], m![{ K } % 16]>()
        .to_trf(places[tile % 2]);
    if tile + 2 < Tiles::SIZE {
        tiles.push(bring_tile::<Cluster, Slice, Tiles, OneTile, Rest, Rows, K>(ctx, w, tile + 2));
    }
    in_trf
}

const HALVES: [TrfAddress; 2] = [TrfAddress::FirstHalf, TrfAddress::SecondHalf];

// x times a tile: each slice has a part of x, which goes round all slices that have rows.
fn products<'l, Cluster: M, InSlice: M, Parts: M, Part: M, Slice: M, Rows: M, K: M>(
    ctx: &'l mut Context,
    x: &DmTensor<bf16, Chip, Cluster, InSlice, m![Tok, { Part }]>,
    w: &TrfTensor<bf16, Chip, Cluster, Slice, Rows, K>,
    gap: usize,
) -> AccumulationTensor<'l, { Tu::Main }, f32, Chip, Cluster, Slice, m![Tok], m![{ Rows } # 8]> {
    ctx.main
        .begin(x.view())
        .fetch::<bf16, m![Tok], Part>()
        .switch::<Slice, m![Tok, { Parts }]>(ring(Parts::SIZE, gap))
        .collect::<m![Tok, { K } / 16], m![{ K } % 16]>()
        .align::<m![Tok, { K } / 32], m![{ K } % 32], _, _>(w)
        .contract::<m![1]>()
        .accumulate::<m![Tok], m![{ Rows } # 8]>(AccumulationKind::Interleaved)
}

// The sums of a ring of slices, side by side in each of them: HBM takes 256 bytes at once, and less takes 50 times as
// long.
fn gather<Cluster: M, Slice: M, OfSlice: M, Ring: M, Place: M, OfRing: M>(
    ctx: &mut Context,
    x: &DmTensor<f32, Chip, Cluster, Slice, m![Tok, { OfSlice }]>,
    gap: usize,
    address: u64,
) -> DmTensor<f32, Chip, Cluster, Place, m![Tok, { OfRing }]> {
    ctx.main
        .begin(x.view())
        .fetch::<f32, m![Tok], OfSlice>()
        .switch::<Place, m![Tok, { Ring }]>(ring(Ring::SIZE, gap))
        .collect::<m![Tok, { OfRing } / 8], m![{ OfRing } % 8]>()
        .commit(address)
}

// What a block has found, added to x, to HBM.
fn add_to<Cluster: M, Slice: M, Part: M>(
    ctx: &mut Context,
    x: &Hidden,
    sums: &DmTensor<f32, Chip, Cluster, Slice, m![Tok, { Part }]>,
    address: u64,
    to: u64,
) -> Hidden {
    let bytes = (Tok::SIZE * Part::SIZE * 2) as u64;
    let x: DmTensor<bf16, Chip, Cluster, Slice, m![Tok, { Part }]> = x.to_dm(&mut ctx.tdma, address);
    let x: VrfTensor<f32, Chip, Cluster, Slice, m![Tok, { Part }]> = ctx
        .sub
        .begin(x.view())
        .fetch::<f32, m![Tok, { Part } / 8], m![{ Part } % 8]>()
        .collect::<m![Tok, { Part } / 8], m![{ Part } % 8]>()
        .to_vrf(0);
    let y: DmTensor<bf16, Chip, Cluster, Slice, m![Tok, { Part }]> = ctx
        .main
        .begin(sums.view())
        .fetch::<f32, m![Tok, { Part } / 8], m![{ Part } % 8]>()
        .collect::<m![Tok, { Part } / 8], m![{ Part } % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_clip(ClipBinaryOpF32::Add, &x)
        .vector_final()
        .cast::<bf16, m![{ Part } % 8 # 16]>()
        .commit(address + bytes);
    y.to_hbm(&mut ctx.tdma, to)
}
