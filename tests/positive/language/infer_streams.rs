// What streams infer: commit, to_trf and to_vrf from types, align from its argument, contraction results from operands.
use furiosa_visa_std::prelude::*;

axes![S = 256, M = 4, N = 8, K = 64];

type Cluster = m![1 # 2];

#[device(chip = 1)]
fn multiply(
    ctx: &mut Context,
    x: &HbmTensor<i8, m![1], m![S, M, K]>,
    w: &HbmTensor<i8, m![1], m![S, N, K]>,
    bias: &HbmTensor<i32, m![1], m![S, N]>,
) -> HbmTensor<i8, m![1], m![S, M, N]> {
    let x: DmTensor<i8, m![1], Cluster, m![S], m![M, K]> = x.to_dm(&mut ctx.tdma, 0);
    let w: DmTensor<i8, m![1], Cluster, m![S], m![N, K]> = w.to_dm(&mut ctx.tdma, 0x1000);
    let bias: DmTensor<i32, m![1], Cluster, m![S], m![N]> = bias.to_dm(&mut ctx.tdma, 0x2000);
    let w: TrfTensor<i8, m![1], Cluster, m![S], m![N], m![K]> = ctx
        .sub
        .begin(w.view())
        .fetch::<i8, m![N], m![K]>()
        .collect::<m![N, K / 32], m![K % 32]>()
        .to_trf(TrfAddress::Full);
    let bias: VrfTensor<i32, m![1], Cluster, m![S], m![N]> =
        ctx.sub.begin(bias.view()).fetch::<i32, m![1], m![N]>().collect::<m![1], m![N]>().to_vrf(0);
    let out: DmTensor<i8, m![1], Cluster, m![S], m![M, N]> = ctx
        .main
        .begin(x.view())
        .fetch::<i8, m![M], m![K]>()
        .collect::<m![M, K / 32], m![K % 32]>()
        .align::<m![M], m![K], _, _>(&w)
        .contract::<m![1]>()
        .accumulate::<m![M], m![N]>(AccumulationKind::Interleaved)
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_fxp(FxpBinaryOp::AddFxp, &bias)
        .vector_fxp(FxpBinaryOp::ArithRightShift, 4)
        .vector_final()
        .cast::<i8, m![N # 32]>()
        .commit(0x3000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}
