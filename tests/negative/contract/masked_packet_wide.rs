// A mask covers packets of up to 128 bytes, and counts up to 63 elements of bf16 in them.
use furiosa_visa_std::prelude::*;

axes![A = 7, B = 5, K = 128, H = 64, Q = 32, N = 8];

// 256 bytes: the last step cannot be left out.
#[device(chip = 1)]
fn wide(
    ctx: &mut Context,
    x: &HbmTensor<bf16, m![1], m![A, K]>,
    w: &HbmTensor<bf16, m![1], m![N, K]>,
) -> HbmTensor<f32, m![1], m![N]> {
    let x = x.to_dm::<m![1 # 2], m![1 # 256], m![A, K]>(&mut ctx.tdma, 0);
    let w = w.to_dm::<m![1 # 2], m![1 # 256], m![N, K]>(&mut ctx.tdma, 0x4000);
    let w: TrfTensor<bf16, m![1], m![1 # 2], m![1 # 256], m![N], m![K]> = ctx
        .sub
        .begin(w.view())
        .fetch::<bf16, m![N, K / 16], m![K % 16]>()
        .collect::<m![N, K / 16], m![K % 16]>()
        .to_trf(TrfAddress::Full);
    let y: DmTensor<f32, m![1], m![1 # 2], m![1 # 256], m![N]> = ctx
        .main
        .begin(x.view())
        .fetch::<bf16, m![A # 8], m![K]>()
        .collect::<m![A # 8, K / 16], m![K % 16]>()
        .align::<m![A # 8, K / 32], m![K % 32], _, _>(&w)
        .contract::<m![1]>()
        .accumulate::<m![1], m![N]>(AccumulationKind::Interleaved) // expect error: E0666 packets of 256 bytes
        .commit(0x8000);
    y.to_hbm(&mut ctx.tdma, 1 << 28)
}

// 128 bytes: it can, with a count of 0.
#[device(chip = 1)]
fn fits(
    ctx: &mut Context,
    x: &HbmTensor<bf16, m![1], m![A, H]>,
    w: &HbmTensor<bf16, m![1], m![N, H]>,
) -> HbmTensor<f32, m![1], m![N]> {
    let x = x.to_dm::<m![1 # 2], m![1 # 256], m![A, H]>(&mut ctx.tdma, 0);
    let w = w.to_dm::<m![1 # 2], m![1 # 256], m![N, H]>(&mut ctx.tdma, 0x4000);
    let w: TrfTensor<bf16, m![1], m![1 # 2], m![1 # 256], m![N], m![H]> = ctx
        .sub
        .begin(w.view())
        .fetch::<bf16, m![N, H / 16], m![H % 16]>()
        .collect::<m![N, H / 16], m![H % 16]>()
        .to_trf(TrfAddress::Full);
    let y: DmTensor<f32, m![1], m![1 # 2], m![1 # 256], m![N]> = ctx
        .main
        .begin(x.view())
        .fetch::<bf16, m![A # 8], m![H]>()
        .collect::<m![A # 8, H / 16], m![H % 16]>()
        .align::<m![A # 8, H / 32], m![H % 32], _, _>(&w)
        .contract::<m![1]>()
        .accumulate::<m![1], m![N]>(AccumulationKind::Interleaved)
        .commit(0x8000);
    y.to_hbm(&mut ctx.tdma, 1 << 28)
}

// The last three steps are padding. Five others have to count 64 elements each.
#[device(chip = 1)]
fn too_many(
    ctx: &mut Context,
    x: &HbmTensor<bf16, m![1], m![B, H]>,
    w: &HbmTensor<bf16, m![1], m![N, H]>,
) -> HbmTensor<f32, m![1], m![N]> {
    let x = x.to_dm::<m![1 # 2], m![1 # 256], m![B, H]>(&mut ctx.tdma, 0);
    let w = w.to_dm::<m![1 # 2], m![1 # 256], m![N, H]>(&mut ctx.tdma, 0x4000);
    let w: TrfTensor<bf16, m![1], m![1 # 2], m![1 # 256], m![N], m![H]> = ctx
        .sub
        .begin(w.view())
        .fetch::<bf16, m![N, H / 16], m![H % 16]>()
        .collect::<m![N, H / 16], m![H % 16]>()
        .to_trf(TrfAddress::Full);
    let y: DmTensor<f32, m![1], m![1 # 2], m![1 # 256], m![N]> = ctx
        .main
        .begin(x.view())
        .fetch::<bf16, m![B # 8], m![H]>()
        .collect::<m![B # 8, H / 16], m![H % 16]>()
        .align::<m![B # 8, H / 32], m![H % 32], _, _>(&w)
        .contract::<m![1]>()
        .accumulate::<m![1], m![N]>(AccumulationKind::Interleaved) // expect error: E0666 64 elements are not counted
        .commit(0x8000);
    y.to_hbm(&mut ctx.tdma, 1 << 28)
}

// 32 elements are counted.
#[device(chip = 1)]
fn counted(
    ctx: &mut Context,
    x: &HbmTensor<bf16, m![1], m![B, Q]>,
    w: &HbmTensor<bf16, m![1], m![N, Q]>,
) -> HbmTensor<f32, m![1], m![N]> {
    let x = x.to_dm::<m![1 # 2], m![1 # 256], m![B, Q]>(&mut ctx.tdma, 0);
    let w = w.to_dm::<m![1 # 2], m![1 # 256], m![N, Q]>(&mut ctx.tdma, 0x4000);
    let w: TrfTensor<bf16, m![1], m![1 # 2], m![1 # 256], m![N], m![Q]> = ctx
        .sub
        .begin(w.view())
        .fetch::<bf16, m![N, Q / 16], m![Q % 16]>()
        .collect::<m![N, Q / 16], m![Q % 16]>()
        .to_trf(TrfAddress::Full);
    let y: DmTensor<f32, m![1], m![1 # 2], m![1 # 256], m![N]> = ctx
        .main
        .begin(x.view())
        .fetch::<bf16, m![B # 8], m![Q]>()
        .collect::<m![B # 8, Q / 16], m![Q % 16]>()
        .align::<m![B # 8, Q / 32], m![Q % 32], _, _>(&w)
        .contract::<m![1]>()
        .accumulate::<m![1], m![N]>(AccumulationKind::Interleaved)
        .commit(0x8000);
    y.to_hbm(&mut ctx.tdma, 1 << 28)
}
