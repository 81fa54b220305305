//! Rotary position embedding: the two halves of a head are turned against each other, by an angle of their position.
//!
//!     y[p, h, d]      = x[p, h, d] * cos[p, d] - x[p, h, d + 64] * sin[p, d]        d below 64
//!     y[p, h, d + 64] = x[p, h, d] * sin[p, d] + x[p, h, d + 64] * cos[p, d]
//!
//! Both halves of the result need both halves of x. The Fetch Engine reads two tensors in turn (`begin_interleaved`),
//! here the two halves of one, and the Vector Engine takes the packets apart again, as two groups with operands of
//! their own: one is multiplied by cosines, the other one by sines, and `vector_fp_zip` makes one of both. That is
//! half of the result; a second pass with the operands exchanged is the other half. All heads of a position use the
//! same angles: an operand in VRF without the axis Head is repeated along it.
//!
//! # What bounds it
//!
//! HBM: 4 MiB in and out, 5,592 cycles at 1.5 TB/s. The two passes read 512 packets each, 516 cycles. With nothing to
//! overlap: 10,378 cycles, 1,032 of them in the Vector Engine. In a model queries and keys are in DM when they are
//! turned.
//!
//! Engines: DMA, Fetch (two tensors in turn, bf16 to f32), Collect, Vector (unzip, narrow, float, zip, widen), Cast,
//! Commit into a view.
//! Memory in a slice: x and y (8 KiB each), sines and cosines (1 KiB each); VRF: both, 1 KiB each.
//!
//! Sizes: Pos is any multiple of 512, up to 8192 (then sines and cosines fill VRF). Head is free. Dim is any multiple
//! of 16: half of it stands as 64 in the mappings, and 64 / 8 and 64 / 4 beside it.

use furiosa_visa_std::prelude::*;

axes![Pos = 2048, Head = 8, Dim = 128, Pair = 2];

type Chip = m![1];
type Cluster = m![Pos / 256 % 2];
type Slice = m![Pos % 256];
type Heads = DmTensor<bf16, Chip, Cluster, Slice, m![Pos / 512, Head, Dim]>;
type Angles = VrfTensor<f32, Chip, Cluster, Slice, m![Pos / 512, Dim % 64]>;
type HalfHeads = m![Pos / 512, Head, 1 # 2, Dim % 64];

const X_BYTES: u64 = (Pos::SIZE / 512 * Head::SIZE * Dim::SIZE * 2) as u64;
const ANGLE_BYTES: u64 = (Pos::SIZE / 512 * 64 * 4) as u64;
const X_ADDRESS: u64 = 0;
const Y_ADDRESS: u64 = X_ADDRESS + X_BYTES;
const SIN_ADDRESS: u64 = Y_ADDRESS + X_BYTES;
const COS_ADDRESS: u64 = SIN_ADDRESS + ANGLE_BYTES;

fn load_angles(ctx: &mut Context, from: &HbmTensor<f32, Chip, m![Pos, Dim % 64]>, address: u64, vrf: u64) -> Angles {
    let angles: DmTensor<f32, Chip, Cluster, Slice, m![Pos / 512, Dim % 64]> = from.to_dm(&mut ctx.tdma, address);
    ctx.sub
        .begin(angles.view())
        .fetch::<f32, m![Pos / 512, Dim / 8 % 8], m![Dim % 8]>()
        .collect::<m![Pos / 512, Dim / 8 % 8], m![Dim % 8]>()
        .to_vrf(vrf)
}

// One half of y: op(first half of x * `first`, second half of x * `second`).
fn half(ctx: &mut Context, x: &Heads, y: &mut Heads, which: usize, first: &Angles, second: &Angles, op: FpBinaryOp) {
    ctx.main
        .begin_interleaved::<Pair, _, _, _, _, _>(
            x.view().tile::<m![Dim / 64], 1, HalfHeads>(0),
            x.view().tile::<m![Dim / 64], 1, HalfHeads>(1),
        )
        .fetch::<f32, m![Pos / 512, Head, Dim / 8 % 8, Pair], m![Dim % 8]>()
        .collect::<m![Pos / 512, Head, Dim / 8 % 8, Pair], m![Dim % 8]>()
        .vector_init()
        .vector_intra_slice_unzip::<Pair, m![Pos / 512, Head, Dim / 8 % 8, 1 # 2], m![Pos / 512, Head, Dim / 8 % 8]>()
        .vector_split::<m![Pos / 512, Head, Dim / 4 % 16], m![Dim % 4]>()
        .vector_fp_binary(FpBinaryOp::MulF(FpMulAlu::Mul0), first, second)
        .vector_fp_zip(op)
        .vector_concat::<m![Pos / 512, Head, Dim / 8 % 8], m![Dim % 8]>()
        .vector_final()
        .cast::<bf16, m![Dim % 8 # 16]>()
        .commit_view(y.view_mut().tile::<m![Dim / 64], 1, HalfHeads>(which));
}

#[device(chip = 1)]
fn rope(
    ctx: &mut Context,
    x: &HbmTensor<bf16, Chip, m![Pos, Head, Dim]>,
    sin: &HbmTensor<f32, Chip, m![Pos, Dim % 64]>,
    cos: &HbmTensor<f32, Chip, m![Pos, Dim % 64]>,
) -> HbmTensor<bf16, Chip, m![Pos, Head, Dim]> {
    let sin = load_angles(ctx, sin, SIN_ADDRESS, 0);
    let cos = load_angles(ctx, cos, COS_ADDRESS, ANGLE_BYTES);
    let x: Heads = x.to_dm(&mut ctx.tdma, X_ADDRESS);
    let mut y: Heads = unsafe { DmTensor::from_addr(Y_ADDRESS) };
    half(ctx, &x, &mut y, 0, &cos, &sin, FpBinaryOp::SubF);
    half(ctx, &x, &mut y, 1, &sin, &cos, FpBinaryOp::AddF);
    y.to_hbm(&mut ctx.tdma, 1 << 30)
}

// ---- the host

const HALF: usize = Dim::SIZE / 2;

fn angle(position: usize, d: usize) -> f64 {
    position as f64 / 10000.0_f64.powf(d as f64 / HALF as f64)
}

#[tokio::test]
async fn heads_are_turned_by_their_position() {
    let mut ctx = Context::acquire();
    let size = Pos::SIZE * Head::SIZE * Dim::SIZE;
    let x: Vec<f32> = (0..size).map(|e| ((e * 37 + e / Dim::SIZE) % 255) as f32 / 64.0 - 2.0).collect();
    let angles: Vec<f64> = (0..Pos::SIZE * HALF).map(|e| angle(e / HALF, e % HALF)).collect();
    let x_host = HostTensor::<bf16, m![Pos, Head, Dim]>::from_buf(x.iter().map(|v| Opt::Init(bf16::from_f32(*v))).collect());
    let sin = HostTensor::<f32, m![Pos, Dim % 64]>::from_buf(angles.iter().map(|a| Opt::Init(a.sin() as f32)).collect());
    let cos = HostTensor::<f32, m![Pos, Dim % 64]>::from_buf(angles.iter().map(|a| Opt::Init(a.cos() as f32)).collect());
    let x_hbm = x_host.to_hbm(&mut ctx.pdma, 0).await;
    let sin_hbm = sin.to_hbm(&mut ctx.pdma, 1 << 28).await;
    let cos_hbm = cos.to_hbm(&mut ctx.pdma, 2 << 28).await;
    let y = launch(rope, (&mut *ctx, &x_hbm, &sin_hbm, &cos_hbm)).await;
    let y = y.to_host::<m![Pos, Head, Dim]>(&mut ctx.pdma).await.to_buf();
    for position in (0..Pos::SIZE).step_by(53) {
        for e in 0..Head::SIZE * HALF {
            let at = position * Head::SIZE * Dim::SIZE + e / HALF * Dim::SIZE + e % HALF;
            let (a, b) = (x[at] as f64, x[at + HALF] as f64);
            let turn = angle(position, e % HALF);
            for (place, expected) in [(at, a * turn.cos() - b * turn.sin()), (at + HALF, a * turn.sin() + b * turn.cos())] {
                let found = y[place].unwrap().to_f32() as f64;
                // one rounding to bf16, a part in 256; a difference of numbers below 4 in f32 is off by 1e-6 at most
                assert!((found - expected).abs() <= expected.abs() / 250.0 + 1.0e-6, "{place}: {found}, not {expected}");
            }
        }
    }
}
