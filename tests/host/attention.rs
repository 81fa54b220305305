//! Attention over one block: scores, softmax along the keys, weighted values.
use furiosa_visa_std::prelude::*;

axes![H = 4, T = 64, U = 64, D = 64];

type Chip = m![1];
type Cluster = m![1 # 2];
type Slice = m![H, T]; // a slice for every query

fn scores(
    ctx: &mut Context,
    q: &DmTensor<bf16, Chip, Cluster, Slice, m![D]>,
    k: &DmTensor<bf16, Chip, Cluster, Slice, m![U, D]>,
) -> DmTensor<f32, Chip, Cluster, Slice, m![U % 8, U / 8]> {
    let k: TrfTensor<bf16, Chip, Cluster, Slice, m![U / 8], m![U % 8, D]> = ctx
        .sub
        .begin(k.view())
        .fetch::<bf16, m![U], m![D]>()
        .collect::<m![U, D / 16], m![D % 16]>()
        .to_trf(TrfAddress::FirstHalf);
    ctx.main
        .begin(q.view())
        .fetch::<bf16, m![1], m![D]>()
        .collect::<m![D / 16], m![D % 16]>()
        .align::<m![D / 16, U % 8], m![D % 16 # 32], _, _>(&k)
        .contract::<m![1]>()
        .accumulate::<m![U % 8], m![U / 8]>(AccumulationKind::Interleaved)
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![U % 8, U / 32], m![U / 8 % 4]>()
        .vector_fp_binary(FpBinaryOp::MulF(FpMulAlu::Mul0), 0.125)
        .vector_concat::<m![U % 8], m![U / 8]>()
        .vector_final()
        .commit(0x8000)
}

fn softmax(
    ctx: &mut Context,
    x: &DmTensor<f32, Chip, Cluster, Slice, m![U % 8, U / 8]>,
) -> DmTensor<bf16, Chip, Cluster, Slice, m![U % 8, U / 8]> {
    let largest: VrfTensor<f32, Chip, Cluster, Slice, m![1 # 8]> = ctx
        .main
        .begin(x.view())
        .fetch::<f32, m![U % 8], m![U / 8]>()
        .collect::<m![U % 8], m![U / 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![U % 8, U / 32], m![U / 8 % 4]>()
        .vector_intra_slice_reduce::<U, m![1], m![1 # 4]>(IntraSliceReduceOpF32::Max)
        .vector_pad_way8::<m![1 # 8]>()
        .vector_final()
        .to_vrf(0);
    let sum: VrfTensor<f32, Chip, Cluster, Slice, m![1 # 8]> = ctx
        .main
        .begin(x.view())
        .fetch::<f32, m![U % 8], m![U / 8]>()
        .collect::<m![U % 8], m![U / 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![U % 8, U / 32], m![U / 8 % 4]>()
        .vector_fp_binary(FpBinaryOp::SubF, &largest)
        .vector_fp_unary(FpUnaryOp::Exp)
        .vector_intra_slice_reduce::<U, m![1], m![1 # 4]>(IntraSliceReduceOpF32::Add)
        .vector_pad_way8::<m![1 # 8]>()
        .vector_final()
        .to_vrf(0x20);
    ctx.main
        .begin(x.view())
        .fetch::<f32, m![U % 8], m![U / 8]>()
        .collect::<m![U % 8], m![U / 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![U % 8, U / 32], m![U / 8 % 4]>()
        .vector_fp_binary(FpBinaryOp::SubF, &largest)
        .vector_fp_unary(FpUnaryOp::Exp)
        .vector_fp_div(FpDivBinaryOp::DivF.with_mode(BinaryArgMode::Mode01), &sum)
        .vector_concat::<m![U % 8], m![U / 8]>()
        .vector_final()
        .cast::<bf16, m![U / 8 # 16]>()
        .commit(0x9000)
}

#[device(chip = 1)]
fn attention(
    ctx: &mut Context,
    q: &HbmTensor<bf16, Chip, m![H, T, D]>,
    k: &HbmTensor<bf16, Chip, m![H, U, D]>,
    v: &HbmTensor<bf16, Chip, m![H, D, U % 8, U / 8]>,
) -> HbmTensor<bf16, Chip, m![H, T, D]> {
    let q = q.to_dm::<Cluster, Slice, m![D]>(&mut ctx.tdma, 0);
    let k = k.to_dm::<Cluster, Slice, m![U, D]>(&mut ctx.tdma, 0x1000);
    let s = scores(ctx, &q, &k);
    let p = softmax(ctx, &s);
    let v = v.to_dm::<Cluster, Slice, m![D, U % 8, U / 8]>(&mut ctx.tdma, 0x4000);
    let v: TrfTensor<bf16, Chip, Cluster, Slice, m![D / 8], m![D % 8, U % 8, U / 8]> = ctx
        .sub
        .begin(v.view())
        .fetch::<bf16, m![D], m![U % 8, U / 8]>()
        .collect::<m![D, U % 8 / 2], m![U % 2, U / 8]>()
        .to_trf(TrfAddress::SecondHalf);
    let out: DmTensor<bf16, Chip, Cluster, Slice, m![D % 8, D / 8]> = ctx
        .main
        .begin(p.view())
        .fetch::<bf16, m![1], m![U % 8, U / 8]>()
        .collect::<m![U % 8 / 2], m![U % 2, U / 8]>()
        .align::<m![U % 8 / 2, D % 8], m![[U % 2, U / 8] # 32], _, _>(&v)
        .contract::<m![1]>()
        .accumulate::<m![D % 8], m![D / 8]>(AccumulationKind::Interleaved)
        .cast::<bf16, m![D / 8 # 16]>()
        .commit(0xa000);
    out.to_hbm(&mut ctx.tdma, 3 << 28)
}

fn to_bf16(values: &[f32]) -> Vec<Opt<bf16>> {
    values.iter().map(|v| Opt::Init(bf16::from_f32(*v))).collect()
}

#[tokio::test]
async fn attends() {
    let value = |seed: usize, e: usize| (((e * 31 + seed * 17) % 97) as f32 - 48.0) / 32.0;
    let make = |seed: usize| (0..4 * 64 * 64).map(|e| bf16::from_f32(value(seed, e)).to_f32()).collect::<Vec<f32>>();
    let (q, k, v) = (make(1), make(2), make(3));
    let mut ctx = Context::acquire();
    let qh = HostTensor::<bf16, m![H, T, D]>::from_buf(to_bf16(&q)).to_hbm(&mut ctx.pdma, 0).await;
    let kh = HostTensor::<bf16, m![H, U, D]>::from_buf(to_bf16(&k)).to_hbm(&mut ctx.pdma, 1 << 28).await;
    let vh = HostTensor::<bf16, m![H, U, D]>::from_buf(to_bf16(&v)).to_hbm(&mut ctx.pdma, 2 << 28).await;
    let out = launch(attention, (&mut *ctx, &qh, &kh, &vh)).await;
    let out = out.to_host::<m![H, T, D]>(&mut ctx.pdma).await.to_buf();
    for h in [0usize, 3] {
        for t in [0usize, 17, 63] {
            let mut s: Vec<f32> = (0..64)
                .map(|u| (0..64).map(|d| q[(h * 64 + t) * 64 + d] * k[(h * 64 + u) * 64 + d]).sum::<f32>() * 0.125)
                .collect();
            let largest = s.iter().cloned().fold(f32::NEG_INFINITY, f32::max);
            s.iter_mut().for_each(|x| *x = (*x - largest).exp());
            let sum: f32 = s.iter().sum();
            for d in 0..64 {
                let expected: f32 = (0..64)
                    .map(|u| bf16::from_f32(s[u] / sum).to_f32() * v[(h * 64 + u) * 64 + d])
                    .sum();
                let got = out[(h * 64 + t) * 64 + d].unwrap().to_f32();
                assert!((got - expected).abs() <= 0.02 * expected.abs() + 0.01, "{h} {t} {d}: {got} is not {expected}");
            }
        }
    }
}
