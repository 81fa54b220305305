// Floats in DM, cast to bf16 while they are fetched.
use furiosa_visa_std::prelude::*;

axes![S = 256, M = 4, N = 8, K = 64];

type Cluster = m![1 # 2];

#[device(chip = 1)]
fn of_floats(
    ctx: &mut Context,
    x: &HbmTensor<f32, m![1], m![S, M, K]>,
    w: &HbmTensor<f32, m![1], m![N, K]>,
) -> HbmTensor<f32, m![1], m![S, M, N]> {
    let x = x.to_dm::<Cluster, m![S], m![M, K]>(&mut ctx.tdma, 0);
    let w = w.to_dm::<Cluster, m![S], m![N, K]>(&mut ctx.tdma, 0x1000);
    let w: TrfTensor<bf16, m![1], Cluster, m![S], m![N], m![K]> = ctx
        .sub
        .begin(w.view())
        .fetch::<bf16, m![N], m![K]>()
        .collect::<m![N, K / 16], m![K % 16]>()
        .to_trf(TrfAddress::Full);
    let out: DmTensor<f32, m![1], Cluster, m![S], m![M, N]> = ctx
        .main
        .begin(x.view())
        .fetch::<bf16, m![M], m![K]>()
        .collect::<m![M, K / 16], m![K % 16]>()
        .align::<m![M, K / 32], m![K % 32], _, _>(&w)
        .contract::<m![1]>()
        .accumulate::<m![M], m![N]>(AccumulationKind::Interleaved)
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 2 << 28)
}
