// What the sub context may do: load registers, and copy through fetch, switch, collect and commit.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8, B = 32, N = 8, K = 32];

#[device(chip = 1)]
fn all(
    ctx: &mut Context,
    data: &HbmTensor<i8, m![1], m![S, A, B]>,
    weights: &HbmTensor<bf16, m![1], m![S, N, K]>,
    bias: &HbmTensor<i32, m![1], m![S, A]>,
) -> HbmTensor<i8, m![1], m![S, B, A]> {
    let data = data.to_dm::<m![1 # 2], m![S], m![A, B]>(&mut ctx.tdma, 0);
    let weights = weights.to_dm::<m![1 # 2], m![S], m![N, K]>(&mut ctx.tdma, 0x1000);
    let bias = bias.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0x2000);
    let _trf: TrfTensor<bf16, m![1], m![1 # 2], m![S], m![N], m![K]> = ctx
        .sub
        .begin(weights.view())
        .fetch::<bf16, m![N], m![K]>()
        .collect::<m![N, K / 16], m![K % 16]>()
        .to_trf(TrfAddress::Full);
    let _vrf: VrfTensor<i32, m![1], m![1 # 2], m![S], m![A]> =
        ctx.sub.begin(bias.view()).fetch::<i32, m![1], m![A]>().collect::<m![1], m![A]>().to_vrf(0);
    let turned: DmTensor<i8, m![1], m![1 # 2], m![S / 64, S % 2, S / 2 % 32], m![B / 8, A, B % 8]> = ctx
        .sub
        .begin(data.view())
        .fetch::<i8, m![B / 8, A], m![B % 8]>()
        .switch::<m![S / 64, S % 2, S / 2 % 32], m![B / 8, A]>(SwitchConfig::Transpose { slice1: 32, slice0: 2 })
        .collect::<m![B / 8, A], m![B % 8 # 32]>()
        .commit(0x3000);
    turned.to_hbm(&mut ctx.tdma, 1 << 28)
}
