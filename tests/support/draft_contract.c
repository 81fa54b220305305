// Contractions: what the stream is multiplied with, where it is read from, what is summed.
#include "draft.h"

#include "base/checked.h"

enum { TRF_HALF = 32768, MOST_OUTPUTS = 32, LANES = 8 };

typedef struct {
    Draft *draft;
    Stream *stream;
    Part row;
    Parts time;        // of the aligned stream
    Parts high;        // of its packet, outside the flit
    Parts tiled;       // innermost in Time: axes of the TRF tensor alone
    Parts held, trf;   // of Time, what the TRF tensor has; all of it
    const char *place; // in TRF
    int64_t label;
} Contraction;

static Part new_axis(Draft *draft, int64_t size, int64_t whole)
{
    return draft_part(draft, draft_axis(draft, size, whole));
}

// Two flits a packet: two of the stream, one and padding, or one that the TRF tensor pairs with
// two.
static void choose_packet(Contraction *c)
{
    Draft *draft = c->draft;
    c->time = c->stream->time;
    int64_t kind = choose(draft->choices, 4);
    if (kind < 2 && parts_split(&c->stream->time, 2, &c->time, &c->high))
        return;
    if (kind == 2)
        c->high = parts_of(new_axis(draft, 2, 2));
    else
        c->high = parts_of(part_padding(2));
    if (chance(draft->choices, 30)) {
        int64_t size = 2 + choose(draft->choices, 3);
        c->tiled = parts_of(new_axis(draft, size, size));
        parts_add_all(&c->time, &c->tiled);
    }
}

static void choose_row(Contraction *c)
{
    static const int64_t counts[] = {1, 2, 4, 8, 8, 8};
    int64_t whole = counts[choose(c->draft->choices, COUNT_OF(counts))];
    bool is_padded = whole > 2 && chance(c->draft->choices, 20);
    c->row = new_axis(c->draft, is_padded ? whole - 1 : whole, whole);
}

// What the TRF tensor lacks of Time, it is read again for.
static bool choose_trf(Contraction *c)
{
    static const char *const places[] = {"FirstHalf", "SecondHalf", "Full"};
    Draft *draft = c->draft;
    for (int64_t i = 0; i < c->time.count; i++) {
        const Part *part = &c->time.items[i];
        bool is_tiled = i >= c->time.count - c->tiled.count;
        if (is_tiled || (part->base && chance(draft->choices, 40)))
            parts_add(&c->held, *part);
    }
    c->trf = c->held;
    if (c->high.items[0].base)
        parts_add_all(&c->trf, &c->high);
    parts_add_all(&c->trf, &c->stream->packet);
    c->place = places[choose(draft->choices, COUNT_OF(places))];
    c->label = draft->label_count++;
    int64_t bits = scalar_traits[c->stream->type].packet_bits;
    return parts_size(&c->trf) * c->row.size * bits / 8 <= TRF_HALF && !c->trf.is_full;
}

static void load_trf(Contraction *c)
{
    Draft *draft = c->draft;
    Stream *stream = c->stream;
    Scalar type = stream->type == SCALAR_I5   ? SCALAR_I4
                  : stream->type == SCALAR_I9 ? SCALAR_I8
                                              : stream->type;
    Parts element = parts_of(c->row), time = parts_of(c->row);
    parts_add_all(&element, &c->trf);
    DraftTensor weights = draft_param(draft, TIER_DM, type, &stream->slice, &element);
    parts_add_all(&time, &c->held);
    if (c->high.items[0].base)
        parts_add_all(&time, &c->high);
    const char *name = scalar_name(stream->type), *steps = draft_print(draft, &time);
    const char *packet = draft_print(draft, &stream->packet);
    Parts row = parts_of(c->row);
    draft_op(draft,
             "pass {}\n  begin %{}\n  fetch {} time {} packet {}\n  collect time {} packet {}\n  "
             "to_trf -> %{} = trf row {} element {} at {}\n",
             chance(draft->choices, 60) ? "sub" : "main", weights.label, name, steps, packet, steps,
             packet, c->label, draft_print(draft, &row), draft_print(draft, &c->trf), c->place);
}

static Parts some_of(Draft *draft, const Parts *parts, int64_t percent)
{
    Parts some = {0};
    for (int64_t i = 0; i < parts->count; i++)
        if (chance(draft->choices, percent))
            parts_add(&some, parts->items[i]);
    return some;
}

// The innermost 2^depth of a packet are summed; 32 sums or less are left.
static bool add_contract(Contraction *c, const Parts *packet, Parts *left)
{
    Parts inner;
    int64_t size = parts_size(packet), depth = choose(c->draft->choices, 8), sums;
    if (chance(c->draft->choices, 40))
        depth = 7;
    while ((int64_t)1 << depth > size)
        depth--;
    while (size >> depth > MOST_OUTPUTS)
        depth++;
    sums = (int64_t)1 << depth;
    if (!parts_split(packet, sums, left, &inner))
        return false;
    *left = parts_bare(left);
    stage_add(c->stream, "contract packet {}", draft_print(c->draft, left));
    return true;
}

static bool add_accumulate(Contraction *c, const Parts *left)
{
    Draft *draft = c->draft;
    Stream *stream = c->stream;
    bool is_sequential = chance(draft->choices, 50);
    Parts time = some_of(draft, &c->time, 60), row = parts_of(c->row), high, packet;
    Parts padded = parts_pad(draft->arena, left, ceil_div(parts_size(left), LANES) * LANES);
    if (!parts_split(&padded, LANES, &high, &packet))
        return false;
    if (is_sequential) {
        parts_add_all(&time, &row);
        parts_add_all(&time, &high);
    } else {
        parts_add_all(&time, left);
        packet = parts_pad(draft->arena, &row, LANES);
    }
    stage_add(stream, "accumulate {} time {} packet {}",
              is_sequential ? "Sequential" : "Interleaved", draft_print(draft, &time),
              draft_print(draft, &packet));
    stream->time = time;
    stream->packet = packet;
    return true;
}

void stream_contract(Draft *draft, Stream *stream)
{
    Contraction c = {.draft = draft, .stream = stream};
    Parts left;
    choose_row(&c);
    choose_packet(&c);
    if (!choose_trf(&c)) {
        stream->is_wrong = true;
        return;
    }
    load_trf(&c);
    Parts packet = c.high;
    parts_add_all(&packet, &stream->packet);
    stage_add(stream, "align %{} time {} packet {}", c.label, draft_print(draft, &c.time),
              draft_print(draft, &packet));
    stream->is_wrong = !add_contract(&c, &packet, &left) || !add_accumulate(&c, &left);
    scalar_contraction_result(stream->type, &stream->type);
}
