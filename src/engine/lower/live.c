// As cell.c resolves one position, this resolves all at once: digits contribute to atoms, the atom
// nested deepest is opened, until only axes are left. Where cell.c compares a sum with the size of
// an atom, this writes the comparison down, unless the sum can never reach it.
//
// Of a linear combination only its own size is compared: which positions of its parts add up to it
// is no sum of digits. What it contributes to is left out, and axes it contributes to are known to
// be at least what else does.
#include "engine/lower/live.h"

#include "base/checked.h"
#include "mapping/cell.h"

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
        if (!checked_mul(term->most, term->weight, &most) || !checked_add(reach, most, &reach))
            return INT64_MAX;
    }
    return reach;
}

static bool is_always(const LiveCheck *check)
{
    int64_t last;
    if (check->modulo && check->modulo <= check->limit)
        return true;
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
        (LiveTerm){of, place, end, factor->resize - 1, factor->term.stride, NULL};
    Mapping part = mapping_of_term(resolver->arena, factor->term, factor->resize);
    sum->sum.subject = mapping_pair(resolver->arena, &part, &sum->sum.subject);
}

// ---- checks

static LiveCheck copy_of(Arena *arena, const LiveCheck *check)
{
    LiveCheck copy = *check;
    copy.items = arena_new(arena, LiveTerm, (size_t)check->count + 1);
    copy.capacity = check->count + 1;
    for (int64_t i = 0; i < check->count; i++)
        copy.items[i] = check->items[i];
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
    *array_push(resolver->arena, &check, LiveTerm) = (LiveTerm){of, 1, size, size - 1, 1, NULL};
    return check;
}

// If whole steps of the outermost term are padding, only that term is padded: `[A, B] # 16` with
// B = 2 is `A # 8, B`. Otherwise all terms together are.
static void name_padded(Arena *arena, const Mapping *inside, int64_t size, LiveCheck *check)
{
    const Factor *outer = inside->count ? &inside->factors[inside->count - 1] : NULL;
    check->subject = *inside;
    check->step = 0;
    if (!outer || outer->is_padding || size % (inside->size / outer->resize))
        return;
    int64_t padded = size / (inside->size / outer->resize);
    check->subject = mapping_of_term(arena, outer->term, outer->resize);
    check->step = gcd_i64(max_i64(padded, outer->resize), min_i64(padded, outer->resize)) *
                  outer->term.stride;
}

static void add_padding(Resolver *resolver, int64_t of, const Mapping *inside, int64_t size)
{
    LiveCheck check = check_of_number(resolver, of, size);
    check.limit = inside->size;
    name_padded(resolver->arena, inside, size, &check);
    if (!is_always(&check))
        push_check(resolver, &check);
}

// Paddings of two kinds in a row: the outer one pads what the inner one does.
static bool is_padded_again(const Mapping *mapping, int64_t i)
{
    return mapping->factors[i].is_padding && i + 1 < mapping->count &&
           mapping->factors[i + 1].is_padding;
}

// Where the digit of a term begins again, `size` positions inside it.
static int64_t end_of_digit(const Mapping *mapping, int64_t i, int64_t size)
{
    int64_t end = size * mapping->factors[i].resize;
    while (++i < mapping->count && mapping->factors[i].is_padding)
        end = mapping->factors[i].size;
    return end;
}

// The outermost padding to no whole number of steps of what it pads: from outside nobody can tell
// where digits inside begin. -1: none.
static int64_t find_ragged(const Mapping *mapping)
{
    int64_t ragged = -1, size = 1, step = 1;
    for (int64_t i = 0; i < mapping->count; i++) {
        const Factor *factor = &mapping->factors[i];
        if (is_padded_again(mapping, i))
            continue;
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
        while (inside.count && inside.factors[inside.count - 1].is_padding)
            inside.count--;
        inside.size = mapping_recount(&inside);
        size = mapping->factors[ragged].size;
        LiveCheck number = check_of_number(resolver, of, size);
        number.limit = inside.size;
        number.subject = inside;
        add_mapping(resolver, push_check(resolver, &number), &inside);
    }
    for (int64_t i = ragged + 1; i < mapping->count; i++) {
        const Factor *factor = &mapping->factors[i];
        if (is_padded_again(mapping, i))
            continue;
        if (factor->is_padding) {
            Mapping inside = {mapping->factors, i, size};
            add_padding(resolver, of, &inside, factor->size);
            size = factor->size;
            continue;
        }
        add_digit(resolver, of, size, end_of_digit(mapping, i, size), factor);
        size *= factor->resize;
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

// Contributions to it are missing: of a linear combination, or of what lacks some itself.
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

static void open_shift(Resolver *resolver, const Atom *shift, const LiveCheck *sum)
{
    LiveCheck moved = copy_of(resolver->arena, sum);
    moved.offset += shift->shift;
    moved.limit = shift->inner->size;
    add_mapping(resolver, push_check(resolver, &moved), shift->inner);
}

static void open_list(Resolver *resolver, const Atom *list, const LiveCheck *sum, int64_t number)
{
    LiveCheck listed = {.limit = list->inner->size, .subject = sum->subject};
    int64_t most = 0;
    for (int64_t i = 0; i < list->size; i++)
        most = max_i64(most, list->offsets[i]);
    *array_push(resolver->arena, &listed, LiveTerm) =
        (LiveTerm){number, 1, list->size, most, 1, list};
    add_mapping(resolver, push_check(resolver, &listed), list->inner);
}

// base = (position + the other axes) mod size
static void open_skew(Resolver *resolver, const Atom *skew, const LiveCheck *sum)
{
    Arena *arena = resolver->arena;
    LiveCheck turned = copy_of(arena, sum);
    turned.modulo = skew->size;
    for (int64_t i = 0; i < skew->part_count; i++) {
        const LiveCheck *other = &sum_of(resolver, skew->others[i])->sum;
        turned.offset = (turned.offset + other->offset % skew->size) % skew->size;
        turned.subject = mapping_pair(arena, &other->subject, &turned.subject);
        for (int64_t k = 0; k < other->count; k++)
            *array_push(arena, &turned, LiveTerm) = other->items[k];
    }
    int64_t number = push_check(resolver, &turned);
    Sum *base = sum_of(resolver, skew->base);
    *array_push(arena, &base->sum, LiveTerm) =
        (LiveTerm){number, 1, skew->size, skew->size - 1, 1, NULL};
    base->sum.subject = mapping_pair(arena, &turned.subject, &base->sum.subject);
}

static void cloud(Resolver *resolver, const Atom *atom)
{
    resolver->checks->exact = false;
    atom_axes(resolver->arena, atom, &resolver->clouded);
}

// Everything that contributes to one atom is known.
static void resolve_atom(Resolver *resolver, const Atom *atom, LiveCheck sum)
{
    sum.limit = atom->size;
    sum.step = sum.offset >= 0
                   ? gcd_i64(max_i64(sum.limit, sum.offset), min_i64(sum.limit, sum.offset))
                   : 0;
    int64_t number = push_check(resolver, &sum);
    switch (atom->kind) {
    case ATOM_AXIS:
        return;
    case ATOM_BLOCK:
        add_mapping(resolver, number, atom->inner);
        return;
    case ATOM_SHIFT:
        open_shift(resolver, atom, &sum);
        return;
    case ATOM_LIST:
        open_list(resolver, atom, &sum, number);
        return;
    case ATOM_LINEAR:
        cloud(resolver, atom);
        return;
    case ATOM_SKEW:
        open_skew(resolver, atom, &sum);
        return;
    }
}

static void resolve_next(Resolver *resolver, int64_t index)
{
    Sum next = resolver->sums.items[index];
    resolver->sums.items[index] = resolver->sums.items[--resolver->sums.count];
    if (next.atom->kind != ATOM_AXIS && is_clouded(resolver, next.atom))
        cloud(resolver, next.atom);
    else
        resolve_atom(resolver, next.atom, next.sum);
}

static bool same_terms(const LiveCheck *a, const LiveCheck *b)
{
    bool same = a->count == b->count && a->modulo == b->modulo;
    for (int64_t i = 0; same && i < a->count; i++) {
        const LiveTerm *x = &a->items[i], *y = &b->items[i];
        same = x->of == y->of && x->place == y->place && x->modulo == y->modulo &&
               x->weight == y->weight && x->list == y->list;
    }
    return same;
}

// Another check asks for the same or more; of two alike, the later one does.
static bool is_implied(const LiveChecks *checks, int64_t index)
{
    const LiveCheck *check = &checks->items[index];
    for (int64_t i = 0; i < checks->count; i++) {
        const LiveCheck *other = &checks->items[i];
        if (i == index || check->modulo || is_always(other) || !same_terms(check, other))
            continue;
        int64_t low = check->offset - other->offset;
        int64_t high = (check->limit - check->offset) - (other->limit - other->offset);
        if (low >= 0 && high >= 0 && (low || high || i > index))
            return true;
    }
    return false;
}

// Of each used check, those whose digits it takes are used as well: they come before it.
static void use_numbers(const LiveCheck *check, bool *used)
{
    for (int64_t i = 0; i < check->count; i++)
        if (check->items[i].of != OF_POSITION)
            used[check->items[i].of] = true;
}

// Numbers that nothing more is said about are no checks, unless their limit is one.
static void drop_always(Arena *arena, LiveChecks *checks)
{
    LiveChecks kept = {.exact = checks->exact};
    int64_t *moved = arena_new(arena, int64_t, (size_t)checks->count + 1);
    bool *used = arena_new(arena, bool, (size_t)checks->count + 1);
    for (int64_t i = checks->count - 1; i >= 0; i--) {
        used[i] |= !is_always(&checks->items[i]) && !is_implied(checks, i);
        if (used[i])
            use_numbers(&checks->items[i], used);
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
    LiveChecks checks = {.exact = true};
    Resolver resolver = {.arena = arena, .checks = &checks};
    Mapping *parts = arena_new(arena, Mapping, (size_t)shift_count + 1);
    parts[0] = *mapping;
    for (int64_t i = 0; i < shift_count; i++)
        parts[i + 1] = shifts[i].mapping;
    Mapping normal = mapping_normalise_part(arena, parts, shift_count + 1, 0);
    add_mapping(&resolver, OF_POSITION, &normal);
    for (int64_t i = 0; i < shift_count; i++)
        add_shift(&resolver, &shifts[i]);
    while (resolver.sums.count) {
        AtomList atoms = {0};
        for (int64_t i = 0; i < resolver.sums.count; i++)
            *array_push(arena, &atoms, const Atom *) = resolver.sums.items[i].atom;
        resolve_next(&resolver, max_i64(0, next_atom(&atoms)));
    }
    drop_always(arena, &checks);
    return checks;
}

// If a term counts less than a step at a time, its outer part is enough: the rest never adds up to
// the next step. If terms and steps do not divide each other, it takes the whole subject.
Mapping live_deciding(Arena *arena, const LiveCheck *check)
{
    Mapping deciding = mapping_identity();
    for (int64_t i = 0; i < check->subject.count; i++) {
        const Factor *factor = &check->subject.factors[i];
        int64_t stride = factor->term.stride, step = check->step;
        if (!step || factor->is_padding || (stride < step ? step % stride : stride % step))
            return check->subject;
        int64_t inner = max_i64(1, step / stride);
        if (factor->resize <= inner)
            continue;
        Term outer = {factor->term.atom, stride * inner, ceil_div(factor->resize, inner)};
        Mapping part = mapping_of_term(arena, outer, outer.modulo);
        deciding = mapping_pair(arena, &part, &deciding);
    }
    return mapping_has_terms(&deciding) ? deciding : check->subject; // `A # 11` with A = 11
}

// ---- records

void live_lower_check(Arena *arena, const LiveCheck *check, const int64_t *numbers, void *list)
{
    HwCheck *out = array_push(arena, list, HwCheck);
    *out = (HwCheck){.offset = check->offset, .modulo = check->modulo, .limit = check->limit};
    for (int64_t i = 0; i < check->count; i++) {
        const LiveTerm *term = &check->items[i];
        HwCheckTerm *digit = array_push(arena, &out->terms, HwCheckTerm);
        *digit = (HwCheckTerm){.of = term->of == OF_POSITION ? OF_POSITION : numbers[term->of],
                               .modulo = term->modulo,
                               .place = term->place,
                               .weight = term->weight};
        for (int64_t k = 0; term->list && k < term->list->size; k++)
            *array_push(arena, &digit->table, int64_t) = term->list->offsets[k];
    }
}

void live_lower_used(const Lower *lower, const LiveChecks *checks, bool *used, void *list)
{
    int64_t *numbers = arena_new(lower->scratch, int64_t, (size_t)checks->count + 1), count = 0;
    for (int64_t i = checks->count - 1; i >= 0; i--)
        if (used[i])
            use_numbers(&checks->items[i], used);
    for (int64_t i = 0; i < checks->count; i++) {
        if (!used[i])
            continue;
        numbers[i] = count++;
        live_lower_check(lower->arena, &checks->items[i], numbers, list);
    }
}

void live_lower_all(const Lower *lower, const LiveChecks *checks, void *list)
{
    int64_t *numbers = arena_new(lower->scratch, int64_t, (size_t)checks->count + 1);
    for (int64_t i = 0; i < checks->count; i++) {
        numbers[i] = i;
        live_lower_check(lower->arena, &checks->items[i], numbers, list);
    }
}

void live_lower_certain(const Lower *lower, const LiveChecks *checks, void *list)
{
    const LiveCheck never = {.limit = 0};
    if (checks->exact)
        live_lower_all(lower, checks, list);
    else
        live_lower_check(lower->arena, &never, NULL, list);
}

void live_lower(const Lower *lower, const Mapping *mapping, void *list)
{
    LiveChecks checks = live_checks(lower->scratch, mapping, NULL, 0);
    live_lower_all(lower, &checks, list);
}
