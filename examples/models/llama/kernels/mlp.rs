//! The second half of a layer: x + W_down (W_up n * silu(W_gate n)), where n = norm(x).

use super::*;

type OneTileOfFfn = m![Tok, { OneFfnTile }, { FfnRows }];

const SUMS_BYTES: u64 = (Tok::SIZE * <FfnTiles>::SIZE * <FfnRows>::SIZE * 4) as u64;
const UP_ADDRESS: u64 = FREE_ADDRESS;
const GATE_ADDRESS: u64 = UP_ADDRESS + SUMS_BYTES;
const ACTIVE_ADDRESS: u64 = GATE_ADDRESS + SUMS_BYTES;
const GATHERED_ADDRESS: u64 = ACTIVE_ADDRESS + SUMS_BYTES / 2;
const PARTS_ADDRESS: u64 = GATHERED_ADDRESS + (Tok::SIZE * <FfnOfRing>::SIZE * 2) as u64;
const DOWN_SUMS: u64 = PARTS_ADDRESS + (Tok::SIZE * <FfnPart>::SIZE * 2) as u64;
const DOWN_GATHERED: u64 = DOWN_SUMS + (Tok::SIZE * <DownOfSlice>::SIZE * 4) as u64;
const OUT_ADDRESS: u64 = DOWN_GATHERED + (Tok::SIZE * <DownOfRing>::SIZE * 4) as u64;

fn project(
    ctx: &mut Context,
    x: &DmTensor<bf16, Chip, FfnCluster, EmbSlice, m![Tok, { EmbPart }]>,
    w: &FfnMatrix,
    address: u64,
) -> DmTensor<f32, Chip, FfnCluster, FfnSlice, m![Tok, { FfnOfSlice }]> {
    let mut sums: DmTensor<f32, Chip, FfnCluster, FfnSlice, m![Tok, { FfnOfSlice }]> =
        unsafe { DmTensor::from_addr(address) };
    let mut tiles = first_tiles::<FfnCluster, FfnSlice, FfnTiles, OneFfnTile, FfnRest, FfnRows, m![Emb]>(ctx, w);
    for tile in 0..<FfnTiles>::SIZE {
        let w = next_tile::<_, _, FfnTiles, OneFfnTile, FfnRest, FfnRows, m![Emb]>(ctx, w, &mut tiles, tile, HALVES);
        products::<_, _, EmbParts, EmbPart, _, _, _>(ctx, x, &w, 1)
            .commit_view(sums.view_mut().tile::<FfnTiles, 1, OneTileOfFfn>(tile));
    }
    sums
}

// up * silu(gate)
fn activate(
    ctx: &mut Context,
    up: &DmTensor<f32, Chip, FfnCluster, FfnSlice, m![Tok, { FfnOfSlice }]>,
    gate: &DmTensor<f32, Chip, FfnCluster, FfnSlice, m![Tok, { FfnOfSlice }]>,
) -> HbmTensor<bf16, Chip, m![Tok, Ffn]> {
    let up: VrfTensor<f32, Chip, FfnCluster, FfnSlice, m![Tok, { FfnOfSlice }]> = ctx
        .sub
        .begin(up.view())
        .fetch::<f32, m![Tok, { FfnOfSlice } / 4], m![{ FfnOfSlice } % 4]>()
        .collect::<m![Tok, { FfnOfSlice } / 4], m![{ FfnOfSlice } % 4 # 8]>()
        .to_vrf(0);
    let active: DmTensor<bf16, Chip, FfnCluster, FfnSlice, m![Tok, { FfnOfSlice }]> = ctx
        .main
        .begin(gate.view())
        .fetch::<f32, m![Tok, { FfnOfSlice } / 4], m![{ FfnOfSlice } % 4]>()
        .collect::<m![Tok, { FfnOfSlice } / 4], m![{ FfnOfSlice } % 4 # 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_trim_way4::<m![{ FfnOfSlice } % 4]>()
        .vector_stash()
        .vector_fp_unary(FpUnaryOp::Sigmoid)
        .vector_fp_binary(FpBinaryOp::MulF(FpMulAlu::Mul0), Stash)
        .vector_fp_binary(FpBinaryOp::MulF(FpMulAlu::Mul1), &up)
        .vector_pad_way8::<m![{ FfnOfSlice } % 4 # 8]>()
        .vector_final()
        .cast::<bf16, m![{ FfnOfSlice } % 4 # 16]>()
        .commit(ACTIVE_ADDRESS);
    let gathered: DmTensor<bf16, Chip, FfnCluster, FfnPlace, m![Tok, { FfnOfRing }]> = ctx
        .main
        .begin(active.view())
        .fetch::<bf16, m![Tok, { FfnTiles }], FfnRows>()
        .switch::<FfnPlace, m![Tok, { FfnTiles }, { FfnRing }]>(ring(<FfnRing>::SIZE, 1))
        .collect::<m![Tok, { FfnTiles }, { FfnRing }], m![{ FfnRows } # 16]>()
        .commit(GATHERED_ADDRESS);
    gathered.to_hbm(&mut ctx.tdma, SCRATCH)
}

#[device(chip = 1)]
pub fn mlp(
    ctx: &mut Context,
    x: &Hidden,
    gain: &Gain,
    w_gate: &FfnMatrix,
    w_up: &FfnMatrix,
    w_down: &DownMatrix,
) -> Hidden {
    let normal = norm::<FfnCluster>(ctx, x, gain);
    let up = project(ctx, &normal, w_up, UP_ADDRESS);
    let gate = project(ctx, &normal, w_gate, GATE_ADDRESS);
    let mut tiles =
        first_tiles::<DownCluster, DownSlice, DownTiles, OneDownTile, DownRest, DownRows, m![Ffn]>(ctx, w_down);
    let active = activate(ctx, &up, &gate);
    let active: DmTensor<bf16, Chip, DownCluster, ActiveSlice, m![Tok, { FfnPart }]> =
        active.to_dm(&mut ctx.tdma, PARTS_ADDRESS);
    let mut sums: DmTensor<f32, Chip, DownCluster, DownSlice, m![Tok, { DownOfSlice }]> =
        unsafe { DmTensor::from_addr(DOWN_SUMS) };
    for tile in 0..<DownTiles>::SIZE {
        let w = next_tile::<_, _, DownTiles, OneDownTile, DownRest, DownRows, m![Ffn]>(
            ctx,
            w_down,
            &mut tiles,
            tile,
            DOWN_PLACES,
        );
        products::<_, _, FfnParts, FfnPart, _, _, _>(ctx, &active, &w, DOWN_GAP)
            .commit_view(sums.view_mut().tile::<DownTiles, 1, m![Tok, { OneDownTile }, { DownRows }]>(tile));
    }
    let sums = gather::<_, _, DownOfSlice, DownRing, DownPlace, DownOfRing>(ctx, &sums, DOWN_GAP, DOWN_GATHERED);
    add_to::<_, _, DownOfRing>(ctx, x, &sums, OUT_ADDRESS, IN_FRONT)
}
