//! Four ways to read a tensor from DM, each beside a slower one that gives the same numbers.
//!
//!     turn      y[s, h, d] = x[h, s, d]                    permutation: whole flits, not pieces of them
//!     full      y[i] = max(x[i], 0)                        packets that fill a flit once they are cast
//!     tail      y[l, o] = sum over c of x[l, c] * w[o, c]  lines that end within a flit, read beyond their end
//!     segments  y[i] = x[i] * factor[i]                    an operand in parts, two of which fit into VRF
//!
//! The Fetch Engine reads one packet of 8, 16, 24 or 32 bytes a cycle, from anywhere in steps of 8 bytes. So the order
//! in which it reads costs nothing, and how much it reads at a time is everything.
//!
//! # Mapping
//!
//! 512 rows, one to a slice: all that happens here happens within a slice. The mappings after `fetch::<..>` are what to
//! look at: Time, in the order of reads, and the packet that one read brings.
//!
//!     turn              m![Step, Head], m![Dim]                        32 bytes; strides do the permutation
//!     turn_in_pieces    m![Step, Head, Dim / 4], m![Dim % 4]           8 bytes, four times as many
//!     full              m![Num / 8], m![Num % 8]                       16 bytes of bf16, 32 of f32: a flit
//!     full_by_halves    m![Num / 4], m![Num % 4]                       8 bytes, 16 of f32: flits that are half empty
//!     tail              m![Line, Col # 48 / 16], m![Col # 48 % 16]     three of 32 bytes for a line of 88
//!     tail_to_the_byte  m![Line, Col / 4], m![Col % 4]                 eleven of 8, as 16 does not divide 88
//!     segments          m![Wide / 8 % 32], m![Wide % 8], four times    256 of 1024, while the next 256 are loaded
//!     one_segment       m![Wide / 8], m![Wide % 8]                     all 1024, when all are loaded
//!
//! A read may go beyond the end of a line: the last packet of `tail` has 24 bytes of its own and 8 of the next one,
//! which `Col # 48` calls padding. The main context makes zeros of padding; the sub context loads what lies there,
//! which is why the weights take the way through main (the sanitizer says so otherwise: E0871).
//!
//! # Engines and memory
//!
//! DMA, Fetch, Collect, Contraction (`tail`), Vector (clip; float multiplication), Cast, Commit; the sub context for
//! VRF. In a slice x is at 0, operands and results behind it, none above 8 KiB; TRF: 8 rows of 96 bytes; VRF: twice 1
//! KiB, 4 KiB in `one_segment`.
//!
//! # What bounds it
//!
//! DMA, in all of them: these are single passes, of which a kernel has many. What matters is the pass.
//!
//!     kernel            pass   cycles in all   bound of the pass
//!     turn                32           1,714   a flit a cycle
//!     turn_in_pieces     128           1,810   8 bytes a cycle, a quarter of what Fetch can do
//!     full                67           1,749   a flit a cycle, which is half of what Fetch could read
//!     full_by_halves     131           1,813   half a flit a cycle; eight lanes work on four
//!     tail                53           3,006   three flits a line
//!     tail_to_the_byte   181           3,198   eleven packets a line; the weights take 88 instead of 24
//!     segments           334           4,336   the first load (66), then four passes of four lanes a cycle (67)
//!     one_segment        517           4,519   a load (258), then a pass (259)
//!
//! # Sizes
//!
//! Row is 512, Dim is 16 (a flit), Head and Step are free. Num is any multiple of 8. Wide is any multiple of 256, as
//! many segments as `OneSegment` says; `one_segment` ends at 2048, what VRF holds. Col is any multiple of 4, since
//! steps of DMA and Fetch are multiples of 8 bytes; `48` is the next multiple of 16. Out is 8, the rows of TRF.
//! Anything else is refused (E0107, E0211, E0521, E0635).
//!
//! # What to try
//!
//! - Dim = 8 in `turn`, and `m![Dim # 16]` behind collect: packets have 16 bytes, and there is no way to have more.
//! - Load the weights of `tail` with `ctx.sub`: results are the same until what lies behind a line is a NaN. The
//!   sanitizer does not wait for that.
//! - `segments` with two segments, and with eight: the first load gets longer or shorter, the others stay hidden.

use furiosa_visa_std::prelude::*;

mod pattern_numbers;
use pattern_numbers::{number, numbers};

type Chip = m![1];
type Cluster = m![Row / 256];
type Slice = m![Row % 256];

// ---- permutation

axes![Row = 512, Head = 4, Step = 8, Dim = 16];

type ByHead = DmTensor<bf16, Chip, Cluster, Slice, m![Head, Step, Dim]>;
type ByStep = DmTensor<bf16, Chip, Cluster, Slice, m![Step, Head, Dim]>;

const TURNED_ADDRESS: u64 = (Head::SIZE * Step::SIZE * Dim::SIZE * 2) as u64;

#[device(chip = 1)]
fn turn(
    ctx: &mut Context,
    x: &HbmTensor<bf16, Chip, m![Row, Head, Step, Dim]>,
) -> HbmTensor<bf16, Chip, m![Row, Step, Head, Dim]> {
    let x: ByHead = x.to_dm(&mut ctx.tdma, 0);
    let y: ByStep = ctx
        .main
        .begin(x.view())
        .fetch::<bf16, m![Step, Head], m![Dim]>()
        .collect::<m![Step, Head], m![Dim]>()
        .commit(TURNED_ADDRESS);
    y.to_hbm(&mut ctx.tdma, 1 << 30)
}

#[device(chip = 1)]
fn turn_in_pieces(
    ctx: &mut Context,
    x: &HbmTensor<bf16, Chip, m![Row, Head, Step, Dim]>,
) -> HbmTensor<bf16, Chip, m![Row, Step, Head, Dim]> {
    let x: ByHead = x.to_dm(&mut ctx.tdma, 0);
    let y: ByStep = ctx
        .main
        .begin(x.view())
        .fetch::<bf16, m![Step, Head, Dim / 4], m![Dim % 4]>()
        .collect::<m![Step, Head, Dim / 4], m![Dim % 4 # 16]>()
        .commit(TURNED_ADDRESS);
    y.to_hbm(&mut ctx.tdma, 1 << 30)
}

// ---- full flits

axes![Num = 512];

type Numbers = DmTensor<bf16, Chip, Cluster, Slice, m![Num]>;

const CLIPPED_ADDRESS: u64 = (Num::SIZE * 2) as u64;

#[device(chip = 1)]
fn full(ctx: &mut Context, x: &HbmTensor<bf16, Chip, m![Row, Num]>) -> HbmTensor<bf16, Chip, m![Row, Num]> {
    let x: Numbers = x.to_dm(&mut ctx.tdma, 0);
    let y: Numbers = ctx
        .main
        .begin(x.view())
        .fetch::<f32, m![Num / 8], m![Num % 8]>() // 16 bytes of bf16 are 32 of f32
        .collect::<m![Num / 8], m![Num % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_clip(ClipBinaryOpF32::Max, 0.0f32)
        .vector_final()
        .cast::<bf16, m![Num % 8 # 16]>()
        .commit(CLIPPED_ADDRESS);
    y.to_hbm(&mut ctx.tdma, 1 << 30)
}

#[device(chip = 1)]
fn full_by_halves(ctx: &mut Context, x: &HbmTensor<bf16, Chip, m![Row, Num]>) -> HbmTensor<bf16, Chip, m![Row, Num]> {
    let x: Numbers = x.to_dm(&mut ctx.tdma, 0);
    let y: Numbers = ctx
        .main
        .begin(x.view())
        .fetch::<f32, m![Num / 4], m![Num % 4]>()
        .collect::<m![Num / 4], m![Num % 4 # 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_clip(ClipBinaryOpF32::Max, 0.0f32)
        .vector_final()
        .cast::<bf16, m![Num % 4 # 16]>()
        .commit(CLIPPED_ADDRESS);
    y.to_hbm(&mut ctx.tdma, 1 << 30)
}

// ---- tails

axes![Line = 16, Col = 44, Out = 8];

type Lines = DmTensor<bf16, Chip, Cluster, Slice, m![Line, Col]>;
type Weights = DmTensor<bf16, Chip, Cluster, Slice, m![Out, Col]>;
type Products = DmTensor<f32, Chip, Cluster, Slice, m![Line, Out]>;

const WEIGHTS_ADDRESS: u64 = (Line::SIZE * Col::SIZE * 2) as u64;
const PRODUCTS_ADDRESS: u64 = WEIGHTS_ADDRESS + (Out::SIZE * Col::SIZE * 2) as u64;

#[device(chip = 1)]
fn tail(
    ctx: &mut Context,
    x: &HbmTensor<bf16, Chip, m![Row, Line, Col]>,
    w: &HbmTensor<bf16, Chip, m![Row, Out, Col]>,
) -> HbmTensor<f32, Chip, m![Row, Line, Out]> {
    let x: Lines = x.to_dm(&mut ctx.tdma, 0);
    let w: Weights = w.to_dm(&mut ctx.tdma, WEIGHTS_ADDRESS);
    let w: TrfTensor<bf16, Chip, Cluster, Slice, m![Out], m![Col # 48]> = ctx
        .main // which fills the ends of lines with zeros, where sub would load what lies there
        .begin(w.view())
        .fetch::<bf16, m![Out, Col # 48 / 16], m![Col # 48 % 16]>()
        .collect::<m![Out, Col # 48 / 16], m![Col # 48 % 16]>()
        .to_trf(TrfAddress::FirstHalf);
    let y: Products = ctx
        .main
        .begin(x.view())
        .fetch::<bf16, m![Line, Col # 48 / 16], m![Col # 48 % 16]>() // the third reads 8 bytes of the next line
        .collect::<m![Line, Col # 48 / 16], m![Col # 48 % 16]>()
        .align::<m![Line, Col # 48 / 16], m![Col # 48 % 16 # 32], _, _>(&w)
        .contract::<m![1]>()
        .accumulate::<m![Line], m![Out]>(AccumulationKind::Interleaved)
        .commit(PRODUCTS_ADDRESS);
    y.to_hbm(&mut ctx.tdma, 1 << 30)
}

#[device(chip = 1)]
fn tail_to_the_byte(
    ctx: &mut Context,
    x: &HbmTensor<bf16, Chip, m![Row, Line, Col]>,
    w: &HbmTensor<bf16, Chip, m![Row, Out, Col]>,
) -> HbmTensor<f32, Chip, m![Row, Line, Out]> {
    let x: Lines = x.to_dm(&mut ctx.tdma, 0);
    let w: Weights = w.to_dm(&mut ctx.tdma, WEIGHTS_ADDRESS);
    let w: TrfTensor<bf16, Chip, Cluster, Slice, m![Out], m![Col / 4, Col % 4 # 16]> = ctx
        .main
        .begin(w.view())
        .fetch::<bf16, m![Out, Col / 4], m![Col % 4]>()
        .collect::<m![Out, Col / 4], m![Col % 4 # 16]>()
        .to_trf(TrfAddress::FirstHalf);
    let y: Products = ctx
        .main
        .begin(x.view())
        .fetch::<bf16, m![Line, Col / 4], m![Col % 4]>()
        .collect::<m![Line, Col / 4], m![Col % 4 # 16]>()
        .align::<m![Line, Col / 4], m![Col % 4 # 32], _, _>(&w)
        .contract::<m![1]>()
        .accumulate::<m![Line], m![Out]>(AccumulationKind::Interleaved)
        .commit(PRODUCTS_ADDRESS);
    y.to_hbm(&mut ctx.tdma, 1 << 30)
}

// ---- segments

axes![Wide = 1024];

type OneSegment = m![1 # 4, Wide % 256]; // of Wide / 256
type WideRows = DmTensor<bf16, Chip, Cluster, Slice, m![Wide]>;

const FACTORS_ADDRESS: u64 = (Wide::SIZE * 2) as u64;
const SCALED_ADDRESS: u64 = 2 * FACTORS_ADDRESS;
const SEGMENTS: usize = <m![Wide / 256]>::SIZE;
const SEGMENT_VRF: u64 = (Wide::SIZE / SEGMENTS * 4) as u64;

#[device(chip = 1)]
fn segments(
    ctx: &mut Context,
    x: &HbmTensor<bf16, Chip, m![Row, Wide]>,
    factors: &HbmTensor<bf16, Chip, m![Row, Wide]>,
) -> HbmTensor<bf16, Chip, m![Row, Wide]> {
    let x: WideRows = x.to_dm(&mut ctx.tdma, 0);
    let factors: WideRows = factors.to_dm(&mut ctx.tdma, FACTORS_ADDRESS);
    let mut y: WideRows = unsafe { DmTensor::from_addr(SCALED_ADDRESS) };
    for segment in 0..SEGMENTS {
        let factors: VrfTensor<f32, Chip, Cluster, Slice, m![Wide % 256]> = ctx
            .sub
            .begin(factors.view().tile::<m![Wide / 256], 1, OneSegment>(segment))
            .fetch::<f32, m![Wide / 8 % 32], m![Wide % 8]>()
            .collect::<m![Wide / 8 % 32], m![Wide % 8]>()
            .to_vrf((segment % 2) as u64 * SEGMENT_VRF);
        ctx.main
            .begin(x.view().tile::<m![Wide / 256], 1, OneSegment>(segment))
            .fetch::<f32, m![Wide / 8 % 32], m![Wide % 8]>()
            .collect::<m![Wide / 8 % 32], m![Wide % 8]>()
            .vector_init()
            .vector_intra_slice_branch(BranchMode::Unconditional)
            .vector_split::<m![Wide / 4 % 64], m![Wide % 4]>()
            .vector_fp_binary(FpBinaryOp::MulF(FpMulAlu::Mul0), &factors)
            .vector_concat::<m![Wide / 8 % 32], m![Wide % 8]>()
            .vector_final()
            .cast::<bf16, m![Wide % 8 # 16]>()
            .commit_view(y.view_mut().tile::<m![Wide / 256], 1, OneSegment>(segment));
    }
    y.to_hbm(&mut ctx.tdma, 1 << 30)
}

#[device(chip = 1)]
fn one_segment(
    ctx: &mut Context,
    x: &HbmTensor<bf16, Chip, m![Row, Wide]>,
    factors: &HbmTensor<bf16, Chip, m![Row, Wide]>,
) -> HbmTensor<bf16, Chip, m![Row, Wide]> {
    let x: WideRows = x.to_dm(&mut ctx.tdma, 0);
    let factors: WideRows = factors.to_dm(&mut ctx.tdma, FACTORS_ADDRESS);
    let factors: VrfTensor<f32, Chip, Cluster, Slice, m![Wide]> = ctx
        .sub
        .begin(factors.view())
        .fetch::<f32, m![Wide / 8], m![Wide % 8]>()
        .collect::<m![Wide / 8], m![Wide % 8]>()
        .to_vrf(0);
    let y: WideRows = ctx
        .main
        .begin(x.view())
        .fetch::<f32, m![Wide / 8], m![Wide % 8]>()
        .collect::<m![Wide / 8], m![Wide % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![Wide / 4], m![Wide % 4]>()
        .vector_fp_binary(FpBinaryOp::MulF(FpMulAlu::Mul0), &factors)
        .vector_concat::<m![Wide / 8], m![Wide % 8]>()
        .vector_final()
        .cast::<bf16, m![Wide % 8 # 16]>()
        .commit(SCALED_ADDRESS);
    y.to_hbm(&mut ctx.tdma, 1 << 30)
}

// ---- the host

#[tokio::test]
async fn steps_come_before_heads() {
    let mut ctx = Context::acquire();
    let each = Head::SIZE * Step::SIZE * Dim::SIZE;
    let x = HostTensor::<bf16, m![Row, Head, Step, Dim]>::from_buf(numbers(Row::SIZE * each));
    let x = x.to_hbm(&mut ctx.pdma, 0).await;
    let y = launch(turn, (&mut *ctx, &x)).await;
    let y = y.to_host::<m![Row, Step, Head, Dim]>(&mut ctx.pdma).await.to_buf();
    let z = launch(turn_in_pieces, (&mut *ctx, &x)).await;
    let z = z.to_host::<m![Row, Step, Head, Dim]>(&mut ctx.pdma).await.to_buf();
    for e in (0..Row::SIZE * each).step_by(5) {
        let (dim, step, head) = (e % Dim::SIZE, e / Dim::SIZE % Step::SIZE, e / Dim::SIZE / Step::SIZE % Head::SIZE);
        let place = ((e / each * Step::SIZE + step) * Head::SIZE + head) * Dim::SIZE + dim;
        assert_eq!(y[place].unwrap().to_f32(), number(e), "number {e}");
        assert_eq!(z[place], y[place], "number {e}");
    }
}

#[tokio::test]
async fn numbers_below_zero_are_gone() {
    let mut ctx = Context::acquire();
    let x = HostTensor::<bf16, m![Row, Num]>::from_buf(numbers(Row::SIZE * Num::SIZE)).to_hbm(&mut ctx.pdma, 0).await;
    let y = launch(full, (&mut *ctx, &x)).await.to_host::<m![Row, Num]>(&mut ctx.pdma).await.to_buf();
    let z = launch(full_by_halves, (&mut *ctx, &x)).await.to_host::<m![Row, Num]>(&mut ctx.pdma).await.to_buf();
    for e in (0..Row::SIZE * Num::SIZE).step_by(5) {
        assert_eq!(y[e].unwrap().to_f32(), number(e).max(0.0), "number {e}");
        assert_eq!(z[e], y[e], "number {e}");
    }
}

#[tokio::test]
async fn products_of_lines_that_end_within_a_flit() {
    let mut ctx = Context::acquire();
    let x = HostTensor::<bf16, m![Row, Line, Col]>::from_buf(numbers(Row::SIZE * Line::SIZE * Col::SIZE));
    let w = HostTensor::<bf16, m![Row, Out, Col]>::from_buf(numbers(Row::SIZE * Out::SIZE * Col::SIZE));
    let x = x.to_hbm(&mut ctx.pdma, 0).await;
    let w = w.to_hbm(&mut ctx.pdma, 1 << 28).await;
    let y = launch(tail, (&mut *ctx, &x, &w)).await.to_host::<m![Row, Line, Out]>(&mut ctx.pdma).await.to_buf();
    let z = launch(tail_to_the_byte, (&mut *ctx, &x, &w)).await;
    let z = z.to_host::<m![Row, Line, Out]>(&mut ctx.pdma).await.to_buf();
    for e in (0..Row::SIZE * Line::SIZE * Out::SIZE).step_by(37) {
        let (line, out) = (e / Out::SIZE, e / Out::SIZE / Line::SIZE * Out::SIZE + e % Out::SIZE);
        let expected: f32 = (0..Col::SIZE).map(|c| number(line * Col::SIZE + c) * number(out * Col::SIZE + c)).sum();
        assert_eq!(y[e].unwrap(), expected, "product {e}");
        assert_eq!(z[e].unwrap(), expected, "product {e}");
    }
}

#[tokio::test]
async fn segments_make_a_whole() {
    let mut ctx = Context::acquire();
    let x = HostTensor::<bf16, m![Row, Wide]>::from_buf(numbers(Row::SIZE * Wide::SIZE)).to_hbm(&mut ctx.pdma, 0).await;
    let y = launch(segments, (&mut *ctx, &x, &x)).await.to_host::<m![Row, Wide]>(&mut ctx.pdma).await.to_buf();
    let z = launch(one_segment, (&mut *ctx, &x, &x)).await.to_host::<m![Row, Wide]>(&mut ctx.pdma).await.to_buf();
    for e in (0..Row::SIZE * Wide::SIZE).step_by(5) {
        assert_eq!(y[e].unwrap().to_f32(), number(e) * number(e), "number {e}");
        assert_eq!(z[e], y[e], "number {e}");
    }
}
