// Every kind of parameter and result that arrays and numbers from outside can stand for.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8, B = 5, E = 63, N = 16, T = 8];

type Cluster = m![1 # 2];

mod layouts {
    use super::*;

    #[device(chip = 1)]
    pub fn padded(ctx: &mut Context, input: &HbmTensor<i32, m![1], m![S, B # 8]>) -> HbmTensor<i32, m![1], m![S, B # 8]> {
        let dm = input.to_dm::<Cluster, m![S], m![B # 8]>(&mut ctx.tdma, 0);
        dm.to_hbm(&mut ctx.tdma, 1 << 28)
    }

    #[device(chip = 1)]
    pub fn split(ctx: &mut Context, input: &HbmTensor<i32, m![1], m![S / 16, S % 16, A]>) -> HbmTensor<i32, m![1], m![A, S]> {
        let dm = input.to_dm::<Cluster, m![S], m![A]>(&mut ctx.tdma, 0);
        dm.to_hbm(&mut ctx.tdma, 1 << 28)
    }

    /// The padding of E lies somewhere in the middle: it cannot be left out of a dimension.
    #[device(chip = 1)]
    pub fn ragged(
        ctx: &mut Context,
        input: &HbmTensor<i32, m![1], m![S, E # 64]>,
    ) -> HbmTensor<i32, m![1], m![S, E # 64 % 8, E # 64 / 8]> {
        let dm = input.to_dm::<Cluster, m![S], m![E # 64]>(&mut ctx.tdma, 0);
        dm.to_hbm(&mut ctx.tdma, 1 << 28)
    }
}

mod types {
    use super::*;

    #[device(chip = 1)]
    pub fn small(
        ctx: &mut Context,
        nibbles: &HbmTensor<i4, m![1], m![S, N]>,
        bytes: &HbmTensor<i8, m![1], m![S, A]>,
    ) -> (HbmTensor<i4, m![1], m![S, N]>, HbmTensor<i8, m![1], m![S, A]>) {
        let first = nibbles.to_dm::<Cluster, m![S], m![N]>(&mut ctx.tdma, 0);
        let second = bytes.to_dm::<Cluster, m![S], m![A]>(&mut ctx.tdma, 0x1000);
        (first.to_hbm(&mut ctx.tdma, 1 << 28), second.to_hbm(&mut ctx.tdma, 2 << 28))
    }

    #[device(chip = 1)]
    pub fn floats(
        ctx: &mut Context,
        half: &HbmTensor<f16, m![1], m![S, A]>,
        brain: &HbmTensor<bf16, m![1], m![S, A]>,
        quarter: &HbmTensor<f8e4m3, m![1], m![S, A]>,
        single: &HbmTensor<f32, m![1], m![S, A]>,
    ) -> (
        HbmTensor<f16, m![1], m![S, A]>,
        HbmTensor<bf16, m![1], m![S, A]>,
        HbmTensor<f8e4m3, m![1], m![S, A]>,
        HbmTensor<f32, m![1], m![S, A]>,
    ) {
        let half = half.to_dm::<Cluster, m![S], m![A]>(&mut ctx.tdma, 0);
        let brain = brain.to_dm::<Cluster, m![S], m![A]>(&mut ctx.tdma, 0x1000);
        let quarter = quarter.to_dm::<Cluster, m![S], m![A]>(&mut ctx.tdma, 0x2000);
        let single = single.to_dm::<Cluster, m![S], m![A]>(&mut ctx.tdma, 0x3000);
        (
            half.to_hbm(&mut ctx.tdma, 1 << 28),
            brain.to_hbm(&mut ctx.tdma, 2 << 28),
            quarter.to_hbm(&mut ctx.tdma, 3 << 28),
            single.to_hbm(&mut ctx.tdma, 4 << 28),
        )
    }
}

mod numbers {
    use super::*;

    #[device(chip = 1)]
    pub fn pick(
        ctx: &mut Context,
        input: &HbmTensor<i32, m![1], m![S, A, A2]>,
        row: usize,
        offset: i32,
        shift: bool,
    ) -> HbmTensor<i32, m![1], m![S, A2]> {
        let dm: DmTensor<i32, m![1], Cluster, m![S], m![A2]> =
            input.view().tile::<m![A], 1, m![S, 1 # 8, A2]>(row).to_dm(&mut ctx.tdma, 0);
        if !shift {
            return dm.to_hbm(&mut ctx.tdma, 1 << 28);
        }
        let sum: DmTensor<i32, m![1], Cluster, m![S], m![A2]> = ctx
            .main
            .begin(dm.view())
            .fetch::<i32, m![1], m![A2]>()
            .collect::<m![1], m![A2]>()
            .vector_init()
            .vector_intra_slice_branch(BranchMode::Unconditional)
            .vector_fxp(FxpBinaryOp::AddFxp, offset)
            .vector_final()
            .commit(0x1000);
        sum.to_hbm(&mut ctx.tdma, 1 << 28)
    }

    axes![A2 = 8];
}

mod places {
    use super::*;

    /// Writes the first half of what it is lent.
    #[device(chip = 1)]
    pub fn first_half(
        ctx: &mut Context,
        input: &HbmTensor<i32, m![1], m![S, A = 4]>,
        output: &mut HbmTensor<i32, m![1], m![S, A]>,
    ) {
        let dm = input.to_dm::<Cluster, m![S], m![A = 4]>(&mut ctx.tdma, 0);
        dm.view().to_hbm_view(&mut ctx.tdma, output.view_mut().tile::<m![A], 4, m![S, A = 4 # 8]>(0));
    }
}

mod parts {
    use super::*;

    #[device(chip = 1)]
    pub fn part(ctx: &mut Context, input: &HbmTensor<i32, m![1], m![S, T = 4]>) -> HbmTensor<i32, m![1], m![S, T = 4]> {
        let dm = input.to_dm::<Cluster, m![S], m![T = 4]>(&mut ctx.tdma, 0);
        dm.to_hbm(&mut ctx.tdma, 1 << 28)
    }
}

mod again {
    use super::*;

    #[device(chip = 1)]
    pub fn padded(_ctx: &mut Context, input: HbmTensor<i32, m![1], m![S]>) -> HbmTensor<i32, m![1], m![S]> {
        input
    }
}
