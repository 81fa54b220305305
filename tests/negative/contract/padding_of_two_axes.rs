// Fetch can mask the padding of one axis, but not of two.
use furiosa_visa_std::prelude::*;

axes![M = 4, J = 3, K = 6, N = 8];

#[device(chip = 1)]
fn product(
    ctx: &mut Context,
    x: &HbmTensor<i8, m![1], m![M, J # 4, K # 8]>,
    w: &HbmTensor<i8, m![1], m![N, J # 4, K # 8]>,
) -> HbmTensor<i32, m![1], m![M, N]> {
    let x = x.to_dm::<m![1 # 2], m![1 # 256], m![M, J # 4, K # 8]>(&mut ctx.tdma, 0);
    let w = w.to_dm::<m![1 # 2], m![1 # 256], m![N, J # 4, K # 8]>(&mut ctx.tdma, 0x4000);
    let w: TrfTensor<i8, m![1], m![1 # 2], m![1 # 256], m![N], m![J # 4, K # 8]> = ctx
        .main
        .begin(w.view())
        .fetch::<i8, m![N], m![J # 4, K # 8]>()
        .collect::<m![N], m![J # 4, K # 8]>()
        .to_trf(TrfAddress::Full);
    let y: DmTensor<i32, m![1], m![1 # 2], m![1 # 256], m![M, N]> = ctx
        .main
        .begin(x.view())
        .fetch::<i8, m![M], m![J # 4, K # 8]>()
        .collect::<m![M], m![J # 4, K # 8]>()
        .align::<m![M], m![[J # 4, K # 8] # 64], _, _>(&w)
        .contract::<m![1]>() // expect error: E0666 the padding of `K` is summed
        .accumulate::<m![M], m![N]>(AccumulationKind::Interleaved)
        .commit(0x8000);
    y.to_hbm(&mut ctx.tdma, 1 << 28)
}
