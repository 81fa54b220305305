// Which call may follow which: the two blocks, the order of the stages, and lanes. What each
// method needs is a row of a table; rules of its own are in the file of their subject. That the
// stream is in the Vector Engine at all, and no pair where it must not be, pass.c has seen to.
#include "engine/vector/internal.h"

#include <inttypes.h>

#define STEP(to)   .moves = true, .stage = VECTOR_##to
#define ON(scalar) .is_typed = true, .type = SCALAR_##scalar
#define OPS(i, f)  .i32 = FAMILY_##i, .f32 = FAMILY_##f
#define NO_OPS     OPS(COUNT, COUNT)
#define BINARY     .arity = 2, .takes_operands = true
#define ZIP        .arity = 2

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
    return str_format(call->arena, "%.*s, %.*s", STR_ARG(outer), STR_ARG(inner));
}

Str vector_stage_words(const Call *call, bool (*is_meant)(const VectorStageInfo *))
{
    StrBuf out = {.arena = call->arena};
    for (VectorStage stage = 0; stage < VECTOR_INTER_SLICE_REDUCE; stage++)
        if (is_meant(&vector_stages[stage]))
            buf_printf(&out, "%s%s", out.len ? ", " : "", vector_stages[stage].name);
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
                              "an inter-slice reduce cannot follow stage %s",
                              stage_name(from->vector_stage));
        diag_help(diag, "it follows one of %.*s",
                  STR_ARG(vector_stage_words(call, is_before_inter)));
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
        diag_note(diag, mover->span, "the stream comes to stage %s here",
                  stage_name(call->from->vector_stage));
}

static void report_order(const Call *call, VectorStage to)
{
    VectorStage at = call->from->vector_stage;
    Diag *diag = diag_add(call->diags, DIAG_VECTOR_ORDER, call->stage->span,
                          "%s belongs to stage %s, and the stream is past it, in stage %s",
                          call->method, stage_name(to), stage_name(at));
    note_mover(call, diag);
    diag_help(diag,
              "move it before the call that leaves stage %s behind, or commit and run it in "
              "a pass of its own",
              stage_name(to));
    diag_note(diag, SPAN_NOWHERE, "the stages come in this order: %.*s",
              STR_ARG(vector_stage_words(call, is_any)));
}

// The intra-slice block is over when the slices have been reduced, unless it comes after that.
static void report_behind_inter(const Call *call)
{
    Diag *diag = diag_add(call->diags, DIAG_VECTOR_BLOCK, call->stage->span,
                          "%s is a step of the intra-slice block, and the stream is behind an "
                          "inter-slice reduce",
                          call->method);
    note_mover(call, diag);
    diag_help(diag, call->from->inter_first
                        ? "enter the block first: vector_intra_slice_branch(..)"
                        : "the block came before the reduce; move it there, or commit and run it "
                          "in a pass of its own");
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
                          "the stream has been %s already, and that happens once a pass",
                          narrow ? "narrowed" : "widened");
    diag_note(diag, earlier->span, "%s %s it here", stages[earlier->kind].method,
              narrow ? "narrows" : "widens");
    diag_help(diag, narrow ? "do all that needs 4 lanes between one narrowing and one widening"
                           : "drop this call");
    return true;
}

static void report_once(const Call *call, VectorStage at)
{
    Diag *diag =
        diag_add(call->diags, DIAG_VECTOR_ONCE, call->stage->span,
                 "stage %s runs once a pass, and the stream has been through it", stage_name(at));
    note_mover(call, diag);
    diag_help(diag, "several calls in a row are possible in %.*s only",
              STR_ARG(vector_stage_words(call, repeats)));
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
                          "%s works on packets of %" PRId64 " lanes, and the stream has %" PRId64,
                          call->method, (need == WAY_8 ? lanes8 : lanes4),
                          (need == WAY_8 ? lanes4 : lanes8));
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
