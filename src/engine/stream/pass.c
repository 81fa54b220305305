#include "engine/stream/stream.h"

#include "base/checked.h"
#include "engine/memory/memory.h"
#include "engine/report.h"
#include "engine/shape.h"
#include "engine/vector/vector.h"

// ---- order

typedef struct {
    bool reached;
    StageKind by; // the call that leads here
    Position from;
} Way;

// The shortest ways from one kind of stream to all others, breadth first.
static void find_ways(Position from, Way ways[POSITION_COUNT])
{
    Position queue[POSITION_COUNT] = {from};
    int32_t end = 1;
    ways[from].reached = true;
    for (int32_t at = 0; at < end; at++) {
        for (StageKind kind = STAGE_INPUT + 1; kind < STAGE_COUNT; kind++) {
            Way *way = &ways[stages[kind].to];
            if (!(stages[kind].from & 1U << queue[at]) || way->reached)
                continue;
            *way = (Way){.reached = true, .by = kind, .from = queue[at]};
            queue[end++] = stages[kind].to;
        }
    }
}

static int32_t way_length(const Way ways[POSITION_COUNT], Position from, Position to)
{
    int32_t length = 0;
    for (; to != from; to = ways[to].from)
        length++;
    return length;
}

// "`fetch` and then `collect`"
static void print_way(StrBuf *out, const Way ways[POSITION_COUNT], Position from, Position to)
{
    if (ways[to].from != from) {
        print_way(out, ways, from, ways[to].from);
        buf_add(out, STR(" and then "));
    }
    buf_format(out, "`{}`", stages[ways[to].by].method);
}

// The calls missing between the stream that is there and one that the method works on.
static void help_with_missing_calls(const Verify *verify, Diag *diag, Position from,
                                    uint32_t wanted)
{
    Way ways[POSITION_COUNT] = {{0}};
    Position best = POSITION_SINK;
    find_ways(from, ways);
    for (Position to = 0; to < POSITION_SINK; to++) {
        bool candidate = (wanted & 1U << to) && ways[to].reached;
        if (candidate &&
            (best == POSITION_SINK || way_length(ways, from, to) < way_length(ways, from, best)))
            best = to;
    }
    if (best == POSITION_SINK) {
        diag_help(diag, "a stream does not go back: commit it, and begin another pass");
        return;
    }
    StrBuf calls = {.arena = verify->arena};
    print_way(&calls, ways, from, best);
    diag_help(diag, "call {} first", buf_str(&calls));
}

static Str position_list(const Verify *verify, uint32_t positions)
{
    StrBuf buf = {.arena = verify->arena};
    for (Position position = 0; position < POSITION_SINK; position++)
        if (positions & 1U << position)
            buf_format(&buf, "{}{}", buf.len ? " or " : "", position_types[position]);
    return buf_str(&buf);
}

static bool is_commit(StageKind kind)
{
    return kind == STAGE_COMMIT || kind == STAGE_COMMIT_VIEW;
}

// Which streams a stage may follow. The reference library lets even a stream commit that was never
// fetched, though nothing but the Fetch Engine brings data into the Tensor Unit. It transposes only
// what comes from collect or the Vector Engine; the manual also draws the Contraction Engine and,
// right before the Transpose Engine, the Cast Engine.
// Manual: Transpose Engine, Input Bus Constraints; Scheduling, Hardware Resources.
static uint32_t allowed_before(RuleSet rules, StageKind kind)
{
    uint32_t refused = 0;
    if (rules == RULES_CONTRA && is_commit(kind))
        refused = 1U << POSITION_BEGIN;
    if (rules == RULES_REFERENCE && kind == STAGE_TRANSPOSE)
        refused = 1U << POSITION_ACCUMULATE | 1U << POSITION_CAST;
    return stages[kind].from & ~refused;
}

// Each engine stands at one place of the pipeline.
// Manual: Computing Tensors; Collect Engine, Pipeline Position.
static bool verify_order(const Verify *verify, const Stage *stage)
{
    const StageInfo *info = &stages[stage->kind];
    uint32_t wanted = allowed_before(verify->rules, stage->kind);
    bool starts = stage->kind == STAGE_INPUT || info->from == 0;
    if (starts && !stage->before)
        return true;
    if (stage->before && wanted & 1U << stage->before->position)
        return true;
    if (starts || !stage->before) {
        Diag *diag = diag_add(verify->diags, DIAG_STAGE_ORDER, stage->span,
                              starts ? "`{}` starts a pass, but this pass has started already"
                                     : "`{}` needs a stream, but no pass has started here",
                              info->method);
        bool text = report_is_text(verify);
        diag_help(diag, "{}",
                  starts ? text ? "start another pass: `pass main`, and `begin` below it"
                                : "begin on the context itself: `ctx.main.begin(..)`"
                  : text ? "start with `begin` and a tensor of DM"
                         : "start the pass: `ctx.main.begin(tensor.view())`");
        return false;
    }
    Str takes = position_list(verify, wanted);
    Str found = str_from(position_types[stage->before->position]);
    Diag *diag = diag_add(verify->diags, DIAG_STAGE_ORDER, stage->span,
                          "`{}` works on {} {}, but this stream is {} {}", info->method,
                          str_article(takes), takes, str_article(found), found);
    diag_note(diag, stage->before->span, "the stream comes from here");
    help_with_missing_calls(verify, diag, stage->before->position, wanted);
    return false;
}

// ---- contexts

// What a stream may not go through before the sub context commits it.
static bool is_computed(Position position)
{
    return position >= POSITION_ALIGN && position < POSITION_SINK;
}

// The first stage that keeps the sub context from committing; NULL: nothing does.
// Manual: Commit Engine, Constraints ("Sub-context commits can only follow fetch").
static const Stage *first_computed(RuleSet rules, const Pass *pass, const Stage *from,
                                   StageKind kind)
{
    const Stage *first = NULL;
    if (pass->context != CONTEXT_SUB || !is_commit(kind) || rules == RULES_REFERENCE)
        return NULL;
    for (const Stage *step = from; step; step = step->before)
        if (is_computed(step->position))
            first = step;
    return first;
}

static void verify_sub_commit(const Verify *verify, const Pass *pass, const Stage *stage)
{
    const Stage *first = first_computed(verify->rules, pass, stage->before, stage->kind);
    if (!first)
        return;
    Diag *diag = diag_add(verify->diags, DIAG_SUB_COMMIT, stage->span,
                          "the sub context commits only what was fetched, switched and collected; "
                          "this stream went through `{}`",
                          first->kind == STAGE_INPUT ? position_types[first->position]
                                                     : stages[first->kind].method);
    diag_note(diag, first->span, "the first stage that needs the main context");
    bool text = report_is_text(verify);
    diag_help(diag, "run this pass on `{}`",
              report_is_calls(verify) ? "main"
              : text                  ? "pass main"
                                      : "ctx.main");
    if (text)
        diag_edit(diag, report_place(pass->span), "main");
}

// ---- streams that come in as a parameter

// What a packet is at each position; the stages behind the others look at their input themselves.
typedef enum { PACKET_ANY, PACKET_WORDS, PACKET_FLIT } InputPacket;

static const InputPacket input_packets[POSITION_COUNT] = {
    [POSITION_FETCH] = PACKET_WORDS,       [POSITION_SWITCH] = PACKET_WORDS,
    [POSITION_COLLECT] = PACKET_FLIT,      [POSITION_ACCUMULATE] = PACKET_FLIT,
    [POSITION_VECTOR_FINAL] = PACKET_FLIT, [POSITION_CAST] = PACKET_FLIT,
    [POSITION_TRANSPOSE] = PACKET_FLIT,
};

// From collect on a packet is a flit. Manual: Computing Tensors; Collect Engine.
static void report_flit(const Verify *verify, const Stage *stage, int64_t bytes)
{
    const Dim *packet = stage->dims[LEVEL_PACKET];
    int64_t length, flit = verify->machine->flit_bytes;
    Diag *diag = diag_add(verify->diags, DIAG_INPUT_FLIT, stage->span,
                          "{} carries flits of {} bytes; its Packet `{}` of {} has {}",
                          position_types[stage->position], flit, report_dim(verify, packet),
                          scalar_name(stage->type), bytes);
    if (!scalar_length(stage->type, flit, &length))
        return;
    if (bytes < flit)
        report_rewrite(verify, diag, packet, report_padded(verify, packet, length),
                       "pad the packet:");
    else
        diag_help(diag, "keep {} elements in Packet and put the rest innermost into Time", length);
}

// Manual: Fetch Engine, Constraints.
static void report_words(const Verify *verify, const Stage *stage, int64_t bytes)
{
    diag_add(verify->diags, DIAG_SEQUENCE_FETCH_PACKET, stage->span,
             "a fetched packet must have a multiple of {} bytes; `{}` of {} has {}",
             verify->machine->fetch_align_bytes, report_dim(verify, stage->dims[LEVEL_PACKET]),
             scalar_name(stage->type), bytes);
}

static void verify_input(const Verify *verify, const Stage *stage)
{
    if (stage->kind != STAGE_INPUT || verify->rules == RULES_REFERENCE)
        return;
    sizes_verify(verify, stage->dims, stage->span);
    InputPacket rule = input_packets[stage->position];
    int64_t bytes;
    if (rule == PACKET_ANY ||
        !report_bytes(verify, stage, stage->type, stage->dims[LEVEL_PACKET], &bytes))
        return;
    if (rule == PACKET_FLIT && bytes != verify->machine->flit_bytes)
        report_flit(verify, stage, bytes);
    if (rule == PACKET_WORDS && bytes % verify->machine->fetch_align_bytes)
        report_words(verify, stage, bytes);
}

// ---- all stages

// Rules pad and pair dimensions; what is near the end of 63 bits is refused before.
static bool verify_size(const Verify *verify, const Stage *stage)
{
    if (stage->before && !shape_is_small(stage->before->dims))
        return false; // said there
    if (shape_is_small(stage->dims))
        return true;
    diag_add(verify->diags, DIAG_SIZE_OVERFLOW, stage->span,
             "all dimensions of the stream together have too many positions to be checked");
    return false;
}

bool pass_verify(const Verify *verify, const Pass *pass, const Stage *stage)
{
    if (!verify_order(verify, stage) || !verify_size(verify, stage))
        return false;
    verify_sub_commit(verify, pass, stage);
    verify_input(verify, stage);
    return true;
}

bool pass_may_follow(RuleSet rules, const Pass *pass, const Stage *from, StageKind kind)
{
    return allowed_before(rules, kind) & 1U << from->position && vector_may_follow(from, kind) &&
           (kind != STAGE_VECTOR_INIT || vector_takes_type(from->type)) &&
           !first_computed(rules, pass, from, kind);
}

// Manual: Memory and Stream, Formal Definition.
void pass_verify_overlap(const Verify *verify, const Stage *stage)
{
    bool inherited = stage->before && !stage->before->sound; // said where it came up
    bool changes = stage->kind == STAGE_INPUT || stages[stage->kind].sets;
    bool of_tensor = stage->kind == STAGE_BEGIN; // shared axes were checked with the tensor
    if (inherited || !changes)
        return;
    repeated_axis_verify(verify, stage->dims, stage->span);
    if (verify->rules != RULES_REFERENCE && !of_tensor)
        shared_axis_verify(verify, stage->dims, stage->span);
}

static void report_units(const Verify *verify, const Stage *stage, Level level, int64_t from,
                         int64_t to)
{
    Diag *diag = diag_add(
        verify->diags, DIAG_PASS_UNITS, stage->span,
        "the pass reads from {} {} on and `{}` stores from {} {} on: data stays in its own",
        level_names[level], from, stages[stage->kind].method, level_names[level], to);
    diag_help(diag, "copy the tile to where it is needed with `to_dm_view`{}",
              level == LEVEL_SLICE ? ", or begin with the whole tensor and move it in switch"
                                   : ", or commit into a tile that starts there, too");
}

void pass_verify_units(const Verify *verify, const Pass *pass, const Stage *stage)
{
    const Stage *first = pass->stages.items[0];
    if (stage->position != POSITION_SINK || verify->rules == RULES_REFERENCE)
        return;
    for (int32_t i = 0; i < 2 && first->sources[i]; i++)
        for (Level level = LEVEL_CHIP; level <= LEVEL_SLICE; level++) {
            MaybeInt from = first->sources[i]->offsets[level];
            MaybeInt to = stage->target ? stage->target->offsets[level] : (MaybeInt){.known = true};
            if (!from.known || !to.known || from.value == to.value)
                continue;
            report_units(verify, stage, level, from.value, to.value);
            return;
        }
}

const Stage *pass_stage(const Pass *pass, StageKind kind)
{
    for (int64_t i = pass->stages.count - 1; i >= 0; i--)
        if (pass->stages.items[i]->kind == kind)
            return pass->stages.items[i];
    return NULL;
}

bool pass_has_tiles(const Pass *pass)
{
    for (int64_t i = 0; i < pass->stages.count; i++) {
        const Stage *stage = pass->stages.items[i];
        const View *views[] = {stage->sources[0], stage->sources[1], stage->target};
        for (size_t k = 0; k < COUNT_OF(views); k++)
            if (views[k] && views[k]->tiles.count)
                return true;
    }
    return false;
}

const Stage *stage_before(const Stage *stage, StageKind kind)
{
    while (stage && stage->kind != kind)
        stage = stage->before;
    return stage;
}

// ---- a stream and a tensor, or another stream

static void verify_level(const Verify *verify, const Stage *stage, DiagCode code, Level level,
                         const Dim *dim)
{
    const Dim *stream = stage->before->dims[level];
    if (!dim || dim == stream || shape_equal(verify->arena, &stream->mapping, &dim->mapping))
        return;
    Diag *diag = diag_add(verify->diags, code, stage->span,
                          "{} of the stream is `{}`, but that of the tensor is `{}`",
                          level_names[level], report_dim(verify, stream), report_dim(verify, dim));
    report_difference(verify, diag, &stream->mapping, &dim->mapping);
    diag_help(diag, level == LEVEL_SLICE ? "data changes its slice in switch, before collect"
                                         : "only DMA moves data between chips and clusters");
}

void place_verify(const Verify *verify, const Stage *stage, DiagCode code, Scalar type,
                  const Dim *const dims[LEVEL_COUNT])
{
    if (!stage->before->sound)
        return;
    if (stage->before->type != type)
        diag_add(verify->diags, code, stage->span, "the stream holds {}, but the tensor {}",
                 scalar_name(stage->before->type), scalar_name(type));
    for (Level level = LEVEL_CHIP; level <= LEVEL_SLICE; level++)
        verify_level(verify, stage, code, level, dims[level]);
}

static void report_lost(const Verify *verify, Span span, DiagCode code, const Match *match,
                        const Mapping *to)
{
    Str text = report_match(verify, match);
    Diag *diag = diag_add(verify->diags, code, span, "`{}` of the input is not in the output `{}`",
                          text, report_mapping(verify, to));
    diag_help(diag, "every part of every axis that comes in goes out: give `{}` a place", text);
}

static void report_gained(const Verify *verify, Span span, DiagCode code, const Mapping *residue)
{
    PlacedTerms terms = shape_terms(verify->arena, residue);
    Str term = shape_term_text(verify->arena, &terms.items[0].term, terms.items[0].resize);
    Diag *diag = diag_add(verify->diags, code, span,
                          "the output has `{}`, which the input does not hold", term);
    diag_help(diag, "leave it out; what is to be repeated is repeated in fetch or in switch");
}

bool move_verify(const Verify *verify, Span span, DiagCode code, MoveKind kind, const Mapping *from,
                 const Mapping *to)
{
    Division division = mapping_divide(verify->arena, to, from, DIVIDE_RELAXED, 1);
    if (!division.exact) {
        // where all was found, and what is left has no shape, the first piece stands for the rest
        int64_t first = division.found < division.matches.count ? division.found : 0;
        report_lost(verify, span, code, &division.matches.items[first], to);
        return false;
    }
    bool gains = shape_terms(verify->arena, &division.dividend_residue).count > 0;
    if (kind == MOVE_EXACT && gains) {
        report_gained(verify, span, code, &division.dividend_residue);
        return false;
    }
    return true;
}

bool move_verify_stage(const Verify *verify, const Stage *stage, DiagCode code, MoveKind kind)
{
    Mapping from = shape_of(verify->arena, stage->before->dims);
    Mapping to = shape_of(verify->arena, stage->dims);
    return move_verify(verify, stage->span, code, kind, &from, &to);
}
