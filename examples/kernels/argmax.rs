//! The place of the largest logit of each token, the first one where there are several: greedy sampling.
//!
//! found[t] = the smallest v whose x[t, v] is the largest of x[t]. Three passes of the Vector Engine:
//!
//! 1. the largest: over lanes and time steps of a slice, then over all slices. `m![Copy]` is an axis that only says
//!    that each slice gets a copy; `reshape` calls the copies by the slices that have them, so that they can be
//!    operands there;
//! 2. x - largest, which is 0 for the largest ones and below 0 for all others;
//! 3. that decides the group of an element (the fourth comparison does). In group Zero, bits of 0 or those of the
//!    number v are v; in group One, `or` and `and` with the bits of infinity leave infinity. Then the smallest of
//!    all, as an integer.
//!
//! Comparisons are with constants, which is why pass 2 is there.
//!
//! # Mapping
//!
//! A vocabulary of 131,072 fills all slices of a cluster, 512 words each; a cluster has four of the eight tokens, in
//! time. So a token is spread as far as it can be without crossing clusters, which only DMA does.
//!
//! # Engines and memory
//!
//! DMA, Fetch (bf16 to f32), Collect, Vector (branch, logic, narrow, float, intra-slice reduce, widen, conversion,
//! inter-slice reduce), Transpose, Commit; the sub context for VRF. In a slice x (4 KiB), numbers (2 KiB), x - largest
//! (8 KiB); VRF 2 KiB and 128 bytes. The Transpose Engine puts two results in a flit, so that those of a cluster have
//! no gaps between them.
//!
//! # What bounds it
//!
//! DMA. 2 MiB of logits take 1,398 cycles at 1.5 TB/s and 128 KiB of numbers 87, of 5,266 in all: 40 % of what HBM
//! could move. Logits take 1,865 with the start; numbers 1,334, since DM takes them for all slices of both clusters,
//! and behind them passes 1 and 2 are hidden (771 and 515, of which 256 are the way round all slices). Then come 256 to
//! load the numbers, 772 for pass 3, and 1,039 for 32 bytes of results: two pieces of 16, parts of a unit of HBM that
//! is read, changed and written back (with gaps it would be eight pieces of 4, and 2,671). There is one tile: nothing
//! to load beside the passes but the numbers. In a model the next kernel takes results from DM, and numbers stay in
//! VRF.
//!
//! # Sizes
//!
//! Voc = 256 slices x any multiple of 8 up to 2032, what VRF holds. It stands as 512 in the mappings, 64 and 128 are an
//! eighth and a quarter of it. Numbers up to 2^24 are exact in f32. Tok is 2 clusters x 4; any other even number takes
//! the place of 4. Logits must not be infinite or NaN. What a mapping does not divide is refused (E0107, E0505).
//!
//! # What to try
//!
//! - Keep results in DM, and leave out the store: a fifth of the time.
//! - Random sampling: add Gumbel noise, -log(-log(u)), to the logits before pass 1.
//! - The k best: `top_k.rs` ranks all with all, which is for short rows; over a vocabulary k rounds of this are
//!   quicker.

use furiosa_visa_std::prelude::*;

axes![Tok = 8, Voc = 131072, Copy = 256];

type Chip = m![1];
type Cluster = m![Tok / 4];
type Slice = m![Voc / 512];
type OnePerToken = VrfTensor<f32, Chip, Cluster, Slice, m![Tok % 4, 1 # 8]>;

const NUMBERS: u64 = Voc::SIZE as u64 / 256; // in a slice
const X_ADDRESS: u64 = 0;
const NUMBERS_ADDRESS: u64 = X_ADDRESS + NUMBERS * 4 * 2;
const BELOW_ADDRESS: u64 = NUMBERS_ADDRESS + NUMBERS * 4;
const LARGEST_ADDRESS: u64 = BELOW_ADDRESS + NUMBERS * 4 * 4;
const FOUND_ADDRESS: u64 = LARGEST_ADDRESS + 4 * 8;
const NUMBERS_VRF: u64 = 0;
const LARGEST_VRF: u64 = NUMBERS_VRF + NUMBERS * 4;

#[device(chip = 1)]
fn argmax(
    ctx: &mut Context,
    logits: &HbmTensor<bf16, Chip, m![Tok, Voc]>,
    numbers: &HbmTensor<f32, Chip, m![Voc]>,
) -> HbmTensor<i32, Chip, m![Tok]> {
    let x: DmTensor<bf16, Chip, Cluster, Slice, m![Tok % 4, Voc % 512]> = logits.to_dm(&mut ctx.tdma, X_ADDRESS);
    let numbers: DmTensor<f32, Chip, Cluster, Slice, m![Voc % 512]> = numbers.to_dm(&mut ctx.tdma, NUMBERS_ADDRESS);

    // 1. the largest of a slice, then of all slices, which all of them get to know
    let largest: DmTensor<f32, Chip, Cluster, m![Copy], m![Tok % 4, 1 # 2]> = ctx
        .main
        .begin(x.view())
        .fetch::<f32, m![Tok % 4, Voc / 8 % 64], m![Voc % 8]>()
        .collect::<m![Tok % 4, Voc / 8 % 64], m![Voc % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![Tok % 4, Voc / 4 % 128], m![Voc % 4]>()
        .vector_intra_slice_reduce::<Voc, m![Tok % 4], m![1 # 4]>(IntraSliceReduceOpF32::Max)
        .vector_pad_way8::<m![1 # 8]>()
        .vector_inter_slice_reduce::<m![Copy], m![Tok % 4]>(InterSliceReduceOpF32::Max)
        .vector_final()
        .commit(LARGEST_ADDRESS);
    let largest: DmTensor<f32, Chip, Cluster, Slice, m![Tok % 4, 1 # 2]> = unsafe { largest.reshape() };
    let largest: OnePerToken = ctx
        .sub
        .begin(largest.view())
        .fetch::<f32, m![Tok % 4], m![1 # 2]>()
        .collect::<m![Tok % 4], m![1 # 8]>()
        .to_vrf(LARGEST_VRF);

    // 2. how far below it each one is
    let below: DmTensor<f32, Chip, Cluster, Slice, m![Tok % 4, Voc % 512]> = ctx
        .main
        .begin(x.view())
        .fetch::<f32, m![Tok % 4, Voc / 8 % 64], m![Voc % 8]>()
        .collect::<m![Tok % 4, Voc / 8 % 64], m![Voc % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![Tok % 4, Voc / 4 % 128], m![Voc % 4]>()
        .vector_fp_binary(FpBinaryOp::SubF, &largest)
        .vector_concat::<m![Tok % 4, Voc / 8 % 64], m![Voc % 8]>()
        .vector_final()
        .commit(BELOW_ADDRESS);

    // 3. the number of those that are not, infinity for all others; then the smallest of all
    let numbers: VrfTensor<f32, Chip, Cluster, Slice, m![Voc % 512]> = ctx
        .sub
        .begin(numbers.view())
        .fetch::<f32, m![Voc / 8 % 64], m![Voc % 8]>()
        .collect::<m![Voc / 8 % 64], m![Voc % 8]>()
        .to_vrf(NUMBERS_VRF);
    let found: DmTensor<i32, Chip, Cluster, m![1 # 256], m![Tok % 4]> = ctx
        .main
        .begin(below.view())
        .fetch::<f32, m![Tok % 4, Voc / 8 % 64], m![Voc % 8]>()
        .collect::<m![Tok % 4, Voc / 8 % 64], m![Voc % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Comparison([
            InputCmp::F32(InputCmpF32::False),
            InputCmp::F32(InputCmpF32::False),
            InputCmp::F32(InputCmpF32::False),
            InputCmp::F32(InputCmpF32::Less { boundary: 0.0 }), // the fourth one chooses the group
        ]))
        .vector_logic(
            LogicBinaryOpF32::BitOr,
            [
                VeBranchOperand::group(VeRhs::vrf(&numbers), GroupId::Zero),
                VeBranchOperand::group(VeRhs::constant(f32::INFINITY), GroupId::One),
            ],
        )
        .vector_logic(LogicBinaryOpF32::BitAnd, (f32::INFINITY, GroupId::One))
        .vector_split::<m![Tok % 4, Voc / 4 % 128], m![Voc % 4]>()
        .vector_intra_slice_reduce::<Voc, m![Tok % 4], m![1 # 4]>(IntraSliceReduceOpF32::Min)
        .vector_pad_way8::<m![1 # 8]>()
        .vector_fp_to_fxp(31)
        .vector_inter_slice_reduce::<m![1 # 256], m![Tok % 4]>(InterSliceReduceOpI32::Min)
        .vector_final()
        .transpose::<m![Tok / 2 % 2], m![Tok % 2 # 8]>() // two to a flit: no gaps
        .commit(FOUND_ADDRESS);
    found.to_hbm(&mut ctx.tdma, 1 << 30)
}

// ---- the host

async fn run(logits: Vec<f32>) -> Vec<i32> {
    let mut ctx = Context::acquire();
    let logits = HostTensor::<bf16, m![Tok, Voc]>::from_buf(logits.iter().map(|v| Opt::Init(bf16::from_f32(*v))).collect());
    let numbers = HostTensor::<f32, m![Voc]>::from_buf((0..Voc::SIZE).map(|v| Opt::Init(v as f32)).collect());
    let logits = logits.to_hbm(&mut ctx.pdma, 0).await;
    let numbers = numbers.to_hbm(&mut ctx.pdma, 1 << 28).await;
    let found = launch(argmax, (&mut *ctx, &logits, &numbers)).await;
    found.to_host::<m![Tok]>(&mut ctx.pdma).await.to_buf().into_iter().map(|v| v.unwrap()).collect()
}

#[tokio::test]
async fn finds_the_first_of_the_largest() {
    // above and below zero, each value in many places
    let x = |t: usize, v: usize| ((v * 7919 + t * 131) % 251) as f32 / 4.0 - 10.0 * t as f32;
    let found = run((0..Tok::SIZE * Voc::SIZE).map(|e| x(e / Voc::SIZE, e % Voc::SIZE)).collect()).await;
    for t in 0..Tok::SIZE {
        let mut best = 0;
        for v in 0..1000 {
            best = if x(t, v) > x(t, best) { v } else { best }; // they repeat after 251
        }
        assert_eq!(found[t], best as i32, "token {t}");
    }
}

#[tokio::test]
async fn one_alone_is_found_anywhere() {
    let last = Voc::SIZE - 1;
    let ends = [0, 1, Voc::SIZE / 256 - 1, Voc::SIZE / 256, last / 2 + 3, last - 1, last, last * 3 / 4];
    let places: Vec<usize> = (0..Tok::SIZE).map(|t| ends[t % ends.len()]).collect();
    let found = run((0..Tok::SIZE * Voc::SIZE)
        .map(|e| if e % Voc::SIZE == places[e / Voc::SIZE] { -1.0 } else { -1.0078125 })
        .collect())
    .await;
    for t in 0..Tok::SIZE {
        assert_eq!(found[t], places[t] as i32, "token {t}");
    }
}
