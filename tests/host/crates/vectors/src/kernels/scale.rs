//! Scaling: the factor is a plain number among the arguments.

use super::{Chip, Cluster};
use crate::shapes::wide::{Rows, Width as W};
use furiosa_visa_std::prelude::*;

#[device(chip = 1)]
pub fn scale(
    ctx: &mut Context,
    x: &HbmTensor<i32, Chip, m![Rows, W]>,
    factor: i32,
    out: &mut HbmTensor<i32, Chip, m![Rows, W]>,
) {
    let dm = x.to_dm::<Cluster, m![Rows], m![W]>(&mut ctx.tdma, 0);
    let y: DmTensor<i32, Chip, Cluster, m![Rows], m![W]> = ctx
        .main
        .begin(dm.view())
        .fetch::<i32, m![W / 8], m![W % 8]>()
        .collect::<m![W / 8], m![W % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_fxp(FxpBinaryOp::MulInt, factor)
        .vector_final()
        .commit(0x1000);
    y.view().to_hbm_view(&mut ctx.tdma, out.view_mut());
}
