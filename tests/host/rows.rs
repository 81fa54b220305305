//! What models do to rows: normalise, softmax, rotate, embed, find the largest.

use furiosa_visa_std::prelude::*;

axes![Row = 256, Hidden = 64, L = 61, I = 2, V = 1000, E = 64, Tok = 256];

type Chip = m![1];
type Cluster = m![1 # 2];
type Slice = m![Row];

fn mean(
    ctx: &mut Context,
    x: &DmTensor<f32, Chip, Cluster, Slice, m![Hidden]>,
    address: u64,
) -> VrfTensor<f32, Chip, Cluster, Slice, m![1 # 8]> {
    ctx.main
        .begin(x.view())
        .fetch::<f32, m![Hidden / 8], m![Hidden % 8]>()
        .collect::<m![Hidden / 8], m![Hidden % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![Hidden / 4], m![Hidden % 4]>()
        .vector_intra_slice_reduce::<Hidden, m![1], m![1 # 4]>(IntraSliceReduceOpF32::Add)
        .vector_fp_div(FpDivBinaryOp::DivF.with_mode(BinaryArgMode::Mode01), 64.0)
        .vector_pad_way8::<m![1 # 8]>()
        .vector_final()
        .to_vrf(address)
}

#[device(chip = 1)]
fn layer_norm(
    ctx: &mut Context,
    x: &HbmTensor<f32, Chip, m![Row, Hidden]>,
    gamma: &HbmTensor<f32, Chip, m![Hidden]>,
    beta: &HbmTensor<f32, Chip, m![Hidden]>,
) -> HbmTensor<f32, Chip, m![Row, Hidden]> {
    let x = x.to_dm::<Cluster, Slice, m![Hidden]>(&mut ctx.tdma, 0);
    let gamma = gamma.to_dm::<Cluster, Slice, m![Hidden]>(&mut ctx.tdma, 0x1000);
    let beta = beta.to_dm::<Cluster, Slice, m![Hidden]>(&mut ctx.tdma, 0x2000);
    let gamma: VrfTensor<f32, Chip, Cluster, Slice, m![Hidden]> = ctx
        .sub
        .begin(gamma.view())
        .fetch::<f32, m![Hidden / 8], m![Hidden % 8]>()
        .collect::<m![Hidden / 8], m![Hidden % 8]>()
        .to_vrf(0x400);
    let beta: VrfTensor<f32, Chip, Cluster, Slice, m![Hidden]> = ctx
        .sub
        .begin(beta.view())
        .fetch::<f32, m![Hidden / 8], m![Hidden % 8]>()
        .collect::<m![Hidden / 8], m![Hidden % 8]>()
        .to_vrf(0x800);
    let m = mean(ctx, &x, 0);
    let variance: DmTensor<f32, Chip, Cluster, Slice, m![1 # 2]> = ctx
        .main
        .begin(x.view())
        .fetch::<f32, m![Hidden / 8], m![Hidden % 8]>()
        .collect::<m![Hidden / 8], m![Hidden % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![Hidden / 4], m![Hidden % 4]>()
        .vector_fp_binary(FpBinaryOp::SubF, &m)
        .vector_fp_binary_with_mode(FpBinaryOp::MulF(FpMulAlu::Mul0), BinaryArgMode::Mode00, 0.0)
        .vector_intra_slice_reduce::<Hidden, m![1], m![1 # 4]>(IntraSliceReduceOpF32::Add)
        .vector_fp_div(FpDivBinaryOp::DivF.with_mode(BinaryArgMode::Mode01), 64.0)
        .vector_pad_way8::<m![1 # 8]>()
        .vector_clip(ClipBinaryOpF32::Add, 1e-5)
        .vector_final()
        .commit(0x3000);
    let scale: VrfTensor<f32, Chip, Cluster, Slice, m![1 # 8]> = ctx
        .main
        .begin(variance.view())
        .fetch::<f32, m![1], m![1 # 2]>()
        .collect::<m![1], m![1 # 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_trim_way4::<m![1 # 4]>()
        .vector_fp_unary(FpUnaryOp::Sqrt)
        .vector_pad_way8::<m![1 # 8]>()
        .vector_final()
        .to_vrf(0x20);
    let out: DmTensor<f32, Chip, Cluster, Slice, m![Hidden]> = ctx
        .main
        .begin(x.view())
        .fetch::<f32, m![Hidden / 8], m![Hidden % 8]>()
        .collect::<m![Hidden / 8], m![Hidden % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![Hidden / 4], m![Hidden % 4]>()
        .vector_fp_binary(FpBinaryOp::SubF, &m)
        .vector_fp_binary(FpBinaryOp::MulF(FpMulAlu::Mul0), &gamma)
        .vector_fp_div_with_mode(FpDivBinaryOp::DivF, BinaryArgMode::Mode01, &scale)
        .vector_concat::<m![Hidden / 8], m![Hidden % 8]>()
        .vector_clip(ClipBinaryOpF32::Add, &beta)
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 4 << 28)
}

#[tokio::test]
async fn normalises() {
    let value = |r: usize, h: usize| ((r * 31 + h * 17) % 101) as f32 / 10.0 - 5.0;
    let mut ctx = Context::acquire();
    let x = HostTensor::<f32, m![Row, Hidden]>::from_buf((0..256 * 64).map(|e| Opt::Init(value(e / 64, e % 64))).collect())
        .to_hbm(&mut ctx.pdma, 0)
        .await;
    let g = HostTensor::<f32, m![Hidden]>::from_buf((0..64).map(|e| Opt::Init(e as f32 / 8.0)).collect())
        .to_hbm(&mut ctx.pdma, 1 << 28)
        .await;
    let b = HostTensor::<f32, m![Hidden]>::from_buf((0..64).map(|e| Opt::Init(e as f32)).collect())
        .to_hbm(&mut ctx.pdma, 2 << 28)
        .await;
    let out = launch(layer_norm, (&mut *ctx, &x, &g, &b))
        .await
        .to_host::<m![Row, Hidden]>(&mut ctx.pdma)
        .await
        .to_buf();
    for r in 0..256 {
        let m: f32 = (0..64).map(|h| value(r, h)).sum::<f32>() / 64.0;
        let q: f32 = (0..64).map(|h| (value(r, h) - m) * (value(r, h) - m)).sum::<f32>() / 64.0 + 1e-5;
        for h in 0..64 {
            let e = (value(r, h) - m) * (h as f32 / 8.0) / q.sqrt() + h as f32;
            assert!((out[r * 64 + h].unwrap() - e).abs() < 1e-3, "{r} {h}");
        }
    }
}

// Rows of 61 in 64: what is padding counts for nothing.
#[device(chip = 1)]
fn padded_softmax(
    ctx: &mut Context,
    x: &HbmTensor<f32, Chip, m![Row, L # 64]>,
) -> HbmTensor<f32, Chip, m![Row, L # 64]> {
    let x = x.to_dm::<Cluster, Slice, m![L # 64]>(&mut ctx.tdma, 0);
    let largest: VrfTensor<f32, Chip, Cluster, Slice, m![1 # 8]> = ctx
        .main
        .begin(x.view())
        .fetch::<f32, m![L # 64 / 8], m![L # 64 % 8]>()
        .collect::<m![L # 64 / 8], m![L # 64 % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![L # 64 / 4], m![L # 64 % 4]>()
        .vector_intra_slice_reduce::<L, m![1], m![1 # 4]>(IntraSliceReduceOpF32::Max)
        .vector_pad_way8::<m![1 # 8]>()
        .vector_final()
        .to_vrf(0);
    let sum: VrfTensor<f32, Chip, Cluster, Slice, m![1 # 8]> = ctx
        .main
        .begin(x.view())
        .fetch::<f32, m![L # 64 / 8], m![L # 64 % 8]>()
        .collect::<m![L # 64 / 8], m![L # 64 % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![L # 64 / 4], m![L # 64 % 4]>()
        .vector_fp_binary(FpBinaryOp::SubF, &largest)
        .vector_fp_unary(FpUnaryOp::Exp)
        .vector_intra_slice_reduce::<L, m![1], m![1 # 4]>(IntraSliceReduceOpF32::Add)
        .vector_pad_way8::<m![1 # 8]>()
        .vector_final()
        .to_vrf(0x20);
    let out: DmTensor<f32, Chip, Cluster, Slice, m![L # 64]> = ctx
        .main
        .begin(x.view())
        .fetch::<f32, m![L # 64 / 8], m![L # 64 % 8]>()
        .collect::<m![L # 64 / 8], m![L # 64 % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![L # 64 / 4], m![L # 64 % 4]>()
        .vector_fp_binary(FpBinaryOp::SubF, &largest)
        .vector_fp_unary(FpUnaryOp::Exp)
        .vector_fp_div(FpDivBinaryOp::DivF.with_mode(BinaryArgMode::Mode01), &sum)
        .vector_concat::<m![L # 64 / 8], m![L # 64 % 8]>()
        .vector_final()
        .commit(0x1000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[tokio::test]
async fn softmax_of_ragged_rows() {
    let value = |r: usize, h: usize| ((r * 13 + h * 29) % 31) as f32 / 4.0 - 20.0;
    let mut ctx = Context::acquire();
    let x = HostTensor::<f32, m![Row, L]>::from_buf((0..256 * 61).map(|e| Opt::Init(value(e / 61, e % 61))).collect())
        .to_hbm(&mut ctx.pdma, 0)
        .await;
    let out = launch(padded_softmax, (&mut *ctx, &x)).await.to_host::<m![Row, L]>(&mut ctx.pdma).await.to_buf();
    for r in 0..256 {
        let s: f32 = (0..61).map(|h| value(r, h).exp()).sum();
        for h in 0..61 {
            assert!((out[r * 61 + h].unwrap() - value(r, h).exp() / s).abs() < 1e-6, "{r} {h} {:?}", out[r * 61 + h]);
        }
    }
}

// Rotary positions: the halves of a row turn by an angle that each position has.
#[device(chip = 1)]
fn rope(
    ctx: &mut Context,
    x: &HbmTensor<f32, Chip, m![Row, Hidden]>,
    cos: &HbmTensor<f32, Chip, m![Row, Hidden % 32]>,
    sin: &HbmTensor<f32, Chip, m![Row, Hidden % 32]>,
) -> HbmTensor<f32, Chip, m![Row, Hidden]> {
    let x = x.to_dm::<Cluster, Slice, m![Hidden]>(&mut ctx.tdma, 0);
    let cos = cos.to_dm::<Cluster, Slice, m![Hidden % 32]>(&mut ctx.tdma, 0x1000);
    let sin = sin.to_dm::<Cluster, Slice, m![Hidden % 32]>(&mut ctx.tdma, 0x2000);
    let cos: VrfTensor<f32, Chip, Cluster, Slice, m![Hidden % 32]> = ctx
        .sub
        .begin(cos.view())
        .fetch::<f32, m![Hidden / 8 % 4], m![Hidden % 8]>()
        .collect::<m![Hidden / 8 % 4], m![Hidden % 8]>()
        .to_vrf(0);
    let sin: VrfTensor<f32, Chip, Cluster, Slice, m![Hidden % 32]> = ctx
        .sub
        .begin(sin.view())
        .fetch::<f32, m![Hidden / 8 % 4], m![Hidden % 8]>()
        .collect::<m![Hidden / 8 % 4], m![Hidden % 8]>()
        .to_vrf(0x100);
    let mut out: DmTensor<f32, Chip, Cluster, Slice, m![Hidden]> = unsafe { DmTensor::from_addr(0x4000) };
    let low = x.view().tile::<m![Hidden / 32], 1, m![1 # 2, Hidden % 32]>(0);
    let high = x.view().tile::<m![Hidden / 32], 1, m![1 # 2, Hidden % 32]>(1);
    ctx.main
        .begin_interleaved::<I, _, _, _, _, _>(low.clone(), high.clone())
        .fetch::<f32, m![Hidden / 8 % 4, I], m![Hidden % 8]>()
        .collect::<m![Hidden / 8 % 4, I], m![Hidden % 8]>()
        .vector_init()
        .vector_intra_slice_unzip::<I, m![Hidden / 8 % 4, 1 # 2], m![Hidden / 8 % 4]>()
        .vector_split::<m![Hidden / 4 % 8], m![Hidden % 4]>()
        .vector_fp_binary(FpBinaryOp::MulF(FpMulAlu::Mul0), &cos, &sin)
        .vector_fp_zip(FpBinaryOp::SubF)
        .vector_concat::<m![Hidden / 8 % 4], m![Hidden % 8]>()
        .vector_final()
        .commit_view(out.view_mut().tile::<m![Hidden / 32], 1, m![1 # 2, Hidden % 32]>(0));
    ctx.main
        .begin_interleaved::<I, _, _, _, _, _>(low, high)
        .fetch::<f32, m![Hidden / 8 % 4, I], m![Hidden % 8]>()
        .collect::<m![Hidden / 8 % 4, I], m![Hidden % 8]>()
        .vector_init()
        .vector_intra_slice_unzip::<I, m![Hidden / 8 % 4, 1 # 2], m![Hidden / 8 % 4]>()
        .vector_split::<m![Hidden / 4 % 8], m![Hidden % 4]>()
        .vector_fp_binary(FpBinaryOp::MulF(FpMulAlu::Mul0), &sin, &cos)
        .vector_fp_zip(FpBinaryOp::AddF)
        .vector_concat::<m![Hidden / 8 % 4], m![Hidden % 8]>()
        .vector_final()
        .commit_view(out.view_mut().tile::<m![Hidden / 32], 1, m![1 # 2, Hidden % 32]>(1));
    out.to_hbm(&mut ctx.tdma, 3 << 28)
}

#[tokio::test]
async fn rows_turn() {
    let value = |r: usize, h: usize| ((r * 13 + h * 29) % 31) as f32 / 4.0 - 2.0;
    let angle = |r: usize, h: usize| r as f32 / (1.0 + h as f32);
    let mut ctx = Context::acquire();
    let x = HostTensor::<f32, m![Row, Hidden]>::from_buf((0..256 * 64).map(|e| Opt::Init(value(e / 64, e % 64))).collect())
        .to_hbm(&mut ctx.pdma, 0)
        .await;
    let c = HostTensor::<f32, m![Row, Hidden % 32]>::from_buf((0..256 * 32).map(|e| Opt::Init(angle(e / 32, e % 32).cos())).collect())
        .to_hbm(&mut ctx.pdma, 1 << 28)
        .await;
    let s = HostTensor::<f32, m![Row, Hidden % 32]>::from_buf((0..256 * 32).map(|e| Opt::Init(angle(e / 32, e % 32).sin())).collect())
        .to_hbm(&mut ctx.pdma, 2 << 28)
        .await;
    let out = launch(rope, (&mut *ctx, &x, &c, &s)).await.to_host::<m![Row, Hidden]>(&mut ctx.pdma).await.to_buf();
    for r in 0..256 {
        for h in 0..32 {
            let (a, b, t) = (value(r, h), value(r, h + 32), angle(r, h));
            assert_eq!(out[r * 64 + h].unwrap(), a * t.cos() - b * t.sin());
            assert_eq!(out[r * 64 + h + 32].unwrap(), a * t.sin() + b * t.cos());
        }
    }
}

// Rows of an embedding by token.
#[device(chip = 1)]
fn embed(
    ctx: &mut Context,
    table: &HbmTensor<bf16, Chip, m![V, E]>,
    tokens: &HbmTensor<i32, Chip, m![Tok]>,
) -> HbmTensor<f32, Chip, m![Tok, E]> {
    let rows: DmTensor<bf16, Chip, Cluster, m![Tok], m![E]> = table.dma_gather(tokens, 0);
    let out: DmTensor<f32, Chip, Cluster, m![Tok], m![E]> = ctx
        .main
        .begin(rows.view())
        .fetch::<f32, m![E / 8], m![E % 8]>()
        .collect::<m![E / 8], m![E % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![E / 4], m![E % 4]>()
        .vector_fp_binary(FpBinaryOp::MulF(FpMulAlu::Mul1), 8.0)
        .vector_concat::<m![E / 8], m![E % 8]>()
        .vector_final()
        .commit(0x1000);
    out.to_hbm(&mut ctx.tdma, 2 << 28)
}

#[tokio::test]
async fn embeds() {
    let mut ctx = Context::acquire();
    let table = HostTensor::<bf16, m![V, E]>::from_buf((0..64000).map(|e| Opt::Init(bf16::from_f32((e % 251) as f32))).collect())
        .to_hbm(&mut ctx.pdma, 0)
        .await;
    let tokens = HostTensor::<i32, m![Tok]>::from_buf((0..256).map(|t| Opt::Init(t * 37 % 1000)).collect())
        .to_hbm(&mut ctx.pdma, 1 << 28)
        .await;
    let out = launch(embed, (&mut *ctx, &table, &tokens)).await.to_host::<m![Tok, E]>(&mut ctx.pdma).await.to_buf();
    for t in 0..256 {
        for e in 0..64 {
            assert_eq!(out[t * 64 + e].unwrap(), (((t * 37 % 1000) * 64 + e) % 251) as f32 * 8.0);
        }
    }
}

// Where a row is largest: the first place of several.
#[device(chip = 1)]
fn argmax(
    ctx: &mut Context,
    x: &HbmTensor<f32, Chip, m![Row, Hidden]>,
    places: &HbmTensor<i32, Chip, m![Hidden]>,
) -> HbmTensor<i32, Chip, m![Row]> {
    let x = x.to_dm::<Cluster, Slice, m![Hidden]>(&mut ctx.tdma, 0);
    let places = places.to_dm::<Cluster, Slice, m![Hidden]>(&mut ctx.tdma, 0x1000);
    let places: VrfTensor<i32, Chip, Cluster, Slice, m![Hidden]> = ctx
        .sub
        .begin(places.view())
        .fetch::<i32, m![Hidden / 8], m![Hidden % 8]>()
        .collect::<m![Hidden / 8], m![Hidden % 8]>()
        .to_vrf(0x100);
    let largest: VrfTensor<f32, Chip, Cluster, Slice, m![1 # 8]> = ctx
        .main
        .begin(x.view())
        .fetch::<f32, m![Hidden / 8], m![Hidden % 8]>()
        .collect::<m![Hidden / 8], m![Hidden % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![Hidden / 4], m![Hidden % 4]>()
        .vector_intra_slice_reduce::<Hidden, m![1], m![1 # 4]>(IntraSliceReduceOpF32::Max)
        .vector_pad_way8::<m![1 # 8]>()
        .vector_final()
        .to_vrf(0);
    let behind: DmTensor<i32, Chip, Cluster, Slice, m![Hidden]> = ctx
        .main
        .begin(x.view())
        .fetch::<f32, m![Hidden / 8], m![Hidden % 8]>()
        .collect::<m![Hidden / 8], m![Hidden % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![Hidden / 4], m![Hidden % 4]>()
        .vector_fp_binary(FpBinaryOp::SubF, &largest)
        .vector_concat::<m![Hidden / 8], m![Hidden % 8]>()
        .vector_fp_to_fxp(20)
        .vector_final()
        .commit(0x2000);
    let first: DmTensor<i32, Chip, Cluster, Slice, m![1 # 2]> = ctx
        .main
        .begin(behind.view())
        .fetch::<i32, m![Hidden / 8], m![Hidden % 8]>()
        .collect::<m![Hidden / 8], m![Hidden % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Comparison([
            InputCmp::I32(InputCmpI32::False),
            InputCmp::I32(InputCmpI32::False),
            InputCmp::I32(InputCmpI32::False),
            InputCmp::I32(InputCmpI32::Less { boundary: 0 }),
        ]))
        .vector_fxp_with_mode(FxpBinaryOp::MulInt, BinaryArgMode::Mode11, (0x7fff, GroupId::One))
        .vector_fxp(FxpBinaryOp::AddFxp, (&places, GroupId::Zero))
        .vector_split::<m![Hidden / 4], m![Hidden % 4]>()
        .vector_intra_slice_reduce::<Hidden, m![1], m![1 # 4]>(IntraSliceReduceOpI32::Min)
        .vector_pad_way8::<m![1 # 8]>()
        .vector_final()
        .commit(0x3000);
    first.to_hbm(&mut ctx.tdma, 2 << 28)
}

#[tokio::test]
async fn finds_the_largest() {
    let value = |r: usize, h: usize| ((r * 13 + h * 29) % 41) as f32 / 4.0 - 2.0;
    let mut ctx = Context::acquire();
    let x = HostTensor::<f32, m![Row, Hidden]>::from_buf((0..256 * 64).map(|e| Opt::Init(value(e / 64, e % 64))).collect())
        .to_hbm(&mut ctx.pdma, 0)
        .await;
    let p = HostTensor::<i32, m![Hidden]>::from_buf((0..64).map(Opt::Init).collect())
        .to_hbm(&mut ctx.pdma, 1 << 28)
        .await;
    let out = launch(argmax, (&mut *ctx, &x, &p)).await.to_host::<m![Row]>(&mut ctx.pdma).await.to_buf();
    for r in 0..256 {
        let mut best = 0;
        for h in 1..64 { if value(r, h) > value(r, best) { best = h; } }
        assert_eq!(out[r].unwrap(), best as i32, "{r}");
    }
}
