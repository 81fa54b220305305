// Which call may follow which: the two blocks, the order of the stages, and lanes. What each
// method needs is a row of a table; rules of its own are in the file of their subject. That the
// stream is in the Vector Engine at all, and no pair where it must not be, pass.c has seen to.
#include "base/checked.h"
#include "engine/lower/live.h"
#include "engine/vector/digits.h"
#include "engine/vector/internal.h"
#include "mapping/divide.h"

// ---- two groups

// Two-group mode: an axis of two in Time becomes a pair of streams.
// Manual: Intra-Slice Block, Two-Group Mode.

enum { GROUPS = 2 };

static bool verify_axis(const Call *call)
{
    const Atom *axis = call->stage->axis;
    if (axis->size == GROUPS)
        return true;
    Diag *diag = diag_add(
        call->diags, DIAG_VECTOR_PAIR_AXIS, report_at(call->stage->at.axis, call->stage->span),
        "a pair has {} groups, and `{}` has {} positions", GROUPS, axis->name, axis->size);
    diag_help(diag, "unzip an axis of {}: the one that begin_interleaved made", GROUPS);
    return false;
}

static void report_absent(const Call *call)
{
    const Dim *time = call->from->dims[LEVEL_TIME];
    Diag *diag = diag_add(call->diags, DIAG_VECTOR_PAIR_AXIS,
                          report_at(call->stage->at.axis, call->stage->span),
                          "the groups are told apart by `{}`, which Time `{}` does not hold",
                          call->stage->axis->name, report_dim(call->verify, time));
    diag_help(diag, "begin_interleaved puts the axis into Time; keep it there");
}

static void verify_times(const Call *call, const Division *division)
{
    const Stage *stage = call->stage;
    const Dim *tile = stage->tile_time, *split = stage->dims[LEVEL_TIME];
    const char *axis = stage->axis->name;
    if (tile && !shape_equal(call->arena, &tile->mapping, &division->dividend_residue)) {
        Diag *diag = diag_add(call->diags, DIAG_VECTOR_PAIR_TILE_TIME, tile->span,
                              "TileTime is Time with `{}` replaced by `1 # {}`, and `{}` is not",
                              axis, GROUPS, report_dim(call->verify, tile));
        report_rewrite(call->verify, diag, tile,
                       report_mapping(call->verify, &division->dividend_residue), "write");
    }
    if (!call->is_reference && // which trusts it
        !shape_equal(call->arena, &split->mapping, &division->dividend_remainder)) {
        Diag *diag = diag_add(call->diags, DIAG_VECTOR_PAIR_SPLIT_TIME, split->span,
                              "SplitTime is Time without `{}`, and `{}` is not", axis,
                              report_dim(call->verify, split));
        report_rewrite(call->verify, diag, split,
                       report_mapping(call->verify, &division->dividend_remainder), "write");
    }
}

// ---- the filter

// The filter lets the packets of one group pass. The manual names it and says little; what we take
// from that: it comes last, it needs the ids of a branch, and since it only leaves packets out,
// Time2 is made of what Time holds and is no longer. How many packets pass is a matter of the data.
// Manual: Intra-Slice Block, Filter.

static void verify_zipped(const Call *call)
{
    if (!call->from->zipped && !vector_last_of_kind(call->from, STAGE_VECTOR_UNZIP))
        return;
    Diag *diag = diag_add(call->diags, DIAG_VECTOR_FILTER_ZIPPED, call->stage->span,
                          "a stream that was a pair of groups cannot be filtered");
    diag_help(diag, "commit it, and filter it in a pass of its own");
}

static bool verify_filter_time(const Call *call)
{
    const Dim *time = call->from->dims[LEVEL_TIME], *filtered = call->stage->dims[LEVEL_TIME];
    if (!vector_level_is_sound(call->from, LEVEL_TIME))
        return false;
    bool part =
        mapping_divide(call->arena, &time->mapping, &filtered->mapping, DIVIDE_RELAXED, 1).exact;
    if (part && filtered->mapping.size <= time->mapping.size)
        return true;
    Diag *diag = diag_add(call->diags, DIAG_VECTOR_FILTER_TIME, filtered->span,
                          "a filter leaves packets out, and Time `{}` is no part of `{}`",
                          report_dim(call->verify, filtered), report_dim(call->verify, time));
    diag_help(diag, "name axes of Time only, and no more positions than its {}",
              time->mapping.size);
    return false;
}

// What a slice sees: all its positions, and those that make no difference by themselves.
typedef struct {
    int64_t inside, lanes; // lanes 0: every position makes a difference
} Sight;

// Whether a check tells apart positions that one slice sees. One number compared with a limit does
// where the limit lies inside a slice.
static bool looks_inside(const LiveCheck *check, const Sight *sight)
{
    const LiveTerm *first = check->items;
    bool any = false;
    if (check->count == 1 && first->place == 1 && first->weight == 1 && first->of == OF_POSITION)
        return check->limit % sight->inside != 0 && first->modulo > sight->lanes &&
               check->limit > sight->lanes;
    for (int64_t i = 0; i < check->count; i++) {
        const LiveTerm *term = &check->items[i];
        any |=
            term->of == OF_POSITION && term->place < sight->inside && term->modulo > sight->lanes;
    }
    return any;
}

// Whether the lanes of a packet may have several ids, so that the condition holds for some.
static bool lanes_differ(const Call *call, const Stage *branch)
{
    if (call->stage->filter == CONDITION_ALWAYS || !branch)
        return false;
    if (branch->branch == BRANCH_AXIS_TOGGLE)
        return digits_name(call->arena, call->from->dims[LEVEL_PACKET], branch->axis);
    return branch->branch != BRANCH_UNCONDITIONAL;
}

// Where all lanes have one id, padding beside data makes no difference, but packets of padding do.
static bool has_padding(const Call *call, const Stage *branch)
{
    const Stage *from = call->from;
    Mapping shape = shape_of(call->arena, from->dims);
    LiveChecks checks = live_checks(call->arena, &shape, NULL, 0);
    int64_t lanes = from->dims[LEVEL_PACKET]->mapping.size;
    Sight sight = {lanes * from->dims[LEVEL_TIME]->mapping.size,
                   lanes_differ(call, branch) ? 0 : lanes};
    for (int64_t i = 0; i < checks.count; i++)
        if (looks_inside(&checks.items[i], &sight))
            return true;
    return false;
}

// Ids are given to padding as to anything else; only valid counts know it.
static void verify_filter_padding(const Call *call)
{
    const Dim *filtered = call->stage->dims[LEVEL_TIME];
    const Stage *branch = vector_last_of_kind(call->from, STAGE_VECTOR_BRANCH);
    if (!vector_shape_is_sound(call->from))
        return;
    bool counted = branch && branch->branch == BRANCH_VALID_COUNT;
    bool before = !counted && has_padding(call, branch);
    if (!before && !shape_is_padded(call->arena, &filtered->mapping))
        return;
    const Dim *time = before ? call->from->dims[LEVEL_TIME] : filtered;
    Diag *diag = diag_add(call->diags, DIAG_VECTOR_FILTER_PADDING, call->stage->span,
                          before ? "the stream has padding in its packets or in Time `{}`, which a "
                                   "filter lets pass like data"
                                 : "places of padding in Time `{}` are filled like any other",
                          report_dim(call->verify, time));
    diag_help(diag, "filter a stream whose Time and Packet hold data only, into a Time that does");
}

static void vector_filter_verify(const Call *call)
{
    if (call->is_reference)
        return; // it has been said that there is none
    verify_zipped(call);
    vector_condition_verify(call, call->stage->filter, call->stage->span);
    if (verify_filter_time(call))
        verify_filter_padding(call);
}

static void vector_unzip_verify(const Call *call)
{
    vector_flit_verify(call);
    if (!call->stage->axis || !verify_axis(call) || !vector_level_is_sound(call->from, LEVEL_TIME))
        return;
    Mapping index = mapping_of_atom(call->arena, call->stage->axis);
    Division division = mapping_divide(call->arena, &call->from->dims[LEVEL_TIME]->mapping, &index,
                                       DIVIDE_RELAXED, 1);
    if (division.exact)
        verify_times(call, &division);
    else
        report_absent(call);
}

#define STEP(to)   .moves = true, .stage = VECTOR_##to
#define ON(scalar) .is_typed = true, .type = SCALAR_##scalar
#define OPS(i, f)  .i32 = FAMILY_##i, .f32 = FAMILY_##f
#define NO_OPS     OPS(COUNT, COUNT)
#define BINARY     .arity = 2, .takes_operands = true
#define ZIP        .arity = 2

// ---- methods

// Manual: Intra-Slice Block, Stages; Two-Group Mode; Inter-Slice Block.
const VectorMethod vector_methods[STAGE_COUNT] = {
    [STAGE_VECTOR_INIT] = {NO_OPS},
    [STAGE_VECTOR_BRANCH] = {NO_OPS, .verify = vector_branch_verify},
    [STAGE_VECTOR_UNZIP] = {NO_OPS, .verify = vector_unzip_verify},
    [STAGE_VECTOR_INTER_REDUCE] = {.way = WAY_8,
                                   OPS(InterSliceReduceOpI32, InterSliceReduceOpF32),
                                   .verify = vector_inter_reduce_verify},
    [STAGE_VECTOR_LOGIC] = {STEP(LOGIC), WAY_8, OPS(LogicBinaryOpI32, LogicBinaryOpF32), BINARY},
    [STAGE_VECTOR_FXP] = {STEP(FXP), WAY_8, ON(I32), OPS(FxpBinaryOp, COUNT), BINARY},
    [STAGE_VECTOR_FXP_TO_FP] = {STEP(FXP_TO_FP), WAY_8, ON(I32), NO_OPS,
                                .verify = vector_width_verify},
    [STAGE_VECTOR_SPLIT] = {STEP(NARROW), WAY_8, NO_OPS, .verify = vector_split_verify},
    [STAGE_VECTOR_TRIM] = {STEP(NARROW), WAY_8, NO_OPS, .verify = vector_trim_verify},
    [STAGE_VECTOR_FP_UNARY] = {STEP(FP), WAY_4, ON(F32), OPS(COUNT, FpUnaryOp), .arity = 1},
    [STAGE_VECTOR_FP_BINARY] = {STEP(FP), WAY_4, ON(F32), OPS(COUNT, FpBinaryOp), BINARY},
    [STAGE_VECTOR_FP_TERNARY] = {STEP(FP), WAY_4, ON(F32), OPS(COUNT, FpTernaryOp), .arity = 3,
                                 .takes_operands = true, .verify = vector_ternary_verify},
    [STAGE_VECTOR_INTRA_REDUCE] = {STEP(INTRA_SLICE_REDUCE), WAY_4,
                                   OPS(IntraSliceReduceOpI32, IntraSliceReduceOpF32),
                                   .verify = vector_intra_reduce_verify},
    [STAGE_VECTOR_FP_DIV] = {STEP(FP_DIV), WAY_4, ON(F32), OPS(COUNT, FpDivBinaryOp), BINARY},
    [STAGE_VECTOR_CONCAT] = {STEP(WIDEN), WAY_4, NO_OPS, .verify = vector_concat_verify},
    [STAGE_VECTOR_PAD] = {STEP(WIDEN), WAY_4, NO_OPS, .verify = vector_pad_verify},
    [STAGE_VECTOR_FP_TO_FXP] = {STEP(FP_TO_FXP), WAY_8, ON(F32), NO_OPS,
                                .verify = vector_width_verify},
    [STAGE_VECTOR_CLIP] = {STEP(CLIP), WAY_8, OPS(ClipBinaryOpI32, ClipBinaryOpF32), BINARY},
    [STAGE_VECTOR_STASH] = {NO_OPS, .verify = vector_stash_verify},
    [STAGE_VECTOR_FILTER] = {STEP(FILTER), WAY_8, NO_OPS, .verify = vector_filter_verify},
    [STAGE_VECTOR_LOGIC_ZIP] = {STEP(LOGIC), WAY_8, OPS(LogicBinaryOpI32, LogicBinaryOpF32), ZIP},
    [STAGE_VECTOR_FXP_ZIP] = {STEP(FXP), WAY_8, ON(I32), OPS(FxpBinaryOp, COUNT), ZIP},
    [STAGE_VECTOR_FP_ZIP] = {STEP(FP), WAY_4, ON(F32), OPS(COUNT, FpBinaryOp), ZIP},
    [STAGE_VECTOR_CLIP_ZIP] = {STEP(CLIP), WAY_8, OPS(ClipBinaryOpI32, ClipBinaryOpF32), ZIP},
    [STAGE_VECTOR_FINAL] = {.way = WAY_8, NO_OPS},
};

// ---- the stream

bool vector_is_pair(const Stage *stage)
{
    return stage->position == POSITION_VECTOR_PAIR;
}

static bool is_narrow(StageKind kind)
{
    return kind == STAGE_VECTOR_SPLIT || kind == STAGE_VECTOR_TRIM;
}

static bool is_widen(StageKind kind)
{
    return kind == STAGE_VECTOR_CONCAT || kind == STAGE_VECTOR_PAD;
}

// A call of the Vector Engine, or a parameter of the function that stands for some.
bool vector_is_inside(const Stage *stage)
{
    return stage && (stage->position == POSITION_VECTOR || vector_is_pair(stage));
}

bool vector_level_is_sound(const Stage *stage, Level level)
{
    while (stage->before && !(stages[stage->kind].sets & 1U << level))
        stage = stage->before;
    return stage->sound;
}

bool vector_shape_is_sound(const Stage *stage)
{
    for (Level level = 0; level < LEVEL_COUNT; level++)
        if (stage->dims[level] && !vector_level_is_sound(stage, level))
            return false;
    return true;
}

const Stage *vector_last_of_kind(const Stage *stage, StageKind kind)
{
    for (; vector_is_inside(stage); stage = stage->before)
        if (stage->kind == kind)
            return stage;
    return NULL;
}

const Stage *vector_block_entry(const Stage *stage)
{
    for (; vector_is_inside(stage); stage = stage->before)
        if (stage->kind == STAGE_VECTOR_BRANCH || stage->kind == STAGE_VECTOR_UNZIP ||
            stage->kind == STAGE_INPUT)
            return stage;
    return NULL;
}

// ---- text

Str vector_pair_words(const Call *call, Str outer, int64_t outer_size, Str inner,
                      int64_t inner_size)
{
    if (outer_size == 1 || inner_size == 1)
        return inner_size == 1 ? outer : inner;
    return str_format(call->arena, "{}, {}", outer, inner);
}

Str vector_stage_words(const Call *call, bool (*is_meant)(const VectorStageInfo *))
{
    StrBuf out = {.arena = call->arena};
    for (VectorStage stage = 0; stage < VECTOR_INTER_SLICE_REDUCE; stage++)
        if (is_meant(&vector_stages[stage]))
            buf_format(&out, "{}{}", out.len ? ", " : "", vector_stages[stage].name);
    return buf_str(&out);
}

static bool is_any(const VectorStageInfo *info)
{
    (void)info;
    return true;
}

static bool repeats(const VectorStageInfo *info)
{
    return info->repeats;
}

static bool is_before_inter(const VectorStageInfo *info)
{
    return info->before_inter;
}

static const char *stage_name(VectorStage stage)
{
    return vector_stages[stage].name;
}

// ---- entry and exit

static bool may_branch(const Stage *from)
{
    return from->position == POSITION_VECTOR_INIT ||
           (from->vector_stage == VECTOR_INTER_SLICE_REDUCE && from->inter_first);
}

static void verify_branch_again(const Call *call)
{
    const Stage *from = call->from;
    bool behind = from->vector_stage == VECTOR_INTER_SLICE_REDUCE;
    if (may_branch(from))
        return;
    Diag *diag = diag_add(call->diags, DIAG_VECTOR_BLOCK, call->stage->span,
                          "the stream has entered the intra-slice block already");
    const Stage *entry = vector_block_entry(from);
    if (entry && entry->before)
        diag_note(diag, entry->span, "it enters here");
    diag_help(diag, behind ? "each block runs once a pass: commit, and go on in a pass of its own"
                           : "drop this call: a branch holds for the whole block");
}

static bool was_reduced(const Stage *from)
{
    return from->inter_first || from->vector_stage == VECTOR_INTER_SLICE_REDUCE;
}

// Manual: Inter-Slice Block, Interface.
static void verify_inter_entry(const Call *call)
{
    const Stage *from = call->from;
    if (from->position == POSITION_VECTOR_INIT)
        return;
    const Stage *earlier = vector_last_of_kind(from, STAGE_VECTOR_INTER_REDUCE);
    if (was_reduced(from)) {
        Diag *diag = diag_add(call->diags, DIAG_INTER_REDUCE_STAGE, call->stage->span,
                              "the stream has been through the inter-slice block already");
        if (earlier)
            diag_note(diag, earlier->span, "it is reduced here");
        diag_help(diag, "reduce all slice axes in one call, or commit and reduce in another pass");
    } else if (!vector_stages[from->vector_stage].before_inter && !from->way4) {
        Diag *diag = diag_add(call->diags, DIAG_INTER_REDUCE_STAGE, call->stage->span,
                              "an inter-slice reduce cannot follow stage {}",
                              stage_name(from->vector_stage));
        diag_help(diag, "it follows one of {}", vector_stage_words(call, is_before_inter));
    }
}

// ---- the order of the stages

// The call that brought the stream to the stage it is in; NULL: it came that way.
static const Stage *mover_of(const Stage *stage)
{
    while (stage && stage->kind == STAGE_VECTOR_STASH)
        stage = stage->before;
    return stage && stage->before ? stage : NULL;
}

static void note_mover(const Call *call, Diag *diag)
{
    const Stage *mover = mover_of(call->from);
    if (mover)
        diag_note(diag, mover->span, "the stream comes to stage {} here",
                  stage_name(call->from->vector_stage));
}

static void report_order(const Call *call, VectorStage to)
{
    VectorStage at = call->from->vector_stage;
    Diag *diag = diag_add(call->diags, DIAG_VECTOR_ORDER, call->stage->span,
                          "{} belongs to stage {}, and the stream is past it, in stage {}",
                          call->method, stage_name(to), stage_name(at));
    note_mover(call, diag);
    diag_help(diag,
              "move it before the call that leaves stage {} behind, or commit and run it in a pass "
              "of its own",
              stage_name(to));
    diag_note(diag, SPAN_NOWHERE, "the stages come in this order: {}",
              vector_stage_words(call, is_any));
}

// The intra-slice block is over when the slices have been reduced, unless it comes after that.
static void report_behind_inter(const Call *call)
{
    Diag *diag = diag_add(
        call->diags, DIAG_VECTOR_BLOCK, call->stage->span,
        "{} is a step of the intra-slice block, and the stream is behind an inter-slice reduce",
        call->method);
    note_mover(call, diag);
    diag_help(diag, call->from->inter_first ? "enter the block first: vector_intra_slice_branch(..)"
                                            : "the block came before the reduce; move it there, or "
                                              "commit and run it in a pass of its own");
}

static const Stage *earlier_change(const Stage *stage, bool (*is_change)(StageKind))
{
    for (; vector_is_inside(stage); stage = stage->before)
        if (is_change(stage->kind))
            return stage;
    return NULL;
}

// Narrowing a second time, or widening: the stage order says it, but not why.
static bool report_way_twice(const Call *call)
{
    bool narrow = is_narrow(call->stage->kind);
    if (!narrow && !is_widen(call->stage->kind))
        return false;
    const Stage *earlier = earlier_change(call->from, narrow ? is_narrow : is_widen);
    if (!earlier)
        return false;
    Diag *diag = diag_add(call->diags, DIAG_VECTOR_WAY_TWICE, call->stage->span,
                          "the stream has been {} already, and that happens once a pass",
                          narrow ? "narrowed" : "widened");
    diag_note(diag, earlier->span, "{} {} it here", stages[earlier->kind].method,
              narrow ? "narrows" : "widens");
    diag_help(diag, narrow ? "do all that needs 4 lanes between one narrowing and one widening"
                           : "drop this call");
    return true;
}

static void report_once(const Call *call, VectorStage at)
{
    Diag *diag =
        diag_add(call->diags, DIAG_VECTOR_ONCE, call->stage->span,
                 "stage {} runs once a pass, and the stream has been through it", stage_name(at));
    note_mover(call, diag);
    diag_help(diag, "several calls in a row are possible in {} only",
              vector_stage_words(call, repeats));
}

static bool is_in_order(VectorStage at, VectorStage to)
{
    return at != VECTOR_INTER_SLICE_REDUCE && (to > at || (to == at && vector_stages[at].repeats));
}

// False: reported, and nothing more is to be said about lanes and types.
static bool verify_order(const Call *call)
{
    const VectorMethod *method = &vector_methods[call->stage->kind];
    VectorStage at = call->from->vector_stage, to = method->stage;
    if (!method->moves)
        return true;
    if (at == VECTOR_INTER_SLICE_REDUCE && to == VECTOR_FILTER && call->is_reference)
        return true;
    if (is_in_order(at, to))
        return true;
    if (at == VECTOR_INTER_SLICE_REDUCE)
        report_behind_inter(call);
    else if (!report_way_twice(call)) {
        if (to == at)
            report_once(call, at);
        else
            report_order(call, to);
    }
    return false;
}

// ---- lanes

static bool sets_way(const Stage *stage)
{
    return is_narrow(stage->kind) || is_widen(stage->kind) || vector_block_entry(stage) == stage;
}

// Whether a call before this one needed the same lanes, and did not have them either.
static bool way_was_reported(const Call *call, WayNeed need)
{
    for (const Stage *s = call->from; vector_is_inside(s) && !sets_way(s); s = s->before)
        if (vector_methods[s->kind].way == need)
            return true;
    return false;
}

static void verify_way(const Call *call)
{
    WayNeed need = vector_methods[call->stage->kind].way;
    WayNeed have = call->from->way4 ? WAY_4 : WAY_8;
    if (need == WAY_ANY || need == have || way_was_reported(call, need))
        return;
    int64_t lanes8 = call->machine->vector_way8_lanes, lanes4 = call->machine->vector_way4_lanes;
    Diag *diag = diag_add(call->diags, DIAG_VECTOR_WAY, call->stage->span,
                          "{} works on packets of {} lanes, and the stream has {}", call->method,
                          (need == WAY_8 ? lanes8 : lanes4), (need == WAY_8 ? lanes4 : lanes8));
    diag_help(diag, need == WAY_4 ? "narrow first with vector_split or vector_trim_way4"
                                  : "widen first with vector_concat or vector_pad_way8");
}

// ---- what may come next

bool vector_may_follow(const Stage *from, StageKind kind)
{
    const VectorMethod *method = &vector_methods[kind];
    bool inside = vector_is_inside(from);
    if (inside && method->way != WAY_ANY && method->way != (from->way4 ? WAY_4 : WAY_8))
        return false;
    if (kind == STAGE_VECTOR_BRANCH)
        return may_branch(from);
    if (kind == STAGE_VECTOR_INTER_REDUCE)
        return !inside || (!was_reduced(from) && vector_stages[from->vector_stage].before_inter);
    if (kind == STAGE_VECTOR_STASH)
        return vector_stages[from->vector_stage].stashable && !from->has_stash && !from->zipped;
    if (!inside)
        return true;
    return (!method->moves || is_in_order(from->vector_stage, method->stage)) &&
           (!method->is_typed || method->type == from->type);
}

static bool is_vector(StageKind kind)
{
    return kind >= STAGE_VECTOR_INIT && kind < STAGE_COUNT;
}

VectorFamily vector_family(StageKind kind, Scalar type)
{
    if (!is_vector(kind))
        return FAMILY_COUNT;
    return type == SCALAR_I32   ? vector_methods[kind].i32
           : type == SCALAR_F32 ? vector_methods[kind].f32
                                : FAMILY_COUNT;
}

int vector_arity(StageKind kind)
{
    return is_vector(kind) ? vector_methods[kind].arity : 0;
}

// ---- all of it

// Each ALU serves one operation a pass. The set is fresh behind every branch and behind an
// inter-slice reduce; the two groups of a pair share one.
// Manual: Intra-Slice Block, Constraints.

static bool starts_afresh(StageKind kind)
{
    return kind == STAGE_VECTOR_BRANCH || kind == STAGE_VECTOR_UNZIP ||
           kind == STAGE_VECTOR_INTER_REDUCE || kind == STAGE_INPUT;
}

// The first call since the last branch that uses the ALU; NULL: none.
static const Stage *first_user(const Call *call, VectorAlu alu)
{
    const Stage *first = NULL;
    for (const Stage *s = call->from; s && !starts_afresh(s->kind); s = s->before)
        if (s->alu == alu)
            first = s;
    return first;
}

static bool is_product(VectorOp op)
{
    return op == OP_FpBinaryOp_MulF || op == OP_FpBinaryOp_MaskMulF;
}

// As FpMulAlu spells it: without "Fp".
static const char *short_name(VectorAlu alu)
{
    return vector_alu_names[alu] + 2;
}

static bool is_multiplier(VectorAlu alu)
{
    return alu == ALU_FpMul0 || alu == ALU_FpMul1 || alu == ALU_FpFma;
}

// Another multiplier that is free; ALU_NONE: all are taken.
static VectorAlu free_multiplier(const Call *call)
{
    static const VectorAlu multipliers[] = {ALU_FpMul0, ALU_FpMul1, ALU_FpFma};
    for (size_t i = 0; i < COUNT_OF(multipliers); i++)
        if (!first_user(call, multipliers[i]))
            return multipliers[i];
    return ALU_NONE;
}

static void help_with_multiplier(const Call *call, Diag *diag, VectorAlu alu, const char *what)
{
    const char *op = vector_ops[call->stage->op].name;
    bool text = report_is_text(call->verify);
    const char *type = text ? "" : "FpMulAlu::", *family = text ? "" : "FpBinaryOp::";
    diag_help(diag, "{} `{}({}{})`", what, op, type, short_name(alu));
    diag_edit(diag, report_place(call->stage->at.op), "{}{}({}{})", family, op, type,
              short_name(alu));
}

static void verify_single_use(const Call *call)
{
    const Stage *first = first_user(call, call->stage->alu);
    if (!first)
        return;
    const char *alu = vector_alu_names[call->stage->alu];
    const char *op = vector_ops[call->stage->op].name;
    Diag *diag = diag_add(call->diags, DIAG_VECTOR_ALU_REUSE, call->stage->span,
                          "{} needs the {} ALU, which {} already uses in this pass", op, alu,
                          vector_ops[first->op].name);
    diag_note(diag, first->span, "{} is taken here", alu);
    VectorAlu other = is_product(call->stage->op) ? free_multiplier(call) : ALU_NONE;
    if (other != ALU_NONE)
        help_with_multiplier(call, diag, other, "name another multiplier:");
    else
        diag_help(diag, "commit before {} and run it in a pass of its own", op);
}

// A product names the ALU it runs on.
static void verify_multiplier(const Call *call)
{
    VectorAlu alu = call->stage->alu;
    Diag *diag = diag_add(call->diags, DIAG_VECTOR_ALU_UNFIT, call->stage->span,
                          "{} runs on FpMul0, FpMul1 or FpFma, and names {}",
                          vector_ops[call->stage->op].name,
                          alu == ALU_NONE ? "no ALU" : vector_alu_names[alu]);
    VectorAlu other = free_multiplier(call);
    help_with_multiplier(call, diag, other == ALU_NONE ? ALU_FpMul0 : other, "name one:");
}

static void vector_alu_verify(const Call *call)
{
    const Stage *stage = call->stage;
    if (vector_methods[stage->kind].i32 == FAMILY_COUNT &&
        vector_methods[stage->kind].f32 == FAMILY_COUNT)
        return;
    bool runs =
        stage->alu != ALU_NONE || !vector_is_pair(stage); // a pair may be left alone altogether
    if (runs && is_product(stage->op) && !is_multiplier(stage->alu))
        verify_multiplier(call);
    else if (stage->alu != ALU_NONE)
        verify_single_use(call);
}

static void verify_inside(const Call *call)
{
    const VectorMethod *method = &vector_methods[call->stage->kind];
    bool in_order = verify_order(call);
    if (call->stage->kind == STAGE_VECTOR_BRANCH)
        verify_branch_again(call);
    if (call->stage->kind == STAGE_VECTOR_INTER_REDUCE)
        verify_inter_entry(call);
    if (in_order) {
        verify_way(call);
        vector_alu_verify(call);
    }
    vector_types_verify(call, in_order);
    vector_operands_verify(call);
    if (method->verify)
        method->verify(call);
}

// What the reference library cannot run, although the manual has it. Asked with --rules=reference.

// Operations that the reference library names and cannot run. Their absence is no rule of the
// hardware.
static bool lacks_operation(VectorOp op)
{
    static const VectorOp lacking[] = {
        OP_FxpBinaryOp_ArithRightShiftRound,
        OP_FpUnaryOp_Erf,
        OP_FpBinaryOp_MaskMulF,
        OP_FpTernaryOp_MaskFmaF,
    };
    for (size_t i = 0; i < COUNT_OF(lacking); i++)
        if (lacking[i] == op)
            return true;
    return false;
}

// What the reference library lacks of a call, NULL: nothing.
static const char *lacking_of(const Call *call)
{
    const Stage *stage = call->stage;
    const VectorMethod *method = &vector_methods[stage->kind];
    if (vector_is_pair(call->from) &&
        (stage->kind == STAGE_VECTOR_TRIM || stage->kind == STAGE_VECTOR_PAD))
        return "this call on a pair";
    if (stage->kind == STAGE_VECTOR_FILTER)
        return "vector_filter";
    if (stage->kind == STAGE_VECTOR_BRANCH &&
        (stage->branch == BRANCH_VALID_COUNT || stage->branch == BRANCH_VRF))
        return branch_names[stage->branch];
    if ((method->i32 != FAMILY_COUNT || method->f32 != FAMILY_COUNT) && lacks_operation(stage->op))
        return vector_ops[stage->op].name;
    return NULL;
}

static void vector_reference_verify(const Call *call)
{
    const char *lacking = call->is_reference ? lacking_of(call) : NULL;
    if (!lacking)
        return;
    Diag *diag = diag_add(call->diags, DIAG_VECTOR_NOT_IN_REFERENCE, call->stage->span,
                          "the reference library cannot run {}", lacking);
    diag_help(diag, "check with all rules of the manual");
    diag_help_typed(diag, "check with --rules=all, which has all of the manual");
}

void vector_verify(const Verify *verify, const Pass *pass, const Stage *stage)
{
    Call call = {.verify = verify,
                 .pass = pass,
                 .arena = verify->arena,
                 .diags = verify->diags,
                 .machine = verify->machine,
                 .stage = stage,
                 .from = stage->before,
                 .method = stages[stage->kind].method,
                 .is_reference = verify->rules == RULES_REFERENCE};
    if (!call.from || !(stages[stage->kind].from & 1U << call.from->position))
        return;
    vector_reference_verify(&call);
    if (stage->kind == STAGE_VECTOR_INIT)
        vector_element_verify(&call);
    else
        verify_inside(&call);
}
