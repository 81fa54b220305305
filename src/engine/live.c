// As cell.c resolves one position, this resolves all at once: digits contribute to atoms, the atom
// nested deepest is opened, until only axes are left. Where cell.c compares a sum with the size of
// an atom, this writes the comparison down, unless the sum can never reach it.
#include "engine/live.h"

#include "base/checked.h"
#include "mapping/cell.h"

enum { MOST_CHECKS = 64 };

typedef struct {
    const Atom *atom;
    LiveCheck sum; // what contributes to it so far
} Sum;

typedef struct {
    ARRAY(Sum);
} Sums;

typedef struct {
    Arena *arena;
    LiveChecks *checks;
    Sums sums;
    AtomList clouded; // axes that nothing is said about
} Resolver;

// ---- sums

int64_t live_reach(const LiveCheck *check)
{
    int64_t reach = 0, most;
    for (int64_t i = 0; i < check->count; i++) {
        const LiveTerm *term = &check->items[i];
        if (!checked_mul(term->size - 1, term->weight, &most) || !checked_add(reach, most, &reach))
            return INT64_MAX;
    }
    return reach;
}

static bool is_always(const LiveCheck *check)
{
    int64_t last;
    return check->offset >= 0 && checked_add(check->offset, live_reach(check), &last) &&
           last < check->limit;
}

static Sum *sum_of(Resolver *resolver, const Atom *atom)
{
    for (int64_t i = 0; i < resolver->sums.count; i++)
        if (atom_equal(resolver->sums.items[i].atom, atom))
            return &resolver->sums.items[i];
    Sum *sum = array_push(resolver->arena, &resolver->sums, Sum);
    *sum = (Sum){.atom = atom, .sum.subject = mapping_identity()};
    return sum;
}

// `end`: where the digit begins again, padding round it included.
static void add_digit(Resolver *resolver, int64_t of, int64_t place, int64_t end,
                      const Factor *factor)
{
    Sum *sum = sum_of(resolver, factor->term.atom);
    *array_push(resolver->arena, &sum->sum, LiveTerm) =
        (LiveTerm){of, place, end, factor->resize, factor->term.stride};
    Mapping part = mapping_of_term(resolver->arena, factor->term, factor->resize);
    sum->sum.subject = mapping_pair(resolver->arena, &part, &sum->sum.subject);
}

// ---- checks

static LiveCheck copy_of(Arena *arena, const LiveCheck *check)
{
    LiveCheck copy = {.offset = check->offset, .limit = check->limit, .subject = check->subject};
    for (int64_t i = 0; i < check->count; i++)
        *array_push(arena, &copy, LiveTerm) = check->items[i];
    return copy;
}

static int64_t push_check(Resolver *resolver, const LiveCheck *check)
{
    *array_push(resolver->arena, resolver->checks, LiveCheck) = *check;
    return resolver->checks->count - 1;
}

// The innermost `size` positions of a number; the number itself where it is not larger, so that
// what is said about a sum stays about its digits.
static LiveCheck check_of_number(Resolver *resolver, int64_t of, int64_t size)
{
    const LiveCheck *source = of == OF_POSITION ? NULL : &resolver->checks->items[of];
    if (source && source->limit <= size)
        return copy_of(resolver->arena, source);
    LiveCheck check = {0};
    *array_push(resolver->arena, &check, LiveTerm) = (LiveTerm){of, 1, size, size, 1};
    return check;
}

static void add_padding(Resolver *resolver, int64_t of, const Mapping *inside, int64_t size)
{
    LiveCheck check = check_of_number(resolver, of, size);
    check.limit = inside->size;
    check.subject = *inside;
    if (!is_always(&check))
        push_check(resolver, &check);
}

// The outermost padding to no whole number of steps of what it pads: from outside nobody can tell
// where digits inside begin. -1: none.
static int64_t find_ragged(const Mapping *mapping)
{
    int64_t ragged = -1, size = 1, step = 1;
    for (int64_t i = 0; i < mapping->count; i++) {
        const Factor *factor = &mapping->factors[i];
        if (factor->is_padding && factor->size % step)
            ragged = i;
        step = size;
        size = factor->is_padding ? factor->size : size * factor->resize;
    }
    return ragged;
}

// What position `of` of `mapping` contributes to, and where it is padding. Inside ragged padding
// positions are counted from where that begins.
static void add_mapping(Resolver *resolver, int64_t of, const Mapping *mapping)
{
    int64_t size = 1, ragged = find_ragged(mapping);
    if (ragged >= 0) {
        Mapping inside = {mapping->factors, ragged, 0};
        inside.size = mapping_recount(&inside);
        size = mapping->factors[ragged].size;
        LiveCheck number = check_of_number(resolver, of, size);
        number.limit = inside.size;
        number.subject = inside;
        add_mapping(resolver, push_check(resolver, &number), &inside);
    }
    for (int64_t i = ragged + 1; i < mapping->count; i++) {
        const Factor *factor = &mapping->factors[i];
        if (factor->is_padding) {
            Mapping inside = {mapping->factors, i, size};
            add_padding(resolver, of, &inside, factor->size);
            size = factor->size;
            continue;
        }
        const Factor *next = i + 1 < mapping->count ? factor + 1 : NULL;
        int64_t end = size * factor->resize;
        add_digit(resolver, of, size, next && next->is_padding ? next->size : end, factor);
        size = end;
    }
}

static void add_shift(Resolver *resolver, const LiveShift *shift)
{
    int64_t size = 1;
    for (int64_t i = 0; i < shift->mapping.count; i++) {
        const Factor *factor = &shift->mapping.factors[i];
        if (!factor->is_padding)
            sum_of(resolver, factor->term.atom)->sum.offset +=
                shift->at / size % factor->resize * factor->term.stride;
        size = factor->is_padding ? factor->size : size * factor->resize;
    }
}

// ---- atoms

// Adds the axes whose values are no sums of digits: those of lists, linear combinations and skewed
// axes, and of whatever has such inside. True: there are such.
static bool find_clouded(Resolver *resolver, const Mapping *mapping)
{
    bool found = false;
    for (int64_t i = 0; i < mapping->count; i++) {
        const Atom *atom = mapping->factors[i].term.atom;
        if (mapping->factors[i].is_padding || atom->kind == ATOM_AXIS)
            continue;
        bool opened = atom->kind == ATOM_BLOCK || atom->kind == ATOM_SHIFT;
        if (opened && !find_clouded(resolver, atom->inner))
            continue;
        atom_axes(resolver->arena, atom, &resolver->clouded);
        found = true;
    }
    return found;
}

static bool is_clouded(const Resolver *resolver, const Atom *atom)
{
    AtomList axes = {0};
    atom_axes(resolver->arena, atom, &axes);
    for (int64_t i = 0; i < axes.count; i++)
        for (int64_t k = 0; k < resolver->clouded.count; k++)
            if (atom_equal(axes.items[i], resolver->clouded.items[k]))
                return true;
    return !axes.count && !resolver->checks->exact; // it may be in one of them all the same
}

// Everything that contributes to one atom is known.
static void resolve_atom(Resolver *resolver, Sum *found)
{
    const Atom *atom = found->atom;
    LiveCheck sum = found->sum;
    bool opened = atom->kind == ATOM_BLOCK || atom->kind == ATOM_SHIFT;
    sum.limit = atom->size;
    if (!opened && is_always(&sum))
        return;
    int64_t number = push_check(resolver, &sum);
    if (atom->kind == ATOM_SHIFT) {
        LiveCheck moved = copy_of(resolver->arena, &sum);
        moved.offset += atom->shift;
        moved.limit = atom->inner->size;
        number = push_check(resolver, &moved);
    }
    if (opened)
        add_mapping(resolver, number, atom->inner);
}

static void resolve_next(Resolver *resolver, int64_t index)
{
    Sum next = resolver->sums.items[index];
    resolver->sums.items[index] = resolver->sums.items[--resolver->sums.count];
    if (!is_clouded(resolver, next.atom))
        resolve_atom(resolver, &next);
}

static bool same_terms(const LiveCheck *a, const LiveCheck *b)
{
    bool same = a->count == b->count;
    for (int64_t i = 0; same && i < a->count; i++) {
        const LiveTerm *x = &a->items[i], *y = &b->items[i];
        same = x->of == y->of && x->place == y->place && x->modulo == y->modulo &&
               x->weight == y->weight;
    }
    return same;
}

// Another check asks for the same or more; of two alike, the later one does.
static bool is_implied(const LiveChecks *checks, int64_t index)
{
    const LiveCheck *check = &checks->items[index];
    for (int64_t i = 0; i < checks->count; i++) {
        const LiveCheck *other = &checks->items[i];
        if (i == index || is_always(other) || !same_terms(check, other))
            continue;
        int64_t low = check->offset - other->offset;
        int64_t high = (check->limit - check->offset) - (other->limit - other->offset);
        if (low >= 0 && high >= 0 && (low || high || i > index))
            return true;
    }
    return false;
}

// Numbers that nothing more is said about are no checks, unless their limit is one.
static void drop_always(Arena *arena, LiveChecks *checks)
{
    LiveChecks kept = {.exact = checks->exact};
    int64_t moved[MOST_CHECKS];
    bool used[MOST_CHECKS] = {0};
    for (int64_t i = checks->count - 1; i >= 0; i--) {
        used[i] |= !is_always(&checks->items[i]) && !is_implied(checks, i);
        for (int64_t k = 0; used[i] && k < checks->items[i].count; k++)
            if (checks->items[i].items[k].of != OF_POSITION)
                used[checks->items[i].items[k].of] = true;
    }
    for (int64_t i = 0; i < checks->count; i++) {
        LiveCheck *check = &checks->items[i];
        moved[i] = kept.count;
        for (int64_t k = 0; k < check->count; k++)
            if (used[i] && check->items[k].of != OF_POSITION)
                check->items[k].of = moved[check->items[k].of];
        if (used[i])
            *array_push(arena, &kept, LiveCheck) = *check;
    }
    *checks = kept;
}

LiveChecks live_checks(Arena *arena, const Mapping *mapping, const LiveShift *shifts,
                       int64_t shift_count)
{
    LiveChecks checks = {0};
    Resolver resolver = {.arena = arena, .checks = &checks};
    Mapping normal = mapping_normalise(arena, mapping);
    checks.exact = !find_clouded(&resolver, &normal);
    add_mapping(&resolver, OF_POSITION, &normal);
    for (int64_t i = 0; i < shift_count; i++)
        add_shift(&resolver, &shifts[i]);
    while (resolver.sums.count && checks.count < MOST_CHECKS - 2) {
        AtomList atoms = {0};
        for (int64_t i = 0; i < resolver.sums.count; i++)
            *array_push(arena, &atoms, const Atom *) = resolver.sums.items[i].atom;
        resolve_next(&resolver, max_i64(0, next_atom(&atoms)));
    }
    checks.exact &= !resolver.sums.count && checks.count <= MOST_CHECKS;
    checks.count = min_i64(checks.count, MOST_CHECKS);
    drop_always(arena, &checks);
    return checks;
}

bool live_at(const LiveChecks *checks, int64_t position)
{
    int64_t values[MOST_CHECKS];
    for (int64_t i = 0; i < checks->count; i++) {
        const LiveCheck *check = &checks->items[i];
        values[i] = check->offset;
        for (int64_t k = 0; k < check->count; k++) {
            const LiveTerm *term = &check->items[k];
            int64_t number = term->of == OF_POSITION ? position : values[term->of];
            values[i] += number % term->modulo / term->place * term->weight;
        }
        if (values[i] < 0 || values[i] >= check->limit)
            return false;
    }
    return true;
}
