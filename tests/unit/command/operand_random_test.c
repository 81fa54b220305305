// Random streams and operands read along with them: what the rules accept becomes a walk, which is
// compared with the cells. A case is made from its number alone; a failure names it.
#include "../engine/vector/vector_support.h"

#include "lowered.h"
#include "mapping/cell.h"
#include "sample.h"
#include "shrink.h"

#include <inttypes.h>

enum { CASES = 4000, MOST_PIECES = 8 };

static const int64_t axis_sizes[] = {2, 3, 4, 5, 6, 7, 8, 9, 12, 13, 16, 24, 31, 32};

#define TEXT(arena, ...) str_terminated(arena, str_format(arena, __VA_ARGS__))

typedef struct {
    const char *items[MOST_PIECES];
    int64_t sizes[MOST_PIECES];
    int64_t count;
} Pieces;

static void add_piece(Pieces *pieces, const char *text, int64_t size)
{
    pieces->items[pieces->count] = text;
    pieces->sizes[pieces->count++] = size;
}

// An axis whole, padded, shifted, or cut in two.
static void add_axis(Arena *arena, Rng *rng, Pieces *pieces, const char *name, int64_t size)
{
    int64_t shift = rng_chance(rng, 15) ? rng_below(rng, size) : 0;
    const char *whole = shift ? TEXT(arena, "{} @ {}", name, shift) : name;
    size -= shift;
    if (rng_chance(rng, 40)) {
        int64_t padded = size + rng_below(rng, 9);
        whole = padded > size ? TEXT(arena, "{} # {}", whole, padded) : whole;
        size = padded;
    }
    int64_t inner = sample_divisor(rng, size);
    if (rng_chance(rng, 40) || inner == 1 || inner == size) {
        add_piece(pieces, whole, size);
        return;
    }
    add_piece(pieces, TEXT(arena, "{} / {}", whole, inner), size / inner);
    add_piece(pieces, TEXT(arena, "{} % {}", whole, inner), inner);
}

static void shuffle(Rng *rng, Pieces *pieces)
{
    for (int64_t i = pieces->count - 1; i > 0; i--) {
        int64_t k = rng_below(rng, i + 1);
        const char *text = pieces->items[i];
        int64_t size = pieces->sizes[i];
        pieces->items[i] = pieces->items[k];
        pieces->sizes[i] = pieces->sizes[k];
        pieces->items[k] = text;
        pieces->sizes[k] = size;
    }
}

static const char *join(Arena *arena, const Pieces *pieces, int64_t count)
{
    StrBuf out = {.arena = arena};
    for (int64_t i = 0; i < count; i++)
        buf_format(&out, "{}{}", i ? ", " : "", pieces->items[i]);
    return count ? str_terminated(arena, buf_str(&out)) : "1";
}

// The innermost pieces that fit make up the packet, padded to 8 lanes.
static const char *packet_of(Arena *arena, const Pieces *pieces, int64_t *rest)
{
    int64_t size = 1, first = pieces->count;
    while (first > 0 && size * pieces->sizes[first - 1] <= 8)
        size *= pieces->sizes[--first];
    Pieces packet = {.count = pieces->count - first};
    for (int64_t i = first; i < pieces->count; i++)
        packet.items[i - first] = pieces->items[i];
    *rest = first;
    const char *inside = join(arena, &packet, packet.count);
    return size == 8 ? inside : TEXT(arena, "[{}] # 8", inside);
}

static Row make_row(Arena *arena, uint64_t seed)
{
    static const char *const names[] = {"A", "B", "C"};
    Rng rng = {seed};
    Pieces stream = {0}, held = {0};
    StrBuf axes = {.arena = arena};
    int64_t rest;
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        int64_t size = axis_sizes[rng_below(&rng, COUNT_OF(axis_sizes))];
        buf_format(&axes, "{}{}={}", i ? "," : "", names[i], size);
        int64_t first = stream.count;
        add_axis(arena, &rng, &stream, names[i], size);
        if (rng_chance(&rng, 30))
            continue;
        if (rng_chance(&rng, 50))
            add_axis(arena, &rng, &held, names[i], size);
        else
            for (int64_t k = first; k < stream.count; k++)
                add_piece(&held, stream.items[k], stream.sizes[k]);
    }
    shuffle(&rng, &stream);
    shuffle(&rng, &held);
    const char *packet = packet_of(arena, &stream, &rest);
    const char *element = join(arena, &held, held.count);
    return (Row){
        .axes = str_terminated(arena, buf_str(&axes)),
        .stream = "CollectTensor i32",
        .time = join(arena, &stream, rest),
        .packet = packet,
        .vrf = TEXT(arena, "i32 slice [1] element [{}]", element),
        .calls = "vector_init; vector_intra_slice_branch Unconditional; vector_fxp AddFxp %0",
    };
}

// What a nest reads for a lane of a packet, in elements of the buffer.
static int64_t nest_element(const HwNest *nest, int64_t time, int64_t lane)
{
    int64_t element = nest->base * 8 / nest->element_bits;
    for (int64_t i = nest->loops.count - 1; i >= 0; i--) {
        const HwLoop *loop = &nest->loops.items[i];
        int64_t *count = loop->packet ? &lane : &time, index = *count % loop->size;
        element += loop->offsets.count ? loop->offsets.items[index] : index * loop->stride;
        *count /= loop->size;
    }
    return element;
}

static bool agree(const Index *read, const Index *wanted, const AtomList *axes)
{
    for (int64_t i = 0; i < axes->count; i++)
        if (index_value(read, axes->items[i]) != index_value(wanted, axes->items[i]))
            return false;
    return true;
}

static void check_nest(Desk *desk, const Stage *stage, const HwNest *nest, uint64_t number)
{
    Arena *arena = &desk->arena;
    const Mapping *buffer = &stage->operands[0].vrf->dims[LEVEL_ELEMENT]->mapping;
    const Mapping *time = &stage->dims[LEVEL_TIME]->mapping;
    const Mapping *packet = &stage->dims[LEVEL_PACKET]->mapping;
    Mapping stream = mapping_pair(arena, time, packet);
    AtomList axes = {0};
    mapping_axes(arena, buffer, &axes);
    for (int64_t at = 0; at < stream.size; at++) {
        Cell wanted = mapping_cell(arena, &stream, at);
        if (!wanted.count)
            continue;
        int64_t element = nest_element(nest, at / packet->size, at % packet->size);
        Cell read = mapping_cell(arena, buffer, element);
        if (!read.count || !agree(&read.items[0], &wanted.items[0], &axes))
            fail_msg("case %" PRIu64 ": position %" PRId64 " reads element %" PRId64 "\n%.*s",
                     number, at, element, STR_ARG(desk->sources.items[0].text));
    }
}

// False: the rules refuse it.
static bool try_case(uint64_t number)
{
    Desk *desk = desk_new(RULES_CONTRA);
    Arena *arena = &desk->arena;
    Row row = make_row(arena, number * UINT64_C(0x9E3779B97F4A7C15) + 1);
    ProgramList programs = {0};
    Str text = row_text(arena, &row);
    *array_push(arena, &desk->sources, Source) = (Source){STR("row"), text, NULL};
    program_parse(desk->builder, 0, text, &programs);
    bool accepted = !desk->diags.count;
    if (accepted) {
        const Pass *pass = programs.items[0]->open.items[0];
        Lower lower = {arena, arena, &desk->diags, &machine_rngd, programs.items[0]};
        const Stage *last = pass->stages.items[pass->stages.count - 1];
        HwVector vector = {0};
        if (!vector_lower(&lower, pass, pass->stages.items[1], &vector))
            fail_msg("case %" PRIu64 "\n%.*s\n%s", number, STR_ARG(text), desk_reports(desk));
        const HwVectorStep *step = &vector.steps.items[vector.steps.count - 1];
        check_nest(desk, last, step->operands.items[0].nest, number);
    }
    desk_free(desk);
    return accepted;
}

TEST(accepted_operands_are_read_in_order)
{
    uint64_t from = test_seed(), count = (uint64_t)(CASES * test_scale());
    int64_t accepted = 0;
    for (uint64_t i = from; i < from + count; i++)
        accepted += try_case(i);
    print_message("%" PRId64 " of %" PRIu64 " cases from %" PRIu64 " on are accepted\n", accepted,
                  count, from);
    assert_true(accepted > (int64_t)count / 20);
}
