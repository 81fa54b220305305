// The builder holds three kinds of memory: the program's (the caller's arena), its own tables of
// what it met (memo.c), and the scratch memory of a rule, which is empty again when the rule has
// answered.
#include "program/build.h"

#include "base/checked.h"
#include "mapping/divide.h"
#include "program/internal.h"

#include <string.h>

typedef struct OpenPass OpenPass;

struct Builder {
    Arena *arena; // of programs
    DiagList *diags;
    int64_t errors_before; // the program was opened
    BuilderOptions options;
    Arena tables;
    Arena scratch;
    DimTable dims;
    ChainTable chains;
    const Machine *machine; // of these chains; NULL: none yet
    Program *program;       // NULL: none is open
    const Choice *choice;   // that operations take; NULL: none
    const CallSite *site;   // where they are; NULL: in the kernel itself
    int32_t pass_count;
    int64_t reports_before; // when the rules were asked
    struct {
        ARRAY(OpenPass *);
    } passes;                         // of the program at hand
    OpenPass *running[CONTEXT_COUNT]; // the pass that each context was last given
};

// What the builder knows of a pass besides what others see.
struct OpenPass {
    Pass pass;        // first: a Pass of ours is one of these
    uint64_t chain;   // hash of its stages so far
    bool done;        // it has its sink, or is in the list of open ones
    bool interrupted; // another one began in its context before it was done, which was said
};

Builder *builder_new(Arena *arena, DiagList *diags, const BuilderOptions *options)
{
    Builder *builder = arena_new(arena, Builder, 1);
    *builder = (Builder){.arena = arena, .diags = diags, .options = *options};
    builder->tables.on_oom = builder->scratch.on_oom = arena->on_oom;
    builder->dims = (DimTable){.arena = arena, .table = &builder->tables};
    builder->chains = (ChainTable){.arena = &builder->tables};
    return builder;
}

void builder_free(Builder *builder)
{
    arena_release(&builder->scratch);
    arena_release(&builder->tables);
}

void builder_choice(Builder *builder, const Choice *choice)
{
    builder->choice = choice;
}

void builder_call(Builder *builder, const CallSite *site)
{
    builder->site = site;
}

Arena *builder_arena(const Builder *builder)
{
    return builder->arena;
}

DiagList *builder_diags(const Builder *builder)
{
    return builder->diags;
}

const Machine *builder_machine(const Builder *builder)
{
    return builder->options.machine;
}

// ---- rules

static const Rules no_rules;

static const Rules *rules_of(const Builder *builder)
{
    return builder->options.rules ? builder->options.rules : &no_rules;
}

// Before a rule is asked.
static Verify ask(Builder *builder)
{
    builder->reports_before = builder->diags->count;
    return (Verify){.arena = &builder->scratch,
                    .kept = builder->arena,
                    .diags = builder->diags,
                    .machine = builder->options.machine,
                    .program = builder->program,
                    .rules = builder->options.rule_set,
                    .memory = builder->options.memory};
}

// Wrong numbers of chips, clusters and slices leave the rest of a shape as right as it was.
static bool is_about_size(DiagCode code)
{
    static const char *const groups[] = {"chip-count", "cluster-size", "slice-size"};
    for (size_t i = 0; i < COUNT_OF(groups); i++)
        if (strcmp(diag_infos[code].group, groups[i]) == 0)
            return true;
    return false;
}

// What a rule was asked about, for its diagnostics: the dimensions it may name.
typedef struct {
    const Dim *const *dims[12]; // LEVEL_COUNT each
    int32_t count;
} Subject;

static void add_tensor_dims(Subject *subject, const Tensor *tensor)
{
    if (tensor && subject->count < (int32_t)COUNT_OF(subject->dims))
        subject->dims[subject->count++] = tensor->dims;
}

static void add_view_dims(Subject *subject, const View *view)
{
    if (view && subject->count < (int32_t)COUNT_OF(subject->dims))
        subject->dims[subject->count++] = view->dims;
}

static Subject subject_of_stage(const Stage *stage)
{
    Subject subject = {.dims = {stage->dims}, .count = 1};
    if (stage->before)
        subject.dims[subject.count++] = stage->before->dims;
    for (int i = 0; i < 2; i++)
        add_view_dims(&subject, stage->sources[i]);
    add_view_dims(&subject, stage->target);
    add_tensor_dims(&subject, stage->trf);
    add_tensor_dims(&subject, stage->result);
    add_tensor_dims(&subject, stage->branch_vrf);
    for (int32_t i = 0; i < stage->operand_count; i++)
        add_tensor_dims(&subject, stage->operands[i].vrf);
    return subject;
}

static void tell_twins(Builder *builder, const Subject *subject)
{
    AtomList axes = {0};
    const DiagList *diags = builder->diags;
    if (diags->count == builder->reports_before)
        return;
    for (int32_t i = 0; i < subject->count; i++)
        for (Level level = 0; level < LEVEL_COUNT; level++)
            if (subject->dims[i][level])
                expr_axes(&builder->scratch, subject->dims[i][level]->expr, &axes);
    for (int64_t i = builder->reports_before; i < diags->count; i++)
        expr_note_twins(diags->items[i], &axes);
}

// After it has answered. True: it found nothing that what follows would stumble over.
static bool answered(Builder *builder)
{
    const DiagList *diags = builder->diags;
    arena_clear(&builder->scratch);
    for (int64_t i = builder->reports_before; i < diags->count; i++)
        if (diags->items[i]->severity == SEVERITY_ERROR && !is_about_size(diags->items[i]->code))
            return false;
    return true;
}

// A shape whose size overflows is refused before any rule multiplies it out.
static bool fits(Builder *builder, const Dim *const dims[LEVEL_COUNT], Span span)
{
    int64_t size;
    if (shape_size(dims, &size))
        return true;
    diag_add(builder->diags, DIAG_SIZE_OVERFLOW, span,
             "all dimensions together have more positions than fit in 63 bits");
    return false;
}

// ---- programs

Program *builder_open(Builder *builder, const char *name, Span span, MaybeInt chips)
{
    builder->program = arena_new(builder->arena, Program, 1);
    *builder->program = (Program){.name = name, .span = span, .chips = chips};
    builder->errors_before = builder->diags->error_count;
    builder->choice = NULL;
    builder->site = NULL;
    builder->pass_count = 0;
    builder->passes.count = 0;
    memset(builder->running, 0, sizeof builder->running);
    return builder->program;
}

void builder_refuse(Builder *builder)
{
    if (builder->program)
        builder->program->is_refused = true;
}

Program *builder_close(Builder *builder)
{
    Program *program = builder->program;
    for (int64_t i = 0; i < builder->passes.count; i++)
        if (!builder->passes.items[i]->done)
            builder_leave_open(builder, &builder->passes.items[i]->pass);
    if (builder->diags->error_count > builder->errors_before)
        builder_refuse(builder);
    if (rules_of(builder)->program) {
        Verify verify = ask(builder);
        rules_of(builder)->program(&verify, program);
        answered(builder);
    }
    builder->program = NULL;
    return program;
}

const Dim *builder_dim(Builder *builder, const Expr *expr, Span span)
{
    return dim_intern(&builder->dims, expr, span);
}

// ---- tensors

static Tensor *add_tensor(Builder *builder, const Tensor *given)
{
    Program *program = builder->program;
    Tensor *tensor = arena_new(builder->arena, Tensor, 1);
    *tensor = *given;
    tensor->id = (int32_t)program->tensors.count;
    *array_push(builder->arena, &program->tensors, Tensor *) = tensor;
    tensor->sound = fits(builder, tensor->dims, tensor->span);
    if (tensor->sound && rules_of(builder)->tensor) {
        Verify verify = ask(builder);
        rules_of(builder)->tensor(&verify, tensor);
        tell_twins(builder, &(Subject){.dims = {tensor->dims}, .count = 1});
        tensor->sound = answered(builder);
    }
    return tensor;
}

const Tensor *builder_tensor(Builder *builder, const Tensor *tensor)
{
    return add_tensor(builder, tensor);
}

void builder_name(Builder *builder, const Tensor *tensor, const char *name)
{
    Tensor *own = builder->program->tensors.items[tensor->id];
    if (!own->name)
        own->name = name;
}

const Tensor *builder_reshape(Builder *builder, const Tensor *from, const Tensor *to)
{
    Tensor named = *to;
    named.origin = ORIGIN_RESHAPE;
    named.storage = from;
    named.tier = from->tier;
    named.type = from->type;
    named.address = from->address;
    Tensor *tensor = add_tensor(builder, &named);
    if (tensor->sound && from->sound && rules_of(builder)->reshape) {
        Verify verify = ask(builder);
        rules_of(builder)->reshape(&verify, from, tensor);
        tell_twins(builder, &(Subject){.dims = {from->dims, tensor->dims}, .count = 2});
        tensor->sound = answered(builder);
    }
    return tensor;
}

const View *builder_view(Builder *builder, const Tensor *tensor, bool is_mut, Span span)
{
    View *view = arena_new(builder->arena, View, 1);
    *view = (View){.tensor = tensor, .is_mut = is_mut, .span = span, .sound = tensor->sound};
    for (Level level = 0; level < LEVEL_COUNT; level++) {
        view->dims[level] = tensor->dims[level];
        view->offsets[level] = (MaybeInt){.known = true};
    }
    return view;
}

// Where the tile starts among the positions of the tensor's level. A tile leaves everything in its
// place, with padding for what is not in it, so offsets of nested tiles add up.
static MaybeInt tile_offset(Builder *builder, const View *from, const Tile *tile)
{
    const Mapping *level = &from->dims[tile->level]->mapping, *index = &tile->index->mapping;
    MaybeInt offset = from->offsets[tile->level];
    Mapping part;
    offset.known &= tile->start.known && tile->start.value >= 0 &&
                    tile->start.value < index->size && tile->length >= 1 &&
                    tile->length <= index->size &&
                    mapping_tile(&builder->scratch, level, index, tile->length, &part);
    offset.value = 0;
    if (offset.known)
        offset.value = from->offsets[tile->level].value +
                       mapping_tile_offset(&builder->scratch, level, index, tile->start.value);
    arena_clear(&builder->scratch);
    return offset;
}

const View *builder_tile(Builder *builder, const View *from, const Tile *tile, const Dim *dim)
{
    View *view = arena_new(builder->arena, View, 1);
    *view = *from;
    view->span = tile->span;
    view->tiles.capacity = view->tiles.count = from->tiles.count + 1;
    view->tiles.items = arena_new(builder->arena, Tile, (size_t)view->tiles.count);
    for (int64_t i = 0; i < from->tiles.count; i++)
        view->tiles.items[i] = from->tiles.items[i];
    view->tiles.items[from->tiles.count] = *tile;
    view->tiles.items[from->tiles.count].dim = dim;
    view->offsets[tile->level] = tile_offset(builder, from, tile);
    view->dims[tile->level] = dim;
    view->sound = fits(builder, view->dims, tile->span);
    if (view->sound && rules_of(builder)->tile) {
        Verify verify = ask(builder);
        rules_of(builder)->tile(&verify, from, view);
        tell_twins(builder, &(Subject){.dims = {from->dims, view->dims}, .count = 2});
        view->sound = answered(builder);
    }
    view->sound &= from->sound;
    return view;
}

// Not every part that can be read can be written: its tiles are asked about again, where that is.
static const View *view_to_write(Builder *builder, const View *view, Span span)
{
    const View *part = builder_view(builder, view->tensor, true, span);
    for (int64_t i = 0; i < view->tiles.count; i++) {
        Tile tile = view->tiles.items[i];
        tile.span = span;
        part = builder_tile(builder, part, &tile, tile.dim);
    }
    return part;
}

const View *builder_view_again(Builder *builder, const View *view, bool is_mut, Span span)
{
    if (is_mut && !view->is_mut && view->sound)
        return view_to_write(builder, view, span);
    View *again = arena_new(builder->arena, View, 1);
    *again = *view;
    again->is_mut = is_mut;
    again->span = span;
    return again;
}

// ---- passes

Pass *builder_pass(Builder *builder, Context context, bool context_known, Span span)
{
    OpenPass *open = arena_new(builder->arena, OpenPass, 1);
    open->pass = (Pass){.id = builder->pass_count++,
                        .context = context,
                        .context_known = context_known,
                        .span = span};
    *array_push(&builder->tables, &builder->passes, OpenPass *) = open;
    return &open->pass;
}

static bool is_sound(const Pass *pass)
{
    for (int64_t i = 0; i < pass->stages.count; i++)
        if (!pass->stages.items[i]->sound)
            return false;
    return true;
}

// Who builds by calls holds the stream of a pass until it ends. In the language, a stream that is
// not used any more is gone; a text has one pass at a time.
static bool is_held(const Builder *builder, const OpenPass *running)
{
    return builder->program->notation == NOTATION_CALLS && running && !running->done &&
           is_sound(&running->pass);
}

static void report_held(Builder *builder, const OpenPass *open, const OpenPass *running)
{
    const Pass *pass = &running->pass;
    const Stage *first = pass->stages.items[0], *last = pass->stages.items[pass->stages.count - 1];
    const char *name = first->sources[0]->tensor->name;
    Diag *diag =
        diag_add(builder->diags, DIAG_CONTEXT_BUSY, open->pass.span,
                 "the {} context is busy: a pass{}{}{} has not ended", context_names[pass->context],
                 name ? " that fetches `" : "", name ? name : "", name ? "`" : "");
    diag_note(diag, first->call_span, "it began here");
    if (last != first)
        diag_note(diag, last->call_span, "this is its last stage so far");
    diag_help(diag, "end it first: with contra_commit, contra_commit_view, contra_to_trf or "
                    "contra_to_vrf; contra_leave_open where only a part of a kernel is checked");
}

// A context runs one pass at a time. Streams that come from outside are not looked at: each has a
// context of its own kind. Manual: Memory and Stream ("borrows its context").
static void check_context(Builder *builder, OpenPass *open, const Stage *stage)
{
    bool begins = stage->kind == STAGE_BEGIN || stage->kind == STAGE_BEGIN_INTERLEAVED;
    if (begins && is_held(builder, builder->running[open->pass.context])) {
        report_held(builder, open, builder->running[open->pass.context]);
        open->interrupted = true;
    } else if (begins) {
        builder->running[open->pass.context] = open;
    }
    OpenPass *running = builder->running[open->pass.context];
    StageKind first = open->pass.stages.items[0]->kind;
    if (first == STAGE_INPUT || !running || running == open || open->interrupted)
        return;
    open->interrupted = true;
    Diag *diag = diag_add(builder->diags, DIAG_CONTEXT_BUSY, running->pass.span,
                          "the {} context is still busy with the pass before",
                          context_names[open->pass.context]);
    diag_note(diag, open->pass.span, "which began here");
    diag_note(diag, stage->span, "and goes on here");
    diag_help(diag, "finish one pass before the next begins");
}

// The dimension of an expression made here: `1`, or an axis alone.
static const Dim *plain_dim(Builder *builder, const Atom *atom, Span span)
{
    DiagList no_diags = {.arena = builder->arena}; // nothing can be wrong with these
    ArenaMark mark = arena_mark(builder->arena);
    const Expr *expr = atom ? expr_atom(&no_diags, SPAN_NOWHERE, atom)
                            : expr_identity(&no_diags, SPAN_NOWHERE); // nobody wrote it
    const Dim *dim = builder_dim(builder, expr, span);
    if (dim->expr != expr)
        arena_reset(builder->arena, mark);
    return dim;
}

// Time is `1`, or the axis that tells two interleaved tensors apart; Packet is all of Element.
static void begin_stream(Builder *builder, Stage *stage)
{
    const View *view = stage->sources[0];
    for (Level level = 0; level < LEVEL_COUNT; level++)
        stage->dims[level] = view->dims[level];
    stage->type = view->tensor->type;
    stage->position = stages[stage->kind].to;
    stage->dims[LEVEL_PACKET] = view->dims[LEVEL_ELEMENT];
    stage->dims[LEVEL_TIME] = plain_dim(
        builder, stage->kind == STAGE_BEGIN_INTERLEAVED ? stage->axis : NULL, stage->span);
    stage->dims[LEVEL_ELEMENT] = NULL;
    stage->dims[LEVEL_ROW] = NULL;
}

static ChainAnswer ask_stage(Builder *builder, const OpenPass *open, const Stage *stage)
{
    int64_t errors_before = builder->diags->error_count;
    bool sound = fits(builder, stage->dims, stage->call_span);
    if (sound && rules_of(builder)->stage) {
        Verify verify = ask(builder);
        rules_of(builder)->stage(&verify, &open->pass, stage);
        Subject subject = subject_of_stage(stage);
        tell_twins(builder, &subject);
        sound = answered(builder);
    }
    if (!sound)
        return ANSWER_UNSOUND;
    return builder->diags->error_count == errors_before ? ANSWER_SOUND : ANSWER_REFUSED;
}

// The machine as it is now: whoever owns it may replace it by another one. What is known of chains
// holds for one machine.
static const Machine *machine_now(Builder *builder)
{
    const Machine *machine = builder->options.machine;
    if (machine && (!builder->machine || memcmp(builder->machine, machine, sizeof *machine) != 0)) {
        builder->machine = arena_copy(builder->arena, machine, sizeof *machine);
        builder->chains = (ChainTable){.arena = &builder->tables};
    }
    return builder->machine;
}

// What depends on mappings, types and configuration is asked once for each chain of stages.
static bool verify_stage(Builder *builder, OpenPass *open, Stage *stage)
{
    const Machine *machine = machine_now(builder);
    const ChainLink link = {&open->pass, stage, builder->program->chips};
    ChainAnswer answer = chain_known(&builder->chains, open->chain, &link, &stage->facts);
    if (!answer) {
        int64_t reports_before = builder->diags->count;
        stage->facts = arena_new(builder->arena, StageFacts, 1);
        if (builder->options.rule_set == RULES_CONTRA && rules_of(builder)->stage)
            stage->facts->machine = machine;
        answer = ask_stage(builder, open, stage);
        chain_remember(&builder->chains, open->chain, &link, answer,
                       builder->diags->count != reports_before);
    }
    if (answer != ANSWER_SOUND)
        builder_refuse(builder);
    return answer != ANSWER_UNSOUND;
}

static bool verify_place(Builder *builder, const Pass *pass, const Stage *stage)
{
    if (!rules_of(builder)->place)
        return true;
    Verify verify = ask(builder);
    rules_of(builder)->place(&verify, pass, stage);
    return answered(builder);
}

// The innermost calls; nobody reads more of them.
static void add_calls(Builder *builder, Op *op)
{
    enum { MOST_CALLS = 4 };
    Span *calls = builder->site ? arena_new(builder->arena, Span, MOST_CALLS) : NULL;
    op->calls = calls;
    op->call_count = 0;
    for (const CallSite *site = builder->site; site && op->call_count < MOST_CALLS;
         site = site->outer)
        calls[op->call_count++] = site->span;
}

static Op *add_op(Builder *builder, const Op *given)
{
    Op *op = arena_new(builder->arena, Op, 1);
    *op = *given;
    op->id = (int32_t)builder->program->ops.count;
    op->choice = builder->choice;
    add_calls(builder, op);
    *array_push(builder->arena, &builder->program->ops, Op *) = op;
    return op;
}

static void close_pass(Builder *builder, const Pass *pass, const Stage *sink)
{
    if (sink->kind == STAGE_TO_TRF && sink->result)
        builder->program->tensors.items[sink->result->id]->load = pass;
    add_op(builder, &(Op){.kind = OP_PASS,
                          .method = stages[sink->kind].method,
                          .span = sink->span,
                          .context = pass->context,
                          .pass = pass,
                          .sound = is_sound(pass)});
}

// ---- the state of a stream

// The stream behind a stage, as it follows from the one before: most stages change one thing and
// hand on the rest. What each does to the state of the Vector Engine is a row of a table.

typedef enum {
    GROUPS_KEPT,
    GROUPS_PLAIN,  // Standalone: one stream, nothing remembered of a zip
    GROUPS_ZIPPED, // two groups have just become one
} GroupEffect;

typedef enum { WAY_KEPT, WAY_4, WAY_8 } WayEffect;

typedef enum {
    STASH_KEPT,
    STASH_FRESH, // empty, and of the type that enters
    STASH_TAKEN,
} StashEffect;

// Manual: Vector Engine, Intra-Slice Block.
typedef struct {
    bool moves; // the stream comes to `stage`
    VectorStage stage;
    GroupEffect groups;
    WayEffect way;
    StashEffect stash;
    bool has_op; // `op` means something
} VectorEffect;

#define MOVES(to) .moves = true, .stage = VECTOR_##to

static const VectorEffect effects[STAGE_COUNT] = {
    [STAGE_VECTOR_INIT] = {MOVES(BRANCH), GROUPS_PLAIN, WAY_8, STASH_FRESH, false},
    [STAGE_VECTOR_BRANCH] = {MOVES(BRANCH), GROUPS_PLAIN, WAY_8, STASH_FRESH, false},
    [STAGE_VECTOR_UNZIP] = {MOVES(BRANCH), GROUPS_PLAIN, WAY_8, STASH_FRESH, false},
    [STAGE_VECTOR_INTER_REDUCE] = {MOVES(INTER_SLICE_REDUCE), GROUPS_PLAIN, WAY_8, STASH_FRESH,
                                   true},
    [STAGE_VECTOR_LOGIC] = {MOVES(LOGIC), GROUPS_PLAIN, WAY_KEPT, STASH_KEPT, true},
    [STAGE_VECTOR_FXP] = {MOVES(FXP), GROUPS_PLAIN, WAY_KEPT, STASH_KEPT, true},
    [STAGE_VECTOR_FXP_TO_FP] = {MOVES(FXP_TO_FP), GROUPS_PLAIN, WAY_KEPT, STASH_KEPT, false},
    [STAGE_VECTOR_SPLIT] = {MOVES(NARROW), GROUPS_KEPT, WAY_4, STASH_KEPT, false},
    [STAGE_VECTOR_TRIM] = {MOVES(NARROW), GROUPS_KEPT, WAY_4, STASH_KEPT, false},
    [STAGE_VECTOR_FP_UNARY] = {MOVES(FP), GROUPS_PLAIN, WAY_KEPT, STASH_KEPT, true},
    [STAGE_VECTOR_FP_BINARY] = {MOVES(FP), GROUPS_PLAIN, WAY_KEPT, STASH_KEPT, true},
    [STAGE_VECTOR_FP_TERNARY] = {MOVES(FP), GROUPS_PLAIN, WAY_KEPT, STASH_KEPT, true},
    [STAGE_VECTOR_INTRA_REDUCE] = {MOVES(INTRA_SLICE_REDUCE), GROUPS_PLAIN, WAY_KEPT, STASH_KEPT,
                                   true},
    [STAGE_VECTOR_FP_DIV] = {MOVES(FP_DIV), GROUPS_KEPT, WAY_KEPT, STASH_KEPT, true},
    [STAGE_VECTOR_CONCAT] = {MOVES(WIDEN), GROUPS_KEPT, WAY_8, STASH_KEPT, false},
    [STAGE_VECTOR_PAD] = {MOVES(WIDEN), GROUPS_KEPT, WAY_8, STASH_KEPT, false},
    [STAGE_VECTOR_FP_TO_FXP] = {MOVES(FP_TO_FXP), GROUPS_PLAIN, WAY_KEPT, STASH_KEPT, false},
    [STAGE_VECTOR_CLIP] = {MOVES(CLIP), GROUPS_PLAIN, WAY_KEPT, STASH_KEPT, true},
    [STAGE_VECTOR_STASH] = {.stash = STASH_TAKEN},
    [STAGE_VECTOR_FILTER] = {MOVES(FILTER), GROUPS_PLAIN, WAY_KEPT, STASH_KEPT, false},
    [STAGE_VECTOR_LOGIC_ZIP] = {MOVES(LOGIC), GROUPS_ZIPPED, WAY_KEPT, STASH_FRESH, true},
    [STAGE_VECTOR_FXP_ZIP] = {MOVES(FXP), GROUPS_ZIPPED, WAY_KEPT, STASH_FRESH, true},
    [STAGE_VECTOR_FP_ZIP] = {MOVES(FP), GROUPS_ZIPPED, WAY_KEPT, STASH_FRESH, true},
    [STAGE_VECTOR_CLIP_ZIP] = {MOVES(CLIP), GROUPS_ZIPPED, WAY_KEPT, STASH_FRESH, true},
};

static Scalar type_behind(const Stage *stage, const Stage *before)
{
    Scalar type = before->type;
    if (stage->kind == STAGE_FETCH || stage->kind == STAGE_CAST)
        return stage->type;
    if (stage->kind == STAGE_VECTOR_FXP_TO_FP)
        return SCALAR_F32;
    if (stage->kind == STAGE_VECTOR_FP_TO_FXP)
        return SCALAR_I32;
    if (stage->kind == STAGE_CONTRACT)
        scalar_contraction_result(before->type, &type); // stays as it is where it cannot contract
    return type;
}

static void follow_dims(Stage *stage, const Stage *before)
{
    if (stage->kind == STAGE_ALIGN && stage->trf)
        stage->dims[LEVEL_ROW] = stage->trf->dims[LEVEL_ROW];
    for (Level level = 0; level < LEVEL_COUNT; level++)
        if (!(stages[stage->kind].sets & 1U << level) || !stage->dims[level])
            stage->dims[level] = before->dims[level];
    if (stage->kind == STAGE_ACCUMULATE)
        stage->dims[LEVEL_ROW] = NULL; // the rows have gone into Time or Packet
}

// Stages that take a stream or a pair make of it what it was.
static Position position_behind(const Stage *stage, const Stage *before)
{
    const StageInfo *info = &stages[stage->kind];
    bool either = info->from & 1U << POSITION_VECTOR && info->from & 1U << POSITION_VECTOR_PAIR;
    return either && before->position == POSITION_VECTOR_PAIR ? POSITION_VECTOR_PAIR : info->to;
}

// Whether an operation does anything at all: of a pair, both groups may be left alone.
static bool is_applied(const Stage *stage)
{
    if (stage->position != POSITION_VECTOR_PAIR)
        return true;
    bool applied = stage->kind == STAGE_VECTOR_FP_UNARY && (stage->groups[0] || stage->groups[1]);
    for (int32_t i = 0; i < stage->operand_count; i++)
        applied |= stage->operands[i].kind != OPERAND_SKIP;
    return applied;
}

static VectorAlu alu_of(const Stage *stage)
{
    if (!effects[stage->kind].has_op || !is_applied(stage))
        return ALU_NONE;
    VectorAlu alu = vector_ops[stage->op].alu;
    return alu == ALU_NONE ? stage->alu : alu; // MulF: its argument says which
}

static void follow_vector(Stage *stage, const Stage *before)
{
    const VectorEffect *effect = &effects[stage->kind];
    bool entry = before->position == POSITION_VECTOR_INIT;
    stage->vector_stage = effect->moves ? effect->stage : before->vector_stage;
    stage->zipped =
        effect->groups == GROUPS_KEPT ? before->zipped : effect->groups == GROUPS_ZIPPED;
    stage->way4 = effect->way == WAY_KEPT ? before->way4 : effect->way == WAY_4;
    stage->has_stash =
        effect->stash == STASH_KEPT ? before->has_stash : effect->stash == STASH_TAKEN;
    stage->stash_type = effect->stash == STASH_KEPT ? before->stash_type : stage->type;
    stage->inter_first = entry ? stage->kind == STAGE_VECTOR_INTER_REDUCE : before->inter_first;
    stage->alu = alu_of(stage);
}

// Fills in what follows from `before`: dimensions and type that the stage does not set, position,
// vector state, ALU. Requires: before is not NULL.
static void stage_follow(Stage *stage, const Stage *before)
{
    stage->type = type_behind(stage, before);
    stage->position = position_behind(stage, before);
    follow_dims(stage, before);
    follow_vector(stage, before);
}

const Stage *builder_stage(Builder *builder, Pass *pass, const Stage *given)
{
    OpenPass *open = (OpenPass *)pass;
    Stage *stage = arena_new(builder->arena, Stage, 1);
    int64_t count = pass->stages.count;
    *stage = *given;
    stage->index = count;
    stage->before = count ? pass->stages.items[count - 1] : NULL;
    *array_push(builder->arena, &pass->stages, Stage *) = stage;
    if (stage->kind == STAGE_BEGIN || stage->kind == STAGE_BEGIN_INTERLEAVED)
        begin_stream(builder, stage);
    else if (stage->before)
        stage_follow(stage, stage->before);
    check_context(builder, open, stage);
    pass->ops_before = builder->program->ops.count;
    open->chain = chain_add(open->chain, stage);
    stage->sound = verify_stage(builder, open, stage);
    stage->sound = stage->sound && verify_place(builder, pass, stage);
    open->done |= stage->position == POSITION_SINK;
    if (stage->position == POSITION_SINK)
        close_pass(builder, pass, stage);
    return stage;
}

void builder_give_up(Pass *pass)
{
    ((OpenPass *)pass)->done = true;
}

void builder_leave_open(Builder *builder, Pass *pass)
{
    ((OpenPass *)pass)->done = true;
    *array_push(builder->arena, &builder->program->open, Pass *) = pass;
}

// ---- operations

const Op *builder_op(Builder *builder, const Op *given)
{
    Op *op = add_op(builder, given);
    op->sound = true;
    if (rules_of(builder)->op) {
        Verify verify = ask(builder);
        rules_of(builder)->op(&verify, op);
        Subject subject = {0};
        add_view_dims(&subject, op->source);
        add_view_dims(&subject, op->target);
        add_view_dims(&subject, op->index);
        tell_twins(builder, &subject);
        op->sound = answered(builder);
    }
    return op;
}

void builder_walk(Builder *builder, const Walk *walk)
{
    if (!rules_of(builder)->walk)
        return;
    Verify verify = ask(builder);
    rules_of(builder)->walk(&verify, walk);
    answered(builder);
}

void builder_result(Builder *builder, const Tensor *tensor)
{
    *array_push(builder->arena, &builder->program->results, const Tensor *) = tensor;
}
