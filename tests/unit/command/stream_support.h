// The streams of a pass, as its records make them, against the cells of its mappings.
#ifndef CONTRA_TESTS_STREAM_COMPARE_H
#define CONTRA_TESTS_STREAM_COMPARE_H

#include "lowered.h"
#include "walk_stream.h"

#include "base/checked.h"
#include "engine/stream/stream.h"
#include "mapping/cell.h"
#include "mapping/divide.h"
#include "test.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_STEPS = 4096, MOST_ELEMENTS = 1 << 14 };

// What is compared at the moment.
typedef struct {
    Arena arena, scratch;
    const char *name;
    Str text; // of the program, where it is short
    Lower lower;
    int64_t passes, split, fetches, switches, commits, masks;
    int64_t commit_masks; // of commits into tiles: what a nest alone would write over others
} Compare;

#define fail_case(form, ...) fail_msg(form "\n%.*s", __VA_ARGS__, STR_ARG(c->text))

static inline int64_t level_positions(const Dim *const dims[LEVEL_COUNT], Level level)
{
    return dims[level] ? dims[level]->mapping.size : 1;
}

// Positions of `mapping` are looked up one at a time.
static inline Cell cell_of(Compare *c, const Mapping *mapping, int64_t at)
{
    return mapping_cell(&c->scratch, mapping, at);
}

// The same index along every part of an axis in `parts`.
static inline bool agrees(const Cell *a, const Cell *b, const TermList *parts)
{
    if (a->count != 1 || b->count != 1)
        return a->count > 1 || b->count > 1; // linear combinations are not compared
    for (int64_t i = 0; i < parts->count; i++) {
        const Term *part = &parts->items[i];
        int64_t x = index_value(&a->items[0], part->atom) / part->stride % part->modulo;
        int64_t y = index_value(&b->items[0], part->atom) / part->stride % part->modulo;
        if (x != y)
            return false;
    }
    return true;
}

// Parts of axes that a mapping has; all of those that an atom is made of.
static inline TermList parts_of(Compare *c, const Mapping *mapping)
{
    TermList parts = {0}, found = mapping_canonical_axes(&c->arena, mapping);
    for (int64_t i = 0; i < found.count; i++) {
        AtomList axes = {0};
        atom_axes(&c->arena, found.items[i].atom, &axes);
        bool plain = found.items[i].atom->kind == ATOM_AXIS;
        for (int64_t k = 0; k < axes.count; k++)
            *array_push(&c->arena, &parts, Term) =
                plain ? found.items[i] : (Term){axes.items[k], 1, axes.items[k]->size};
    }
    return parts;
}

// Unit number `unit` of a shape, as the hardware counts it.
static inline WalkUnit unit_of(const Dim *const dims[LEVEL_COUNT], const View *view, int64_t unit)
{
    int64_t slices = level_positions(dims, LEVEL_SLICE);
    int64_t clusters = level_positions(dims, LEVEL_CLUSTER);
    WalkUnit found = {unit / slices / clusters, unit / slices % clusters, unit % slices};
    if (view) {
        found.chip += view->offsets[LEVEL_CHIP].value;
        found.cluster += view->offsets[LEVEL_CLUSTER].value;
        found.slice += view->offsets[LEVEL_SLICE].value;
    }
    return found;
}

static inline int64_t unit_total(const Dim *const dims[LEVEL_COUNT])
{
    return level_positions(dims, LEVEL_CHIP) * level_positions(dims, LEVEL_CLUSTER) *
           level_positions(dims, LEVEL_SLICE);
}

// ---- fetch

typedef struct {
    const Stage *stage;
    const HwFetch *fetch;
    Mapping stream, view;
    TermList parts;
    const Atom *interleaved;
} FetchCase;

static inline void compare_read(Compare *c, const FetchCase *f, int64_t unit, int64_t packet,
                                int64_t element)
{
    const Stage *begin = f->stage->before;
    const View *view = begin->sources[0];
    int64_t packets = f->fetch->time, length = f->fetch->packet_elements;
    WalkUnit place = unit_of(f->stage->dims, view, unit);
    WalkRead read = walk_fetch(f->fetch, place, packet, element);
    Cell cell = cell_of(c, &f->stream, (unit * packets + packet) * length + element);
    bool live = cell.count > 0;
    bool has_tiles = view->tiles.count > 0;
    if (live && read.is_masked && !has_tiles)
        fail_case("%s: unit %" PRId64 " packet %" PRId64 " element %" PRId64 " is masked", c->name,
                  unit, packet, element);
    if (!live)
        return;
    view = begin->sources[read.base];
    int64_t bits = scalar_traits[begin->type].packet_bits;
    int64_t start = view->tensor->address.value * 8 + view->offsets[LEVEL_ELEMENT].value * bits;
    int64_t size = level_positions(view->dims, LEVEL_ELEMENT), at = (read.bit - start) / bits;
    if (read.bit < start || at >= size)
        fail_case("%s: data is read outside the tensor: bit %" PRId64, c->name, read.bit);
    Cell found = cell_of(c, &f->view, unit * size + at);
    if (!agrees(&cell, &found, &f->parts) ||
        (f->interleaved && index_value(&cell.items[0], f->interleaved) != read.base))
        fail_case("%s: unit %" PRId64 " packet %" PRId64 " element %" PRId64
                  " is read from element %" PRId64,
                  c->name, unit, packet, element, at);
}

static inline void compare_fetch(Compare *c, const Pass *pass, const Stage *stage, HwFetch *fetch)
{
    const Stage *begin = stage->before;
    assert_true(fetch_lower(&c->lower, pass, stage, fetch));
    FetchCase f = {.stage = stage,
                   .fetch = fetch,
                   .stream = shape_of(&c->arena, stage->dims),
                   .view = shape_of(&c->arena, begin->sources[0]->dims),
                   .interleaved = begin->kind == STAGE_BEGIN_INTERLEAVED ? begin->axis : NULL};
    f.parts = parts_of(c, &f.view);
    int64_t total = fetch->time * fetch->packet_elements, units = unit_total(stage->dims);
    assert_int_equal(walk_nest_count(&fetch->nest) * fetch->bases.count, total);
    assert_int_equal(fetch->packet_bytes % fetch->nest.access_bytes, 0);
    int64_t step = total <= MOST_STEPS ? 1 : (total / MOST_STEPS) | 1;
    for (int64_t unit = 0; unit<units; unit += units> 4 ? units / 3 : 1) {
        for (int64_t at = 0; at < total; at += step) {
            compare_read(c, &f, unit, at / fetch->packet_elements, at % fetch->packet_elements);
            if (at % 256 == 0)
                arena_clear(&c->scratch);
        }
        compare_read(c, &f, unit, fetch->time - 1, fetch->packet_elements - 1);
    }
    c->masks += fetch->masks.count;
    c->fetches++;
}

// ---- switch

static inline void compare_switch(Compare *c, const Stage *stage)
{
    HwSwitchRoute route;
    const Stage *before = stage->before;
    Mapping from = mapping_pair(&c->arena, &before->dims[LEVEL_SLICE]->mapping,
                                &before->dims[LEVEL_TIME]->mapping);
    Mapping to = mapping_pair(&c->arena, &stage->dims[LEVEL_SLICE]->mapping,
                              &stage->dims[LEVEL_TIME]->mapping);
    TermList parts = parts_of(c, &from);
    assert_true(switch_lower(&c->lower, NULL, stage, &route));
    int64_t slices = level_positions(stage->dims, LEVEL_SLICE);
    assert_int_equal(route.snoop.count, slices);
    int64_t step = route.out_time <= 64 ? 1 : (route.out_time / 64) | 1;
    for (int64_t slice = 0; slice < slices; slice++) {
        int64_t last = -1, last_step = -1;
        for (int64_t t = 0; t < route.out_time; t += step) {
            int64_t source, time;
            bool found = walk_route(&route, slice, t, &source, &time);
            Cell cell = cell_of(c, &to, slice * route.out_time + t);
            if (found && (source >= slices || time >= route.in_time))
                fail_case("%s: slice %" PRId64 " packet %" PRId64 " comes from outside", c->name,
                          slice, t);
            if (found && !walk_snoops(&route, slice, source))
                fail_case("%s: slice %" PRId64 " does not snoop %" PRId64, c->name, slice, source);
            if (found && route.mode == ROUTER_CUSTOM && time == last_step && source <= last)
                fail_case("%s: slice %" PRId64 " takes %" PRId64 " after %" PRId64, c->name, slice,
                          source, last);
            last = found ? source : -1;
            last_step = found ? time : -1;
            if (!cell.count)
                continue;
            Cell origin = cell_of(c, &from, source * route.in_time + time);
            if (!found || !agrees(&cell, &origin, &parts))
                fail_case("%s: slice %" PRId64 " packet %" PRId64 " comes from slice %" PRId64
                          " packet %" PRId64,
                          c->name, slice, t, source, time);
        }
        arena_clear(&c->scratch);
    }
    c->switches++;
}

// ---- commit

typedef struct {
    const Stage *stage;
    const HwCommit *commit;
    Mapping stream, view, tensor;
    TermList parts;
    int64_t flit, time, size; // elements of a flit; flits; elements of the tensor in a slice
    uint8_t *touched;
} CommitCase;

static inline void compare_write(Compare *c, const CommitCase *w, int64_t unit, int64_t flit,
                                 int64_t element)
{
    const Stage *stage = w->stage;
    const Tensor *tensor = commit_tensor(stage);
    WalkUnit place = unit_of(commit_dims(stage), stage->target, unit);
    int64_t bits = w->commit->nest.element_bits, bit;
    if (!walk_commit(w->commit, place, flit, element, w->flit, &bit))
        return;
    int64_t offset = stage->target ? stage->target->offsets[LEVEL_ELEMENT].value : 0;
    int64_t at = (bit - tensor->address.value * 8) / bits;
    if (bit < tensor->address.value * 8 || at >= w->size)
        fail_case("%s: flit %" PRId64 " element %" PRId64 " is written outside the tensor, at bit "
                  "%" PRId64,
                  c->name, flit, element, bit);
    if (w->touched[at]++)
        fail_case("%s: element %" PRId64 " is written twice", c->name, at);
    Cell cell = cell_of(c, &w->stream, (unit * w->time + flit) * w->flit + element);
    int64_t units_size = w->size;
    Cell found = cell.count ? cell_of(c, &w->view, unit * units_size + at - offset)
                            : cell_of(c, &w->tensor, unit * units_size + at);
    if (cell.count ? !agrees(&cell, &found, &w->parts) : found.count > 0)
        fail_case("%s: unit %" PRId64 " flit %" PRId64 " element %" PRId64
                  " is written to element %" PRId64 "%s",
                  c->name, unit, flit, element, at, cell.count ? "" : ": padding over data");
}

// Every element that is no padding has been written.
static inline void compare_filled(Compare *c, const CommitCase *w, int64_t unit)
{
    int64_t offset = w->stage->target ? w->stage->target->offsets[LEVEL_ELEMENT].value : 0;
    for (int64_t at = 0; at + offset < w->size; at++) {
        Cell cell = cell_of(c, &w->view, unit * w->size + at);
        Cell own = cell_of(c, &w->tensor, unit * w->size + at + offset);
        if (cell.count && own.count && !w->touched[at + offset])
            fail_case("%s: element %" PRId64 " of unit %" PRId64 " is not written", c->name, at,
                      unit);
        if (at % 256 == 0)
            arena_clear(&c->scratch);
    }
}

static inline void compare_commit(Compare *c, const Pass *pass, const Stage *stage)
{
    HwCommit commit;
    const Dim *const *dims = commit_dims(stage);
    const Tensor *tensor = commit_tensor(stage);
    assert_true(commit_lower(&c->lower, pass, stage, &commit));
    CommitCase w = {.stage = stage,
                    .commit = &commit,
                    .stream = shape_of(&c->arena, stage->before->dims),
                    .view = shape_of(&c->arena, dims),
                    .tensor = shape_of(&c->arena, tensor->dims),
                    .flit = level_positions(stage->before->dims, LEVEL_PACKET),
                    .time = commit.time,
                    .size = level_positions(tensor->dims, LEVEL_ELEMENT)};
    w.parts = parts_of(c, &w.view);
    int64_t kept = commit.commit_in_size * 8 / commit.nest.element_bits, units = unit_total(dims);
    assert_int_equal(walk_nest_count(&commit.nest), commit.time * kept);
    bool all = w.size <= MOST_ELEMENTS && commit.time * kept <= MOST_ELEMENTS;
    int64_t step = all ? 1 : (commit.time * kept / MOST_STEPS) | 1;
    for (int64_t unit = 0; unit<units; unit += units> 4 ? units / 3 : 1) {
        w.touched = calloc((size_t)w.size, 1);
        for (int64_t at = 0; at < commit.time * kept; at += step) {
            compare_write(c, &w, unit, at / kept, at % kept);
            if (at % 256 == 0)
                arena_clear(&c->scratch);
        }
        if (all && walk_has_unit(commit.bitmaps.items, commit.bitmaps.count,
                                 unit_of(dims, stage->target, unit)))
            compare_filled(c, &w, unit);
        free(w.touched);
    }
    c->commits++;
    c->commit_masks += commit.masks.count > 0;
}

// ---- passes

static inline bool has_place(const View *view)
{
    bool known = view->tensor->address.known;
    for (Level level = 0; level < LEVEL_COUNT; level++)
        known &= view->offsets[level].known;
    return known;
}

static inline bool can_fetch(const Stage *stage)
{
    const Stage *begin = stage->before;
    return stage->kind == STAGE_FETCH && begin->sources[0] && has_place(begin->sources[0]) &&
           (!begin->sources[1] || has_place(begin->sources[1]));
}

static inline bool can_commit(const Stage *stage)
{
    bool commits = stage->kind == STAGE_COMMIT || stage->kind == STAGE_COMMIT_VIEW;
    return commits &&
           (stage->target ? has_place(stage->target) : commit_tensor(stage)->address.known);
}

// A pass that is one command.
static inline void compare_part(Compare *c, const Pass *pass)
{
    for (int64_t i = 0; i < pass->stages.count; i++) {
        const Stage *stage = pass->stages.items[i];
        HwFetch fetch;
        if (can_fetch(stage)) {
            compare_fetch(c, pass, stage, &fetch);
        }
        if (stage->kind == STAGE_SWITCH)
            compare_switch(c, stage);
        if (can_commit(stage))
            compare_commit(c, pass, stage);
    }
}

enum { MOST_PARTS = 5 };

static inline void compare_pass(Compare *c, const Pass *pass)
{
    PassParts parts;
    for (int64_t i = 0; i < pass->stages.count; i++)
        if (!pass->stages.items[i]->sound)
            return;
    assert_true(lower_split(&c->lower, pass, &parts));
    int64_t step = parts.count > MOST_PARTS ? parts.count / MOST_PARTS : 1;
    for (int64_t i = 0; i < parts.count; i += step)
        compare_part(c, parts.items[i]);
    compare_part(c, parts.items[parts.count - 1]);
    c->passes++;
    c->split += parts.count > 1;
}

#endif
