// A module and a kernel may share one name, and a kernel may be imported from a module of its name.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

mod relu {
    use super::*;

    #[device(chip = 1)]
    pub fn relu(ctx: &mut Context, input: &HbmTensor<i32, m![1], m![S, A]>) -> HbmTensor<i32, m![1], m![S, A]> {
        let dm = input.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0);
        let out = ctx
            .main
            .begin(dm.view())
            .fetch::<i32, m![1], m![A]>()
            .collect::<m![1], m![A]>()
            .vector_init()
            .vector_intra_slice_branch(BranchMode::Unconditional)
            .vector_clip(ClipBinaryOpI32::Max, 0)
            .vector_final()
            .commit::<m![A]>(0x1000);
        out.to_hbm(&mut ctx.tdma, 1 << 28)
    }
}

pub use relu::relu;

#[tokio::test]
async fn negative_values_become_zero() {
    let mut ctx = Context::acquire();
    let input = HostTensor::<i32, m![S, A]>::from_buf((0..2048).map(|x| Opt::Init(x - 1024)).collect());
    let hbm = input.to_hbm(&mut ctx.pdma, 0).await;
    let out = launch(relu, (&mut *ctx, &hbm)).await.to_host::<m![S, A]>(&mut ctx.pdma).await;
    assert_eq!(out.to_buf(), (0..2048).map(|x| Opt::Init((x - 1024).max(0))).collect::<Vec<_>>());
}
