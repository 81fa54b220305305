// The Vector Engine: from its entry to its exit, through some of its stages in their order.
#include "draft.h"

#include "base/checked.h"
#include "program/text_form.h"

#include <string.h>

enum { LANES = 8, HALF = 4, VRF_BYTES = 8192 };

typedef struct {
    Draft *draft;
    Stream *stream;
    Choices *choices;
    bool used[ALU_COUNT];
    Scalar entry;
    BranchKind branch;
    bool has_ids; // which tell groups apart
    bool has_stash, reads_stash, is_pair, was_pair, way4;
    int64_t zip_at;  // a VectorStage; of a pair only
    int64_t reduced; // axis that is to be reduced in the slice; -1: none
} Vector;

// ---- operands

// A tensor in VRF that lacks some axes of the stream. False: there is no room for it.
static bool load_vrf(Vector *v, Scalar type, int64_t *label)
{
    Draft *draft = v->draft;
    Stream *stream = v->stream;
    Parts time = {0}, packet = {0}, element;
    for (int64_t i = 0; i < stream->time.count; i++)
        if (stream->time.items[i].base && chance(v->choices, 45))
            parts_add(&time, stream->time.items[i]);
    if (chance(v->choices, 75))
        packet = stream->packet;
    element = time;
    parts_add_all(&element, &packet);
    Parts flit = parts_pad(draft->arena, &packet, LANES), memory = time;
    parts_add_all(&memory, &flit);
    if (draft->vrf_next + 4 * parts_size(&element) > VRF_BYTES || parts_have_group(&stream->time) ||
        parts_have_group(&stream->packet))
        return false;
    DraftTensor source = draft_param(draft, TIER_DM, type, &stream->slice, &memory);
    const char *steps = draft_print(draft, &time), *lanes = draft_print(draft, &flit);
    *label = draft->label_count++;
    draft_op(draft,
             "pass {}\n  begin %{}\n  fetch {} time {} packet {}\n  collect time {} packet {}\n  "
             "to_vrf -> %{} = vrf element {} at 0x{x}\n",
             chance(v->choices, 60) ? "sub" : "main", source.label, scalar_name(type), steps, lanes,
             steps, lanes, *label, draft_print(draft, &element),
             (uint64_t)draft_address(draft, TIER_VRF, type, &element));
    return true;
}

static void print_constant(Vector *v, StrBuf *out, Scalar type)
{
    static const uint32_t floats[] = {0,          0x80000000, 0x3f800000, 0xbf000000, 0x7f800000,
                                      0x7fc00000, 0x00000001, 0x40490fdb, 0xff800000, 0x3dcccccd};
    uint32_t bits = choose_bits(v->choices);
    if (type == SCALAR_F32) {
        if (chance(v->choices, 80))
            bits = floats[bits % COUNT_OF(floats)];
        buf_format(out, "f32:0x{08x}", bits);
        return;
    }
    int64_t kind = choose(v->choices, 4);
    int32_t value = (int32_t)bits;
    buf_format(out, "{}", kind == 0 ? value % 8 : kind == 1 ? value % 32 : value);
}

static void print_condition(Vector *v, StrBuf *out, bool must)
{
    if (v->has_ids && (must || chance(v->choices, 35)))
        buf_add(out, chance(v->choices, 50) ? STR(" group Zero") : STR(" group One"));
}

static void print_operand(Vector *v, StrBuf *out, bool is_ternary)
{
    int64_t label, kind = choose(v->choices, 10);
    Scalar type = v->stream->type;
    if (v->reads_stash && v->entry == type && !v->is_pair && kind > 7)
        buf_add(out, STR("stash"));
    else if (kind > 5 && load_vrf(v, type, &label))
        buf_format(out, "%{}", label);
    else
        print_constant(v, out, type);
    if (is_ternary) {
        buf_add(out, STR(" with "));
        print_constant(v, out, SCALAR_F32);
    }
}

static void print_operands(Vector *v, StrBuf *out, bool is_ternary)
{
    int64_t count = v->is_pair ? 2 : v->has_ids && chance(v->choices, 40) ? 2 : 1;
    if (v->has_ids && count == 2 && chance(v->choices, 20))
        count = 3 + choose(v->choices, 3);
    for (int64_t i = 0; i < count; i++) {
        buf_add(out, i ? STR(", ") : STR(" "));
        if (v->is_pair && chance(v->choices, 25)) {
            buf_add(out, STR("_"));
            continue;
        }
        print_operand(v, out, is_ternary);
        if (!v->is_pair)
            print_condition(v, out, i > 0 || count > 1);
    }
}

// ---- operations

static const char *const mul_alus[] = {"Mul0", "Mul1", "Fma"};
static const VectorAlu mul_alu_numbers[] = {ALU_FpMul0, ALU_FpMul1, ALU_FpFma};

// An operation of the stage whose ALU is free. False: there is none.
static bool print_op(Vector *v, StrBuf *out, StageKind kind)
{
    VectorFamily family = stage_family(kind, v->stream->type);
    VectorOp found = VECTOR_OP_COUNT;
    int64_t seen = 0;
    for (VectorOp op = 0; op < VECTOR_OP_COUNT; op++)
        if (vector_ops[op].family == family &&
            (vector_ops[op].alu == ALU_NONE || !v->used[vector_ops[op].alu]) &&
            choose(v->choices, ++seen) == 0)
            found = op;
    if (found == VECTOR_OP_COUNT)
        return false;
    VectorAlu alu = vector_ops[found].alu;
    buf_format(out, " {}", vector_ops[found].name);
    if (alu == ALU_NONE && family == FAMILY_FpBinaryOp) {
        int64_t which = choose(v->choices, COUNT_OF(mul_alus));
        alu = mul_alu_numbers[which];
        if (v->used[alu])
            return false;
        buf_format(out, "({})", mul_alus[which]);
    }
    if (alu != ALU_NONE)
        v->used[alu] = true;
    return true;
}

static void print_mode(Vector *v, StrBuf *out, int arity)
{
    if (!chance(v->choices, 40))
        return;
    ArgMode found = MODE_DEFAULT;
    int64_t seen = 0;
    for (ArgMode mode = 0; mode < MODE_COUNT; mode++)
        if (arg_modes[mode].count == arity && choose(v->choices, ++seen) == 0)
            found = mode;
    if (found != MODE_DEFAULT)
        buf_format(out, " {}", arg_modes[found].name);
}

static void add_unary(Vector *v)
{
    StrBuf out = {.arena = v->draft->arena};
    if (!print_op(v, &out, STAGE_VECTOR_FP_UNARY))
        return;
    print_mode(v, &out, 1);
    if (v->is_pair)
        buf_format(&out, " {}, {}", chance(v->choices, 60) ? "true" : "false",
                   chance(v->choices, 60) ? "true" : "false");
    stage_add(v->stream, "vector_fp_unary{}", buf_str(&out));
}

static void add_op(Vector *v, StageKind kind)
{
    StrBuf out = {.arena = v->draft->arena};
    bool is_ternary = kind == STAGE_VECTOR_FP_TERNARY;
    if (!print_op(v, &out, kind))
        return;
    print_mode(v, &out, is_ternary ? 3 : 2);
    print_operands(v, &out, is_ternary);
    stage_add(v->stream, "{}{}", stages[kind].method, buf_str(&out));
}

static void add_zip(Vector *v, StageKind kind)
{
    StrBuf out = {.arena = v->draft->arena};
    if (!print_op(v, &out, kind))
        return;
    print_mode(v, &out, 2);
    stage_add(v->stream, "{}{}", stages[kind].method, buf_str(&out));
    v->is_pair = false;
}

static void add_some(Vector *v, StageKind kind, int64_t most)
{
    for (int64_t i = choose(v->choices, most + 1); i > 0; i--)
        add_op(v, kind);
}

static void maybe_stash(Vector *v)
{
    if (v->was_pair || v->has_stash || v->entry != v->stream->type || !chance(v->choices, 15))
        return;
    v->has_stash = v->reads_stash = true;
    stage_add(v->stream, "vector_stash");
}

// ---- the way in

static void add_comparisons(Vector *v, StrBuf *out)
{
    for (int i = 0; i < BRANCH_COMPARISONS; i++) {
        CompareKind kind = (CompareKind)choose(v->choices, COMPARE_COUNT);
        buf_format(out, "{} {} ", i ? "," : "", compare_names[kind]);
        if (kind == COMPARE_TRUE || kind == COMPARE_FALSE)
            buf_format(out, "{}", scalar_name(v->stream->type));
        else
            print_constant(v, out, v->stream->type);
    }
}

static int64_t stream_axis(Vector *v)
{
    const Parts *levels[] = {&v->stream->time, &v->stream->packet, &v->stream->slice};
    int64_t found = -1, seen = 0;
    for (size_t i = 0; i < COUNT_OF(levels); i++)
        for (int64_t k = 0; k < levels[i]->count; k++)
            if (levels[i]->items[k].axis >= 0 && choose(v->choices, ++seen) == 0)
                found = levels[i]->items[k].axis;
    return found;
}

static bool is_padded(const Vector *v, int64_t axis)
{
    return axis >= 0 && v->draft->axes[axis].whole > v->draft->axes[axis].size;
}

static void add_branch(Vector *v)
{
    StrBuf out = {.arena = v->draft->arena};
    int64_t axis = stream_axis(v), label;
    v->branch = (BranchKind)choose(v->choices, BRANCH_COUNT);
    if (is_padded(v, v->reduced) && chance(v->choices, 85))
        v->branch = BRANCH_VALID_COUNT;
    if (v->branch == BRANCH_VALID_COUNT && v->reduced < 0 && chance(v->choices, 60))
        v->branch = BRANCH_COMPARISON;
    if ((v->branch == BRANCH_AXIS_TOGGLE && axis < 0) ||
        (v->branch == BRANCH_VRF && !load_vrf(v, SCALAR_I32, &label)))
        v->branch = BRANCH_UNCONDITIONAL;
    v->has_ids = v->branch != BRANCH_UNCONDITIONAL && v->branch != BRANCH_VALID_COUNT;
    buf_format(&out, " {}", branch_names[v->branch]);
    if (v->branch == BRANCH_AXIS_TOGGLE)
        buf_format(&out, " {}", v->draft->axes[axis].name);
    else if (v->branch == BRANCH_VRF)
        buf_format(&out, " %{}", label);
    else if (v->branch == BRANCH_COMPARISON)
        add_comparisons(v, &out);
    stage_add(v->stream, "vector_intra_slice_branch{}", buf_str(&out));
}

// Two groups along an axis of two in Time. False: there is none.
static bool add_unzip(Vector *v)
{
    static const VectorStage places[] = {VECTOR_LOGIC, VECTOR_FXP, VECTOR_FP, VECTOR_CLIP};
    Draft *draft = v->draft;
    Parts *time = &v->stream->time, tile = *time;
    int64_t at = time->count - 1;
    while (at >= 0 && (!part_is_whole(&time->items[at]) || time->items[at].size != 2 ||
                       draft->axes[time->items[at].axis].size != 2))
        at--;
    if (at < 0)
        return false;
    Part axis = time->items[at];
    tile.items[at] = part_padding(2);
    *time = parts_without(time, at);
    stage_add(v->stream, "vector_intra_slice_unzip {} tile_time {} time {}", axis.base,
              draft_print(draft, &tile), draft_print(draft, time));
    v->is_pair = v->was_pair = true;
    v->zip_at = places[choose(v->choices, COUNT_OF(places))];
    return true;
}

// ---- reductions

// An axis whose parts in Time and Packet can go: it fills Packet, or is not in it.
static int64_t choose_reduced(Vector *v)
{
    const Parts *time = &v->stream->time, *packet = &v->stream->packet;
    int64_t found = -1, seen = 0;
    for (int64_t i = 0; i < time->count; i++)
        if (time->items[i].axis >= 0 && !parts_name(packet, time->items[i].axis) &&
            choose(v->choices, ++seen) == 0)
            found = time->items[i].axis;
    Parts bare = parts_bare(packet);
    if (bare.count == 1 && bare.items[0].axis >= 0 && choose(v->choices, ++seen) == 0)
        found = bare.items[0].axis;
    return found;
}

static void add_intra_reduce(Vector *v)
{
    StrBuf out = {.arena = v->draft->arena};
    Stream *stream = v->stream;
    if (v->reduced < 0 || v->was_pair || !print_op(v, &out, STAGE_VECTOR_INTRA_REDUCE))
        return;
    Parts time = {0};
    for (int64_t i = 0; i < stream->time.count; i++) {
        const Part *part = &stream->time.items[i];
        bool is_inside = part->inside && parts_name(part->inside, v->reduced);
        if (part->axis != v->reduced && !is_inside)
            parts_add(&time, *part);
    }
    if (parts_name(&stream->packet, v->reduced))
        stream->packet = parts_of(part_padding(HALF));
    stream->time = time;
    stage_add(stream, "vector_intra_slice_reduce {}{} time {} packet {}",
              v->draft->axes[v->reduced].name, buf_str(&out), draft_print(v->draft, &stream->time),
              draft_print(v->draft, &stream->packet));
    v->reads_stash = false; // it has axes that the stream lost
}

static int64_t bits_of(int64_t size)
{
    int64_t bits = 0;
    while ((int64_t)1 << bits < size)
        bits++;
    return bits;
}

// Bits *low .. *high - 1 of a slice: a whole axis with padding, if there is one, or any.
static void choose_reduced_slices(Vector *v, int64_t *low, int64_t *high)
{
    const Parts *slice = &v->stream->slice;
    int64_t inner = 0;
    *high = 1 + choose(v->choices, v->draft->slice_bits);
    *low = choose(v->choices, *high);
    for (int64_t i = slice->count - 1; i >= 0; i--) {
        const Part *part = &slice->items[i];
        int64_t outer = inner + bits_of(part->size);
        if (part_is_whole(part) && is_padded(v, part->axis) && chance(v->choices, 60)) {
            *low = inner;
            *high = outer;
        }
        inner = outer;
    }
}

// Slices of some part of Slice become one: padding, a new axis, or one that Time gives up.
static void add_inter_reduce(Vector *v)
{
    StrBuf out = {.arena = v->draft->arena};
    Draft *draft = v->draft;
    Stream *stream = v->stream;
    int64_t bits, low, count;
    Parts high, middle, inner;
    choose_reduced_slices(v, &low, &bits);
    count = (int64_t)1 << (bits - low);
    if (!parts_split(&stream->slice, (int64_t)1 << bits, &high, &inner) ||
        !parts_split(&inner, (int64_t)1 << low, &middle, &inner))
        return;
    int64_t at = stream->time.count - 1, kind = choose(v->choices, 3);
    print_op(v, &out, STAGE_VECTOR_INTER_REDUCE);
    while (at >= 0 && stream->time.items[at].size != count)
        at--;
    if (kind == 0 && at >= 0) {
        parts_add(&high, stream->time.items[at]);
        stream->time = parts_without(&stream->time, at);
    } else {
        parts_add(&high, kind == 1 ? draft_part(draft, draft_axis(draft, count, count))
                                   : part_padding(count));
    }
    parts_add_all(&high, &inner);
    stream->slice = high;
    stage_add(stream, "vector_inter_slice_reduce{} slice {} time {}", buf_str(&out),
              draft_print(draft, &stream->slice), draft_print(draft, &stream->time));
    memset(v->used, 0, sizeof v->used);
    v->has_ids = v->reads_stash = false;
}

// Fewer packets: of the outermost part of Time, some.
static void add_filter(Vector *v)
{
    Stream *stream = v->stream;
    StrBuf out = {.arena = v->draft->arena};
    print_condition(v, &out, true);
    if (stream->time.count > 1 && chance(v->choices, 50))
        stream->time = parts_without(&stream->time, choose(v->choices, stream->time.count));
    stage_add(stream, "vector_filter{} time {}", buf_str(&out),
              draft_print(v->draft, &stream->time));
}

// ---- the stages

static void add_narrow(Vector *v)
{
    Draft *draft = v->draft;
    Stream *stream = v->stream;
    const Part *only = stream->packet.count == 1 ? &stream->packet.items[0] : NULL;
    Parts outer, inner;
    bool is_small = only && (!only->base || (only->inside && parts_size(only->inside) <= HALF));
    if (is_small && !v->is_pair && chance(v->choices, 70)) {
        Parts inside = only->inside ? *only->inside : (Parts){0};
        stream->packet = parts_pad(draft->arena, &inside, HALF);
        stage_add(stream, "vector_trim_way4 packet {}", draft_print(draft, &stream->packet));
    } else {
        if (!parts_split(&stream->packet, HALF, &outer, &inner))
            return;
        parts_add_all(&stream->time, &outer);
        stream->packet = inner;
        stage_add(stream, "vector_split time {} packet {}", draft_print(draft, &stream->time),
                  draft_print(draft, &stream->packet));
    }
    v->way4 = true;
}

static void add_widen(Vector *v)
{
    Stream *stream = v->stream;
    Parts outer, inner;
    if ((v->is_pair || chance(v->choices, 60)) && parts_split(&stream->time, 2, &outer, &inner)) {
        stream->time = outer;
        parts_add_all(&inner, &stream->packet);
        stream->packet = inner;
        stage_add(stream, "vector_concat time {} packet {}", draft_print(v->draft, &stream->time),
                  draft_print(v->draft, &stream->packet));
    } else {
        stream->packet = parts_pad(v->draft->arena, &stream->packet, LANES);
        stage_add(stream, "vector_pad_way8 packet {}", draft_print(v->draft, &stream->packet));
    }
    v->way4 = false;
}

static void add_floats(Vector *v)
{
    static const StageKind kinds[] = {STAGE_VECTOR_FP_UNARY, STAGE_VECTOR_FP_BINARY,
                                      STAGE_VECTOR_FP_TERNARY, STAGE_VECTOR_FP_BINARY};
    for (int64_t i = choose(v->choices, 4); i > 0; i--) {
        StageKind kind = kinds[choose(v->choices, COUNT_OF(kinds))];
        if (kind == STAGE_VECTOR_FP_UNARY)
            add_unary(v);
        else if (kind != STAGE_VECTOR_FP_TERNARY || v->entry == SCALAR_F32)
            add_op(v, kind);
        maybe_stash(v);
    }
}

static void add_way4(Vector *v)
{
    bool is_float = v->stream->type == SCALAR_F32;
    maybe_stash(v);
    if (is_float)
        add_floats(v);
    if (v->is_pair && v->zip_at == VECTOR_FP && is_float)
        add_zip(v, STAGE_VECTOR_FP_ZIP);
    add_intra_reduce(v);
    if (is_float && chance(v->choices, 25))
        add_op(v, STAGE_VECTOR_FP_DIV);
    add_widen(v);
}

static void add_conversion(Vector *v, Scalar from, Scalar to, const char *method, int64_t percent)
{
    if (v->stream->type != from || !chance(v->choices, percent))
        return;
    int64_t width = chance(v->choices, 50) ? 31 : choose(v->choices, 32);
    stage_add(v->stream, "{} {}", method, width);
    v->stream->type = to;
}

static void add_intra(Vector *v)
{
    bool wants_zip = v->is_pair;
    maybe_stash(v);
    if (chance(v->choices, 40))
        add_some(v, STAGE_VECTOR_LOGIC, 3);
    if (wants_zip && v->zip_at == VECTOR_LOGIC)
        add_zip(v, STAGE_VECTOR_LOGIC_ZIP);
    maybe_stash(v);
    if (v->stream->type == SCALAR_I32 && chance(v->choices, 60))
        add_some(v, STAGE_VECTOR_FXP, 3);
    if (v->is_pair && v->zip_at == VECTOR_FXP && v->stream->type == SCALAR_I32)
        add_zip(v, STAGE_VECTOR_FXP_ZIP);
    maybe_stash(v);
    bool wants_fp = v->is_pair && v->zip_at == VECTOR_FP;
    add_conversion(v, SCALAR_I32, SCALAR_F32, "vector_fxp_to_fp", wants_fp ? 90 : 25);
    if (v->reduced >= 0 || wants_fp || chance(v->choices, 45))
        add_narrow(v);
    if (v->way4)
        add_way4(v);
    add_conversion(v, SCALAR_F32, SCALAR_I32, "vector_fp_to_fxp", 30);
    if (chance(v->choices, 50))
        add_some(v, STAGE_VECTOR_CLIP, 3);
    if (v->is_pair)
        add_zip(v, STAGE_VECTOR_CLIP_ZIP);
    maybe_stash(v);
    v->stream->is_wrong = v->is_pair || v->way4;
}

// Over slices, within them, or both, and nothing else.
static void add_neutral(Vector *v)
{
    bool is_intra = chance(v->choices, 70);
    if (is_intra) {
        v->reduced = choose_reduced(v);
        stage_add(v->stream, "vector_intra_slice_branch Unconditional");
        add_narrow(v);
        if (v->way4)
            add_intra_reduce(v);
        if (v->way4)
            add_widen(v);
    } else {
        add_inter_reduce(v);
    }
    stage_add(v->stream, "vector_final");
}

void stream_vector(Draft *draft, Stream *stream)
{
    Vector v = {.draft = draft,
                .stream = stream,
                .choices = draft->choices,
                .entry = stream->type,
                .reduced = -1};
    if (parts_size(&stream->packet) != LANES)
        return;
    stage_add(stream, "vector_init");
    if (draft->is_neutral) {
        add_neutral(&v);
        return;
    }
    bool inter_first = chance(v.choices, 12);
    if (inter_first)
        add_inter_reduce(&v);
    bool has_intra = !inter_first || chance(v.choices, 70);
    bool is_pair = !inter_first && chance(v.choices, 50) && add_unzip(&v);
    if (has_intra && !is_pair) {
        v.reduced = chance(v.choices, 30) ? choose_reduced(&v) : -1;
        add_branch(&v);
    }
    if (has_intra)
        add_intra(&v);
    if (!inter_first && chance(v.choices, 15))
        add_inter_reduce(&v);
    else if (v.has_ids && !v.was_pair && chance(v.choices, 20))
        add_filter(&v);
    stage_add(stream, "vector_final");
}
