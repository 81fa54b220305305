//! 2D convolutions of images: with stride 1, stride 2, dilation 2, and both.
//!
//! y[h, w, o] = sum over f, g, c of x[s h + d f, s w + d g, c] * filter[o, f, g, c], where s is the stride and d the
//! dilation: 1,024 images with 32 channels in and 64 out, filters of 3 by 3, outputs of 12 by 12. bf16 in and out,
//! sums in f32.
//!
//! | kernel | input | cycles | of the multipliers | of HBM |
//! |---|---|---|---|---|
//! | `stride_1` | 14 x 14 | 33,574 | 61.8 % | 69.0 % |
//! | `stride_2` | 25 x 25 | 49,971 | 41.5 % | 90.4 % |
//! | `dilation_2` | 16 x 16 | 34,256 | 60.5 % | 71.7 % |
//! | `stride_2_dilation_2` | 27 x 27 | 33,574 | 61.8 % | 69.0 % |
//!
//! # Mapping
//!
//! The rows of a window are a linear combination of two axes, s h + d f. As an expression that is `$(H:s, F:d)`:
//! several (h, f) in one place, so that a pixel is stored once and read by all windows that have it.
//!
//!     contra map --axes "H=12,F=3" '$(H:1, F:1)'
//!
//! `contra map` shows it, but no tensor in the language can have it: its axes say in one way where an element is. What
//! the language has is a tile that begins anywhere. For a fixed tap (f, g) the pixels of all windows are such a tile:
//! rows from d f on, columns from d g on, every s-th of them. So the sub context copies nine tiles into a tensor with
//! axes for the taps, `m![Fh, Fw, rows, columns, C]`, and the main context has an ordinary contraction over Fh, Fw and
//! C. The four kernels differ in the tile only:
//!
//! | kernel | rows of the tile | columns |
//! |---|---|---|
//! | `stride_1` | 4, from 4 band + f on | 12, from g on |
//! | `stride_2` | of 8, from 8 band + f on, every second | of 24, from g on, every second |
//! | `dilation_2` | 4, from 4 band + 2 f on | 12, from 2 g on |
//! | `stride_2_dilation_2` | 4 even ones, from 4 band + f on | 12 even ones, from g on |
//!
//! An image is in one slice, 512 at once and then the next 512, so that no slice needs a border of another's. Four rows
//! of the output at a time are a band, with windows in one of two places: while the main context computes a band, the
//! sub context copies the next. The axes of the output are those of the input: a number stands where its window begins.
//!
//! Channels of the input fill flits, and each flit meets all 64 channels of the output: 8 rows of TRF, two in a packet,
//! four in turn (`O / 8 % 2`, `O / 16`). The tree adds up 16 channels, the accumulator the others and the taps. All
//! slices need the same weights: sixteen neighbours have a part each and pass it round on its way to TRF.
//!
//! # Engines and memory
//!
//! DMA, copies on the sub context, Fetch, Switch (for weights), Collect, Contraction with eight rows and two sums each,
//! Cast, Commit into a view.
//!
//! A slice has both outputs at 0 (18 KiB each), a sixteenth of the weights (2.3 KiB), windows of two bands (27 KiB
//! each), and both inputs (14 to 46 KiB each). TRF has all weights, 8 x 4.5 KiB. Both images have a place of their own,
//! so the second is loaded while the first is computed, and each band leaves as it is complete.
//!
//! In HBM inputs and outputs lie as DMA fills slices: 256 bytes for one slice of each engine, then the next slice
//! (`Slices`; `decode_gemv.rs` says why). In `stride_2_dilation_2` even rows and columns lie apart from odd ones, which
//! nobody reads. Rows are padded to a multiple of 4 pixels, 256 bytes.
//!
//! # What bounds it
//!
//! 2,717,908,992 products take 20,736 cycles at best, and six passes take 20,772 here: with stride 1 the main context
//! never waits once it has begun. The sub context is as busy: it copies 8 bytes a cycle, so that 9 x 48 pixels of 64
//! bytes take 3,456 cycles, as many as their products with 64 channels. With fewer channels out it would be the bound,
//! with more it would not. What is lost: 1,519 cycles for weights, 5,279 for the first image and 3,456 for the windows
//! of its first band in front, 2,548 for the last band behind. More images in a slice come closer to 99 %.
//!
//! With stride 2 HBM is the bound: four times as many pixels for as many products, 40 MACs a byte, where 87 would be
//! needed.
//!
//! # Sizes
//!
//! Outputs are 12 by 12 in three bands: SIDE, BANDS and the numbers in the mappings go together, and what does not fit
//! is refused. An input has at least s (SIDE - 1) + 2 d + 1 rows and columns, and as many as a tile reaches; columns
//! are a multiple of 4. C is 32: weights come to 16 x 8 x C / 16 slices of a cluster, which is all of them. O is any
//! multiple of 16; a row of TRF has to hold O / 8 x 9 x C x 2 bytes, 8 KiB at most. Slices are 32 x 16.
//!
//! # What to try
//!
//! - `Pair = 4`, and `1 # 4` for the `1 # 2` that a tile begins with (`m![1 # 2, ..`; others are of rows and columns):
//!   the share of the first load shrinks, and `stride_1` is at 76 %.
//! - One place for windows, `% 1` instead of `% 2`: copies and passes take turns.
//! - Windows that do not overlap need no copies: every third with stride 1, as `m![H / 3, Fh]`, in a tensor of its own
//!   from the first, second and third row on (`DmTensor::from_addr`). That is quicker by the copies of the first band,
//!   but names bytes by addresses: `--backend=oracle` and `--check-oracle` cannot follow it.

use furiosa_visa_std::prelude::*;
use rand::SeedableRng;
use rand::rngs::SmallRng;

axes![Pair = 2, Group = 32, Image = 16, Fh = 3, Fw = 3, C = 32, O = 64];
axes![Y1 = 14, X1 = 16, Y2 = 26, X2 = 28, Y3 = 16, X3 = 16, Y4 = 28, X4 = 32]; // pixels of the inputs, with padding

type Chip = m![1];
type Cluster = m![Group / 16];
type Slice = m![Group % 16, Image]; // two images in each slice
type Slices = m![Group % 2, Image, Group / 2 % 2, Group / 4]; // in HBM, in the order in which DMA fills them

type PackedWeights = m![O % 8, C / 16, Fh, Fw, O / 8, C % 16];
type Weights = TrfTensor<bf16, Chip, Cluster, Slice, m![O % 8], m![C / 16, Fh, Fw, O / 8, C % 16]>;
type Images<Rows, Columns> = DmTensor<bf16, Chip, Cluster, Slice, m![Pair, { Rows }, { Columns }, C]>;
type Windows<Rows, Columns> = DmTensor<bf16, Chip, Cluster, Slice, m![Fh, Fw, { Rows }, { Columns }, C]>;
type Outputs<Rows, Columns> = DmTensor<bf16, Chip, Cluster, Slice, m![Pair, { Rows }, { Columns }, O]>;

const SIDE: usize = 12; // rows and columns of an output
const BANDS: usize = 3; // of an output
const ROWS: usize = SIDE / BANDS; // of a band
const OUTPUT_ADDRESS: u64 = 0;
const WEIGHT_ADDRESS: u64 = OUTPUT_ADDRESS + (Pair::SIZE * SIDE * SIDE * O::SIZE * 2) as u64;
const WINDOW_ADDRESS: u64 = WEIGHT_ADDRESS + (Fh::SIZE * Fw::SIZE * O::SIZE / 8 * 16 * 2) as u64;
const WINDOW_BYTES: u64 = (Fh::SIZE * Fw::SIZE * ROWS * SIDE * C::SIZE * 2) as u64; // of each of two
const INPUT_ADDRESS: u64 = WINDOW_ADDRESS + 2 * WINDOW_BYTES;

// 16 slices keep a part of the weights each, and pass them round.
fn load_weights(ctx: &mut Context, w: &HbmTensor<bf16, Chip, PackedWeights>) -> Weights {
    let w: DmTensor<bf16, Chip, Cluster, m![Group % 16, O % 8, C / 16], m![Fh, Fw, O / 8, C % 16]> =
        w.to_dm(&mut ctx.tdma, WEIGHT_ADDRESS);
    ctx.sub
        .begin(w.view())
        .fetch::<bf16, m![1], m![Fh, Fw, O / 8, C % 16]>()
        .switch::<Slice, m![O % 8, C / 16]>(SwitchConfig::Broadcast01 { slice1: 16, slice0: 1, time0: 1 })
        .collect::<m![O % 8, C / 16, Fh, Fw, O / 8], m![C % 16]>()
        .to_trf(TrfAddress::Full)
}

// A place for the windows of a band; those of the band before it have another.
fn place<Rows: M, Columns: M>(image: usize, band: usize) -> Windows<Rows, Columns> {
    unsafe { DmTensor::from_addr(WINDOW_ADDRESS + ((image * BANDS + band) % 2) as u64 * WINDOW_BYTES) }
}

// The outputs of a band.
fn convolve<'l, Rows: M, Columns: M>(
    ctx: &'l mut Context,
    windows: &Windows<Rows, Columns>,
    weights: &Weights,
) -> CastTensor<'l, { Tu::Main }, bf16, Chip, Cluster, Slice, m![{ Rows }, { Columns }, O / 8], m![O % 8 # 16]> {
    ctx.main
        .begin(windows.view())
        .fetch::<bf16, m![{ Rows }, { Columns }, Fh, Fw], m![C]>()
        .collect::<m![{ Rows }, { Columns }, Fh, Fw, C / 16], m![C % 16]>()
        .align::<m![{ Rows }, { Columns }, Fh, Fw, C / 16, O / 16], m![O / 8 % 2, C % 16], _, _>(weights)
        .contract::<m![O / 8 % 2]>()
        .accumulate::<m![{ Rows }, { Columns }, O / 8], m![O % 8]>(AccumulationKind::Interleaved)
        .cast::<bf16, m![O % 8 # 16]>()
}

// Row h of the output needs rows h, h + 1 and h + 2 of the input.
#[device(chip = 1)]
fn stride_1(
    ctx: &mut Context,
    x: &HbmTensor<bf16, Chip, m![Pair, Y1, X1 / 4, { Slices }, X1 % 4, C]>,
    w: &HbmTensor<bf16, Chip, PackedWeights>,
    y: &mut HbmTensor<bf16, Chip, m![Pair, Y1 = 12, X1 = 12 / 2, { Slices }, X1 % 2, O]>,
) {
    let weights = load_weights(ctx, w);
    let mut images: Images<m![Y1], m![X1]> = unsafe { DmTensor::from_addr(INPUT_ADDRESS) };
    for image in 0..Pair::SIZE {
        x.view().tile::<m![Pair], 1, m![1 # 2, Y1, X1 / 4, { Slices }, X1 % 4, C]>(image).to_dm_view(
            &mut ctx.tdma,
            images.view_mut().tile::<m![Pair], 1, m![1 # 2, Y1, X1, C]>(image),
        );
    }
    let mut out: Outputs<m![Y1 = 12], m![X1 = 12]> = unsafe { DmTensor::from_addr(OUTPUT_ADDRESS) };
    for image in 0..Pair::SIZE {
        for band in 0..BANDS {
            let first = band * ROWS;
            let mut windows = place::<m![Y1 = 4], m![X1 = 12]>(image, band);
            for (row, column) in [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (2, 0), (2, 1), (2, 2)] {
                images
                    .view()
                    .tile::<m![Pair], 1, m![1 # 2, Y1, X1, C]>(image)
                    .tile::<m![Y1], ROWS, m![1 # 2, Y1 = 4 # 14, X1, C]>(first + row)
                    .tile::<m![X1], SIDE, m![1 # 2, Y1 = 4 # 14, X1 = 12 # 16, C]>(column)
                    .to_dm_view_pcopy(
                        &mut ctx.sub,
                        windows
                            .view_mut()
                            .tile::<m![Fh], 1, m![1 # 3, Fw, Y1 = 4, X1 = 12, C]>(row)
                            .tile::<m![Fw], 1, m![1 # 3, 1 # 3, Y1 = 4, X1 = 12, C]>(column),
                    );
            }
            convolve::<m![Y1 = 4], m![X1 = 12]>(ctx, &windows, &weights).commit_view(
                out.view_mut()
                    .tile::<m![Pair], 1, m![1 # 2, Y1 = 12, X1 = 12, O]>(image)
                    .tile::<m![Y1 = 12], ROWS, m![1 # 2, Y1 = 4 # 12, X1 = 12, O]>(first),
            );
            out.view()
                .tile::<m![Pair], 1, m![1 # 2, Y1 = 12, X1 = 12, O]>(image)
                .tile::<m![Y1 = 12], ROWS, m![1 # 2, Y1 = 4 # 12, X1 = 12, O]>(first)
                .to_hbm_view(
                    &mut ctx.tdma,
                    y.view_mut()
                        .tile::<m![Pair], 1, m![1 # 2, Y1 = 12, X1 = 12 / 2, { Slices }, X1 % 2, O]>(image)
                        .tile::<m![Y1 = 12], ROWS, m![1 # 2, Y1 = 4 # 12, X1 = 12 / 2, { Slices }, X1 % 2, O]>(first),
                );
        }
    }
}

// Row h needs rows 2 h, 2 h + 1 and 2 h + 2: of 8 rows for 4 windows every second, beginning with one of three.
#[device(chip = 1)]
fn stride_2(
    ctx: &mut Context,
    x: &HbmTensor<bf16, Chip, m![Pair, Y2, X2 / 4, { Slices }, X2 % 4, C]>,
    w: &HbmTensor<bf16, Chip, PackedWeights>,
    y: &mut HbmTensor<bf16, Chip, m![Pair, Y2 = 24 / 2, X2 = 24 / 4, { Slices }, X2 / 2 % 2, O]>,
) {
    let weights = load_weights(ctx, w);
    let mut images: Images<m![Y2], m![X2]> = unsafe { DmTensor::from_addr(INPUT_ADDRESS) };
    for image in 0..Pair::SIZE {
        x.view().tile::<m![Pair], 1, m![1 # 2, Y2, X2 / 4, { Slices }, X2 % 4, C]>(image).to_dm_view(
            &mut ctx.tdma,
            images.view_mut().tile::<m![Pair], 1, m![1 # 2, Y2, X2, C]>(image),
        );
    }
    let mut out: Outputs<m![Y2 = 24 / 2], m![X2 = 24 / 2]> = unsafe { DmTensor::from_addr(OUTPUT_ADDRESS) };
    for image in 0..Pair::SIZE {
        for band in 0..BANDS {
            let first = band * ROWS;
            let mut windows = place::<m![Y2 = 8 / 2], m![X2 = 24 / 2]>(image, band);
            for (row, column) in [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (2, 0), (2, 1), (2, 2)] {
                images
                    .view()
                    .tile::<m![Pair], 1, m![1 # 2, Y2, X2, C]>(image)
                    .tile::<m![Y2], { 2 * ROWS }, m![1 # 2, Y2 = 8 # 26, X2, C]>(2 * first + row)
                    .tile::<m![Y2 = 8 % 2], 1, m![1 # 2, [Y2 = 8 / 2, 1 # 2] # 26, X2, C]>(0)
                    .tile::<m![X2], { 2 * SIDE }, m![1 # 2, [Y2 = 8 / 2, 1 # 2] # 26, X2 = 24 # 28, C]>(column)
                    .tile::<m![X2 = 24 % 2], 1, m![1 # 2, [Y2 = 8 / 2, 1 # 2] # 26, [X2 = 24 / 2, 1 # 2] # 28, C]>(0)
                    .to_dm_view_pcopy(
                        &mut ctx.sub,
                        windows
                            .view_mut()
                            .tile::<m![Fh], 1, m![1 # 3, Fw, Y2 = 8 / 2, X2 = 24 / 2, C]>(row)
                            .tile::<m![Fw], 1, m![1 # 3, 1 # 3, Y2 = 8 / 2, X2 = 24 / 2, C]>(column),
                    );
            }
            convolve::<m![Y2 = 8 / 2], m![X2 = 24 / 2]>(ctx, &windows, &weights).commit_view(
                out.view_mut()
                    .tile::<m![Pair], 1, m![1 # 2, Y2 = 24 / 2, X2 = 24 / 2, O]>(image)
                    .tile::<m![Y2 = 24 / 2], ROWS, m![1 # 2, Y2 = 8 / 2 # 12, X2 = 24 / 2, O]>(first),
            );
            out.view()
                .tile::<m![Pair], 1, m![1 # 2, Y2 = 24 / 2, X2 = 24 / 2, O]>(image)
                .tile::<m![Y2 = 24 / 2], ROWS, m![1 # 2, Y2 = 8 / 2 # 12, X2 = 24 / 2, O]>(first)
                .to_hbm_view(
                    &mut ctx.tdma,
                    y.view_mut()
                        .tile::<m![Pair], 1, m![1 # 2, Y2 = 24 / 2, X2 = 24 / 4, { Slices }, X2 / 2 % 2, O]>(image)
                        .tile::<
                            m![Y2 = 24 / 2],
                            ROWS,
                            m![1 # 2, Y2 = 8 / 2 # 12, X2 = 24 / 4, { Slices }, X2 / 2 % 2, O],
                        >(first),
                );
        }
    }
}

// Row h needs rows h, h + 2 and h + 4.
#[device(chip = 1)]
fn dilation_2(
    ctx: &mut Context,
    x: &HbmTensor<bf16, Chip, m![Pair, Y3, X3 / 4, { Slices }, X3 % 4, C]>,
    w: &HbmTensor<bf16, Chip, PackedWeights>,
    y: &mut HbmTensor<bf16, Chip, m![Pair, Y3 = 12, X3 = 12 / 2, { Slices }, X3 % 2, O]>,
) {
    let weights = load_weights(ctx, w);
    let mut images: Images<m![Y3], m![X3]> = unsafe { DmTensor::from_addr(INPUT_ADDRESS) };
    for image in 0..Pair::SIZE {
        x.view().tile::<m![Pair], 1, m![1 # 2, Y3, X3 / 4, { Slices }, X3 % 4, C]>(image).to_dm_view(
            &mut ctx.tdma,
            images.view_mut().tile::<m![Pair], 1, m![1 # 2, Y3, X3, C]>(image),
        );
    }
    let mut out: Outputs<m![Y3 = 12], m![X3 = 12]> = unsafe { DmTensor::from_addr(OUTPUT_ADDRESS) };
    for image in 0..Pair::SIZE {
        for band in 0..BANDS {
            let first = band * ROWS;
            let mut windows = place::<m![Y3 = 4], m![X3 = 12]>(image, band);
            for (row, column) in [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (2, 0), (2, 1), (2, 2)] {
                images
                    .view()
                    .tile::<m![Pair], 1, m![1 # 2, Y3, X3, C]>(image)
                    .tile::<m![Y3], ROWS, m![1 # 2, Y3 = 4 # 16, X3, C]>(first + 2 * row)
                    .tile::<m![X3], SIDE, m![1 # 2, Y3 = 4 # 16, X3 = 12 # 16, C]>(2 * column)
                    .to_dm_view_pcopy(
                        &mut ctx.sub,
                        windows
                            .view_mut()
                            .tile::<m![Fh], 1, m![1 # 3, Fw, Y3 = 4, X3 = 12, C]>(row)
                            .tile::<m![Fw], 1, m![1 # 3, 1 # 3, Y3 = 4, X3 = 12, C]>(column),
                    );
            }
            convolve::<m![Y3 = 4], m![X3 = 12]>(ctx, &windows, &weights).commit_view(
                out.view_mut()
                    .tile::<m![Pair], 1, m![1 # 2, Y3 = 12, X3 = 12, O]>(image)
                    .tile::<m![Y3 = 12], ROWS, m![1 # 2, Y3 = 4 # 12, X3 = 12, O]>(first),
            );
            out.view()
                .tile::<m![Pair], 1, m![1 # 2, Y3 = 12, X3 = 12, O]>(image)
                .tile::<m![Y3 = 12], ROWS, m![1 # 2, Y3 = 4 # 12, X3 = 12, O]>(first)
                .to_hbm_view(
                    &mut ctx.tdma,
                    y.view_mut()
                        .tile::<m![Pair], 1, m![1 # 2, Y3 = 12, X3 = 12 / 2, { Slices }, X3 % 2, O]>(image)
                        .tile::<m![Y3 = 12], ROWS, m![1 # 2, Y3 = 4 # 12, X3 = 12 / 2, { Slices }, X3 % 2, O]>(first),
                );
        }
    }
}

// Row h needs rows 2 h, 2 h + 2 and 2 h + 4. Odd ones are not even loaded; of the others it is as with stride 1.
#[device(chip = 1)]
fn stride_2_dilation_2(
    ctx: &mut Context,
    x: &HbmTensor<bf16, Chip, m![Pair, Y4 % 2, X4 % 2, Y4 / 2, X4 / 8, { Slices }, X4 / 2 % 4, C]>,
    w: &HbmTensor<bf16, Chip, PackedWeights>,
    y: &mut HbmTensor<bf16, Chip, m![Pair, Y4 = 24 / 2, X4 = 24 / 4, { Slices }, X4 / 2 % 2, O]>,
) {
    let weights = load_weights(ctx, w);
    let mut images: Images<m![Y4 / 2], m![X4 / 2]> = unsafe { DmTensor::from_addr(INPUT_ADDRESS) };
    for image in 0..Pair::SIZE {
        x.view()
            .tile::<m![Pair], 1, m![1 # 2, Y4 % 2, X4 % 2, Y4 / 2, X4 / 8, { Slices }, X4 / 2 % 4, C]>(image)
            .tile::<m![Y4 % 2], 1, m![1 # 2, 1 # 2, X4 % 2, Y4 / 2, X4 / 8, { Slices }, X4 / 2 % 4, C]>(0)
            .tile::<m![X4 % 2], 1, m![1 # 2, 1 # 2, 1 # 2, Y4 / 2, X4 / 8, { Slices }, X4 / 2 % 4, C]>(0)
            .to_dm_view(&mut ctx.tdma, images.view_mut().tile::<m![Pair], 1, m![1 # 2, Y4 / 2, X4 / 2, C]>(image));
    }
    let mut out: Outputs<m![Y4 = 24 / 2], m![X4 = 24 / 2]> = unsafe { DmTensor::from_addr(OUTPUT_ADDRESS) };
    for image in 0..Pair::SIZE {
        for band in 0..BANDS {
            let first = band * ROWS;
            let mut windows = place::<m![Y4 = 8 / 2], m![X4 = 24 / 2]>(image, band);
            for (row, column) in [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (2, 0), (2, 1), (2, 2)] {
                images
                    .view()
                    .tile::<m![Pair], 1, m![1 # 2, Y4 / 2, X4 / 2, C]>(image)
                    .tile::<m![Y4 / 2], ROWS, m![1 # 2, Y4 = 8 / 2 # 14, X4 / 2, C]>(first + row)
                    .tile::<m![X4 / 2], SIDE, m![1 # 2, Y4 = 8 / 2 # 14, X4 = 24 / 2 # 16, C]>(column)
                    .to_dm_view_pcopy(
                        &mut ctx.sub,
                        windows
                            .view_mut()
                            .tile::<m![Fh], 1, m![1 # 3, Fw, Y4 = 8 / 2, X4 = 24 / 2, C]>(row)
                            .tile::<m![Fw], 1, m![1 # 3, 1 # 3, Y4 = 8 / 2, X4 = 24 / 2, C]>(column),
                    );
            }
            convolve::<m![Y4 = 8 / 2], m![X4 = 24 / 2]>(ctx, &windows, &weights).commit_view(
                out.view_mut()
                    .tile::<m![Pair], 1, m![1 # 2, Y4 = 24 / 2, X4 = 24 / 2, O]>(image)
                    .tile::<m![Y4 = 24 / 2], ROWS, m![1 # 2, Y4 = 8 / 2 # 12, X4 = 24 / 2, O]>(first),
            );
            out.view()
                .tile::<m![Pair], 1, m![1 # 2, Y4 = 24 / 2, X4 = 24 / 2, O]>(image)
                .tile::<m![Y4 = 24 / 2], ROWS, m![1 # 2, Y4 = 8 / 2 # 12, X4 = 24 / 2, O]>(first)
                .to_hbm_view(
                    &mut ctx.tdma,
                    y.view_mut()
                        .tile::<m![Pair], 1, m![1 # 2, Y4 = 24 / 2, X4 = 24 / 4, { Slices }, X4 / 2 % 2, O]>(image)
                        .tile::<
                            m![Y4 = 24 / 2],
                            ROWS,
                            m![1 # 2, Y4 = 8 / 2 # 12, X4 = 24 / 4, { Slices }, X4 / 2 % 2, O],
                        >(first),
                );
        }
    }
}

// ---- the host

type OneImage = m![Group % 2, 1 # 16, Group / 2 % 2, Group / 4]; // of each group

const CHOSEN: usize = 11; // of the images of a group: its outputs come back to the host

// Some outputs, by the definition. The input has `rows` x `columns` pixels, and the same images for every group; y has
// the chosen one of each.
fn compare(
    x: Vec<Opt<bf16>>,
    w: Vec<Opt<bf16>>,
    y: Vec<Opt<bf16>>,
    (rows, columns): (usize, usize),
    stride: usize,
    dilation: usize,
) {
    let last = SIDE - 1;
    for image in (0..Pair::SIZE * Group::SIZE).step_by(7) {
        let of_input = image / Group::SIZE * Image::SIZE + CHOSEN;
        for (h, v, o) in [(0, 0, 0), (image % SIDE, image / 7 % SIDE, image % O::SIZE), (last, last, O::SIZE - 1)] {
            let mut expected = 0.0;
            for tap in 0..Fh::SIZE * Fw::SIZE {
                let (row, column) = (h * stride + tap / Fw::SIZE * dilation, v * stride + tap % Fw::SIZE * dilation);
                let pixel = ((of_input * rows + row) * columns + column) * C::SIZE;
                let weight = (o * Fh::SIZE * Fw::SIZE + tap) * C::SIZE;
                expected += (0..C::SIZE)
                    .map(|c| (x[pixel + c].unwrap().to_f32() * w[weight + c].unwrap().to_f32()) as f64)
                    .sum::<f64>();
            }
            let found = y[((image * SIDE + h) * SIDE + v) * O::SIZE + o].unwrap().to_f32() as f64;
            // bf16 has 8 bits and rounds by half of the last, one part in 256; 288 products below 1 in f32 are off by
            // far less than 0.001
            let tolerance = expected.abs() / 256.0 + 1.0e-3;
            assert!((found - expected).abs() <= tolerance, "image {image}, row {h}: {found} instead of {expected}");
        }
    }
}

#[tokio::test]
async fn stride_1_is_close_to_the_definition() {
    let mut ctx = Context::acquire();
    let mut rng = SmallRng::seed_from_u64(42);
    let x = HostTensor::<bf16, m![Pair, Image, Y1, X1, C]>::rand(&mut rng);
    let w = HostTensor::<bf16, m![O, Fh, Fw, C]>::rand(&mut rng);
    let x_hbm = x.to_hbm(&mut ctx.pdma, 0).await; // the same images for every group
    let w_hbm = w.to_hbm(&mut ctx.pdma, 1 << 29).await;
    let mut y = unsafe { HbmTensor::from_addr(1 << 30) };
    launch(stride_1, (&mut *ctx, &x_hbm, &w_hbm, &mut y)).await;
    let mut chosen = unsafe { HbmTensor::<bf16, Chip, m![Pair, Group, Y1 = 12, X1 = 12, O]>::from_addr(2 << 30) };
    y.view()
        .tile::<m![Image], 1, m![Pair, Y1 = 12, X1 = 12 / 2, { OneImage }, X1 % 2, O]>(CHOSEN)
        .to_hbm_view(&mut ctx.pdma, chosen.view_mut());
    let y = chosen.to_host::<m![Pair, Group, Y1 = 12, X1 = 12, O]>(&mut ctx.pdma).await;
    compare(x.to_buf(), w.to_buf(), y.to_buf(), (Y1::SIZE, X1::SIZE), 1, 1);
}

#[tokio::test]
async fn stride_2_is_close_to_the_definition() {
    let mut ctx = Context::acquire();
    let mut rng = SmallRng::seed_from_u64(42);
    let x = HostTensor::<bf16, m![Pair, Image, Y2, X2, C]>::rand(&mut rng);
    let w = HostTensor::<bf16, m![O, Fh, Fw, C]>::rand(&mut rng);
    let x_hbm = x.to_hbm(&mut ctx.pdma, 0).await; // the same images for every group
    let w_hbm = w.to_hbm(&mut ctx.pdma, 1 << 29).await;
    let mut y = unsafe { HbmTensor::from_addr(1 << 30) };
    launch(stride_2, (&mut *ctx, &x_hbm, &w_hbm, &mut y)).await;
    let mut chosen = unsafe { HbmTensor::<bf16, Chip, m![Pair, Group, Y2 = 24 / 2, X2 = 24 / 2, O]>::from_addr(2 << 30) };
    y.view()
        .tile::<m![Image], 1, m![Pair, Y2 = 24 / 2, X2 = 24 / 4, { OneImage }, X2 / 2 % 2, O]>(CHOSEN)
        .to_hbm_view(&mut ctx.pdma, chosen.view_mut());
    let y = chosen.to_host::<m![Pair, Group, Y2 = 24 / 2, X2 = 24 / 2, O]>(&mut ctx.pdma).await;
    compare(x.to_buf(), w.to_buf(), y.to_buf(), (Y2::SIZE, X2::SIZE), 2, 1);
}

#[tokio::test]
async fn dilation_2_is_close_to_the_definition() {
    let mut ctx = Context::acquire();
    let mut rng = SmallRng::seed_from_u64(42);
    let x = HostTensor::<bf16, m![Pair, Image, Y3, X3, C]>::rand(&mut rng);
    let w = HostTensor::<bf16, m![O, Fh, Fw, C]>::rand(&mut rng);
    let x_hbm = x.to_hbm(&mut ctx.pdma, 0).await; // the same images for every group
    let w_hbm = w.to_hbm(&mut ctx.pdma, 1 << 29).await;
    let mut y = unsafe { HbmTensor::from_addr(1 << 30) };
    launch(dilation_2, (&mut *ctx, &x_hbm, &w_hbm, &mut y)).await;
    let mut chosen = unsafe { HbmTensor::<bf16, Chip, m![Pair, Group, Y3 = 12, X3 = 12, O]>::from_addr(2 << 30) };
    y.view()
        .tile::<m![Image], 1, m![Pair, Y3 = 12, X3 = 12 / 2, { OneImage }, X3 % 2, O]>(CHOSEN)
        .to_hbm_view(&mut ctx.pdma, chosen.view_mut());
    let y = chosen.to_host::<m![Pair, Group, Y3 = 12, X3 = 12, O]>(&mut ctx.pdma).await;
    compare(x.to_buf(), w.to_buf(), y.to_buf(), (Y3::SIZE, X3::SIZE), 1, 2);
}

#[tokio::test]
async fn stride_2_dilation_2_is_close_to_the_definition() {
    let mut ctx = Context::acquire();
    let mut rng = SmallRng::seed_from_u64(42);
    let x = HostTensor::<bf16, m![Pair, Image, Y4, X4, C]>::rand(&mut rng);
    let w = HostTensor::<bf16, m![O, Fh, Fw, C]>::rand(&mut rng);
    let x_hbm = x.to_hbm(&mut ctx.pdma, 0).await; // the same images for every group
    let w_hbm = w.to_hbm(&mut ctx.pdma, 1 << 29).await;
    let mut y = unsafe { HbmTensor::from_addr(1 << 30) };
    launch(stride_2_dilation_2, (&mut *ctx, &x_hbm, &w_hbm, &mut y)).await;
    let mut chosen = unsafe { HbmTensor::<bf16, Chip, m![Pair, Group, Y4 = 24 / 2, X4 = 24 / 2, O]>::from_addr(2 << 30) };
    y.view()
        .tile::<m![Image], 1, m![Pair, Y4 = 24 / 2, X4 = 24 / 4, { OneImage }, X4 / 2 % 2, O]>(CHOSEN)
        .to_hbm_view(&mut ctx.pdma, chosen.view_mut());
    let y = chosen.to_host::<m![Pair, Group, Y4 = 24 / 2, X4 = 24 / 2, O]>(&mut ctx.pdma).await;
    compare(x.to_buf(), w.to_buf(), y.to_buf(), (Y4::SIZE, X4::SIZE), 2, 2);
}
