// A tensor variable is replaced in every turn of a loop; the new value is typed by the variable.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

#[device(chip = 1)]
fn power(ctx: &mut Context, input: &HbmTensor<i32, m![1], m![S, A]>) -> HbmTensor<i32, m![1], m![S, A]> {
    let mut value: DmTensor<i32, m![1], m![1 # 2], m![S], m![A]> = input.to_dm(&mut ctx.tdma, 0);
    for round in 0..4 {
        let target = if round % 2 == 0 { 0x1000 } else { 0 };
        value = ctx
            .main
            .begin(value.view())
            .fetch::<i32, m![1], m![A]>()
            .collect::<m![1], m![A]>()
            .vector_init()
            .vector_intra_slice_branch(BranchMode::Unconditional)
            .vector_fxp(FxpBinaryOp::MulInt, 2)
            .vector_final()
            .commit(target);
    }
    value.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[tokio::test]
async fn four_doublings() {
    let mut ctx = Context::acquire();
    let input = HostTensor::<i32, m![S, A]>::from_buf((0..2048).map(Opt::Init).collect());
    let hbm = input.to_hbm(&mut ctx.pdma, 0).await;
    let out = launch(power, (&mut *ctx, &hbm)).await.to_host::<m![S, A]>(&mut ctx.pdma).await;
    assert_eq!(out.to_buf(), (0..2048).map(|x| Opt::Init(x * 16)).collect::<Vec<_>>());
}
