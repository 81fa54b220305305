// Passes: from a tensor in DM through the engines to a tensor somewhere.
#include "draft.h"

#include "base/checked.h"

typedef enum { PLAN_PLAIN, PLAN_VECTOR, PLAN_CONTRACT, PLAN_CAST, PLAN_TRANSPOSE, PLAN_VRF } Plan;

void(stage_add)(Stream *stream, Message message)
{
    buf_add(&stream->text, STR("  "));
    (buf_format)(&stream->text, message);
    buf_add_char(&stream->text, '\n');
}

// ---- types

static bool suits(Plan plan, Scalar type)
{
    Scalar result;
    switch (plan) {
    case PLAN_VECTOR:
    case PLAN_CAST:
    case PLAN_VRF:
        return type == SCALAR_I32 || type == SCALAR_F32;
    case PLAN_CONTRACT:
        return scalar_contraction_result(type, &result);
    case PLAN_PLAIN:
    case PLAN_TRANSPOSE:
        return type != SCALAR_I5 && type != SCALAR_I9;
    }
    return false;
}

// A type that the plan can use and the fetch makes of `from`. SCALAR_COUNT: none.
static Scalar choose_cast(Draft *draft, Plan plan, Scalar from)
{
    Scalar found = SCALAR_COUNT;
    int64_t seen = 0;
    for (Scalar to = 0; to < SCALAR_COUNT; to++)
        if (suits(plan, to) && scalar_fetch_cast(from, to, false) &&
            choose(draft->choices, ++seen) == 0)
            found = to;
    return found;
}

// Bytes that have run out would choose the same for ever.
static Scalar next_type(Draft *draft, Scalar type)
{
    if (!draft->choices->bytes)
        return draft_type(draft);
    do
        type = (type + 1) % SCALAR_COUNT;
    while (type == SCALAR_I5 || type == SCALAR_I9);
    return type;
}

static DraftTensor choose_source(Draft *draft, Plan plan, Scalar *to)
{
    DraftTensor *old = draft->is_neutral ? NULL : draft_pick(draft, TIER_DM);
    if (old && chance(draft->choices, 75)) {
        *to = choose_cast(draft, plan, old->type);
        if (*to != SCALAR_COUNT)
            return *old;
    }
    Scalar type = draft_type(draft);
    for (*to = choose_cast(draft, plan, type); *to == SCALAR_COUNT;
         *to = choose_cast(draft, plan, type))
        type = next_type(draft, type);
    if (draft->is_neutral)
        type = *to; // a narrow type lacks the neutral elements of a wide one
    Parts element = draft_element(draft, type), slice = draft->slice;
    Part rest;
    if (chance(draft->choices, 10))
        slice = draft_slices(draft, &rest);
    bool bare = chance(draft->choices, 20); // the stream adds padding that memory does not have
    Parts memory = bare ? draft_unpadded(draft, &element) : element;
    DraftTensor tensor = draft_param(draft, TIER_DM, type, &slice, &memory);
    draft_keep(draft, &tensor);
    if (bare)
        tensor.padded = element;
    return tensor;
}

// ---- fetch

static void print_value(Draft *draft, StrBuf *out, Scalar type)
{
    uint32_t bits = scalar_wrap(type, choose_bits(draft->choices));
    uint32_t mask = scalar_traits[type].bits < 32 ? (1U << scalar_traits[type].bits) - 1 : ~0U;
    buf_format(out, "0x{x}", bits & mask);
}

// A table that makes what the cast starts from.
static const char *make_table(Draft *draft, Scalar from, Scalar to)
{
    StrBuf out = {.arena = draft->arena};
    int64_t count = (int64_t)1 << scalar_traits[from].bits;
    Scalar type = SCALAR_COUNT;
    int64_t seen = 0;
    for (Scalar entry = 0; entry < SCALAR_COUNT; entry++)
        if (entry != SCALAR_I5 && entry != SCALAR_I9 && scalar_fetch_cast(entry, to, false) &&
            choose(draft->choices, ++seen) == 0)
            type = entry;
    if (type == SCALAR_COUNT)
        return "";
    buf_format(&out, " table {} (", scalar_name(type));
    for (int64_t i = 0; i < count; i++) {
        buf_add(&out, i ? STR(", ") : STR(""));
        print_value(draft, &out, type);
    }
    buf_add_char(&out, ')');
    return str_terminated(draft->arena, buf_str(&out));
}

static const char *make_zero_points(Draft *draft, Scalar to, bool two)
{
    int64_t high = (int64_t)scalar_traits[to].maximum;
    int64_t low = scalar_traits[to].kind == SCALAR_KIND_SIGNED ? -high - 1 : 0;
    int64_t span = min_i64(high - low + 1, 250);
    int64_t base = max_i64(low, -120);
    int64_t first = base + choose(draft->choices, span);
    int64_t second = base + choose(draft->choices, span);
    Str text = two ? str_format(draft->arena, " zero_points ({}, {})", first, second)
                   : str_format(draft->arena, " zero_points ({})", first);
    return str_terminated(draft->arena, text);
}

static const char *make_adapter(Draft *draft, const Stream *stream, Scalar from, bool two)
{
    if (draft->is_neutral)
        return "";
    bool indexes = from == SCALAR_I4 || from == SCALAR_I8 || from == SCALAR_U8;
    if (indexes && !stream->is_sub && chance(draft->choices, from == SCALAR_I4 ? 25 : 4))
        return make_table(draft, from, stream->type);
    if (scalar_is_integer(from) && scalar_is_integer(stream->type) && chance(draft->choices, 15))
        return make_zero_points(draft, stream->type, two && chance(draft->choices, 70));
    return "";
}

static Part new_axis(Draft *draft, int64_t size)
{
    return draft_part(draft, draft_axis(draft, size, size));
}

// An axis that the tensor lacks: new, or one of the others.
static void add_broadcast(Draft *draft, const Stream *stream, Parts *time)
{
    Part axis = draft_part(draft, draft->pool[choose(draft->choices, draft->pool_count)]);
    if (parts_name(&stream->packet, axis.axis) || parts_name(time, axis.axis) || axis.size > 8)
        axis = new_axis(draft, 2 + choose(draft->choices, 3));
    int64_t at = choose(draft->choices, time->count + 1);
    Parts after = {0};
    for (int64_t i = 0; i < time->count; i++) {
        if (i == at)
            parts_add(&after, axis);
        parts_add(&after, time->items[i]);
    }
    if (at == time->count)
        parts_add(&after, axis);
    *time = after;
}

// Packets of 8, 16, .. bytes, mostly a flit: the inner part of the element, padded where it is
// less.
static void cut_packet(Draft *draft, Stream *stream, const Parts *element, Plan plan)
{
    static const int64_t words[] = {4, 4, 4, 4, 4, 4, 8, 8, 2, 1, 3, 12};
    int64_t word = draft_flit(stream->type) / 4;
    int64_t size = word * words[choose(draft->choices, COUNT_OF(words))];
    Parts from = *element;
    if (plan == PLAN_TRANSPOSE)
        size = stream->type == SCALAR_I4 ? 16 : 8;
    if (plan == PLAN_VECTOR && chance(draft->choices, 15))
        size = word * 2; // of which the Vector Engine trims the rest
    if (chance(draft->choices, 12))
        draft_shuffle(draft, &from, 0, from.count);
    bool is_cut = parts_split(&from, size, &stream->time, &stream->packet);
    for (int64_t i = 0; i < 4 && !is_cut; i++) {
        Parts outer, inner = {0};
        int64_t keep = from.count - 1 - i; // the innermost parts that make up no more than that
        if (keep < 0)
            break;
        outer = from;
        outer.count = keep;
        for (int64_t k = keep; k < from.count; k++)
            parts_add(&inner, from.items[k]);
        if (parts_size(&inner) > size && i > 0)
            break;
        is_cut = true;
        stream->time = outer;
        stream->packet = inner;
        if (chance(draft->choices, 60))
            break;
    }
    int64_t padded = ceil_div(parts_size(&stream->packet), word) * word;
    if (plan == PLAN_TRANSPOSE)
        padded = max_i64(padded, size);
    if (chance(draft->choices, 20))
        padded = ceil_div(padded, 4 * word) * 4 * word;
    stream->packet = parts_pad(draft->arena, &stream->packet, padded);
}

static void stream_fetch(Draft *draft, Stream *stream, const DraftTensor *source, Plan plan)
{
    Choices *choices = draft->choices;
    DraftView view = draft_view(draft, source, source->padded.count ? 0 : 15);
    bool two = !draft->is_neutral && chance(choices, plan == PLAN_VECTOR ? 20 : 5);
    Part axis = {0};
    if (two) {
        axis = new_axis(draft, 2);
        DraftTensor other =
            draft_param(draft, TIER_DM, source->type, &source->slice, &source->element);
        view.element = source->element;
        stage_add(stream, "begin_interleaved {} %{} %{}", axis.base, source->label, other.label);
    } else {
        stage_add(stream, "begin {}", view.text);
    }
    if (source->padded.count)
        view.element = source->padded;
    cut_packet(draft, stream, &view.element, plan);
    if (chance(choices, 30))
        draft_shuffle(draft, &stream->time, 0, stream->time.count);
    if (chance(choices, 12))
        add_broadcast(draft, stream, &stream->time);
    if (two)
        parts_add(&stream->time, axis);
    const char *adapter = make_adapter(draft, stream, source->type, two);
    stage_add(stream, "fetch {} time {} packet {}{}", scalar_name(stream->type),
              draft_print(draft, &stream->time), draft_print(draft, &stream->packet), adapter);
}

void stream_collect(Draft *draft, Stream *stream)
{
    int64_t flit = draft_flit(stream->type), size = parts_size(&stream->packet);
    Parts outer, inner,
        packet = parts_pad(draft->arena, &stream->packet, ceil_div(size, flit) * flit);
    if (!parts_split(&packet, flit, &outer, &inner)) {
        stream->is_wrong = true;
        return;
    }
    parts_add_all(&stream->time, &outer);
    stream->packet = inner;
    stage_add(stream, "collect time {} packet {}", draft_print(draft, &stream->time),
              draft_print(draft, &stream->packet));
}

// ---- commit

// What of a packet is kept: all, or without its padding, or the start of it.
static Parts kept_packet(Draft *draft, const Stream *stream)
{
    Parts packet = stream->packet, bare = parts_bare(&packet);
    int64_t word = draft_flit(stream->type) / 4, size = parts_size(&bare);
    int64_t least = ceil_div(size, word) * word;
    if (least < parts_size(&packet) && packet.count == 1 && chance(draft->choices, 70))
        return parts_pad(draft->arena, &bare, least);
    if (packet.count == 1 && packet.items[0].axis >= 0 && packet.items[0].size > word &&
        chance(draft->choices, 10)) {
        int64_t taken = word * (1 + choose(draft->choices, packet.items[0].size / word));
        const char *text = draft_print(draft, &packet);
        Str base = str_format(draft->arena, "{} = {}", text, taken);
        return parts_of((Part){str_terminated(draft->arena, base), taken, 1, taken, -1, NULL});
    }
    return packet;
}

static const char *places_text(Draft *draft, const Stream *stream)
{
    Str text =
        str_format(draft->arena, "chip {} cluster {} slice {}", draft_print(draft, &stream->chip),
                   draft_print(draft, &stream->cluster), draft_print(draft, &stream->slice));
    return str_terminated(draft->arena, text);
}

// One position of a new axis round the element, of a tensor that holds something else besides.
static void commit_part(Draft *draft, Stream *stream, const DraftTensor *made)
{
    int64_t count = 2 + choose(draft->choices, 3), start = choose(draft->choices, count);
    Part axis = new_axis(draft, count);
    Parts whole = parts_of(axis), tile = parts_of(part_padding(count));
    parts_add_all(&whole, &made->element);
    parts_add_all(&tile, &made->element);
    DraftTensor into = *made;
    into.element = whole;
    buf_format(&draft->params, "%{} = {} dm {} {} element {} at 0x{x}\n", made->label,
               chance(draft->choices, 70) ? "param" : "from_addr", scalar_name(made->type),
               places_text(draft, stream), draft_print(draft, &whole),
               (uint64_t)draft_address(draft, TIER_DM, made->type, &whole));
    stage_add(stream, "commit_view -> %{}.tile<[{}], 1, {}>({})", made->label, axis.base,
              draft_print(draft, &tile), start);
    draft_keep(draft, &into);
}

void stream_commit(Draft *draft, Stream *stream)
{
    Parts kept = kept_packet(draft, stream);
    DraftTensor made = {.label = draft->label_count++,
                        .tier = TIER_DM,
                        .type = stream->type,
                        .chip = stream->chip,
                        .cluster = stream->cluster,
                        .slice = stream->slice,
                        .element = stream->time};
    if (chance(draft->choices, 30))
        draft_shuffle(draft, &made.element, 0, made.element.count);
    parts_add_all(&made.element, &kept);
    if (made.element.is_full || parts_size(&made.element) > 1 << 14) {
        stream->is_wrong = true;
    } else if (chance(draft->choices, 12)) {
        commit_part(draft, stream, &made);
    } else {
        stage_add(stream, "commit -> %{} = dm element {} at 0x{x}", made.label,
                  draft_print(draft, &made.element),
                  (uint64_t)draft_address(draft, TIER_DM, stream->type, &made.element));
        draft_keep(draft, &made);
    }
}

// ---- cast, transpose, registers

static void stream_cast(Draft *draft, Stream *stream)
{
    Scalar to = stream->type;
    int64_t seen = 0;
    for (Scalar type = 0; type < SCALAR_COUNT; type++)
        if (scalar_cast_engine(stream->type, type) && choose(draft->choices, ++seen) == 0)
            to = type;
    stream->type = to;
    stream->packet = parts_pad(draft->arena, &stream->packet, draft_flit(to));
    stage_add(stream, "cast {} packet {}", scalar_name(to), draft_print(draft, &stream->packet));
}

// Time [outer, rows, columns] and Packet become [outer, columns, Packet] and the rows.
static void stream_transpose(Draft *draft, Stream *stream)
{
    int64_t used = stream->type == SCALAR_I4 ? 16 : 8, flit = draft_flit(stream->type);
    int64_t columns = (int64_t)1 << choose(draft->choices, 3), most = flit / 4;
    int64_t rows = (int64_t)1 << choose(draft->choices, 5);
    Parts outer, inner, row, column = {0}, elements = stream->packet;
    if (elements.count == 1 && elements.items[0].inside)
        elements = *elements.items[0].inside;
    while (columns > 1 && !parts_split(&stream->time, columns, &outer, &column))
        columns /= 2;
    if (!parts_split(&stream->time, columns, &outer, &column))
        return;
    while (rows > most || (rows > 1 && !parts_split(&outer, rows, &inner, &row)))
        rows /= 2;
    if (rows < 2 || !parts_split(&outer, rows, &inner, &row) || parts_size(&elements) > used)
        return;
    stream->time = inner;
    parts_add_all(&stream->time, &column);
    parts_add_all(&stream->time, &elements);
    stream->packet = parts_pad(draft->arena, &row, flit);
    stage_add(stream, "transpose time {} packet {}", draft_print(draft, &stream->time),
              draft_print(draft, &stream->packet));
}

static void stream_to_vrf(Draft *draft, Stream *stream)
{
    Parts element = stream->time;
    parts_add_all(&element, &stream->packet);
    if (draft->vrf_next + 4 * parts_size(&element) > 8192)
        stream->is_wrong = true;
    stage_add(stream, "to_vrf -> %{} = vrf element {} at 0x{x}", draft->label_count++,
              draft_print(draft, &element),
              (uint64_t)draft_address(draft, TIER_VRF, stream->type, &element));
}

// ---- the whole

static Plan choose_plan(Draft *draft)
{
    static const Plan plans[] = {PLAN_PLAIN,    PLAN_PLAIN,    PLAN_VECTOR, PLAN_VECTOR,
                                 PLAN_VECTOR,   PLAN_VECTOR,   PLAN_VECTOR, PLAN_CONTRACT,
                                 PLAN_CONTRACT, PLAN_CONTRACT, PLAN_CAST,   PLAN_TRANSPOSE};
    return draft->is_neutral ? PLAN_VECTOR : plans[choose(draft->choices, COUNT_OF(plans))];
}

static void finish(Draft *draft, Stream *stream, Plan plan)
{
    bool is_wide = stream->type == SCALAR_I32 || stream->type == SCALAR_F32;
    int64_t kind = choose(draft->choices, 100);
    if (plan == PLAN_CAST || (is_wide && plan != PLAN_PLAIN && kind < 25)) {
        stream_cast(draft, stream);
        if (chance(draft->choices, 20))
            stream_transpose(draft, stream);
    } else if (plan == PLAN_TRANSPOSE ||
               ((plan == PLAN_VECTOR || plan == PLAN_CONTRACT) && kind < 35)) {
        stream_transpose(draft, stream);
    } else if (is_wide && plan == PLAN_VECTOR && kind < 40) {
        stream_to_vrf(draft, stream);
        return;
    }
    stream_commit(draft, stream);
}

void draft_pass(Draft *draft)
{
    Choices *choices = draft->choices;
    Plan plan = choose_plan(draft);
    Stream stream = {.text = {.arena = draft->arena}};
    DraftTensor source = choose_source(draft, plan, &stream.type);
    stream.is_sub = plan == PLAN_PLAIN && chance(choices, 40);
    stream.chip = source.chip;
    stream.cluster = source.cluster;
    stream.slice = source.slice;
    stream_fetch(draft, &stream, &source, plan);
    bool may_commit = parts_size(&stream.packet) == draft_flit(stream.type);
    if (chance(choices, 20))
        stream_switch(draft, &stream);
    if (plan != PLAN_PLAIN || !may_commit || chance(choices, 70))
        stream_collect(draft, &stream);
    stream.is_wrong |= plan == PLAN_CONTRACT &&
                       (parts_have_holes(&stream.time) || parts_have_holes(&stream.packet));
    if (plan == PLAN_CONTRACT && !stream.is_wrong)
        stream_contract(draft, &stream);
    if ((plan == PLAN_VECTOR || (plan == PLAN_CONTRACT && chance(choices, 30))) && !stream.is_wrong)
        stream_vector(draft, &stream);
    if (!stream.is_wrong)
        finish(draft, &stream, plan);
    if (!stream.is_wrong)
        draft_op(draft, "pass {}\n{}", stream.is_sub ? "sub" : "main", buf_str(&stream.text));
}
