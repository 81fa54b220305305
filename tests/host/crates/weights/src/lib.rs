//! A layer with weights: 256 rows times a matrix of 64 by 8.

use furiosa_visa_std::prelude::*;

axes![Row = 256, In = 64, Out = 8];

pub type Chip = m![1];
type Cluster = m![1 # 2];

#[device(chip = 1)]
pub fn linear(
    ctx: &mut Context,
    x: &HbmTensor<bf16, Chip, m![Row, In]>,
    w: &HbmTensor<bf16, Chip, m![Out, In]>,
) -> HbmTensor<f32, Chip, m![Row, Out]> {
    let x = x.to_dm::<Cluster, m![Row], m![In]>(&mut ctx.tdma, 0);
    let w = w.to_dm::<Cluster, m![Row], m![Out, In]>(&mut ctx.tdma, 0x1000);
    let w: TrfTensor<bf16, Chip, Cluster, m![Row], m![Out], m![In]> = ctx
        .sub
        .begin(w.view())
        .fetch::<bf16, m![Out], m![In]>()
        .collect::<m![Out, In / 16], m![In % 16]>()
        .to_trf(TrfAddress::Full);
    let y: DmTensor<f32, Chip, Cluster, m![Row], m![Out]> = ctx
        .main
        .begin(x.view())
        .fetch::<bf16, m![1], m![In]>()
        .collect::<m![In / 16], m![In % 16]>()
        .align::<m![In / 32], m![In % 32], _, _>(&w)
        .contract::<m![1]>()
        .accumulate::<m![1], m![Out]>(AccumulationKind::Interleaved)
        .commit(0x2000);
    y.to_hbm(&mut ctx.tdma, 2 << 28)
}
