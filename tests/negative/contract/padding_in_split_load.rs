// Two axes are padded, which no mask of the stream leaves out, nor one of the load of TRF, although that takes two commands.
use furiosa_visa_std::prelude::*;

axes![A = 3, B = 3, C = 2, D = 2, E = 2, F = 2, K = 16, N = 8];

#[device(chip = 1)]
fn product(
    ctx: &mut Context,
    x: &HbmTensor<bf16, m![1], m![C, D, E, F, A # 4, B # 4, K]>,
    w: &HbmTensor<bf16, m![1], m![N % 2, B # 4, A # 4, F, E, D, C, N / 2, K]>,
) -> HbmTensor<f32, m![1], m![N]> {
    let x = x.to_dm::<m![1 # 2], m![1 # 256], m![C, D, E, F, A # 4, B # 4, K]>(&mut ctx.tdma, 0);
    let w = w.to_dm::<m![1 # 2], m![1 # 256], m![N % 2, B # 4, A # 4, F, E, D, C, N / 2, K]>(&mut ctx.tdma, 0x10000);
    let w: TrfTensor<bf16, m![1], m![1 # 2], m![1 # 256], m![N], m![C, D, E, F, A # 4, B # 4, K]> = ctx
        .main
        .begin(w.view())
        .fetch::<bf16, m![N, C, D, E, F, A # 4, B # 4], m![K]>() // expect warning: E0216 two commands
        .collect::<m![N, C, D, E, F, A # 4, B # 4], m![K]>()
        .to_trf(TrfAddress::Full);
    let y: DmTensor<f32, m![1], m![1 # 2], m![1 # 256], m![N]> = ctx
        .main
        .begin(x.view())
        .fetch::<bf16, m![C, D, E, F, A # 4, B # 4], m![K]>()
        .collect::<m![C, D, E, F, A # 4, B # 4], m![K]>()
        .align::<m![C, D, E, F, A # 4, B # 4], m![K # 32], _, _>(&w)
        .contract::<m![1]>()
        .accumulate::<m![1], m![N]>(AccumulationKind::Interleaved) // expect error: E0666 the padding of `B` is summed
        .commit(0x38000);
    y.to_hbm(&mut ctx.tdma, 1 << 28)
}
