// What mapping_cell does for one position, done for all of them at once: the contributions of all
// factors are gathered by atom; the atom nested deepest is then a sum that is looked up in what it
// is made of, until only axes are left. Each sum has a limit; what is above it is padding.
//
// A linear combination is data wherever it has a position: which of its parts fit is not asked.
#include "engine/data.h"

#include "base/checked.h"
#include "mapping/cell.h"

enum { FROM_POSITION = -1 };

// What has been found out about one atom.
typedef struct {
    const Atom *atom;
    HwDataSum sum;
} Contribution;

typedef struct {
    Arena *arena;
    int64_t size; // of the shape
    struct {
        ARRAY(HwDataSum);
    } sums;
    struct {
        ARRAY(Contribution);
    } atoms; // still to be looked up
} Finder;

static HwDataPart *add_part(Finder *finder, HwDataSum *sum, HwDataPart part)
{
    HwDataPart *added = array_push(finder->arena, &sum->parts, HwDataPart);
    *added = part;
    return added;
}

static HwDataSum *sum_of(Finder *finder, const Atom *atom)
{
    for (int64_t i = 0; i < finder->atoms.count; i++)
        if (atom_equal(finder->atoms.items[i].atom, atom))
            return &finder->atoms.items[i].sum;
    Contribution *added = array_push(finder->arena, &finder->atoms, Contribution);
    *added = (Contribution){atom, {.limit = atom->size}};
    return &added->sum;
}

// Its place among the sums.
static int64_t push_sum(Finder *finder, HwDataSum sum)
{
    *array_push(finder->arena, &finder->sums, HwDataSum) = sum;
    return finder->sums.count - 1;
}

// Positions inside factor `count` of the mapping.
static int64_t inside_of(const Mapping *mapping, int64_t count)
{
    int64_t inside = 1;
    for (int64_t i = 0; i < count; i++) {
        const Factor *factor = &mapping->factors[i];
        inside = factor->is_padding ? factor->size : inside * factor->resize;
    }
    return inside;
}

// Digits inside a padding can be taken from what is outside it, because all of them end with it.
static bool ends_evenly(const Mapping *mapping, int64_t padding)
{
    for (int64_t i = 0; i < padding; i++)
        if (mapping->factors[padding].size % inside_of(mapping, i + 1))
            return false;
    return true;
}

// Adds what the positions of `mapping` contribute, which are those of sum `from`.
static void contribute(Finder *finder, const Mapping *mapping, int64_t from)
{
    for (int64_t i = mapping->count - 1; i >= 0; i--) {
        const Factor *factor = &mapping->factors[i];
        int64_t inside = inside_of(mapping, i);
        if (factor->is_padding) {
            HwDataSum sum = {.limit = inside};
            add_part(finder, &sum, (HwDataPart){from, 1, factor->size, 1, {0}});
            int64_t padded = push_sum(finder, sum);
            from = ends_evenly(mapping, i) ? from : padded;
            continue;
        }
        HwDataPart part = {from, inside, factor->resize, factor->term.stride, {0}};
        add_part(finder, sum_of(finder, factor->term.atom), part);
    }
}

static HwDataPart whole(int64_t from)
{
    return (HwDataPart){from, 1, 0, 1, {0}};
}

static void look_up_list(Finder *finder, const Atom *list, int64_t from)
{
    HwDataSum sum = {.limit = list->inner->size};
    HwDataPart *part = add_part(finder, &sum, whole(from));
    for (int64_t i = 0; i < list->size; i++)
        *array_push(finder->arena, &part->table, int64_t) = list->offsets[i];
    contribute(finder, list->inner, push_sum(finder, sum));
}

static void look_up_shift(Finder *finder, const Atom *shift, int64_t from)
{
    HwDataSum sum = {.limit = shift->inner->size, .first = shift->shift};
    add_part(finder, &sum, whole(from));
    contribute(finder, shift->inner, push_sum(finder, sum));
}

// base = (position + the other axes) mod size
static void look_up_skew(Finder *finder, const Atom *skew, int64_t from)
{
    HwDataSum sum = {.limit = skew->size, .modulo = skew->size};
    add_part(finder, &sum, whole(from));
    for (int64_t i = 0; i < skew->part_count; i++) {
        const HwDataSum *other = sum_of(finder, skew->others[i]);
        for (int64_t k = 0; k < other->parts.count; k++)
            add_part(finder, &sum, other->parts.items[k]);
    }
    int64_t base = push_sum(finder, sum);
    add_part(finder, sum_of(finder, skew->base), whole(base));
}

static void look_up(Finder *finder, const Atom *atom, int64_t from)
{
    switch (atom->kind) {
    case ATOM_AXIS:
    case ATOM_LINEAR:
        return;
    case ATOM_BLOCK:
        contribute(finder, atom->inner, from);
        return;
    case ATOM_SHIFT:
        look_up_shift(finder, atom, from);
        return;
    case ATOM_LIST:
        look_up_list(finder, atom, from);
        return;
    case ATOM_SKEW:
        look_up_skew(finder, atom, from);
        return;
    }
}

// Looks up the atom whose contributions are complete. False: only axes are left.
static bool look_up_next(Finder *finder)
{
    AtomList atoms = {0};
    for (int64_t i = 0; i < finder->atoms.count; i++)
        *array_push(finder->arena, &atoms, const Atom *) = finder->atoms.items[i].atom;
    int64_t next = next_atom(&atoms);
    if (next < 0)
        return false;
    Contribution found = finder->atoms.items[next];
    finder->atoms.items[next] = finder->atoms.items[--finder->atoms.count];
    look_up(finder, found.atom, push_sum(finder, found.sum));
    return true;
}

// ---- what is needed of them

typedef struct {
    int64_t least, most; // that it can be where all sums before it are within their limits
    bool varies;         // with the inner positions
    bool needed;
    int64_t place; // among those that are needed
} Fact;

static int64_t most_of_part(const Finder *finder, const Fact *facts, const HwDataPart *part)
{
    int64_t most = finder->size - 1, product;
    if (part->from >= 0)
        most = min_i64(facts[part->from].most, finder->sums.items[part->from].limit - 1);
    most /= part->divide;
    most = part->modulo ? min_i64(most, part->modulo - 1) : most;
    if (part->table.count) {
        int64_t largest = 0;
        for (int64_t i = 0; i < part->table.count; i++)
            largest = max_i64(largest, part->table.items[i]);
        most = largest;
    }
    return checked_mul(most, part->weight, &product) ? product : INT64_MAX / 2;
}

static void learn(const Finder *finder, Fact *facts, int64_t index, int64_t inside)
{
    const HwDataSum *sum = &finder->sums.items[index];
    Fact *fact = &facts[index];
    fact->least = fact->most = sum->first;
    for (int64_t i = 0; i < sum->parts.count; i++) {
        const HwDataPart *part = &sum->parts.items[i];
        int64_t most = most_of_part(finder, facts, part);
        if (!checked_add(fact->most, most, &fact->most))
            fact->most = INT64_MAX;
        fact->varies |= part->from >= 0 ? facts[part->from].varies : part->divide < inside;
    }
    if (sum->modulo)
        fact->most = min_i64(fact->most, sum->modulo - 1);
    fact->needed = fact->varies && (fact->least < 0 || fact->most >= sum->limit);
}

// Sums that no position can fail, and that nothing else is taken from, say nothing.
static void add_needed(const Finder *finder, int64_t inside, void *list)
{
    int64_t count = finder->sums.count, kept = 0;
    Fact *facts = arena_new(finder->arena, Fact, (size_t)count + 1);
    for (int64_t i = 0; i < count; i++)
        learn(finder, facts, i, inside);
    for (int64_t i = count - 1; i >= 0; i--)
        for (int64_t k = 0; facts[i].needed && k < finder->sums.items[i].parts.count; k++) {
            int64_t from = finder->sums.items[i].parts.items[k].from;
            if (from >= 0)
                facts[from].needed = true;
        }
    for (int64_t i = 0; i < count; i++) {
        if (!facts[i].needed)
            continue;
        facts[i].place = kept++;
        HwDataSum *sum = array_push(finder->arena, list, HwDataSum);
        *sum = finder->sums.items[i];
        for (int64_t k = 0; k < sum->parts.count; k++) {
            HwDataPart *part = &sum->parts.items[k];
            part->from = part->from >= 0 ? facts[part->from].place : part->from;
        }
    }
}

void data_sums(Arena *arena, const Mapping *shape, int64_t inside, void *list)
{
    Mapping normal = mapping_normalise(arena, shape);
    Finder finder = {.arena = arena, .size = normal.size};
    contribute(&finder, &normal, FROM_POSITION);
    while (look_up_next(&finder))
        continue;
    for (int64_t i = 0; i < finder.atoms.count; i++)
        push_sum(&finder, finder.atoms.items[i].sum);
    add_needed(&finder, inside, list);
}
