// On more chips than one would look at slice by slice.
use furiosa_visa_std::prelude::*;

axes![X = 256, A = 8, K = 16, N = 8];

#[device(chip = 256)]
fn product(
    ctx: &mut Context,
    x: &HbmTensor<bf16, m![X], m![A, K]>,
    w: &HbmTensor<bf16, m![X], m![N, K]>,
) -> HbmTensor<f32, m![X], m![N]> {
    let x = x.to_dm::<m![1 # 2], m![1 # 256], m![A, K]>(&mut ctx.tdma, 0);
    let w = w.to_dm::<m![1 # 2], m![1 # 256], m![N, K]>(&mut ctx.tdma, 0x4000);
    let w: TrfTensor<bf16, m![X], m![1 # 2], m![1 # 256], m![N], m![K]> =
        ctx.sub.begin(w.view()).fetch::<bf16, m![N], m![K]>().collect::<m![N], m![K]>().to_trf(TrfAddress::Full);
    let y: DmTensor<f32, m![X], m![1 # 2], m![1 # 256], m![N]> = ctx
        .main
        .begin(x.view())
        .fetch::<bf16, m![A # 11], m![K]>()
        .collect::<m![A # 11], m![K]>()
        .align::<m![A # 11], m![K # 32], _, _>(&w)
        .contract::<m![1]>()
        .accumulate::<m![1], m![N]>(AccumulationKind::Interleaved) // expect error: E0666 the padding of `A` is summed
        .commit(0x8000);
    y.to_hbm(&mut ctx.tdma, 1 << 28)
}
