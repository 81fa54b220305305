// A fetch is a loop nest over Element (the sequencer) and what is done to each packet on its way
// (the adapter): masking, a table, a cast, zero points, batching.
//
// The manual calls a fetch a move, and a move loses nothing: an axis of the tensor that the stream
// does not walk is refused, as in the reference library. What is sliced away is written, `A % 4 =
// 3` (Manual: Sequencer, Slicing Axes); so reading only the first of an axis is `A = 1`.
#include "engine/stream/stream.h"

#include "base/checked.h"
#include "engine/lower/mask.h"
#include "engine/lower/record.h"
#include "engine/memory/memory.h"
#include "engine/report.h"
#include "engine/shape.h"
#include "engine/vector/vector.h"

// ---- two tensors in one pass

// Manual: Fetch Engine, Interleaving Tensors ("At most two tensors").
static void verify_interleave_count(const Verify *verify, const Stage *stage)
{
    int64_t count = verify->machine->fetch_interleaved_tensors;
    if (stage->axis->size == count)
        return;
    Diag *diag =
        diag_add(verify->diags, DIAG_INTERLEAVE_COUNT, report_at(stage->at.axis, stage->span),
                 "`{}` tells {} interleaved tensors apart, but its size is {}", stage->axis->name,
                 count, stage->axis->size);
    diag_help(diag,
              report_is_calls(verify)  ? "declare an axis for it: contra_axis(program, \"I\", {})"
              : report_is_text(verify) ? "declare an axis for it: `axis I = {}`"
                                       : "declare an axis for it: `axes![I = {}]`",
              count);
}

static void report_views_differ(const Verify *verify, const Stage *stage, const char *what,
                                Str first, Str second)
{
    Diag *diag = diag_add(verify->diags, DIAG_INTERLEAVE_VIEWS, stage->span,
                          "one sequencer reads both interleaved tensors, but {} of the first is "
                          "`{}` and of the second `{}`",
                          what, first, second);
    diag_help(diag, "give both the same type and the same mappings, or read them in two passes");
}

// Manual: Fetch Engine, Interleaving Tensors ("two tensors with identical mappings").
static void verify_interleave_views(const Verify *verify, const Stage *stage)
{
    const View *lhs = stage->sources[0], *rhs = stage->sources[1];
    if (!lhs->sound || !rhs->sound)
        return;
    if (lhs->tensor->type != rhs->tensor->type)
        report_views_differ(verify, stage, "the type", str_from(scalar_name(lhs->tensor->type)),
                            str_from(scalar_name(rhs->tensor->type)));
    for (Level level = 0; level < LEVEL_COUNT; level++) {
        const Dim *left = lhs->dims[level], *right = rhs->dims[level];
        if (left && right && !shape_equal(verify->arena, &left->mapping, &right->mapping))
            report_views_differ(verify, stage, level_names[level], report_dim(verify, left),
                                report_dim(verify, right));
    }
}

static void begin_verify(const Verify *verify, const Pass *pass, const Stage *stage)
{
    (void)pass;
    if (stage->kind != STAGE_BEGIN_INTERLEAVED)
        return;
    verify_interleave_count(verify, stage);
    verify_interleave_views(verify, stage);
}

// Reads start on a byte. Manual: Fetch Engine, Fetch Sequencer ("1-byte aligned").
static void begin_verify_place(const Verify *verify, const Pass *pass, const Stage *stage)
{
    (void)pass;
    for (int32_t i = 0; i < 2 && stage->sources[i]; i++) {
        MaybeInt offset = stage->sources[i]->offsets[LEVEL_ELEMENT];
        int64_t bytes;
        if (verify->rules == RULES_REFERENCE || !offset.known ||
            scalar_bytes(stage->type, offset.value, &bytes))
            continue;
        Diag *diag = diag_add(verify->diags, DIAG_SEQUENCE_SUB_BYTE, stage->span,
                              "the view starts at element {} of {}, in the middle of a byte",
                              offset.value, scalar_name(stage->type));
        diag_help(diag, "start the tile at an even element");
    }
}

// ---- types

typedef struct {
    Scalar from, to;
} Cast;

// The reference library knows fewer casts than the engine.
static const Cast reference_casts[] = {
    {SCALAR_I8, SCALAR_I32},
    {SCALAR_I4, SCALAR_I32},
    {SCALAR_BF16, SCALAR_F32},
    {SCALAR_F8E4M3, SCALAR_F32},
};

static bool reference_cast(Scalar from, Scalar to)
{
    bool known = from == to;
    for (size_t i = 0; i < COUNT_OF(reference_casts); i++)
        known |= from == reference_casts[i].from && to == reference_casts[i].to;
    return known;
}

// What the cast starts from: the elements of the tensor, or of the table.
static Scalar cast_source(const Stage *stage)
{
    return stage->adapter.has_table ? stage->adapter.table_type : stage->before->type;
}

// Manual: Fetch Engine, Type Casting.
static bool verify_cast(const Verify *verify, const Stage *stage)
{
    Scalar from = cast_source(stage), to = stage->type;
    bool reference = verify->rules == RULES_REFERENCE;
    bool offered = reference ? reference_cast(from, to)
                             : scalar_fetch_cast(from, to, verify->machine->fetch_casts_extended);
    if (offered)
        return true;
    Diag *diag = diag_add(verify->diags, DIAG_SEQUENCE_CAST, stage->span,
                          "the Fetch Engine of {} does not cast {} to {}",
                          reference ? "the reference library" : verify->machine->name,
                          scalar_name(from), scalar_name(to));
    diag_help(diag, "the explanation of E0212 lists the casts there are");
    diag_help_typed(diag, "`contra explain E0212` lists the casts there are");
    return false;
}

// Counted behind the cast. Manual: Fetch Engine, Constraints.
static bool verify_packet(const Verify *verify, const Stage *stage)
{
    const Dim *packet = stage->dims[LEVEL_PACKET];
    int64_t bytes, length, align = verify->machine->fetch_align_bytes;
    if (!report_bytes(verify, stage, stage->type, packet, &bytes))
        return false;
    if (bytes % align == 0)
        return true;
    Diag *diag = diag_add(verify->diags, DIAG_SEQUENCE_FETCH_PACKET, stage->span,
                          "a fetched packet must have a multiple of {} bytes; `{}` of {} has {}",
                          align, report_dim(verify, packet), scalar_name(stage->type), bytes);
    if (scalar_length(stage->type, ceil_div(bytes, align) * align, &length))
        report_rewrite(verify, diag, packet, report_padded(verify, packet, length),
                       "pad the packet:");
    return false;
}

// ---- the adapter

// Padding in a packet is set to a neutral value, which counts elements up to a limit. The sub
// context masks nothing: its padding stays undefined.
// Manual: Fetch Engine, Masking Configuration.
static void verify_mask(const Verify *verify, const Pass *pass, const Stage *stage)
{
    const Dim *packet = stage->dims[LEVEL_PACKET];
    int64_t bytes, most = verify->machine->fetch_mask_bytes;
    bool masked = pass->context == CONTEXT_MAIN && shape_is_padded(verify->arena, &packet->mapping);
    if (!masked || !scalar_bytes(stage->before->type, packet->mapping.size, &bytes) ||
        bytes <= most)
        return;
    Diag *diag = diag_add(verify->diags, DIAG_FETCH_MASK, stage->span,
                          "the packet `{}` has padding, which the Fetch Engine masks in packets of "
                          "at most {} bytes; this one has {}",
                          report_dim(verify, packet), most, bytes);
    diag_help(diag,
              "put the outer part of the packet into Time, so that what is padded is smaller");
}

static int64_t value_count(Scalar type)
{
    return (int64_t)1 << scalar_traits[type].bits;
}

static bool is_table_index(Scalar type)
{
    return scalar_is_integer(type) && value_count(type) <= TABLE_ENTRIES;
}

static void report_entries(const Verify *verify, const Stage *stage, Scalar index, int64_t values)
{
    Diag *diag =
        diag_add(verify->diags, DIAG_FETCH_TABLE_ENTRIES, report_at(stage->at.table, stage->span),
                 "the table has {} entries; {} has {} values", stage->adapter.table_count,
                 scalar_name(index), values);
    diag_help(diag, "give it one entry for each value, {} in all", values);
}

// Each value is an index. Manual: Fetch Engine, Table Indexing.
static void verify_table(const Verify *verify, const Pass *pass, const Stage *stage)
{
    Scalar index = stage->before->type;
    if (!stage->adapter.has_table)
        return;
    if (pass->context == CONTEXT_SUB) {
        Diag *diag =
            diag_add(verify->diags, DIAG_SUB_TABLE, report_at(stage->at.table, stage->span),
                     "the fetch adapter of the sub context has no table");
        diag_help(diag, "look values up in a pass of the main context");
    }
    if (!is_table_index(index)) {
        Diag *diag = diag_add(
            verify->diags, DIAG_FETCH_TABLE_INDEX, report_at(stage->at.table, stage->span),
            "values of {} do not index a table; integers of at most 8 bits do", scalar_name(index));
        diag_help(diag,
                  "store the tensor as i8 or u8, or compute the function in the Vector Engine");
        return;
    }
    int64_t values = value_count(index);
    if (stage->adapter.table_count != values)
        report_entries(verify, stage, index, values);
}

// A stream that came in as a parameter may be interleaved: then its Time is the axis for it.
static bool may_be_interleaved(const Verify *verify, const Stage *begin)
{
    return begin->kind == STAGE_BEGIN_INTERLEAVED ||
           (begin->kind == STAGE_INPUT &&
            begin->dims[LEVEL_TIME]->mapping.size == verify->machine->fetch_interleaved_tensors);
}

static void report_zero_point(const Verify *verify, const Stage *stage, Scalar from)
{
    Diag *diag =
        diag_add(verify->diags, DIAG_ZERO_POINT_TYPE, report_at(stage->at.zero_points, stage->span),
                 "a zero point is subtracted from integers, not from {} fetched as {}",
                 scalar_name(from), scalar_name(stage->type));
    diag_help(diag, "leave it out, or subtract it in the Vector Engine");
}

// Manual: Fetch Engine, Zero-Point Subtraction.
static void verify_zero_points(const Verify *verify, const Stage *stage)
{
    Scalar from = cast_source(stage);
    if (!stage->adapter.zero_point_count)
        return;
    if (!scalar_is_integer(from) || !scalar_is_integer(stage->type))
        report_zero_point(verify, stage, from);
    if (stage->adapter.zero_point_count > 1 && !may_be_interleaved(verify, stage->before)) {
        Diag *diag = diag_add(
            verify->diags, DIAG_ZERO_POINT_COUNT, report_at(stage->at.zero_points, stage->span),
            "{} zero points need as many interleaved tensors; this pass reads one",
            stage->adapter.zero_point_count);
        diag_help(diag, "give one zero point, or start with `begin_interleaved`");
    }
}

// Zero points are values, which a chain of stages is not known by.
// Manual: Fetch Engine, Constraints ("must fit within the target data type's range").
static void fetch_verify_place(const Verify *verify, const Pass *pass, const Stage *stage)
{
    (void)pass;
    const ScalarTraits *traits = &scalar_traits[stage->type];
    if (verify->rules == RULES_REFERENCE || !scalar_is_integer(stage->type))
        return;
    int64_t high = (int64_t)traits->maximum;
    int64_t low = traits->kind == SCALAR_KIND_SIGNED ? -high - 1 : 0;
    for (int32_t i = 0; i < stage->adapter.zero_point_count; i++) {
        int64_t point = stage->adapter.zero_points[i];
        if (point < low || point > high)
            diag_add(verify->diags, DIAG_ZERO_POINT_RANGE,
                     report_at(stage->at.zero_points, stage->span),
                     "the zero point {} is no value of {}, whose values go from {} to {}", point,
                     traits->name, low, high);
    }
}

// ---- the sequencer

// What the sequencer reads of: Element of the view. A stream that came in as a parameter has taken
// up Element as Time and Packet.
static const Expr *buffer_of(Arena *arena, const Stage *begin)
{
    const Expr *time = begin->dims[LEVEL_TIME]->expr, *packet = begin->dims[LEVEL_PACKET]->expr;
    if (begin->kind != STAGE_INPUT || time->kind == EXPR_IDENTITY)
        return packet;
    DiagList none = {.arena = arena};
    ExprList both = {0};
    *array_push(arena, &both, const Expr *) = time;
    *array_push(arena, &both, const Expr *) = packet;
    return expr_pair(&none, packet->span, &both);
}

// Time as one of two interleaved tensors sees it: without the axis that tells them apart, which is
// innermost, for the tensors take turns packet by packet.
static const Expr *time_of_one(Arena *arena, const Stage *stage)
{
    const Expr *time = stage->dims[LEVEL_TIME]->expr;
    const Atom *axis = stage->before->axis;
    DiagList none = {.arena = arena};
    ExprList parts = {0};
    expr_elements(arena, time, &parts);
    const Expr *last = parts.items[parts.count - 1];
    if (last->kind != EXPR_ATOM || !atom_equal(last->atom, axis))
        return expr_operator(&none, time->span, EXPR_STRIDE, time, axis->size);
    parts.count--;
    return parts.count ? expr_pair(&none, time->span, &parts) : expr_identity(&none, time->span);
}

// Manual: Fetch Engine, Interleaving Tensors (time[0], time[1] alternate).
static bool verify_interleave_order(const Verify *verify, const Stage *stage)
{
    const Stage *begin = stage->before;
    const Mapping *time = &stage->dims[LEVEL_TIME]->mapping;
    if (begin->kind != STAGE_BEGIN_INTERLEAVED)
        return true;
    Mapping axis = mapping_of_atom(verify->arena, begin->axis);
    if (time->size % axis.size == 0) {
        Mapping inner = shape_inner(verify->arena, time, axis.size);
        if (shape_equal(verify->arena, &inner, &axis))
            return true;
    }
    Diag *diag = diag_add(
        verify->diags, DIAG_INTERLEAVE_ORDER, stage->span,
        "two tensors are read in turns, so `{}` is the innermost axis of Time; `{}` ends otherwise",
        begin->axis->name, report_dim(verify, stage->dims[LEVEL_TIME]));
    Str ending = str_format(verify->arena, ".., {}", begin->axis->name);
    diag_help(diag, "write Time as `{}`", report_written(verify, ending));
    return false;
}

// What the sequencer of a fetch is asked for.
static SequenceRequest fetch_request(Arena *arena, const Machine *machine, const Pass *pass,
                                     const Stage *stage)
{
    const Stage *begin = stage->before;
    bool interleaved = begin->kind == STAGE_BEGIN_INTERLEAVED;
    Scalar type = begin->type;
    return (SequenceRequest){
        .machine = machine,
        .engine = SEQUENCE_FETCH,
        .context = pass->context,
        .buffer = buffer_of(arena, begin),
        .time = interleaved ? time_of_one(arena, stage) : stage->dims[LEVEL_TIME]->expr,
        .packet = stage->dims[LEVEL_PACKET]->expr,
        .type = type,
        .cast = stage->adapter.has_table ? type : stage->type, // a table is no cast of the index
        .is_index = stage->adapter.has_table,
    };
}

// What the output alone has told before the sequencer was asked.
static bool is_said(DiagCode code, bool packet_is_whole)
{
    return code == DIAG_SEQUENCE_CAST || code == DIAG_SEQUENCE_FETCH_PACKET ||
           (code == DIAG_SEQUENCE_SUB_BYTE && !packet_is_whole);
}

static void report_sequence(const Verify *verify, const DiagList *found, const Stage *stage)
{
    DiagList rest = {.arena = verify->arena};
    int64_t bytes;
    bool whole = scalar_bytes(stage->type, stage->dims[LEVEL_PACKET]->mapping.size, &bytes);
    for (int64_t i = 0; i < found->count; i++)
        if (!is_said(found->items[i]->code, whole))
            *array_push(verify->arena, &rest, Diag *) = found->items[i];
    report_again(verify, &rest, stage->span);
}

// Takes out of `residue` whatever `expr` cuts down to its first position, `X = 1`: that leaves no
// term, but it is written.
static void take_slices(const Verify *verify, const Expr *expr, Mapping *residue)
{
    if (expr->kind == EXPR_RESIZE && expr->number == 1) {
        Mapping sliced = mapping_of_expr(verify->arena, expr->inner);
        Division division = mapping_divide(verify->arena, residue, &sliced, DIVIDE_RELAXED, 1);
        *residue = division.dividend_residue;
    }
    if (expr->inner)
        take_slices(verify, expr->inner, residue);
    for (int64_t i = 0; expr->items && i < expr->count; i++)
        take_slices(verify, expr->items[i], residue);
}

// Manual: Fetch Engine, Interface ("a logical tensor move"); Sequencer, Slicing Axes.
static void verify_nothing_dropped(const Verify *verify, const Stage *stage,
                                   const SequenceRequest *request, const Sequence *sequence)
{
    Mapping left = sequence->buffer_after;
    take_slices(verify, request->time, &left);
    take_slices(verify, request->packet, &left);
    PlacedTerms terms = shape_terms(verify->arena, &left);
    if (!terms.count)
        return;
    Str term = shape_term_text(verify->arena, &terms.items[0].term, terms.items[0].resize);
    Diag *diag = diag_add(verify->diags, DIAG_FETCH_DROPS, stage->span,
                          "the stream drops `{}`, which the tensor `{}` holds", term,
                          expr_text(verify->arena, request->buffer));
    diag_help(diag,
              "walk it in Time or Packet, or say that only its first element is read: `{} = 1`",
              term);
}

// Manual: Fetch Engine, Fetch Sequencer; Sequencer, Configuration Failures.
static void verify_sequence(const Verify *verify, const Pass *pass, const Stage *stage)
{
    DiagList found = {.arena = verify->arena};
    SequenceRequest request = fetch_request(verify->arena, verify->machine, pass, stage);
    bool poisoned = request.buffer->kind == EXPR_POISON || request.time->kind == EXPR_POISON;
    Sequence sequence;
    if (!poisoned && sequencer_derive(verify->arena, &request, &found, &sequence)) {
        verify_nothing_dropped(verify, stage, &request, &sequence);
        sequence_keep(verify, stage, &sequence);
    }
    report_sequence(verify, &found, stage);
}

// ---- all of it

// The checks of the reference library, in its order.
static void verify_reference(const Verify *verify, const Stage *stage)
{
    verify_cast(verify, stage);
    sizes_verify(verify, stage->dims, stage->span);
    verify_packet(verify, stage);
    if (stage->before->sound)
        move_verify_stage(verify, stage, DIAG_FETCH_DROPS, MOVE_BROADCAST);
}

static void fetch_verify(const Verify *verify, const Pass *pass, const Stage *stage)
{
    if (verify->rules == RULES_REFERENCE) {
        verify_reference(verify, stage);
        return;
    }
    verify_cast(verify, stage);
    verify_packet(verify, stage);
    verify_mask(verify, pass, stage);
    verify_table(verify, pass, stage);
    verify_zero_points(verify, stage);
    if (stage->before->sound && verify_interleave_order(verify, stage))
        verify_sequence(verify, pass, stage);
}

// ---- the adapter

static int32_t zero_point(const FetchAdapter *adapter, int32_t which)
{
    if (!adapter->zero_point_count)
        return 0;
    return adapter->zero_points[which < adapter->zero_point_count ? which : 0];
}

// What the adapter makes of a value in memory.
static bool adapt(const Stage *fetch, int32_t which, uint32_t bits, uint32_t *result)
{
    const FetchAdapter *adapter = &fetch->adapter;
    Scalar type = fetch->before->type;
    if (adapter->has_table) {
        uint32_t mask = (UINT32_C(1) << scalar_traits[type].bits) - 1;
        bits = scalar_wrap(adapter->table_type, adapter->table[bits & mask]);
        type = adapter->table_type;
    }
    if (type != fetch->type && !scalar_convert(type, fetch->type, bits, &bits))
        return false;
    uint32_t point = (uint32_t)zero_point(adapter, which);
    *result = point ? scalar_wrap(fetch->type, bits - point) : bits;
    return true;
}

// What the value was in memory, if that is all that can be asked for.
static uint32_t unadapt(const Stage *fetch, int32_t which, uint32_t wanted)
{
    Scalar type = fetch->before->type;
    uint32_t bits, point = (uint32_t)zero_point(&fetch->adapter, which);
    if (type != fetch->type && scalar_convert(fetch->type, type, wanted, &bits))
        wanted = bits;
    return scalar_is_integer(type) ? wanted + point : wanted;
}

// A value in memory that comes out as `wanted`: that itself, the zero point, or an index of the
// table.
static bool find_pad(const Stage *fetch, int32_t which, uint32_t wanted, int64_t *bits)
{
    const FetchAdapter *adapter = &fetch->adapter;
    Scalar type = fetch->before->type;
    int64_t count = adapter->has_table ? adapter->table_count : 1;
    uint32_t first = adapter->has_table ? 0 : unadapt(fetch, which, wanted);
    for (int64_t i = 0; i < count; i++) {
        uint32_t result, tried = scalar_wrap(type, first + (uint32_t)i);
        if (!adapt(fetch, which, tried, &result) || result != wanted)
            continue;
        *bits = tried;
        return true;
    }
    return false;
}

// ---- padding

// The value that fetch gives padding, and whether it changes nothing in the reductions.
typedef struct {
    uint32_t bits;
    bool is_neutral;
} Pad;

// The least or greatest value that a number in memory can become. It serves where the type in
// memory lacks the neutral element: no 8-bit integer becomes INT32_MIN, and f8e4m3 has no infinity.
static uint32_t extreme_pad(const Stage *fetch, uint32_t neutral)
{
    Scalar type = fetch->before->type;
    if (!scalar_is_integer(type))
        return adapt(fetch, 0, unadapt(fetch, 0, neutral), &neutral) ? neutral : 0;
    uint32_t high = UINT32_C(1) << (scalar_traits[type].bits - 1), extreme;
    bool is_signed = type != SCALAR_U8;
    if (neutral == (uint32_t)INT32_MIN)
        extreme = is_signed ? high : 0;
    else
        extreme = is_signed ? high - 1 : 2 * high - 1;
    return adapt(fetch, 0, scalar_wrap(type, extreme), &extreme) ? extreme : neutral;
}

// 0 for a contraction, and if nothing is reduced; for a reduction of the Vector Engine its neutral
// element, or the nearest value of the type in memory. The inter-slice reduction comes first,
// because nothing else keeps padding out of it. Manual: Fetch Engine, Masking ("neutral values").
static Pad find_pad_value(const Pass *pass, const Stage *fetch)
{
    static const StageKind kinds[] = {STAGE_VECTOR_INTER_REDUCE, STAGE_VECTOR_INTRA_REDUCE};
    const Stage *accumulate = pass_stage(pass, STAGE_ACCUMULATE);
    Pad pad = {0, true};
    int64_t found;
    for (size_t i = 0; i < COUNT_OF(kinds) && !accumulate; i++) {
        const Stage *reduce = pass_stage(pass, kinds[i]);
        pad.is_neutral = !reduce || reduce_neutral(reduce, &pad.bits);
        if (reduce && pad.is_neutral)
            break;
        pad.bits = 0;
    }
    if (!pad.bits || find_pad(fetch, 0, pad.bits, &found))
        return pad;
    return fetch->adapter.has_table ? (Pad){0, false} : (Pad){extreme_pad(fetch, pad.bits), true};
}

static void pad_lower(const Lower *lower, const Stage *fetch, uint32_t wanted, HwFetch *out)
{
    out->pad_value = wanted;
    for (int32_t i = 0; out->masks.count && i < out->bases.count; i++) {
        int64_t bits;
        if (!find_pad(fetch, i, wanted, &bits)) {
            out->pad_registers.count = 0;
            return;
        }
        *array_push(lower->arena, &out->pad_registers, int64_t) = bits;
    }
}

static void adapter_lower(const Lower *lower, const Stage *fetch, HwFetch *out)
{
    const FetchAdapter *adapter = &fetch->adapter;
    if (adapter->has_table) {
        HwTable *table = arena_new(lower->arena, HwTable, 1);
        table->type = adapter->table_type;
        for (int64_t i = 0; i < adapter->table_count; i++)
            *array_push(lower->arena, &table->entries, int64_t) =
                scalar_wrap(adapter->table_type, adapter->table[i]);
        out->table = table;
    }
    for (int32_t i = 0; i < adapter->zero_point_count; i++)
        *array_push(lower->arena, &out->zero_points, int64_t) = adapter->zero_points[i];
}

// ---- the sequencer

static bool bases_lower(const Lower *lower, const Stage *begin, int64_t offset, HwFetch *out)
{
    for (int32_t i = 0; i < 2 && begin->sources[i]; i++) {
        const View *view = begin->sources[i];
        int64_t address;
        if (!address_lower(lower, view->tensor, view, begin->span, &address))
            return false;
        *array_push(lower->arena, &out->bases, int64_t) = address + offset;
    }
    return true;
}

const Sequence *fetch_sequence(Arena *arena, const Machine *machine, const Pass *pass,
                               const Stage *stage, DiagList *diags)
{
    const Sequence *known = stage_derived(stage, machine);
    if (known)
        return known;
    SequenceRequest request = fetch_request(arena, machine, pass, stage);
    Sequence *sequence = arena_new(arena, Sequence, 1);
    return sequencer_derive(arena, &request, diags, sequence) ? sequence : NULL;
}

// What is padded is read piece by piece, without the padding.
static bool fetch_suggest(Proposal *proposal)
{
    Arena *arena = proposal->arena;
    Mapping *time = &proposal->dims[LEVEL_TIME], *packet = &proposal->dims[LEVEL_PACKET];
    if (!proposal_has_stream(proposal) || !shape_is_padded(arena, packet))
        return true;
    PlacedTerms terms = shape_terms(arena, packet);
    for (int64_t i = terms.count - 1; i >= 0; i--) {
        *packet = mapping_of_term(arena, terms.items[i].term, terms.items[i].resize);
        if (i)
            *time = mapping_pair(arena, time, packet);
    }
    return true;
}

static bool fetch_lower(const Lower *lower, const Pass *pass, const Stage *fetch,
                        HwPipeline *pipeline)
{
    HwFetch *out = &pipeline->fetch;
    const Stage *begin = fetch->before;
    const Sequence *sequence =
        fetch_sequence(lower->scratch, lower->machine, pass, fetch, lower->diags);
    if (!sequence)
        return false;
    *out = (HwFetch){
        .nest = nest_lower(lower, sequence, begin->type, 0),
        .type = begin->type,
        .cast = fetch->type,
        .time = fetch->dims[LEVEL_TIME]->mapping.size,
        .packet_elements = sequence->packet_elements,
        .packet_bytes = sequence->packet_bytes,
        .fetches_per_packet = sequence->accesses_per_packet,
        .contiguous_bytes = sequence->contiguous_bytes,
    };
    if (!bases_lower(lower, begin, out->nest.base, out))
        return false;
    out->nest.base = out->bases.items[0];
    scalar_bytes(fetch->type, sequence->packet_elements, &out->stream_packet_bytes);
    Pad pad = find_pad_value(pass, fetch);
    MaskedFetch masked = {sequence, pad.is_neutral};
    mask_lower(lower, pass, fetch, &masked, out);
    adapter_lower(lower, fetch, out);
    pad_lower(lower, fetch, pad.bits, out);
    return true;
}

const Engine begin_engine = {
    .name = "Fetch Engine",
    .manual = "Fetch Engine",
    .verify = begin_verify,
    .verify_place = begin_verify_place,
};

const Engine fetch_engine = {
    .name = "Fetch Engine",
    .manual = "Fetch Engine",
    .verify = fetch_verify,
    .verify_place = fetch_verify_place,
    .suggest = fetch_suggest,
    .lower = fetch_lower,
};
