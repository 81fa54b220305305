// A kernel with twenty parameters: tensors and plain numbers travel in one tuple.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

type InHbm = HbmTensor<i32, m![1], m![S, A]>;

#[device(chip = 1)]
#[allow(clippy::too_many_arguments)]
fn polynomial(
    ctx: &mut Context,
    x: &InHbm,
    out: &mut InHbm,
    twice: bool,
    c0: i32,
    c1: i32,
    c2: i32,
    c3: i32,
    c4: i32,
    c5: i32,
    c6: i32,
    c7: i32,
    c8: i32,
    c9: i32,
    c10: i32,
    c11: i32,
    c12: i32,
    c13: i32,
    c14: i32,
    address: u64,
) {
    let dm = x.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0);
    let offset = c0 + c1 + c2 + c3 + c4 + c5 + c6 + c7 + c8 + c9 + c10 + c11 + c12 + c13 + c14;
    let factor = if twice { 2 } else { 1 };
    let sum: DmTensor<i32, m![1], m![1 # 2], m![S], m![A]> = ctx
        .main
        .begin(dm.view())
        .fetch::<i32, m![1], m![A]>()
        .collect::<m![1], m![A]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_fxp(FxpBinaryOp::MulInt, factor)
        .vector_fxp(FxpBinaryOp::AddFxp, offset)
        .vector_final()
        .commit(address);
    sum.view().to_hbm_view(&mut ctx.tdma, out.view_mut());
}

#[tokio::test]
async fn twenty_of_them() {
    let mut ctx = Context::acquire();
    let host = HostTensor::<i32, m![S, A]>::from_buf((0..2048).map(Opt::Init).collect());
    let x = host.to_hbm(&mut ctx.pdma, 0).await;
    let mut out = unsafe { InHbm::from_addr(1 << 28) };
    launch(
        polynomial,
        (&mut *ctx, &x, &mut out, true, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 0x1000),
    )
    .await;
    let result = out.to_host::<m![S, A]>(&mut ctx.pdma).await;
    assert_eq!(result.to_buf(), (0..2048).map(|v| Opt::Init(2 * v + 105)).collect::<Vec<_>>());
}
