// Generic kernels, which are named with their arguments: `scaled::<2, m![A]>`.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8, B = 16];

type Chip = m![1];
type Cluster = m![1 # 2];

#[device(chip = 1)]
fn scaled<const N: i32, E: M>(
    ctx: &mut Context,
    x: &HbmTensor<i32, Chip, m![S, { E }]>,
    more: i32,
) -> HbmTensor<i32, Chip, m![S, { E }]> {
    let dm = x.to_dm::<Cluster, m![S], m![{ E }]>(&mut ctx.tdma, 0);
    let y: DmTensor<i32, Chip, Cluster, m![S], m![{ E }]> = ctx
        .main
        .begin(dm.view())
        .fetch::<i32, m![{ E } / 8], m![{ E } % 8]>()
        .collect::<m![{ E } / 8], m![{ E } % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_fxp(FxpBinaryOp::MulInt, N)
        .vector_fxp(FxpBinaryOp::AddFxp, more)
        .vector_final()
        .commit(0x2000);
    y.to_hbm(&mut ctx.tdma, 1 << 28)
}

mod layers {
    use super::*;

    axes![Own = 8];

    pub const TWICE: i32 = 2;

    /// Its arguments are written in the names of this module.
    #[device(chip = 1)]
    pub fn copy<E: M>(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![S, { E }]>) -> HbmTensor<i32, Chip, m![S, { E }]> {
        let dm = x.to_dm::<Cluster, m![S], m![{ E }]>(&mut ctx.tdma, 0);
        dm.to_hbm(&mut ctx.tdma, 1 << 28)
    }
}
