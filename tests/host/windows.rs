//! Windows over an axis whose size no packet divides: part of it is cut where the packets are.

use furiosa_visa_std::prelude::*;

axes![X = 34, S = 256, Tap = 3, I = 2];

type Chip = m![1];
type Cluster = m![1 # 2];
type Slice = m![S];
type Window = m![X = 32 # 40];

// One dimension of convolution: the window slides, one pass a tap.
#[device(chip = 1)]
fn convolve(
    ctx: &mut Context,
    x: &HbmTensor<i32, Chip, m![S, X # 40]>,
    taps: &HbmTensor<i32, Chip, m![Tap # 8]>,
    zero: &HbmTensor<i32, Chip, m![S, X = 32 # 40]>,
) -> HbmTensor<i32, Chip, m![S, X = 32]> {
    let x = x.to_dm::<Cluster, Slice, m![X # 40]>(&mut ctx.tdma, 0);
    let taps = taps.to_dm::<Cluster, Slice, m![Tap # 8]>(&mut ctx.tdma, 0x1000);
    let mut sum: DmTensor<i32, Chip, Cluster, Slice, Window> = zero.to_dm(&mut ctx.tdma, 0x2000);
    for t in 0..3 {
        let weight: VrfTensor<i32, Chip, Cluster, Slice, m![1 # 8]> = ctx
            .sub
            .begin(taps.view().tile::<m![Tap], 1, m![1 # 8]>(t))
            .fetch::<i32, m![1], m![1 # 8]>()
            .collect::<m![1], m![1 # 8]>()
            .to_vrf(0x20 * t as u64);
        let window = x.view().tile::<m![X], 32, Window>(t);
        sum = ctx
            .main
            .begin_interleaved::<I, _, _, _, _, _>(sum.view(), window)
            .fetch::<i32, m![X = 32 # 40 / 8, I], m![X = 32 # 40 % 8]>()
            .collect::<m![X = 32 # 40 / 8, I], m![X = 32 # 40 % 8]>()
            .vector_init()
            .vector_intra_slice_unzip::<I, m![X = 32 # 40 / 8, 1 # 2], m![X = 32 # 40 / 8]>()
            .vector_fxp(FxpBinaryOp::MulInt, (), &weight)
            .vector_fxp_zip(FxpBinaryOp::AddFxp)
            .vector_final()
            .commit(0x3000 + 0x1000 * (t as u64 % 2));
    }
    sum.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[tokio::test]
async fn convolves() {
    let x = |s: usize, i: usize| ((s * 7 + i * 13) % 100) as i32 - 50;
    let mut ctx = Context::acquire();
    let xs = HostTensor::<i32, m![S, X]>::from_buf((0..256 * 34).map(|e| Opt::Init(x(e / 34, e % 34))).collect())
        .to_hbm(&mut ctx.pdma, 0)
        .await;
    let t = HostTensor::<i32, m![Tap]>::from_buf([3, -5, 11].map(Opt::Init).to_vec())
        .to_hbm(&mut ctx.pdma, 2 << 28)
        .await;
    let z = HostTensor::<i32, m![S, X = 32]>::zero().to_hbm(&mut ctx.pdma, 3 << 28).await;
    let out = launch(convolve, (&mut *ctx, &xs, &t, &z)).await.to_host::<m![S, X = 32]>(&mut ctx.pdma).await.to_buf();
    for s in 0..256 {
        for i in 0..32 {
            assert_eq!(out[s * 32 + i].unwrap(), 3 * x(s, i) - 5 * x(s, i + 1) + 11 * x(s, i + 2), "{s} {i}");
        }
    }
}

// The window copied alone, without padding behind it.
#[device(chip = 1)]
fn window(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![S, X]>) -> HbmTensor<i32, Chip, m![S, X = 32]> {
    let x = x.to_dm::<Cluster, Slice, m![X]>(&mut ctx.tdma, 0);
    let w = x.view().tile::<m![X], 32, m![X = 32 # 34]>(2);
    let out: DmTensor<i32, Chip, Cluster, Slice, m![X = 32]> = ctx
        .main
        .begin(w)
        .fetch::<i32, m![X = 32 / 8], m![X = 32 % 8]>()
        .collect::<m![X = 32 / 8], m![X = 32 % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_fxp(FxpBinaryOp::AddFxp, 1)
        .vector_final()
        .commit(0x1000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}
#[tokio::test]
async fn windows() {
    let mut ctx = Context::acquire();
    let xs = HostTensor::<i32, m![S, X]>::from_buf((0..256 * 34).map(Opt::Init).collect())
        .to_hbm(&mut ctx.pdma, 0)
        .await;
    let out = launch(window, (&mut *ctx, &xs)).await.to_host::<m![S, X = 32]>(&mut ctx.pdma).await.to_buf();
    for s in 0..256 { for i in 0..32 { assert_eq!(out[s * 32 + i], Opt::Init((s * 34 + i + 3) as i32)); } }
}
// a row sum over part of an axis
#[device(chip = 1)]
fn part_sum(ctx: &mut Context, x: &HbmTensor<f32, Chip, m![S, X]>) -> HbmTensor<f32, Chip, m![S]> {
    let x = x.to_dm::<Cluster, Slice, m![X]>(&mut ctx.tdma, 0);
    let out: DmTensor<f32, Chip, Cluster, Slice, m![1 # 2]> = ctx
        .main
        .begin(x.view().tile::<m![X], 32, m![X = 32 # 34]>(1))
        .fetch::<f32, m![X = 32 / 8], m![X = 32 % 8]>()
        .collect::<m![X = 32 / 8], m![X = 32 % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![X = 32 / 4], m![X = 32 % 4]>()
        .vector_intra_slice_reduce::<X, m![1], m![1 # 4]>(IntraSliceReduceOpF32::Add)
        .vector_pad_way8::<m![1 # 8]>()
        .vector_final()
        .commit(0x1000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}
#[tokio::test]
async fn part_sums() {
    let mut ctx = Context::acquire();
    let xs = HostTensor::<f32, m![S, X]>::from_buf((0..256 * 34).map(|e| Opt::Init((e % 1000) as f32)).collect())
        .to_hbm(&mut ctx.pdma, 0)
        .await;
    let out = launch(part_sum, (&mut *ctx, &xs)).await.to_host::<m![S]>(&mut ctx.pdma).await.to_buf();
    for s in 0..256 { let e: f32 = (1..33).map(|i| ((s * 34 + i) % 1000) as f32).sum(); assert_eq!(out[s], Opt::Init(e)); }
}
