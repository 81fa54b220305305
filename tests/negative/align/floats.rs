// The Contraction Engine does not multiply f32. This is reported before any size is checked.
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
    let w: TrfTensor<f32, m![1], Cluster, m![S], m![N], m![K]> = ctx
        .sub
        .begin(w.view())
        .fetch::<f32, m![N], m![K]>()
        .collect::<m![N, K / 8], m![K % 8]>()
        .to_trf(TrfAddress::Full);
    let out: DmTensor<f32, m![1], Cluster, m![S], m![M, N]> = ctx
        .main
        .begin(x.view())
        .fetch::<f32, m![M], m![K]>()
        .collect::<m![M, K / 8], m![K % 8]>()
        .align::<m![M], m![K], _, _>(&w) // expect error: E0661 f32 is not multiplied
        .contract::<m![1]>()
        .accumulate::<m![M], m![N]>(AccumulationKind::Interleaved)
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 2 << 28)
}

// Halves in DM that the fetch widens; the sums would be f32 without that.
fn widened<'l>(
    ctx: &'l mut Context,
    x: &DmTensor<bf16, m![1], Cluster, m![S], m![M, K]>,
    w: &TrfTensor<f32, m![1], Cluster, m![S], m![N], m![K]>,
) -> AlignedPair<'l, { Tu::Main }, f32, m![1], Cluster, m![S], m![N], m![M, K / 16], m![K % 16]> {
    ctx.main
        .begin(x.view())
        .fetch::<f32, m![M], m![K]>()
        .collect::<m![M, K / 8], m![K % 8]>()
        .align(w) // expect error: E0661 f32 is not multiplied
}

// Fetch cannot cast i32 to i8.
fn of_words<'l>(
    input: CollectTensor<'l, { Tu::Main }, i32, m![1], Cluster, m![S], m![M, K / 8], m![K % 8]>,
    w: &TrfTensor<i32, m![1], Cluster, m![S], m![N], m![K]>,
) -> AlignedPair<'l, { Tu::Main }, i32, m![1], Cluster, m![S], m![N], m![M, K / 16], m![K % 16]> {
    input.align(w) // expect error: E0661 i32 is not multiplied
}
