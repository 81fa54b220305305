//! What experts do to the rows of their blocks: y = (silu(x gate^T) * (x up^T)) down^T. `main.rs` explains it.

use super::*;

type InnerSlice = m![Row / 128 % 8, Inner / 16]; // 16 of Inner in each of the 32 slices of a block
type ModelSlice = m![Row / 128 % 8, Model / 8]; // 8 of Model
type RowSlice = m![Row / 128 % 8, Row / 4 % 32]; // 4 rows
type Rows = DmTensor<bf16, Chip, Cluster, RowSlice, m![Row % 4, Model]>;
type Inwards = TrfTensor<bf16, Chip, Cluster, InnerSlice, m![Inner % 8], m![Model / 16, Inner / 8 % 2, Model % 16]>;
type Ups = DmTensor<f32, Chip, Cluster, InnerSlice, m![Row % 4, Row / 4 % 32, Inner % 16]>;
type Units = m![Row / 4 % 32, Inner / 8 % 2]; // in time, eight at a time
type Hidden = DmTensor<bf16, Chip, Cluster, InnerSlice, m![Row % 4, Row / 4 % 32, Inner % 16]>;

pub type Cluster = m![Row / 1024];
pub type InwardWeights = DmTensor<bf16, Chip, Cluster, InnerSlice, m![Inner % 16, Model]>;

const PARTS: usize = 4; // of a block, 32 rows each
const WEIGHT_BYTES: u64 = (16 * Model::SIZE * 2) as u64;
const PART_BYTES: u64 = (Model::SIZE * 2) as u64; // of rows, in a slice
const GATE_ADDRESS: u64 = UP_ADDRESS + WEIGHT_BYTES;
const DOWN_ADDRESS: u64 = GATE_ADDRESS + WEIGHT_BYTES;
const ROWS_ADDRESS: u64 = DOWN_ADDRESS + (8 * Inner::SIZE * 2) as u64;
const HIDDEN_ADDRESS: u64 = ROWS_ADDRESS + PARTS as u64 * PART_BYTES;
const UPS_ADDRESS: u64 = HIDDEN_ADDRESS + (BLOCK * 16 * 2) as u64;
const OUT_ADDRESS: u64 = UPS_ADDRESS + (BLOCK * 16 * 4) as u64;
const TURNED_ADDRESS: u64 = OUT_ADDRESS + PARTS as u64 * PART_BYTES;
const UP_VRF: u64 = WEIGHT_VRF + 0x100; // of two parts, in turn
const UP_VRF_BYTES: u64 = 32 * 16 * 4;

const ROUND_A_BLOCK: SwitchConfig = SwitchConfig::Broadcast01 { slice1: 32, slice0: 1, time0: 1 };

// Gate or up of each block's expert to the register file: 8 rows, each with two units that take turns flit by flit.
fn store(ctx: &mut Context, weights: &InwardWeights, half: TrfAddress) -> Inwards {
    ctx.sub
        .begin(weights.view())
        .fetch::<bf16, m![Inner % 8, Model / 16, Inner / 8 % 2], m![Model % 16]>()
        .collect::<m![Inner % 8, Model / 16, Inner / 8 % 2], m![Model % 16]>()
        .to_trf(half)
}

// 32 rows of each block times one of these. The slices of a block have a row each, and pass it round.
fn product<'l>(
    ctx: &'l mut Context,
    rows: &Rows,
    weights: &Inwards,
    part: usize,
) -> AccumulationTensor<'l, { Tu::Main }, f32, Chip, Cluster, InnerSlice, Units, m![Inner % 8]> {
    ctx.main
        .begin(rows.view().tile::<m![Row % 4], 1, m![1 # 4, Model]>(part))
        .fetch::<bf16, m![1], m![Model]>()
        .switch::<InnerSlice, m![Row / 4 % 32]>(ROUND_A_BLOCK)
        .collect::<m![Row / 4 % 32, Model / 16], m![Model % 16]>()
        .align::<m![Row / 4 % 32, Model / 16], m![Inner / 8 % 2, Model % 16], _, _>(weights)
        .contract::<m![Inner / 8 % 2]>()
        .accumulate::<Units, m![Inner % 8]>(AccumulationKind::Interleaved)
}

// silu(x gate^T) * (x up^T): the second one is there already, and comes to VRF while the first is multiplied.
fn activate(ctx: &mut Context, rows: &Rows, gate: &Inwards, ups: &Ups, hidden: &mut Hidden, part: usize) {
    let ups: VrfTensor<f32, Chip, Cluster, InnerSlice, m![Row / 4 % 32, Inner % 16]> = ctx
        .sub
        .begin(ups.view().tile::<m![Row % 4], 1, m![1 # 4, Row / 4 % 32, Inner % 16]>(part))
        .fetch::<f32, m![Row / 4 % 32], m![Inner % 16]>()
        .collect::<Units, m![Inner % 8]>()
        .to_vrf(UP_VRF + (part % 2) as u64 * UP_VRF_BYTES);
    product(ctx, rows, gate, part)
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![Row / 4 % 32, Inner / 4 % 4], m![Inner % 4]>()
        .vector_stash()
        .vector_fp_unary(FpUnaryOp::Sigmoid)
        .vector_fp_binary(FpBinaryOp::MulF(FpMulAlu::Mul0), Stash)
        .vector_fp_binary(FpBinaryOp::MulF(FpMulAlu::Mul1), &ups)
        .vector_concat::<Units, m![Inner % 8]>()
        .vector_final()
        .cast::<bf16, m![Inner % 8 # 16]>()
        .commit_view(hidden.view_mut().tile::<m![Row % 4], 1, m![1 # 4, Row / 4 % 32, Inner % 16]>(part));
}

// Times down: now hidden units go round, and each slice adds up 8 columns. Then slices exchange them for whole rows, in
// the sub context.
fn reduce(
    ctx: &mut Context,
    hidden: &Hidden,
    down: &TrfTensor<bf16, Chip, Cluster, ModelSlice, m![Model % 8], m![Inner]>,
    turned: &mut Rows,
    part: usize,
) {
    let out: DmTensor<bf16, Chip, Cluster, ModelSlice, m![Row / 4 % 32, Model % 8]> = ctx
        .main
        .begin(hidden.view().tile::<m![Row % 4], 1, m![1 # 4, Row / 4 % 32, Inner % 16]>(part))
        .fetch::<bf16, m![Row / 4 % 32], m![Inner % 16]>()
        .switch::<ModelSlice, m![Row / 4 % 32, Inner / 16]>(ROUND_A_BLOCK)
        .collect::<m![Row / 4 % 32, Inner / 16], m![Inner % 16]>()
        .align::<m![Row / 4 % 32, Inner / 32], m![Inner % 32], _, _>(down)
        .contract::<m![1]>()
        .accumulate::<m![Row / 4 % 32], m![Model % 8]>(AccumulationKind::Interleaved)
        .cast::<bf16, m![Model % 8 # 16]>()
        .commit(OUT_ADDRESS + part as u64 * PART_BYTES);
    ctx.sub
        .begin(out.view())
        .fetch::<bf16, m![Row / 4 % 32], m![Model % 8]>()
        .switch::<RowSlice, m![Model / 8]>(SwitchConfig::InterTranspose { slice1: 32, slice0: 1, time0: 1 })
        .collect::<m![Model / 8], m![Model % 8 # 16]>()
        .commit_view(turned.view_mut().tile::<m![Row % 4], 1, m![1 # 4, Model]>(part));
}

pub fn experts(
    ctx: &mut Context,
    blocks: &HbmTensor<bf16, Chip, m![Row, Model]>,
    owners: &HbmTensor<i32, Chip, Blocks>,
    up: &InwardWeights,
    gate: &HbmTensor<bf16, Chip, PackedInwards>,
    down: &HbmTensor<bf16, Chip, PackedOutwards>,
) -> HbmTensor<bf16, Chip, m![Row, Model]> {
    let rows: Rows = blocks.to_dm(&mut ctx.tdma, ROWS_ADDRESS);
    let gate: InwardWeights = gate.dma_gather(owners, GATE_ADDRESS);
    let down: DmTensor<bf16, Chip, Cluster, ModelSlice, m![Model % 8, Inner]> = down.dma_gather(owners, DOWN_ADDRESS);
    let up = store(ctx, up, TrfAddress::FirstHalf);
    let mut ups: Ups = unsafe { DmTensor::from_addr(UPS_ADDRESS) };
    for part in 0..PARTS {
        product(ctx, &rows, &up, part)
            .commit_view(ups.view_mut().tile::<m![Row % 4], 1, m![1 # 4, Row / 4 % 32, Inner % 16]>(part));
    }
    let gate = store(ctx, &gate, TrfAddress::SecondHalf);
    let mut hidden: Hidden = unsafe { DmTensor::from_addr(HIDDEN_ADDRESS) };
    for part in 0..PARTS {
        activate(ctx, &rows, &gate, &ups, &mut hidden, part);
    }
    let down: TrfTensor<bf16, Chip, Cluster, ModelSlice, m![Model % 8], m![Inner]> = ctx
        .sub
        .begin(down.view())
        .fetch::<bf16, m![Model % 8], m![Inner]>()
        .collect::<m![Model % 8, Inner / 16], m![Inner % 16]>()
        .to_trf(TrfAddress::FirstHalf);
    let mut turned: Rows = unsafe { DmTensor::from_addr(TURNED_ADDRESS) };
    let mut results = unsafe { HbmTensor::<bf16, Chip, m![Row, Model]>::from_addr(RESULT_HBM) };
    for part in 0..PARTS {
        reduce(ctx, &hidden, &down, &mut turned, part);
        turned.view().tile::<m![Row % 4], 1, m![1 # 4, Model]>(part).to_hbm_view(
            &mut ctx.tdma,
            results.view_mut().tile::<m![Row % 4], 1, m![Row / 4, 1 # 4, Model]>(part),
        );
    }
    results
}
