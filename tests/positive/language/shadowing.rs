// One name for the tensor in HBM, in DM, in the registers and for the result.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

#[device(chip = 1)]
fn add(
    ctx: &mut Context,
    x: &HbmTensor<i32, m![1], m![S, A]>,
    y: &HbmTensor<i32, m![1], m![S, A]>,
) -> HbmTensor<i32, m![1], m![S, A]> {
    let x = x.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0);
    let y = y.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0x1000);
    let y: VrfTensor<i32, m![1], m![1 # 2], m![S], m![A]> =
        ctx.sub.begin(y.view()).fetch::<i32, m![1], m![A]>().collect::<m![1], m![A]>().to_vrf(0);
    let x = ctx
        .main
        .begin(x.view())
        .fetch::<i32, m![1], m![A]>()
        .collect::<m![1], m![A]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_fxp(FxpBinaryOp::AddFxp, &y)
        .vector_final()
        .commit::<m![A]>(0x2000);
    let x = x.to_hbm(&mut ctx.tdma, 1 << 28);
    x
}
