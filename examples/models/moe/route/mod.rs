//! Which experts each token goes to, with which weights, and which rows of which blocks they compute it in. `main.rs`
//! explains it.

use super::*;

type PerExpert<D> = DmTensor<D, Chip, One, Tokens, m![Tok % 2, Expert]>; // a number for each token and expert
type PerExpertVrf = VrfTensor<i32, Chip, One, Tokens, m![Tok % 2, Expert]>;
type PerChoice<D> = DmTensor<D, Chip, One, Tokens, m![Tok % 2, Top, 1 # 2]>; // one for each that was chosen
type PerToken = VrfTensor<f32, Chip, One, Tokens, m![Tok % 2, 1 # 8]>;
type TokensBefore = DmTensor<i8, Chip, One, Tokens, m![Tok % 2, Other % 2, Other / 2]>;
type Starts = DmTensor<i32, Chip, One, Tokens, m![Expert]>; // the first block of each, alike in all slices

const INDEX_BITS: u32 = 3; // for up to 8 experts
const INTEGER_BITS: u32 = 5; // for scores between -32 and 32
const POINT: u32 = INTEGER_BITS + INDEX_BITS; // bits in front of the binary point of 31
const MOST: i32 = (1 << (31 - INDEX_BITS)) - 1; // of a score, in fixed point

const LINE: u64 = (2 * Expert::SIZE * 4) as u64; // of PerExpert, or of PerChoice
const ROUTER_ADDRESS: u64 = ROUTE_ADDRESS;
const PLACES_ADDRESS: u64 = ROUTER_ADDRESS + (Expert::SIZE * Model::SIZE * 2) as u64;
const TOKENS_BEFORE_ADDRESS: u64 = PLACES_ADDRESS + (Expert::SIZE * 4) as u64;
const EXPERTS_BEFORE_ADDRESS: u64 = TOKENS_BEFORE_ADDRESS + (2 * Other::SIZE) as u64;
const FIXED_ADDRESS: u64 = EXPERTS_BEFORE_ADDRESS + (Expert::SIZE * Rival::SIZE) as u64;
const WORDS_ADDRESS: u64 = FIXED_ADDRESS + LINE;
const APART_ADDRESS: u64 = WORDS_ADDRESS + LINE;
const RANKS_ADDRESS: u64 = APART_ADDRESS + 2 * LINE;
const MASK_ADDRESS: u64 = RANKS_ADDRESS + LINE;
const COUNTS_ADDRESS: u64 = MASK_ADDRESS + LINE;
const NEEDED_ADDRESS: u64 = COUNTS_ADDRESS + LINE;
const STARTS_ADDRESS: u64 = NEEDED_ADDRESS + LINE;
const ROWS_ADDRESS: u64 = STARTS_ADDRESS + LINE;
const ROW_ADDRESS: u64 = ROWS_ADDRESS + LINE;
const BEST_ADDRESS: u64 = ROW_ADDRESS + LINE;
const SCORE_ADDRESS: u64 = BEST_ADDRESS + LINE;
const INDEX_ADDRESS: u64 = SCORE_ADDRESS + LINE;
const APART_OWNERS_ADDRESS: u64 = INDEX_ADDRESS + (32 * Top::SIZE * 4) as u64;
const OWNERS_ADDRESS: u64 = APART_OWNERS_ADDRESS + (BLOCKS * 8) as u64;

const PLACES_VRF: u64 = 0;
const STARTS_VRF: u64 = 0x20;
const ROWS_VRF: u64 = 0x40;
const FIXED_VRF: u64 = 0x80;
const LARGEST_VRF: u64 = 0xc0;
const SCALE_VRF: u64 = 0x100;
const RIVALS_VRF: u64 = 0x180;

const SIXTEEN_TO_ONE: SwitchConfig = SwitchConfig::Broadcast01 { slice1: 16, slice0: 1, time0: 2 * Top::SIZE };

// The router's scores, in fixed point: that orders as numbers do, below zero, too.
fn score(
    ctx: &mut Context,
    x: &DmTensor<bf16, Chip, One, Tokens, m![Tok % 2, Top, Model]>,
    router: &HbmTensor<bf16, Chip, m![Tok / 2, Expert, Model]>,
) -> PerExpert<i32> {
    let router: DmTensor<bf16, Chip, One, Tokens, m![Expert, Model]> = router.to_dm(&mut ctx.tdma, ROUTER_ADDRESS);
    let router: TrfTensor<bf16, Chip, One, Tokens, m![Expert], m![Model]> = ctx
        .sub
        .begin(router.view())
        .fetch::<bf16, m![Expert], m![Model]>()
        .collect::<m![Expert, Model / 16], m![Model % 16]>()
        .to_trf(TrfAddress::FirstHalf);
    ctx.main
        .begin(x.view().tile::<m![Top], 1, m![Tok % 2, 1 # 2, Model]>(0))
        .fetch::<bf16, m![Tok % 2], m![Model]>()
        .collect::<m![Tok % 2, Model / 16], m![Model % 16]>()
        .align::<m![Tok % 2, Model / 32], m![Model % 32], _, _>(&router)
        .contract::<m![1]>()
        .accumulate::<m![Tok % 2], m![Expert]>(AccumulationKind::Interleaved)
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_fp_to_fxp(POINT)
        .vector_clip(ClipBinaryOpI32::Min, MOST)
        .vector_clip(ClipBinaryOpI32::Max, -MOST)
        .vector_final()
        .commit(FIXED_ADDRESS)
}

// Score and place in one word, so that no two of a token are alike.
fn pack(
    ctx: &mut Context,
    fixed: &PerExpert<i32>,
    places: &HbmTensor<i32, Chip, m![Tok / 2, Expert]>,
) -> PerExpert<i32> {
    let places: DmTensor<i32, Chip, One, Tokens, m![Expert]> = places.to_dm(&mut ctx.tdma, PLACES_ADDRESS);
    let places: VrfTensor<i32, Chip, One, Tokens, m![Expert]> = ctx
        .sub
        .begin(places.view())
        .fetch::<i32, m![1], m![Expert]>()
        .collect::<m![1], m![Expert]>()
        .to_vrf(PLACES_VRF);
    ctx.main
        .begin(fixed.view())
        .fetch::<i32, m![Tok % 2], m![Expert]>()
        .collect::<m![Tok % 2], m![Expert]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_logic(LogicBinaryOpI32::LeftShift, INDEX_BITS as i32)
        .vector_logic(LogicBinaryOpI32::BitOr, &places)
        .vector_final()
        .commit(WORDS_ADDRESS)
}

// Of each expert how many the token likes better: all eight with all eight.
fn rank(ctx: &mut Context, words: &PerExpert<i32>) -> PerExpert<i32> {
    let apart: DmTensor<i32, Chip, One, Tokens, m![Tok % 2, Expert, 1 # 2]> = ctx
        .main
        .begin(words.view())
        .fetch::<i32, m![Tok % 2], m![Expert]>()
        .collect::<m![Tok % 2], m![Expert]>()
        .transpose::<m![Tok % 2, Expert], m![1 # 8]>() // one number in 8 bytes, which VRF then gives to all lanes
        .commit(APART_ADDRESS);
    let rivals: DmTensor<i32, Chip, One, Tokens, m![Tok % 2, Rival, 1 # 2]> = unsafe { apart.reshape() };
    let rivals: VrfTensor<i32, Chip, One, Tokens, m![Tok % 2, Rival, 1 # 8]> = ctx
        .sub
        .begin(rivals.view())
        .fetch::<i32, m![Tok % 2, Rival], m![1 # 2]>()
        .collect::<m![Tok % 2, Rival], m![1 # 8]>()
        .to_vrf(RIVALS_VRF);
    ctx.main
        .begin(words.view())
        .fetch::<i32, m![Tok % 2, Rival], m![Expert]>()
        .collect::<m![Tok % 2, Rival], m![Expert]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_fxp(FxpBinaryOp::SubFxpSat, &rivals)
        .vector_fxp(FxpBinaryOp::LogicRightShift, 31) // the sign: 1 if the rival is better
        .vector_split::<m![Tok % 2, Rival, Expert / 4], m![Expert % 4]>()
        .vector_intra_slice_reduce::<Rival, m![Tok % 2, Expert / 4], m![Expert % 4]>(IntraSliceReduceOpI32::AddSat)
        .vector_concat::<m![Tok % 2], m![Expert]>()
        .vector_final()
        .commit(RANKS_ADDRESS)
}

// 1 for each expert that a token goes to.
fn choose(ctx: &mut Context, ranks: &PerExpert<i32>) -> PerExpert<i8> {
    ctx.main
        .begin(ranks.view())
        .fetch::<i32, m![Tok % 2], m![Expert]>()
        .collect::<m![Tok % 2], m![Expert]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_fxp(FxpBinaryOp::SubFxp, Top::SIZE as i32)
        .vector_fxp(FxpBinaryOp::LogicRightShift, 31)
        .vector_final()
        .cast::<i8, m![Expert # 32]>()
        .commit(MASK_ADDRESS)
}

// How many blocks each expert needs, which every slice gets to know: its tokens over all slices, in blocks.
fn blocks_needed(ctx: &mut Context, mask: &PerExpert<i8>) -> DmTensor<i8, Chip, One, Tokens, m![Rival]> {
    let counts: DmTensor<i32, Chip, One, m![Other / 2], m![Expert]> = ctx
        .main
        .begin(mask.view())
        .fetch::<i32, m![Tok % 2], m![Expert]>()
        .collect::<m![Tok % 2], m![Expert]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![Tok % 2, Expert / 4], m![Expert % 4]>()
        .vector_intra_slice_reduce::<Tok, m![Expert / 4], m![Expert % 4]>(IntraSliceReduceOpI32::AddSat)
        .vector_concat::<m![1], m![Expert]>()
        .vector_inter_slice_reduce::<m![Other / 2], m![1]>(InterSliceReduceOpI32::AddSat)
        .vector_final()
        .commit(COUNTS_ADDRESS);
    let needed: DmTensor<i8, Chip, One, m![Other / 2], m![Expert]> = ctx
        .main
        .begin(counts.view())
        .fetch::<i32, m![1], m![Expert]>()
        .collect::<m![1], m![Expert]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_fxp(FxpBinaryOp::AddFxp, BLOCK as i32 - 1)
        .vector_fxp(FxpBinaryOp::ArithRightShift, BLOCK.trailing_zeros() as i32)
        .vector_final()
        .cast::<i8, m![Expert # 32]>()
        .commit(NEEDED_ADDRESS);
    unsafe { needed.reshape() }
}

// The first block of each expert: a running sum over the experts before it, as a product with a triangle of ones.
fn starts(
    ctx: &mut Context,
    needed: &DmTensor<i8, Chip, One, Tokens, m![Rival]>,
    before: &HbmTensor<i8, Chip, m![Tok / 2, Expert, Rival]>,
) -> Starts {
    let before: DmTensor<i8, Chip, One, Tokens, m![Expert, Rival]> =
        before.to_dm(&mut ctx.tdma, EXPERTS_BEFORE_ADDRESS);
    let before: TrfTensor<i8, Chip, One, Tokens, m![Expert], m![Rival # 32]> = ctx
        .sub
        .begin(before.view())
        .fetch::<i8, m![Expert], m![Rival]>()
        .collect::<m![Expert], m![Rival # 32]>()
        .to_trf(TrfAddress::SecondHalf);
    ctx.main
        .begin(needed.view())
        .fetch::<i8, m![1], m![Rival]>()
        .collect::<m![1], m![Rival # 32]>()
        .align::<m![1], m![Rival # 64], _, _>(&before)
        .contract::<m![1]>()
        .accumulate::<m![1], m![Expert]>(AccumulationKind::Interleaved)
        .commit(STARTS_ADDRESS)
}

// The row of each token with each expert, if it goes there: behind those of all tokens before it. The same running sum,
// over tokens: their masks go round all slices, each of which has its own two lines of the triangle.
fn rows(
    ctx: &mut Context,
    mask: PerExpert<i8>,
    starts: &Starts,
    before: &TokensBefore,
) -> PerExpert<i32> {
    let first_rows: VrfTensor<i32, Chip, One, Tokens, m![Expert]> = ctx
        .main
        .begin(starts.view())
        .fetch::<i32, m![1], m![Expert]>()
        .collect::<m![1], m![Expert]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_fxp(FxpBinaryOp::MulInt, BLOCK as i32)
        .vector_final()
        .to_vrf(STARTS_VRF);
    let before: TrfTensor<i8, Chip, One, Tokens, m![Tok % 2], m![Other % 2, Other / 2]> = ctx
        .sub
        .begin(before.view())
        .fetch::<i8, m![Tok % 2, Other % 2], m![Other / 2]>()
        .collect::<m![Tok % 2, Other % 2, Other / 64], m![Other / 2 % 32]>()
        .to_trf(TrfAddress::FirstHalf);
    let mask: DmTensor<i8, Chip, One, m![Other / 2], m![Other % 2, Expert]> = unsafe { mask.reshape() };
    ctx.main
        .begin(mask.view())
        .fetch::<i8, m![Other % 2], m![Expert]>()
        .switch::<Tokens, m![Other % 2, Other / 2]>(SwitchConfig::Broadcast01 { slice1: 256, slice0: 1, time0: 1 })
        .collect::<m![Other % 2, Other / 2], m![Expert # 32]>()
        .align::<m![Other % 2, Other / 2], m![Expert # 64], _, _>(&before)
        .contract::<m![Expert # 32]>() // experts stay apart; what is added up is time
        .accumulate::<m![Tok % 2], m![Expert]>(AccumulationKind::Sequential)
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_fxp(FxpBinaryOp::AddFxp, &first_rows)
        .vector_final()
        .commit(ROWS_ADDRESS)
}

// Which expert each block belongs to: the last one that starts there or before. Blocks behind all get some expert,
// too, and compute what nobody asks for.
fn owners(ctx: &mut Context, starts: &Starts) -> HbmTensor<i32, Chip, Blocks> {
    let mut apart: DmTensor<i32, Chip, One, m![1 # 256], m![{ Blocks }, 1 # 2]> =
        unsafe { DmTensor::from_addr(APART_OWNERS_ADDRESS) };
    for block in 0..BLOCKS {
        ctx.main
            .begin(starts.view().slice_tile::<Tokens, 1, m![1 # 256]>(0))
            .fetch::<i32, m![1], m![Expert]>()
            .collect::<m![1], m![Expert]>()
            .vector_init()
            .vector_intra_slice_branch(BranchMode::Unconditional)
            .vector_fxp(FxpBinaryOp::SubFxp, block as i32 + 1)
            .vector_fxp(FxpBinaryOp::LogicRightShift, 31) // 1 if it starts there or before
            .vector_split::<m![Expert / 4], m![Expert % 4]>()
            .vector_intra_slice_reduce::<Expert, m![1], m![1 # 4]>(IntraSliceReduceOpI32::AddSat)
            .vector_pad_way8::<m![1 # 8]>()
            .vector_clip(ClipBinaryOpI32::AddFxp, -1)
            .vector_final()
            .commit_view(apart.view_mut().tile::<Blocks, 1, m![{ OneBlock }, 1 # 2]>(block));
    }
    let owners: DmTensor<i32, Chip, One, m![1 # 256], Blocks> = ctx
        .main
        .begin(apart.view())
        .fetch::<i32, Blocks, m![1 # 2]>()
        .collect::<Blocks, m![1 # 8]>()
        .transpose::<m![Row / 256], m![Row / 128 % 2 # 8]>() // two to a flit: no gaps
        .commit(OWNERS_ADDRESS);
    owners.to_hbm(&mut ctx.tdma, OWNERS_HBM)
}

fn to_vrf(ctx: &mut Context, numbers: &PerExpert<i32>, vrf: u64) -> PerExpertVrf {
    ctx.sub
        .begin(numbers.view())
        .fetch::<i32, m![Tok % 2], m![Expert]>()
        .collect::<m![Tok % 2], m![Expert]>()
        .to_vrf(vrf)
}

// A number of the experts that were chosen, best first. What decides is the rank; the number is an operand.
fn pick(ctx: &mut Context, ranks: &PerExpert<i32>, numbers: &PerExpertVrf, address: u64) -> PerChoice<i32> {
    let mut picked: PerChoice<i32> = unsafe { DmTensor::from_addr(address) };
    for top in 0..Top::SIZE {
        ctx.main
            .begin(ranks.view())
            .fetch::<i32, m![Tok % 2], m![Expert]>()
            .collect::<m![Tok % 2], m![Expert]>()
            .vector_init()
            .vector_intra_slice_branch(BranchMode::Comparison([
                InputCmp::I32(InputCmpI32::False),
                InputCmp::I32(InputCmpI32::False),
                InputCmp::I32(InputCmpI32::False),
                InputCmp::I32(InputCmpI32::Equal { boundary: top as i32 }), // the fourth one chooses the group
            ]))
            .vector_logic(LogicBinaryOpI32::BitAnd, 0)
            .vector_logic(LogicBinaryOpI32::BitOr, [VeBranchOperand::group(VeRhs::vrf(numbers), GroupId::One)])
            .vector_split::<m![Tok % 2, Expert / 4], m![Expert % 4]>()
            .vector_intra_slice_reduce::<Expert, m![Tok % 2], m![1 # 4]>(IntraSliceReduceOpI32::AddSat)
            .vector_pad_way8::<m![1 # 8]>()
            .vector_final()
            .commit_view(picked.view_mut().tile::<m![Top], 1, m![Tok % 2, 1 # 2, 1 # 2]>(top));
    }
    picked
}

// The rows of 32 tokens side by side in one slice: the 256 bytes that HBM writes at once.
fn to_index(ctx: &mut Context, rows: &PerChoice<i32>) -> HbmTensor<i32, Chip, m![Tok, Top]> {
    let rows: DmTensor<i32, Chip, One, m![Tok / 32, 1 # 16], m![Tok % 32, Top]> = ctx
        .main
        .begin(rows.view())
        .fetch::<i32, m![Tok % 2, Top], m![1 # 2]>()
        .switch::<m![Tok / 32, 1 # 16], m![Tok % 32, Top]>(SIXTEEN_TO_ONE)
        .collect::<m![Tok % 32, Top], m![1 # 8]>()
        .transpose::<m![Tok % 32], m![Top # 8]>()
        .commit(INDEX_ADDRESS);
    rows.to_hbm(&mut ctx.tdma, INDEX_HBM)
}

// exp(score - largest) over the sum of these, of the experts that were chosen.
fn softmax(ctx: &mut Context, fixed: &PerChoice<i32>) -> Weights {
    let scores: PerChoice<f32> = ctx
        .main
        .begin(fixed.view())
        .fetch::<i32, m![Tok % 2, Top], m![1 # 2]>()
        .collect::<m![Tok % 2, Top], m![1 # 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_fxp_to_fp(POINT)
        .vector_final()
        .commit(SCORE_ADDRESS);
    let largest: PerToken = ctx
        .sub
        .begin(scores.view().tile::<m![Top], 1, m![Tok % 2, 1 # 2, 1 # 2]>(0)) // the first is the best
        .fetch::<f32, m![Tok % 2], m![1 # 2]>()
        .collect::<m![Tok % 2], m![1 # 8]>()
        .to_vrf(LARGEST_VRF);
    let scale: PerToken = ctx
        .main
        .begin(scores.view())
        .fetch::<f32, m![Tok % 2, Top], m![1 # 2]>()
        .collect::<m![Tok % 2, Top], m![1 # 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_trim_way4::<m![1 # 4]>()
        .vector_fp_binary(FpBinaryOp::SubF, &largest)
        .vector_fp_unary(FpUnaryOp::Exp)
        .vector_intra_slice_reduce::<Top, m![Tok % 2], m![1 # 4]>(IntraSliceReduceOpF32::Add)
        .vector_fp_div(FpDivBinaryOp::DivF.with_mode(BinaryArgMode::Mode10), 1.0f32)
        .vector_pad_way8::<m![1 # 8]>()
        .vector_final()
        .to_vrf(SCALE_VRF);
    ctx.main
        .begin(scores.view())
        .fetch::<f32, m![Tok % 2, Top], m![1 # 2]>()
        .collect::<m![Tok % 2, Top], m![1 # 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_trim_way4::<m![1 # 4]>()
        .vector_fp_binary(FpBinaryOp::SubF, &largest)
        .vector_fp_unary(FpUnaryOp::Exp)
        .vector_fp_binary(FpBinaryOp::MulF(FpMulAlu::Mul0), &scale)
        .vector_pad_way8::<m![1 # 8]>()
        .vector_final()
        .to_vrf(WEIGHT_VRF)
}

pub struct Routes {
    ranks: PerExpert<i32>,
    fixed: PerExpert<i32>,
    mask: PerExpert<i8>,
    starts: Starts,
    before: TokensBefore,
}

// Which experts, and where their blocks start.
pub fn route(
    ctx: &mut Context,
    x: &DmTensor<bf16, Chip, One, Tokens, m![Tok % 2, Top, Model]>,
    router: &HbmTensor<bf16, Chip, m![Tok / 2, Expert, Model]>,
    places: &HbmTensor<i32, Chip, m![Tok / 2, Expert]>,
    experts_before: &HbmTensor<i8, Chip, m![Tok / 2, Expert, Rival]>,
    tokens_before: &HbmTensor<i8, Chip, m![Tok, Other % 2, Other / 2]>,
) -> (Routes, HbmTensor<i32, Chip, Blocks>) {
    let fixed = score(ctx, x, router);
    let words = pack(ctx, &fixed, places);
    let ranks = rank(ctx, &words);
    let mask = choose(ctx, &ranks);
    let needed = blocks_needed(ctx, &mask);
    let starts = starts(ctx, &needed, experts_before);
    let before: TokensBefore = tokens_before.to_dm(&mut ctx.tdma, TOKENS_BEFORE_ADDRESS);
    let owners = owners(ctx, &starts);
    (Routes { ranks, fixed, mask, starts, before }, owners)
}

// Which rows, and with which weights.
pub fn place(ctx: &mut Context, routes: Routes) -> (HbmTensor<i32, Chip, m![Tok, Top]>, Weights) {
    let rows = rows(ctx, routes.mask, &routes.starts, &routes.before);
    let rows = to_vrf(ctx, &rows, ROWS_VRF);
    let row = pick(ctx, &routes.ranks, &rows, ROW_ADDRESS);
    let index = to_index(ctx, &row);
    let fixed = to_vrf(ctx, &routes.fixed, FIXED_VRF);
    let best = pick(ctx, &routes.ranks, &fixed, BEST_ADDRESS);
    (index, softmax(ctx, &best))
}
