//! Four ways to write results to DM, so that the next pass and DMA find them well; each beside one that does not.
//!
//!     turn      y[s, h, d] = x[h, s, d]             permutation on the way out
//!     sums      y[l] = sum over i of x[l, i]        results without gaps between them
//!     tail      y[l, c] = max(x[l, c], 0)           lines that end within a flit
//!     segments  y[0] = max(x, 0), y[1] = min(x, 0)  two passes that write one tensor
//!
//! The Commit Engine takes a flit of 32 bytes, keeps as much of its beginning as is data, and writes that in pieces of
//! 8, 16, 24 or 32 bytes, one a cycle. A write must not touch what is not its own: a read may go beyond the end of a
//! line, a write may not. What DMA finds decides far more: HBM writes units of 256 bytes, and one that is written in
//! part is read, changed and written back, which takes fifty times as long.
//!
//! # Mapping
//!
//! 512 rows, one to a slice. The mapping of the result decides how it is written:
//!
//!     turn                    m![Step, Head, Dim]                a flit each, 256 bytes apart
//!     turn_within_flits       m![Dim / 4, Head, Step, Dim % 4]   a flit goes to four places: four writes
//!     sums                    m![Line]                           two sums are 8 bytes, the least there is
//!     sums_with_gaps          m![Line, 1 # 2]                    a sum and a gap
//!     tail                    m![Verse, Col]                     as one long line, `[Verse, Col] / 8`: 16 bytes each
//!     tail_line_by_line       m![Verse, Col]                     88 bytes are eleven times 8
//!     tail_padded             m![Verse, Col # 48]                six times 16, and a gap behind each line
//!     segments                m![Half, Num]                      each pass commits into its view
//!     segments_by_themselves  m![Num], twice                     each pass has a tensor of its own
//!
//! Sums come one to a flit. The Transpose Engine makes one flit with both of every two of them, which is as many as it
//! takes of f32.
//!
//! # Engines and memory
//!
//! DMA, Fetch, Collect, Vector (clip; narrow, intra-slice reduce, widen), Cast, Transpose (`sums`), Commit, also into
//! views. In a slice x is at 0 (4 KiB at most), y behind it. No register files.
//!
//! # What bounds it
//!
//! DMA. Some of these passes cost a few cycles more than they need to; those that leave gaps cost a hundred times as
//! much as the whole kernel, not in the pass but when their results go to HBM.
//!
//!     kernel                  pass   cycles in all   bound
//!     turn                      32           1,714   a flit a cycle
//!     turn_within_flits        128           1,810   Commit, four writes a flit
//!     sums                     260           2,179   Vector, four lanes a cycle; 585 for the store
//!     sums_with_gaps           259         275,160   273,567 for the store: 4 bytes at a time
//!     tail                     179           3,615   Fetch, eight numbers a cycle
//!     tail_line_by_line        355           3,791   Fetch and Commit, four numbers a cycle
//!     tail_padded              195         196,546   194,633 for the store: 88 bytes at a time
//!     segments                  38           1,294   500 to start each of two DMA commands
//!     segments_by_themselves    38           1,946   500 to start each of three
//!
//! # Sizes
//!
//! Row is 512, Dim is 16 (a flit), Head and Step are free. Line is any multiple of 2, of 64 if rows of y are to be
//! whole units of HBM; Lane is any multiple of 8. Verse x Col is a multiple of 8, and Col of 4; `48` is the next
//! multiple of 8. Num is any multiple of 8, of 128 for whole units. Anything else is refused (E0107, E0211).
//!
//! # What to try
//!
//! - `sums_with_gaps` with `y` kept in DM for the next pass: gaps cost nothing there, as in `norms.rs`.
//! - Line = 32 in `sums`: rows of y have 128 bytes, half a unit, and the store takes longer than all the rest.
//! - Two more segments: `segments` gets longer by a pass each, `segments_by_themselves` by a command each.

use furiosa_visa_std::prelude::*;

mod pattern_numbers;
use pattern_numbers::{number, numbers};

type Chip = m![1];
type Cluster = m![Row / 256];
type Slice = m![Row % 256];

// ---- permutation: heads, steps, then what is moved as a whole

axes![Row = 512, Head = 4, Step = 8, Dim = 16];

const TURNED_ADDRESS: u64 = (Head::SIZE * Step::SIZE * Dim::SIZE * 2) as u64;

#[device(chip = 1)]
fn turn(
    ctx: &mut Context,
    x: &HbmTensor<bf16, Chip, m![Row, Head, Step, Dim]>,
) -> HbmTensor<bf16, Chip, m![Row, Step, Head, Dim]> {
    let x: DmTensor<bf16, Chip, Cluster, Slice, m![Head, Step, Dim]> = x.to_dm(&mut ctx.tdma, 0);
    let y: DmTensor<bf16, Chip, Cluster, Slice, m![Step, Head, Dim]> = ctx
        .main
        .begin(x.view())
        .fetch::<bf16, m![Head, Step], m![Dim]>() // as they lie there
        .collect::<m![Head, Step], m![Dim]>()
        .commit(TURNED_ADDRESS); // each flit in another place
    y.to_hbm(&mut ctx.tdma, 1 << 30)
}

#[device(chip = 1)]
fn turn_within_flits(
    ctx: &mut Context,
    x: &HbmTensor<bf16, Chip, m![Row, Head, Step, Dim]>,
) -> HbmTensor<bf16, Chip, m![Row, Dim / 4, Head, Step, Dim % 4]> {
    let x: DmTensor<bf16, Chip, Cluster, Slice, m![Head, Step, Dim]> = x.to_dm(&mut ctx.tdma, 0);
    let y: DmTensor<bf16, Chip, Cluster, Slice, m![Dim / 4, Head, Step, Dim % 4]> = ctx
        .main
        .begin(x.view())
        .fetch::<bf16, m![Head, Step], m![Dim]>()
        .collect::<m![Head, Step], m![Dim]>()
        .commit(TURNED_ADDRESS); // four pieces of 8 bytes
    y.to_hbm(&mut ctx.tdma, 1 << 30)
}

// ---- full writes: the sums of lines

axes![Line = 64, Lane = 16];

type Lines = DmTensor<bf16, Chip, Cluster, Slice, m![Line, Lane]>;

const SUMS_ADDRESS: u64 = (Line::SIZE * Lane::SIZE * 2) as u64;

#[device(chip = 1)]
fn sums(ctx: &mut Context, x: &HbmTensor<bf16, Chip, m![Row, Line, Lane]>) -> HbmTensor<f32, Chip, m![Row, Line]> {
    let x: Lines = x.to_dm(&mut ctx.tdma, 0);
    let y: DmTensor<f32, Chip, Cluster, Slice, m![Line]> = ctx
        .main
        .begin(x.view())
        .fetch::<f32, m![Line, Lane / 8], m![Lane % 8]>()
        .collect::<m![Line, Lane / 8], m![Lane % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![Line, Lane / 4], m![Lane % 4]>()
        .vector_intra_slice_reduce::<Lane, m![Line], m![1 # 4]>(IntraSliceReduceOpF32::Add)
        .vector_pad_way8::<m![1 # 8]>()
        .vector_final()
        .transpose::<m![Line / 2], m![Line % 2 # 8]>() // two flits with a sum each: one with both
        .commit(SUMS_ADDRESS); // 8 bytes, and no gap
    y.to_hbm(&mut ctx.tdma, 1 << 30)
}

#[device(chip = 1)]
fn sums_with_gaps(
    ctx: &mut Context,
    x: &HbmTensor<bf16, Chip, m![Row, Line, Lane]>,
) -> HbmTensor<f32, Chip, m![Row, Line]> {
    let x: Lines = x.to_dm(&mut ctx.tdma, 0);
    let y: DmTensor<f32, Chip, Cluster, Slice, m![Line, 1 # 2]> = ctx
        .main
        .begin(x.view())
        .fetch::<f32, m![Line, Lane / 8], m![Lane % 8]>()
        .collect::<m![Line, Lane / 8], m![Lane % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![Line, Lane / 4], m![Lane % 4]>()
        .vector_intra_slice_reduce::<Lane, m![Line], m![1 # 4]>(IntraSliceReduceOpF32::Add)
        .vector_pad_way8::<m![1 # 8]>()
        .vector_final()
        .commit(SUMS_ADDRESS); // 8 bytes, the least there is: a sum and a gap
    y.to_hbm(&mut ctx.tdma, 1 << 30)
}

// ---- tails: lines that end within a flit

axes![Verse = 32, Col = 44];

type Verses = DmTensor<bf16, Chip, Cluster, Slice, m![Verse, Col]>;

const CLIPPED_ADDRESS: u64 = (Verse::SIZE * Col::SIZE * 2) as u64;

#[device(chip = 1)]
fn tail(
    ctx: &mut Context,
    x: &HbmTensor<bf16, Chip, m![Row, Verse, Col]>,
) -> HbmTensor<bf16, Chip, m![Row, Verse, Col]> {
    let x: Verses = x.to_dm(&mut ctx.tdma, 0);
    let y: Verses = ctx
        .main
        .begin(x.view())
        .fetch::<f32, m![[Verse, Col] / 8], m![[Verse, Col] % 8]>() // lines do not matter
        .collect::<m![[Verse, Col] / 8], m![[Verse, Col] % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_clip(ClipBinaryOpF32::Max, 0.0f32)
        .vector_final()
        .cast::<bf16, m![[Verse, Col] % 8 # 16]>()
        .commit(CLIPPED_ADDRESS);
    y.to_hbm(&mut ctx.tdma, 1 << 30)
}

#[device(chip = 1)]
fn tail_line_by_line(
    ctx: &mut Context,
    x: &HbmTensor<bf16, Chip, m![Row, Verse, Col]>,
) -> HbmTensor<bf16, Chip, m![Row, Verse, Col]> {
    let x: Verses = x.to_dm(&mut ctx.tdma, 0);
    let y: Verses = ctx
        .main
        .begin(x.view())
        .fetch::<f32, m![Verse, Col / 4], m![Col % 4]>()
        .collect::<m![Verse, Col / 4], m![Col % 4 # 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_clip(ClipBinaryOpF32::Max, 0.0f32)
        .vector_final()
        .cast::<bf16, m![Col % 4 # 16]>()
        .commit(CLIPPED_ADDRESS);
    y.to_hbm(&mut ctx.tdma, 1 << 30)
}

#[device(chip = 1)]
fn tail_padded(
    ctx: &mut Context,
    x: &HbmTensor<bf16, Chip, m![Row, Verse, Col]>,
) -> HbmTensor<bf16, Chip, m![Row, Verse, Col]> {
    let x: Verses = x.to_dm(&mut ctx.tdma, 0);
    let y: DmTensor<bf16, Chip, Cluster, Slice, m![Verse, Col # 48]> = ctx
        .main
        .begin(x.view())
        .fetch::<f32, m![Verse, Col # 48 / 8], m![Col # 48 % 8]>()
        .collect::<m![Verse, Col # 48 / 8], m![Col # 48 % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_clip(ClipBinaryOpF32::Max, 0.0f32)
        .vector_final()
        .cast::<bf16, m![Col # 48 % 8 # 16]>()
        .commit(CLIPPED_ADDRESS);
    y.to_hbm(&mut ctx.tdma, 1 << 30)
}

// ---- segments: two passes, one tensor

axes![Half = 2, Num = 128];

type OneHalf = m![1 # 2, Num];
type Numbers = DmTensor<bf16, Chip, Cluster, Slice, m![Num]>;
type Both = DmTensor<bf16, Chip, Cluster, Slice, m![Half, Num]>;

const NUMBERS_BYTES: u64 = (Num::SIZE * 2) as u64;

#[device(chip = 1)]
fn segments(ctx: &mut Context, x: &HbmTensor<bf16, Chip, m![Row, Num]>) -> HbmTensor<bf16, Chip, m![Row, Half, Num]> {
    let x: Numbers = x.to_dm(&mut ctx.tdma, 0);
    let mut y: Both = unsafe { DmTensor::from_addr(NUMBERS_BYTES) };
    for half in 0..Half::SIZE {
        ctx.main
            .begin(x.view())
            .fetch::<f32, m![Num / 8], m![Num % 8]>()
            .collect::<m![Num / 8], m![Num % 8]>()
            .vector_init()
            .vector_intra_slice_branch(BranchMode::Unconditional)
            .vector_clip(if half == 0 { ClipBinaryOpF32::Max } else { ClipBinaryOpF32::Min }, 0.0f32)
            .vector_final()
            .cast::<bf16, m![Num % 8 # 16]>()
            .commit_view(y.view_mut().tile::<m![Half], 1, OneHalf>(half));
    }
    y.to_hbm(&mut ctx.tdma, 1 << 30)
}

#[device(chip = 1)]
fn segments_by_themselves(
    ctx: &mut Context,
    x: &HbmTensor<bf16, Chip, m![Row, Num]>,
    y: &mut HbmTensor<bf16, Chip, m![Row, Half, Num]>,
) {
    let x: Numbers = x.to_dm(&mut ctx.tdma, 0);
    for half in 0..Half::SIZE {
        let part: Numbers = ctx
            .main
            .begin(x.view())
            .fetch::<f32, m![Num / 8], m![Num % 8]>()
            .collect::<m![Num / 8], m![Num % 8]>()
            .vector_init()
            .vector_intra_slice_branch(BranchMode::Unconditional)
            .vector_clip(if half == 0 { ClipBinaryOpF32::Max } else { ClipBinaryOpF32::Min }, 0.0f32)
            .vector_final()
            .cast::<bf16, m![Num % 8 # 16]>()
            .commit(NUMBERS_BYTES * (1 + half as u64));
        part.view().to_hbm_view(&mut ctx.tdma, y.view_mut().tile::<m![Half], 1, m![Row, 1 # 2, Num]>(half));
    }
}

// ---- the host

#[tokio::test]
async fn what_was_outside_is_inside() {
    let mut ctx = Context::acquire();
    let each = Head::SIZE * Step::SIZE * Dim::SIZE;
    let x = HostTensor::<bf16, m![Row, Head, Step, Dim]>::from_buf(numbers(Row::SIZE * each));
    let x = x.to_hbm(&mut ctx.pdma, 0).await;
    let y = launch(turn, (&mut *ctx, &x)).await;
    let y = y.to_host::<m![Row, Step, Head, Dim]>(&mut ctx.pdma).await.to_buf();
    let z = launch(turn_within_flits, (&mut *ctx, &x)).await;
    let z = z.to_host::<m![Row, Dim / 4, Head, Step, Dim % 4]>(&mut ctx.pdma).await.to_buf();
    for e in (0..Row::SIZE * each).step_by(5) {
        let (dim, step, head) = (e % Dim::SIZE, e / Dim::SIZE % Step::SIZE, e / Dim::SIZE / Step::SIZE % Head::SIZE);
        let row = e / each * each;
        let place = row + (step * Head::SIZE + head) * Dim::SIZE + dim;
        assert_eq!(y[place].unwrap().to_f32(), number(e), "number {e}");
        let place = row + (dim / 4 * Head::SIZE * Step::SIZE + head * Step::SIZE + step) * 4 + dim % 4;
        assert_eq!(z[place].unwrap().to_f32(), number(e), "number {e}");
    }
}

#[tokio::test]
async fn sums_of_lines() {
    let mut ctx = Context::acquire();
    let x = HostTensor::<bf16, m![Row, Line, Lane]>::from_buf(numbers(Row::SIZE * Line::SIZE * Lane::SIZE));
    let x = x.to_hbm(&mut ctx.pdma, 0).await;
    let y = launch(sums, (&mut *ctx, &x)).await.to_host::<m![Row, Line]>(&mut ctx.pdma).await.to_buf();
    let z = launch(sums_with_gaps, (&mut *ctx, &x)).await.to_host::<m![Row, Line]>(&mut ctx.pdma).await.to_buf();
    for e in 0..Row::SIZE * Line::SIZE {
        let expected: f32 = (0..Lane::SIZE).map(|lane| number(e * Lane::SIZE + lane)).sum();
        assert_eq!((y[e].unwrap(), z[e].unwrap()), (expected, expected), "line {e}");
    }
}

#[tokio::test]
async fn lines_that_end_within_a_flit() {
    let mut ctx = Context::acquire();
    let count = Row::SIZE * Verse::SIZE * Col::SIZE;
    let x = HostTensor::<bf16, m![Row, Verse, Col]>::from_buf(numbers(count)).to_hbm(&mut ctx.pdma, 0).await;
    let y = launch(tail, (&mut *ctx, &x)).await.to_host::<m![Row, Verse, Col]>(&mut ctx.pdma).await.to_buf();
    let z = launch(tail_line_by_line, (&mut *ctx, &x)).await;
    let z = z.to_host::<m![Row, Verse, Col]>(&mut ctx.pdma).await.to_buf();
    let padded = launch(tail_padded, (&mut *ctx, &x)).await;
    let padded = padded.to_host::<m![Row, Verse, Col]>(&mut ctx.pdma).await.to_buf();
    for e in (0..count).step_by(5) {
        assert_eq!(y[e].unwrap().to_f32(), number(e).max(0.0), "number {e}");
        assert_eq!((z[e], padded[e]), (y[e], y[e]), "number {e}");
    }
}

#[tokio::test]
async fn both_halves_are_there() {
    let mut ctx = Context::acquire();
    let x = HostTensor::<bf16, m![Row, Num]>::from_buf(numbers(Row::SIZE * Num::SIZE)).to_hbm(&mut ctx.pdma, 0).await;
    let y = launch(segments, (&mut *ctx, &x)).await.to_host::<m![Row, Half, Num]>(&mut ctx.pdma).await.to_buf();
    let mut z = unsafe { HbmTensor::<bf16, Chip, m![Row, Half, Num]>::from_addr(2 << 30) };
    launch(segments_by_themselves, (&mut *ctx, &x, &mut z)).await;
    let z = z.to_host::<m![Row, Half, Num]>(&mut ctx.pdma).await.to_buf();
    for e in 0..Row::SIZE * Num::SIZE {
        let place = e / Num::SIZE * 2 * Num::SIZE + e % Num::SIZE;
        assert_eq!(y[place].unwrap().to_f32(), number(e).max(0.0), "number {e}");
        assert_eq!(y[place + Num::SIZE].unwrap().to_f32(), number(e).min(0.0), "number {e}");
        assert_eq!((z[place], z[place + Num::SIZE]), (y[place], y[place + Num::SIZE]), "number {e}");
    }
}
