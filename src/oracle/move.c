// Arrays and buffers, arrays and arrays: reading, writing, moving.
#include "base/checked.h"
#include "base/heap.h"
#include "oracle/plan.h"

#include <setjmp.h>
#include <string.h>

// ---- runs of elements

typedef struct {
    const uint32_t *from_bits;
    const uint8_t *from_live; // NULL: all are
    uint32_t *to_bits;
    uint8_t *to_live;
} Copy;

// From place 0 to place 1; nothing is there at place -1.
static void copy_run(void *own, const int64_t *at, const int64_t *steps, int64_t count,
                     int64_t first)
{
    const Copy *copy = own;
    uint32_t *bits = copy->to_bits + at[1];
    uint8_t *live = copy->to_live + at[1];
    bool exists = at[0] >= 0, all = exists && !copy->from_live;
    (void)first;
    if (exists && steps[0] == 1 && steps[1] == 1) {
        memcpy(bits, copy->from_bits + at[0], sizeof *bits * (size_t)count);
        if (all)
            memset(live, 1, (size_t)count);
        else
            memcpy(live, copy->from_live + at[0], (size_t)count);
        return;
    }
    for (int64_t i = 0; i < count; i++) {
        int64_t from = at[0] + i * steps[0], to = i * steps[1];
        bits[to] = exists ? copy->from_bits[from] : 0;
        live[to] = all || (exists && copy->from_live[from]);
    }
}

// ---- buffers

// A buffer beside an array: from is place 0 and to place 1.
typedef struct {
    Copy copy;
    bool reads;  // from the array to the buffer
    bool padded; // positions of padding have elements in it
} Buffer;

// A buffer without padding, where visits alone tell how many elements come before.
static void copy_counted(void *own, const int64_t *at, const int64_t *steps, int64_t count,
                         int64_t first)
{
    const Buffer *buffer = own;
    int64_t both[2] = {buffer->reads ? at[0] : first, buffer->reads ? first : at[0]};
    int64_t strides[2] = {buffer->reads ? steps[0] : 1, buffer->reads ? 1 : steps[0]};
    if (!buffer->reads && both[1] < 0)
        return;
    Copy copy = buffer->copy;
    copy_run(&copy, both, strides, count, first);
}

// Where each loop steps to in the buffer: over all positions, or all elements, inside it.
static void add_buffer(Plan *plan, const Buffer *buffer)
{
    int64_t elements = 1, array = buffer->reads ? 0 : 1;
    plan->place_count = 2;
    for (int64_t i = plan->loops.count - 1; i >= 0; i--) {
        PlanLoop *loop = &plan->loops.items[i];
        loop->steps[array] = loop->steps[0];
        loop->steps[1 - array] = buffer->padded ? loop->step : elements;
        elements *= loop->count;
    }
    for (int64_t i = 0; i < plan->groups.count; i++) {
        PlanGroup *group = &plan->groups.items[i];
        for (int64_t k = 0; array && group->is_table && k < group->starts[group->choices]; k++)
            group->entries[k] = (PlanEntry){{0, group->entries[k].at[0]}};
    }
    plan->start[array] = plan->start[0];
    plan->start[1 - array] = 0;
}

static bool has_axes(Arena *arena, const Array *array, const Mapping *mapping)
{
    AtomList named = {0}, present = {0};
    mapping_axes(arena, mapping, &named);
    for (int64_t i = 0; i < array->axes.count; i++)
        *array_push(arena, &present, const Atom *) = array->axes.items[i].atom;
    for (int64_t i = 0; i < named.count; i++)
        if (named.items[i]->size > 1 && !atoms_have(&present, named.items[i]))
            return false;
    return true;
}

// A position that the array has no room for is read as nothing. Written without padding it counts,
// too, for the buffer has it.
static bool exchange(Arena *arena, const Array *array, const Mapping *mapping, Buffer *buffer,
                     const Canceller *who)
{
    Mapping normal = mapping_normalise(arena, mapping);
    if (!buffer->padded && !has_axes(arena, array, &normal))
        return false;
    DigitList digits = {0};
    digits_of_mapping(arena, &normal, 0, &digits);
    Place place = {.array = array,
                   .use = buffer->padded && !buffer->reads ? PLACE_WRITE : PLACE_READ};
    Plan plan = plan_new(arena, &digits, &place, 1);
    plan.first_only = buffer->reads;
    if (!buffer->padded)
        plan_merge(&plan);
    if (!buffer->padded && (!plan_is_linear(&plan) || plan.start[0] < 0)) {
        plan_run(&plan, NULL, copy_counted, buffer);
        return true;
    }
    add_buffer(&plan, buffer);
    plan_merge(&plan);
    if (plan_is_linear(&plan))
        plan_sort(&plan, 1);
    plan_merge(&plan);
    plan_block(&plan, 0, 1);
    return plan_run_parallel(&plan, copy_run, &buffer->copy, who);
}

static bool exchange_guarded(const Array *array, const Mapping *mapping, Buffer *buffer,
                             const Canceller *who)
{
    jmp_buf no_memory;
    Arena arena = {.on_oom = &no_memory};
    if (setjmp(no_memory)) {
        arena_release(&arena);
        return false;
    }
    bool ok = exchange(&arena, array, mapping, buffer, who);
    arena_release(&arena);
    return ok;
}

bool array_read(const Array *array, const Mapping *mapping, uint32_t *bits, uint8_t *live,
                const Canceller *who)
{
    Buffer buffer = {{array->bits, array->live, bits, live}, .reads = true};
    return exchange_guarded(array, mapping, &buffer, who);
}

bool array_write(Array *array, const Mapping *mapping, const uint32_t *bits, const uint8_t *live,
                 const Canceller *who)
{
    Buffer buffer = {{bits, live, array->bits, array->live}, .reads = false};
    return exchange_guarded(array, mapping, &buffer, who);
}

bool array_read_positions(const Array *array, const Mapping *mapping, uint32_t *bits, uint8_t *live)
{
    Buffer buffer = {{array->bits, array->live, bits, live}, .reads = true, .padded = true};
    return exchange_guarded(array, mapping, &buffer, NULL);
}

bool array_write_positions(Array *array, const Mapping *mapping, const uint32_t *bits,
                           const uint8_t *live)
{
    Buffer buffer = {{bits, live, array->bits, array->live}, .padded = true};
    return exchange_guarded(array, mapping, &buffer, NULL);
}

bool array_move_positions(const Array *source, const Mapping *from, Array *target,
                          const Mapping *to)
{
    size_t size = (size_t)max_i64(from->size, to->size);
    uint32_t *bits = heap_zeroed(size, sizeof *bits);
    uint8_t *live = heap_zeroed(size, sizeof *live);
    bool ok = bits && live && array_read_positions(source, from, bits, live) &&
              array_write_positions(target, to, bits, live);
    heap_free(bits);
    heap_free(live);
    return ok;
}

// ---- moves

typedef struct {
    Arena *arena;
    Mapping source, target; // normal
    AtomList source_axes, target_axes;
    DigitList digits; // of the source, then what only the target has
    int64_t source_digits;
} Move;

static bool is_beside(const Term *digits, const Atom *atom)
{
    if (atom->kind != ATOM_BLOCK)
        return atom->kind == ATOM_AXIS && !atom_equal(atom, digits->atom);
    for (int64_t i = 0; i < atom->inner->count; i++) {
        const Term *part = &atom->inner->factors[i].term;
        if (atom->inner->factors[i].is_padding)
            continue;
        bool apart = digits->stride >= part->stride * part->modulo ||
                     digits->stride * digits->modulo <= part->stride; // fits: inside the axis
        if (atom_equal(part->atom, digits->atom) ? !apart : !is_beside(digits, part->atom))
            return false;
    }
    return true;
}

// Whether all digits of the term are above or below the digits that the atom is made of: `C / 3`
// next to `[C % 3, D]`.
static bool lies_beside(const Term *term, const Atom *atom)
{
    Term digits = term_straight(term);
    return digits.atom->kind == ATOM_AXIS && is_beside(&digits, atom);
}

// An axis that is part of a composite has no digits of its own, except those outside the composite:
// C / 12 next to `C % 6 # 8 / 4`.
static bool is_tangled(Arena *arena, const Mapping *normal, const Term *term)
{
    for (int64_t i = 0; i < normal->count; i++) {
        const Factor *factor = &normal->factors[i];
        AtomList axes = {0};
        if (factor->is_padding || term_straight(&factor->term).atom->kind == ATOM_AXIS ||
            lies_beside(term, factor->term.atom))
            continue;
        atom_axes(arena, factor->term.atom, &axes);
        if (atoms_have(&axes, term->atom))
            return true;
    }
    return false;
}

// As digits of the atom, if it is any: of `C % 52 # 56`, `C % 4` is the lowest.
static Term term_of(const Term *term, const Atom *atom)
{
    if (atom_equal(term->atom, atom))
        return *term;
    Term straight = term_straight(term), part = term_part(&(Term){atom, 1, atom->size});
    bool is_inside = atom->kind != ATOM_AXIS && straight.atom->kind == ATOM_AXIS &&
                     atom_equal(part.atom, straight.atom) && straight.stride % part.stride == 0 &&
                     straight.stride * straight.modulo <= part.stride * part.modulo;
    return is_inside ? (Term){atom, straight.stride / part.stride, straight.modulo} : straight;
}

// The first weight from `weight` on that no term of the source covers, and where that ends.
static int64_t next_uncovered(const Move *move, const Atom *atom, int64_t weight, int64_t *end)
{
    for (bool again = true; again;) {
        again = false;
        *end = INT64_MAX;
        for (int64_t i = 0; i < move->source.count; i++) {
            const Factor *factor = &move->source.factors[i];
            if (factor->is_padding)
                continue;
            Term term = term_of(&factor->term, atom);
            if (!atom_equal(term.atom, atom))
                continue;
            int64_t above = saturating_mul(term.stride, term.modulo);
            if (above >= atom->size)
                above = INT64_MAX;
            if (term.stride <= weight && weight < above) {
                weight = above;
                again = true;
            } else if (term.stride > weight) {
                *end = min_i64(*end, term.stride);
            }
        }
    }
    return weight;
}

// The source is the same for all digits that only the target has.
static Digit new_digit(const Atom *atom, int64_t weight, int64_t count)
{
    return (Digit){.atom = atom, .weight = weight, .count = count, .unseen = 1};
}

// A digit from weight `at` on that ends inside its last value, with its axis or with the part of it
// that a composite of the source is made of: 4 and 5 of `D % 6`, of which the source has
// `D % 6 # 8 % 4`. Only as a digit of the composite it does not reach what follows.
static Digit last_digit(const Move *move, const Atom *axis, int64_t at, int64_t stop)
{
    for (int64_t i = 0; i < move->source.count; i++) {
        const Factor *factor = &move->source.factors[i];
        const Atom *atom = factor->term.atom;
        if (factor->is_padding || atom->kind == ATOM_AXIS)
            continue;
        Term part = term_part(&factor->term);
        if (atom_equal(part.atom, axis) && part.stride * part.modulo == stop &&
            at % part.stride == 0)
            return new_digit(atom, at / part.stride, ceil_div(atom->size, at / part.stride));
    }
    return new_digit(axis, at, ceil_div(stop, at));
}

// The digits of a target factor that the source, which has others of its atom or none, lacks.
static void add_new_digits(Move *move, const Term *term, int64_t resize)
{
    int64_t base = term->stride, end, stop = base * resize; // fits: inside the atom
    for (int64_t at = next_uncovered(move, term->atom, base, &end); at < stop;
         at = next_uncovered(move, term->atom, end, &end)) {
        int64_t limit = min_i64(end, stop), count = ceil_div(limit, at);
        Digit digit =
            limit % at ? last_digit(move, term->atom, at, limit) : new_digit(term->atom, at, count);
        if (at % base == 0 && count > 1)
            *array_push(move->arena, &move->digits, Digit) = digit;
        if (end == INT64_MAX)
            return;
    }
}

// Whether the source has digits of the atom, and nothing else that is made of the same.
static bool has_only_digits_of(const Move *move, const Atom *atom, const AtomList *axes)
{
    bool found = false;
    for (int64_t i = 0; i < move->source.count; i++) {
        const Factor *factor = &move->source.factors[i];
        AtomList others = {0};
        if (factor->is_padding || lies_beside(&factor->term, atom))
            continue;
        if (atom_equal(term_of(&factor->term, atom).atom, atom)) {
            found = true;
            continue;
        }
        atom_axes(move->arena, factor->term.atom, &others);
        for (int64_t k = 0; k < others.count; k++)
            if (atoms_have(axes, others.items[k]))
                return false;
    }
    return found;
}

// A composite of which the source has nothing, or other digits, is new as an axis is; one of which
// it has some axes is new along the others.
static void add_new_composite(Move *move, const Term *term, int64_t resize)
{
    AtomList axes = {0};
    atom_axes(move->arena, term->atom, &axes);
    int64_t shared = 0;
    for (int64_t i = 0; i < axes.count; i++)
        shared += atoms_have(&move->source_axes, axes.items[i]);
    if (shared == 0 || has_only_digits_of(move, term->atom, &axes)) {
        add_new_digits(move, term, resize);
        return;
    }
    for (int64_t i = 0; i < axes.count; i++)
        if (!atoms_have(&move->source_axes, axes.items[i]))
            *array_push(move->arena, &move->digits, Digit) =
                new_digit(axes.items[i], 1, axes.items[i]->size);
}

static bool has_atom(const Mapping *normal, int64_t count, const Atom *atom)
{
    for (int64_t i = 0; i < count; i++)
        if (!normal->factors[i].is_padding && atom_equal(normal->factors[i].term.atom, atom))
            return true;
    return false;
}

// Adds digits for composites of the source whose axes the target has separately: `[A, B] % 4` moved
// to `A, B` repeats along `[A, B] / 4`. A composite that is cut like its axis already repeats.
static void add_tangled_digits(Move *move, const Array *shape)
{
    for (int64_t i = 0; i < move->source.count; i++) {
        const Factor *factor = &move->source.factors[i];
        const Atom *atom = factor->term.atom;
        if (factor->is_padding || atom->kind == ATOM_AXIS || has_atom(&move->source, i, atom) ||
            has_atom(&move->target, move->target.count, atom))
            continue;
        Term part = term_straight(&factor->term);
        if (part.atom->kind == ATOM_AXIS && !is_tangled(move->arena, &move->source, &part))
            continue;
        AtomList axes = {0};
        atom_axes(move->arena, atom, &axes);
        if (!has_only_digits_of(move, atom, &axes))
            continue;
        int64_t count = move->digits.count;
        add_new_digits(move, &(Term){atom, 1, atom->size}, atom->size);
        for (int64_t k = count; k < move->digits.count; k++)
            if (shape_has_digit(move->arena, &move->target, shape, &move->digits.items[k]))
                move->digits.items[count++] = move->digits.items[k];
        move->digits.count = count;
    }
}

// `shape` has the axes of the target's mapping.
static void find_digits(Move *move, const Array *shape)
{
    digits_of_mapping(move->arena, &move->source, 0, &move->digits);
    move->source_digits = move->digits.count;
    for (int64_t i = 0; i < move->target.count; i++) {
        const Factor *factor = &move->target.factors[i];
        if (factor->is_padding)
            continue;
        Term term = term_straight(&factor->term);
        bool tangled = is_tangled(move->arena, &move->source, &term);
        if (term.atom->kind == ATOM_AXIS && !tangled)
            add_new_digits(move, &term, factor->resize);
        else if (factor->term.atom->kind != ATOM_AXIS)
            add_new_composite(move, &factor->term, factor->resize);
    }
    add_tangled_digits(move, shape);
}

// Drops the digits that the target does not have.
static void drop_digits(Move *move, const Array *shape)
{
    DigitList cut = digits_cut(move->arena, &move->digits, shape, &move->target), kept = {0};
    for (int64_t i = 0; i < cut.count; i++)
        if (shape_has_digit(move->arena, &move->target, shape, &cut.items[i]))
            *array_push(move->arena, &kept, Digit) = cut.items[i];
    move->digits = kept;
}

static bool may_move(const Move *move, bool broadcast)
{
    for (int64_t i = 0; i < move->source_axes.count; i++)
        if (!atoms_have(&move->target_axes, move->source_axes.items[i]))
            return false;
    for (int64_t i = move->source_digits; i < move->digits.count; i++)
        if (move->digits.items[i].count > 1 && !broadcast)
            return false;
    return true;
}

// The index of position `start` of each offset, added up. False: one of them is padding.
static bool origin_of_offsets(Arena *arena, const ArrayOffset *offsets, int64_t count,
                              Index *origin)
{
    for (int64_t i = 0; i < count; i++) {
        Cell cell = mapping_cell(arena, &offsets[i].index, offsets[i].start);
        if (!cell.count)
            return false;
        for (int64_t k = 0; k < cell.items[0].count; k++) {
            Coordinate add = cell.items[0].items[k];
            int64_t at = 0;
            while (at < origin->count && !atom_equal(origin->items[at].axis, add.axis))
                at++;
            if (at == origin->count)
                *array_push(arena, origin, Coordinate) = (Coordinate){add.axis, 0};
            origin->items[at].value += add.value;
        }
    }
    return true;
}

static Place place_of_view(Arena *arena, const ArrayView *view, PlaceUse use, bool *outside)
{
    Place place = {.array = view->array, .use = use};
    *outside |= !origin_of_offsets(arena, view->offsets, view->offset_count, &place.origin);
    return place;
}

static Move move_new(Arena *arena, const ArrayView *source, const ArrayView *target,
                     const Array *shape)
{
    Move move = {.arena = arena};
    move.source = mapping_normalise(arena, &source->mapping);
    move.target = mapping_normalise(arena, &target->mapping);
    mapping_axes(arena, &move.source, &move.source_axes);
    mapping_axes(arena, &move.target, &move.target_axes);
    find_digits(&move, shape);
    return move;
}

static void move_digits(const Move *move, const ArrayView *source, const ArrayView *target)
{
    bool unread = false, unwritten = false;
    Place places[] = {place_of_view(move->arena, source, PLACE_READ, &unread),
                      place_of_view(move->arena, target, PLACE_WRITE, &unwritten)};
    if (unwritten)
        return;
    Plan plan = plan_new(move->arena, &move->digits, places, 2);
    if (unread)
        plan.start[0] = -1;
    plan_merge(&plan);
    plan_sort(&plan, 1);
    plan_merge(&plan);
    plan_block(&plan, 0, 1);
    Copy copy = {source->array->bits, source->array->live, target->array->bits,
                 target->array->live};
    plan_run_parallel(&plan, copy_run, &copy, NULL);
}

typedef enum {
    MOVE_ALL,
    MOVE_REPEATED, // repeats along digits that only the target has
    MOVE_PART,     // the same, and leaves out digits that only the source has
} MoveKind;

static bool move_arrays(const ArrayView *source, const ArrayView *target, MoveKind kind)
{
    jmp_buf no_memory;
    Arena arena = {.on_oom = &no_memory};
    Array *shape = array_new(target->array->type, &target->mapping);
    if (!shape || setjmp(no_memory)) {
        arena_release(&arena);
        array_free(shape);
        return false;
    }
    Move move = move_new(&arena, source, target, shape);
    if (kind == MOVE_PART)
        drop_digits(&move, shape);
    bool ok = kind == MOVE_PART || may_move(&move, kind == MOVE_REPEATED);
    if (ok)
        move_digits(&move, source, target);
    arena_release(&arena);
    array_free(shape);
    return ok;
}

// ---- parts of groups

// A tile that starts inside a group of axes: position 3 of `[A, B] # 16 % 4` with B = 5 adds 3 to
// the position in the group, which may carry from B to A. So positions are added, not indices. Such
// a part moves through its own array, position by position.

static void add_groups(Arena *arena, const Mapping *mapping, AtomList *groups)
{
    Mapping normal = mapping_normalise(arena, mapping);
    for (int64_t i = 0; i < normal.count; i++)
        if (!normal.factors[i].is_padding && normal.factors[i].term.atom->kind != ATOM_AXIS)
            *array_push(arena, groups, const Atom *) = normal.factors[i].term.atom;
}

// Whether a tile ends in the padding of its index: two positions of `A = 6 # 7` from position 5 on.
// If A has more than 6 positions, these must not be read there.
static bool ends_in_padding(Arena *arena, const ArrayView *view, const ArrayOffset *by)
{
    Mapping index = mapping_normalise(arena, &by->index);
    Divider *tile = divider_new(arena, &view->mapping);
    MatchList matches = {0};
    int64_t length = 1;
    divider_allow_truncation(tile);
    divider_take(tile, &index, 1, &matches);
    for (int64_t i = 0; i < matches.count; i++)
        if (matches.items[i].kind == MATCH_FOUND)
            length *= matches.items[i].extent;
    return length > 1 && by->start + length > mapping_strip(&index).size;
}

// The groups that a view is cut out of or along. Only positions tell what they hold.
static AtomList groups_of(Arena *arena, const ArrayView *view)
{
    AtomList groups = {0};
    add_groups(arena, view->whole, &groups);
    for (int64_t i = 0; i < view->offset_count; i++) {
        const ArrayOffset *by = &view->offsets[i];
        add_groups(arena, &by->index, &groups);
        if (ends_in_padding(arena, view, by))
            mapping_axes(arena, &by->index, &groups);
    }
    return groups;
}

// Whether an offset of the view moves inside the group.
static bool is_entered(Arena *arena, const Atom *group, const ArrayView *view)
{
    AtomList of_group = {0};
    atom_axes(arena, group, &of_group);
    for (int64_t i = 0; i < view->offset_count; i++) {
        AtomList axes = {0};
        mapping_axes(arena, &view->offsets[i].index, &axes);
        for (int64_t k = 0; view->offsets[i].start && k < axes.count; k++)
            if (atoms_have(&of_group, axes.items[k]))
                return true;
    }
    return false;
}

static bool starts_in_group(Arena *arena, const ArrayView *view)
{
    if (!view->whole || !view->offset_count)
        return false;
    AtomList groups = groups_of(arena, view);
    for (int64_t i = 0; i < groups.count; i++)
        if (is_entered(arena, groups.items[i], view))
            return true;
    return false;
}

// Where position 0 of a part is in the whole; -1: in padding.
static int64_t offset_of(Arena *arena, const ArrayView *view)
{
    int64_t offset = 0;
    for (int64_t i = 0; i < view->offset_count; i++) {
        const ArrayOffset *by = &view->offsets[i];
        if (by->start < 0 || by->start >= by->index.size || mapping_is_hole(&by->index, by->start))
            return -1;
        offset += mapping_tile_offset(arena, view->whole, &by->index, by->start);
    }
    return offset;
}

// A part at its place and its own array.
typedef struct {
    Arena *arena;
    const ArrayView *view;
    Array *part;
    bool reads;     // from the place
    int64_t offset; // of the part's position 0
    DigitList digits;
} PartCopy;

// Position `at` of the part is position `at` + offset of the whole; only that says what a group
// holds there.
static void copy_position(const PartCopy *copy, int64_t at)
{
    Array *array = copy->view->array, *part = copy->part;
    ArenaMark mark = arena_mark(copy->arena);
    Cell inside = mapping_cell(copy->arena, &copy->view->mapping, at);
    Cell whole = mapping_cell(copy->arena, copy->view->whole, at + copy->offset);
    for (int64_t i = 0; i < inside.count && whole.count; i++) {
        int64_t here = array_place(part, &inside.items[i]);
        int64_t there = array_place(array, &whole.items[min_i64(i, whole.count - 1)]);
        if (here < 0 || there < 0)
            continue;
        Copy element = copy->reads ? (Copy){array->bits, array->live, part->bits, part->live}
                                   : (Copy){part->bits, part->live, array->bits, array->live};
        int64_t places[2] = {copy->reads ? there : here, copy->reads ? here : there};
        copy_run(&element, places, places, 1, 0);
    }
    arena_reset(copy->arena, mark);
}

// All choices of the digits from `digit` on.
static void copy_positions(const PartCopy *copy, int64_t digit, int64_t at)
{
    if (digit == copy->digits.count) {
        copy_position(copy, at);
        return;
    }
    for (int64_t i = 0; i < copy->digits.items[digit].count; i++)
        copy_positions(copy, digit + 1, at + i * copy->digits.items[digit].step);
}

// Copies a part between its place and its own array, element by element.
static void copy_part(Arena *arena, const ArrayView *view, Array *part, bool reads)
{
    Mapping normal = mapping_normalise(arena, &view->mapping);
    PartCopy copy = {.arena = arena,
                     .view = view,
                     .part = part,
                     .reads = reads,
                     .offset = offset_of(arena, view)};
    digits_of_mapping(arena, &normal, 0, &copy.digits);
    if (copy.offset >= 0)
        copy_positions(&copy, 0, 0);
}

bool array_view_part(const ArrayView *view, ArrayView *part)
{
    jmp_buf no_memory;
    Arena arena = {.on_oom = &no_memory};
    *part = *view;
    if (setjmp(no_memory)) {
        arena_release(&arena);
        return false;
    }
    if (starts_in_group(&arena, view)) {
        *part = (ArrayView){.array = array_new(view->array->type, &view->mapping),
                            .mapping = view->mapping};
        if (part->array)
            copy_part(&arena, view, part->array, true);
    }
    arena_release(&arena);
    return part->array != NULL;
}

bool array_view_put_back(const ArrayView *view, const ArrayView *part)
{
    jmp_buf no_memory;
    Arena arena = {.on_oom = &no_memory};
    if (setjmp(no_memory)) {
        arena_release(&arena);
        return false;
    }
    copy_part(&arena, view, part->array, false);
    arena_release(&arena);
    return true;
}

static bool move_by_parts(const ArrayView *source, const ArrayView *target, MoveKind kind)
{
    ArrayView from = {0}, to = {0};
    bool ok = array_view_part(source, &from) && array_view_part(target, &to) &&
              move_arrays(&from, &to, kind);
    if (ok && to.array != target->array)
        ok = array_view_put_back(target, &to);
    if (from.array != source->array)
        array_free(from.array);
    if (to.array && to.array != target->array)
        array_free(to.array);
    return ok;
}

bool array_move(const ArrayView *source, const ArrayView *target, bool broadcast)
{
    return move_by_parts(source, target, broadcast ? MOVE_REPEATED : MOVE_ALL);
}

bool array_move_part(const ArrayView *source, const ArrayView *target)
{
    return move_by_parts(source, target, MOVE_PART);
}
