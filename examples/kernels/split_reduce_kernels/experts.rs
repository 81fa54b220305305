//! Experts: what four tensors hold of a token, weighted. See `split_reduce.rs`.

use super::*;

type PlaceHalf = m![Place / 256 % 2];
type Places = m![Place % 256];
type PlaceTile = m![1 # 2]; // of Place / 512
type TileInHbm = m![Place % 512, Width];
type InHbm = m![Place / 512, { TileInHbm }]; // of each expert, and of the sums
type Outputs = DmTensor<bf16, Chip, PlaceHalf, Places, m![Expert, Width]>;

const PLACE_TILES: usize = <m![Place / 512]>::SIZE;
const OUTPUTS_BYTES: u64 = (Expert::SIZE * Width::SIZE * 2) as u64;
const WEIGHTS_ADDRESS: u64 = 2 * OUTPUTS_BYTES;
const SUM_ADDRESS: u64 = WEIGHTS_ADDRESS + (PLACE_TILES * Expert::SIZE * 8) as u64;
const SUM_BYTES: u64 = (Width::SIZE * 2) as u64;

fn load_outputs(
    ctx: &mut Context,
    outputs: &HbmTensor<bf16, Chip, m![Expert, { InHbm }]>,
    buffer: &mut Outputs,
    tile: usize,
) {
    outputs
        .view()
        .tile::<m![Place / 512], 1, m![Expert, { PlaceTile }, { TileInHbm }]>(tile)
        .to_dm_view(&mut ctx.tdma, buffer.view_mut());
}

#[device(chip = 1)]
pub fn expert_sum(
    ctx: &mut Context,
    outputs: &HbmTensor<bf16, Chip, m![Expert, { InHbm }]>,
    weights: &HbmTensor<f32, Chip, m![Place, Expert, Twice]>,
    y: &mut HbmTensor<bf16, Chip, InHbm>,
) {
    let weights: DmTensor<f32, Chip, PlaceHalf, Places, m![Place / 512, Expert, Twice]> =
        weights.to_dm(&mut ctx.tdma, WEIGHTS_ADDRESS);
    // the first of two that are alike
    let weights: DmTensor<f32, Chip, PlaceHalf, Places, m![Place / 512, Expert, 1 # 2]> = unsafe { weights.reshape() };
    let mut buffers: [Outputs; 2] = unsafe { [DmTensor::from_addr(0), DmTensor::from_addr(OUTPUTS_BYTES)] };
    load_outputs(ctx, outputs, &mut buffers[0], 0);
    for tile in 0..PLACE_TILES {
        if tile + 1 < PLACE_TILES {
            // in front of the sum of this tile, which DMA can fetch only when the pass is over
            load_outputs(ctx, outputs, &mut buffers[(tile + 1) % 2], tile + 1);
        }
        let weights: VrfTensor<f32, Chip, PlaceHalf, Places, m![Expert, 1 # 8]> = ctx
            .sub
            .begin(weights.view().tile::<m![Place / 512], 1, m![{ PlaceTile }, Expert, 1 # 2]>(tile))
            .fetch::<f32, m![Expert], m![1 # 2]>()
            .collect::<m![Expert], m![1 # 8]>()
            .to_vrf((tile % 2) as u64 * Expert::SIZE as u64 * 32);
        let sum: DmTensor<bf16, Chip, PlaceHalf, Places, m![Width]> = ctx
            .main
            .begin(buffers[tile % 2].view())
            .fetch::<f32, m![Width / 8, Expert], m![Width % 8]>()
            .collect::<m![Width / 8, Expert], m![Width % 8]>()
            .vector_init()
            .vector_intra_slice_branch(BranchMode::Unconditional)
            .vector_split::<m![Width / 8, Expert, Width / 4 % 2], m![Width % 4]>()
            .vector_fp_binary(FpBinaryOp::MulF(FpMulAlu::Mul0), &weights)
            .vector_intra_slice_reduce::<Expert, m![Width / 4], m![Width % 4]>(IntraSliceReduceOpF32::Add)
            .vector_concat::<m![Width / 8], m![Width % 8]>()
            .vector_final()
            .cast::<bf16, m![Width % 8 # 16]>()
            .commit(SUM_ADDRESS + (tile % 2) as u64 * SUM_BYTES);
        sum.view().to_hbm_view(
            &mut ctx.tdma,
            y.view_mut().tile::<m![Place / 512], 1, m![{ PlaceTile }, { TileInHbm }]>(tile),
        );
    }
}
