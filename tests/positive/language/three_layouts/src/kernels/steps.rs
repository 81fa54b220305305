// Helpers for the kernels, reached through super and crate paths.
use super::*;

pub(super) fn load(
    ctx: &mut Context,
    input: &HbmTensor<i32, Chip, m![Rows, Lanes]>,
) -> DmTensor<i32, Chip, Cluster, Slice, m![Lanes]> {
    input.to_dm(&mut ctx.tdma, 0)
}
