// The stream has no `C` and is repeated along it, so TRF must have zeros in its padding, but the sub context cannot mask.
use furiosa_visa_std::prelude::*;

axes![M = 4, C = 7, K = 32, N = 8];

#[device(chip = 1)]
fn product(
    ctx: &mut Context,
    x: &HbmTensor<bf16, m![1], m![M, K]>,
    w: &HbmTensor<bf16, m![1], m![N, C # 8, K]>,
) -> HbmTensor<f32, m![1], m![M, N]> {
    let x = x.to_dm::<m![1 # 2], m![1 # 256], m![M, K]>(&mut ctx.tdma, 0);
    let w = w.to_dm::<m![1 # 2], m![1 # 256], m![N, C # 8, K]>(&mut ctx.tdma, 0x4000);
    let w: TrfTensor<bf16, m![1], m![1 # 2], m![1 # 256], m![N], m![C # 8, K]> = ctx
        .sub
        .begin(w.view())
        .fetch::<bf16, m![N, C # 8, K / 16], m![K % 16]>()
        .collect::<m![N, C # 8, K / 16], m![K % 16]>()
        .to_trf(TrfAddress::Full);
    let y: DmTensor<f32, m![1], m![1 # 2], m![1 # 256], m![M, N]> = ctx
        .main
        .begin(x.view())
        .fetch::<bf16, m![M, K / 16], m![K % 16]>()
        .collect::<m![M, K / 16], m![K % 16]>()
        .align::<m![M, C # 8], m![K], _, _>(&w)
        .contract::<m![1]>()
        .accumulate::<m![M], m![N]>(AccumulationKind::Interleaved) // expect error: E0666 the padding of `C` in TRF is summed
        .commit(0x8000);
    y.to_hbm(&mut ctx.tdma, 1 << 28)
}
