// Placements of axes as rows of text, and the judge of what is derived from them: it counts the
// valid lanes of every packet by the formula of the hardware, and asks each cell whether it is
// padding.
#ifndef CONTRA_TESTS_VALID_COUNT_SUPPORT_H
#define CONTRA_TESTS_VALID_COUNT_SUPPORT_H

#include "engine/vector/valid_count.h"

#include "base/checked.h"
#include "mapping/cell.h"
#include "test.h"
#include "worlds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const problems[] = {
    [VALID_COUNT_FOUND] = "found",
    [VALID_COUNT_CLUSTER] = "cluster",
    [VALID_COUNT_SLICE_PACKET] = "slice-packet",
    [VALID_COUNT_PACKET_OUTER] = "packet-outer",
    [VALID_COUNT_PACKET_MIXED] = "packet-mixed",
    [VALID_COUNT_SLICE_ORDER] = "slice-order",
    [VALID_COUNT_SLICE_BITS] = "slice-bits",
    [VALID_COUNT_TRANSPOSED] = "transposed",
    [VALID_COUNT_INTERLEAVED] = "interleaved",
    [VALID_COUNT_TWICE] = "twice",
    [VALID_COUNT_COMPOSITE] = "composite",
    [VALID_COUNT_DIMS] = "dims",
    [VALID_COUNT_COUNTERS] = "counters",
};

typedef struct {
    World *world;
    Dim dims[LEVEL_COUNT];
    const Dim *pointers[LEVEL_COUNT];
    ValidCountRequest request;
    ValidCount result;
    bool ok;
} Placement;

static inline void set_dim(Placement *place, Level level, const char *text)
{
    Dim *dim = &place->dims[level];
    dim->expr = world_expr(place->world, text ? text : "1");
    dim->mapping = mapping_of_expr(&place->world->arena, dim->expr);
    place->pointers[level] = dim;
}

// `axis` NULL: every axis.
static inline void place_derive(Placement *place, const char *axes, const char *const texts[4],
                                const char *axis)
{
    static const Level levels[] = {LEVEL_CLUSTER, LEVEL_SLICE, LEVEL_TIME, LEVEL_PACKET};
    memset(place, 0, sizeof *place);
    place->world = world_new(axes);
    set_dim(place, LEVEL_CHIP, "1");
    for (size_t i = 0; i < COUNT_OF(levels); i++)
        set_dim(place, levels[i], texts[i]);
    place->request = (ValidCountRequest){.machine = &machine_rngd, .dims = place->pointers};
    if (axis)
        place->request.axis = world_expr(place->world, axis)->atom;
    place->ok = valid_count_derive(&place->world->arena, &place->request, &place->result);
    assert_int_equal(place->ok, place->result.problem == VALID_COUNT_FOUND);
}

// ---- the judge

static inline int64_t index_of_dim(const ValidCount *config, int32_t dim, int64_t t)
{
    int64_t index = 0;
    for (int64_t i = 0; i < config->counters.count; i++) {
        const ValidCounter *counter = &config->counters.items[i];
        if (counter->dim == dim)
            index += t % counter->limit * counter->stride;
        t /= counter->limit;
    }
    return index;
}

static inline int64_t valid_lanes(const ValidCount *config, int64_t s, int64_t t)
{
    int64_t left = max_i64(0, config->packet_valid - index_of_dim(config, VALID_DIM_PACKET, t));
    int64_t count = min_i64(config->packet_stride, left);
    for (int64_t i = 0; i < config->gates.count; i++) {
        const ValidGate *gate = &config->gates.items[i];
        int64_t masked = s & gate->mask;
        bool checked = masked == gate->match || (masked > gate->match && gate->transposed);
        bool open = masked < gate->match ||
                    (checked && index_of_dim(config, VALID_DIM_GATE + (int32_t)i, t) < gate->valid);
        count *= open;
    }
    return count;
}

static inline int64_t size_of(const Placement *place, Level level)
{
    return place->dims[level].mapping.size;
}

static inline bool is_live(Placement *place, const Mapping *mapping, int64_t at)
{
    Arena *arena = &place->world->arena;
    ArenaMark mark = arena_mark(arena);
    bool live = mapping_cell(arena, mapping, at).count > 0;
    arena_reset(arena, mark);
    return live;
}

static inline bool names(Arena *arena, const Expr *expr, const Atom *axis)
{
    AtomList axes = {0};
    expr_axes(arena, expr, &axes);
    for (int64_t i = 0; i < axes.count; i++)
        if (atom_equal(axes.items[i], axis))
            return true;
    return false;
}

// A dimension in which everything of the axis is data: what is still padding is padding of others.
// Where lanes are added up over the axis, all of Packet is its own.
static inline const Dim *others_of(Placement *place, Level level)
{
    Arena *arena = &place->world->arena;
    const Expr *expr = place->dims[level].expr;
    const Atom *axis = place->request.axis;
    ExprList elements = {0};
    bool whole = !axis || (level == LEVEL_PACKET && names(arena, expr, axis));
    if (whole)
        *array_push(arena, &elements, const Expr *) = expr;
    else
        expr_elements(arena, expr, &elements);
    for (int64_t i = 0; i < elements.count; i++) {
        const Expr *element = elements.items[i];
        Str name = str_format(arena, "Z{}{}", (int)level, (int)i);
        const Atom *full = atom_axis(arena, str_terminated(arena, name), element->size);
        if (whole || names(arena, element, axis))
            elements.items[i] = expr_atom(&place->world->diags, SPAN_NOWHERE, full);
    }
    Dim *dim = arena_new(arena, Dim, 1);
    dim->expr = expr_pair(&place->world->diags, SPAN_NOWHERE, &elements);
    dim->mapping = mapping_of_expr(arena, dim->expr);
    return dim;
}

// What each packet must count: -1 in lanes that nobody looks at.
typedef struct {
    int64_t slices, steps, lanes;
    int8_t *valid; // slice, step, lane
} Truth;

static inline Truth truth_of(Placement *place)
{
    Arena *arena = &place->world->arena;
    Truth truth = {size_of(place, LEVEL_SLICE), size_of(place, LEVEL_TIME),
                   size_of(place, LEVEL_PACKET), NULL};
    const Dim *others[LEVEL_COUNT] = {0};
    for (Level level = 0; level < LEVEL_COUNT; level++)
        others[level] = place->pointers[level] ? others_of(place, level) : NULL;
    Mapping shape = shape_of(arena, place->pointers), rest = shape_of(arena, others);
    int64_t count = truth.slices * truth.steps * truth.lanes;
    truth.valid = arena_new(arena, int8_t, (size_t)count);
    for (int64_t i = 0; i < count; i++) // of chip 0, cluster 0
        truth.valid[i] = (int8_t)(is_live(place, &rest, i) ? is_live(place, &shape, i) : -1);
    return truth;
}

static inline bool agrees(const Truth *truth, int64_t s, int64_t t, int64_t lanes)
{
    const int8_t *valid = &truth->valid[(s * truth->steps + t) * truth->lanes];
    for (int64_t p = 0; p < truth->lanes; p++)
        if (valid[p] >= 0 && valid[p] != (p < lanes))
            return false;
    return true;
}

static inline bool config_is_right(const Truth *truth, const ValidCount *config)
{
    for (int64_t s = 0; s < truth->slices; s++)
        for (int64_t t = 0; t < truth->steps; t++)
            if (!agrees(truth, s, t, config->needed ? valid_lanes(config, s, t) : truth->lanes))
                return false;
    return true;
}

// ---- text

static inline const char *config_text(Arena *arena, const ValidCount *config)
{
    StrBuf out = {.arena = arena};
    if (!config->needed)
        return "not needed";
    buf_format(&out, "{} of {}", config->packet_stride, config->packet_valid);
    for (int64_t i = 0; i < config->counters.count; i++) {
        const ValidCounter *counter = &config->counters.items[i];
        const char *const names[] = {"-", "p", "g0", "g1", "g2"};
        buf_format(&out, " {}x{}:{}", counter->limit, counter->stride, names[counter->dim + 1]);
    }
    for (int64_t i = 0; i < config->gates.count; i++) {
        const ValidGate *gate = &config->gates.items[i];
        buf_format(&out, " [{}<{} {}{}]", gate->mask, gate->match, gate->valid,
                   gate->transposed ? "T" : "");
    }
    return str_terminated(arena, buf_str(&out));
}

#endif
