//! Many operations: tiles that are loaded, changed and stored, in two places of DM that take turns.

use furiosa_visa_std::prelude::*;

axes![T = 16, V = 2048];

type Chip = m![1];
type Cluster = m![1 # 2];
type Slice = m![V / 8];
type Element = m![V % 8];

const ROUNDS: usize = 16666;

#[device(chip = 1)]
fn rounds(ctx: &mut Context, input: &HbmTensor<i32, Chip, m![T, V]>) -> HbmTensor<i32, Chip, m![T, V]> {
    let mut out: HbmTensor<i32, Chip, m![T, V]> = unsafe { HbmTensor::from_addr(1 << 28) };
    for round in 0..ROUNDS {
        let buffer = (round % 2) as u64 * 0x1000;
        let tile: DmTensor<i32, Chip, Cluster, Slice, Element> =
            input.view().tile::<m![T], 1, m![1 # 16, V]>(round % 16).to_dm(&mut ctx.tdma, buffer);
        let sum: DmTensor<i32, Chip, Cluster, Slice, Element> = ctx
            .main
            .begin(tile.view())
            .fetch::<i32, m![1], m![V % 8]>()
            .collect::<m![1], m![V % 8]>()
            .vector_init()
            .vector_intra_slice_branch(BranchMode::Unconditional)
            .vector_fxp(FxpBinaryOp::AddFxp, 5)
            .vector_final()
            .commit(buffer + 0x8000);
        sum.view().to_hbm_view(&mut ctx.tdma, out.view_mut().tile::<m![T], 1, m![1 # 16, V]>(round % 16));
    }
    out
}
