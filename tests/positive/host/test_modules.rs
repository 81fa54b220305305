// Tests beside the kernels they test: a module, a glob, local imports under other names.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

pub mod kernels {
    use super::*;

    #[device(chip = 1)]
    pub fn double(ctx: &mut Context, input: &HbmTensor<i32, m![1], m![S, A]>) -> HbmTensor<i32, m![1], m![S, A]> {
        let dm = input.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0);
        let out = ctx
            .main
            .begin(dm.view())
            .fetch::<i32, m![1], m![A]>()
            .collect::<m![1], m![A]>()
            .vector_init()
            .vector_intra_slice_branch(BranchMode::Unconditional)
            .vector_fxp(FxpBinaryOp::LeftShift, 1)
            .vector_final()
            .commit::<m![A]>(0x1000);
        out.to_hbm(&mut ctx.tdma, 1 << 28)
    }
}

#[cfg(test)]
mod tests {
    use super::kernels::*;
    use super::*;

    #[tokio::test]
    async fn doubled() {
        use super::{A as Lanes, S as Rows};
        let mut ctx = Context::acquire();
        let host: HostTensor<i32, m![Rows, Lanes]> = HostTensor::from_buf((0..2048).map(Opt::Init).collect());
        let hbm = host.to_hbm(&mut ctx.pdma, 0).await;
        let out = launch(double, (&mut *ctx, &hbm)).await.to_host::<m![S, A]>(&mut ctx.pdma).await;
        let expected = host.into_inner().map(|x| x.map(|v| 2 * v));
        assert_eq!(out.into_inner().to_buf(), expected.to_buf());
    }
}
