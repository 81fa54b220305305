// The Contraction Engine belongs to the main context.
use furiosa_visa_std::prelude::*;

axes![S = 256, M = 4, K = 32];

#[device(chip = 1)]
fn multiply(
    ctx: &mut Context,
    x: &HbmTensor<bf16, m![1], m![S, M, K]>,
    w: &HbmTensor<bf16, m![1], m![S, K]>,
) -> HbmTensor<f32, m![1], m![S, M]> {
    let x = x.to_dm::<m![1 # 2], m![S], m![M, K]>(&mut ctx.tdma, 0);
    let w = w.to_dm::<m![1 # 2], m![S], m![K]>(&mut ctx.tdma, 0x1000);
    let trf: TrfTensor<bf16, m![1], m![1 # 2], m![S], m![1], m![K]> =
        ctx.main.begin(w.view()).fetch::<bf16, m![1], m![K]>().collect::<m![K / 16], m![K % 16]>().to_trf(TrfAddress::Full);
    let flits = ctx.sub.begin(x.view()).fetch::<bf16, m![M], m![K]>().collect::<m![M, K / 16], m![K % 16]>();
    let out: DmTensor<f32, m![1], m![1 # 2], m![S], m![M, 1 # 8]> = flits.align::<m![M], m![K], _, _>(&trf).contract::<m![1]>().accumulate::<m![M], m![1 # 8]>(AccumulationKind::Interleaved).commit(0x2000); // expect error: E0602 no contraction before a commit of the sub context
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}
