// Nobody wrote the padding of the weights, and the sub context does not mask it: whatever was in DM is multiplied by the
// zeros of the stream. The main context masks it.
// warns: E0871
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8, K = 12, N = 4];

type Chip = m![1];
type Cluster = m![1 # 2];
type Weights = TrfTensor<bf16, Chip, Cluster, m![S], m![N], m![K # 16]>;

fn product(
    ctx: &mut Context,
    x: &HbmTensor<bf16, Chip, m![S, A, K # 16]>,
    w: &Weights,
) -> HbmTensor<f32, Chip, m![S, A, N]> {
    let x = x.to_dm::<Cluster, m![S], m![A, K # 16]>(&mut ctx.tdma, 0);
    let y: DmTensor<f32, Chip, Cluster, m![S], m![A, N # 8]> = ctx
        .main
        .begin(x.view())
        .fetch::<bf16, m![A], m![K # 16]>()
        .collect::<m![A], m![K # 16]>()
        .align::<m![A], m![K # 32], _, _>(w)
        .contract::<m![1]>()
        .accumulate::<m![A], m![N # 8]>(AccumulationKind::Interleaved)
        .commit(0x2000);
    y.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn fault(
    ctx: &mut Context,
    x: &HbmTensor<bf16, Chip, m![S, A, K # 16]>,
    w: &HbmTensor<bf16, Chip, m![S, N, K # 16]>,
) -> HbmTensor<f32, Chip, m![S, A, N]> {
    let w = w.to_dm::<Cluster, m![S], m![N, K # 16]>(&mut ctx.tdma, 0x1000);
    let w: Weights = ctx
        .sub
        .begin(w.view())
        .fetch::<bf16, m![N], m![K # 16]>()
        .collect::<m![N], m![K # 16]>()
        .to_trf(TrfAddress::Full);
    product(ctx, x, &w)
}

#[device(chip = 1)]
fn clean(
    ctx: &mut Context,
    x: &HbmTensor<bf16, Chip, m![S, A, K # 16]>,
    w: &HbmTensor<bf16, Chip, m![S, N, K # 16]>,
) -> HbmTensor<f32, Chip, m![S, A, N]> {
    let w = w.to_dm::<Cluster, m![S], m![N, K # 16]>(&mut ctx.tdma, 0x1000);
    let w: Weights = ctx
        .main
        .begin(w.view())
        .fetch::<bf16, m![N], m![K # 16]>()
        .collect::<m![N], m![K # 16]>()
        .to_trf(TrfAddress::Full);
    product(ctx, x, &w)
}
