// Atoms that one side of a division has and the other is made of. A block of the stream may lie in
// the buffer as its axes, an axis of the stream inside a block of the buffer; both are linear in
// each other as long as the layout keeps one distance, and then digits of one are digits of the
// other.
#include "mapping/divider.h"

#include "base/checked.h"
#include "mapping/cell.h"

#include <stdlib.h>

static int by_divisor_stride(const void *a, const void *b)
{
    const Match *x = a, *y = b;
    return compare_i64(x->divisor_stride, y->divisor_stride);
}

// How `inner` lies in the dividend: everywhere the same number of positions for one of its own (the
// result), or not so (0). Then *even is how far, from the inside, it is the same.
static int64_t find_ratio(Divider *trial, const Mapping *inner, int64_t *even)
{
    MatchList matches = {0};
    int64_t ratio = 0;
    divider_take(trial, inner, 1, &matches);
    if (matches.count)
        qsort(matches.items, (size_t)matches.count, sizeof(Match), by_divisor_stride);
    for (int64_t i = 0; i < matches.count; i++) {
        const Match *match = &matches.items[i];
        bool loses = trial->whole && match->extent != match->resize;
        bool whole = match->kind == MATCH_FOUND && !match->list && !loses;
        int64_t here = whole ? match->dividend_stride / match->divisor_stride : 0;
        *even = match->divisor_stride;
        if (!whole || match->dividend_stride % match->divisor_stride || (ratio && here != ratio))
            return 0;
        ratio = here;
    }
    return ratio;
}

// Makes one run of the positions start .. end, all of whose digits generation `taken` took, with
// the padding inside it. False: something else stands there.
static bool absorb(Divider *divider, int64_t taken, int64_t start, int64_t end, int64_t *first)
{
    int64_t count = divider->items.count;
    *first = count;
    for (int64_t i = count - 1; i >= 0; i--) {
        Item *item = &divider->items.items[i];
        bool inside = item->place >= start && item->place < end;
        bool into = item->place < start && item_end(item) > start;
        bool other = !item->gone && !item->is_padding && item->taken != taken;
        if (other && (inside || into))
            return false;
        if (item->taken == taken || (inside && item->is_padding && item->size <= end))
            item->gone = true;
        if (item->place >= start)
            *first = i;
    }
    return true;
}

bool divider_is_searched(const Divider *divider, const Atom *atom)
{
    for (const Search *search = divider->search; search; search = search->up)
        if (atom_equal(search->atom, atom))
            return true;
    return false;
}

// The part of an atom round its digits low .. high that can be moved on its own.
static Mapping part_of(Arena *arena, const Atom *atom, int64_t *low, int64_t *high)
{
    Mapping part = mapping_normalise(arena, atom->inner), rest;
    bool whole = atom->kind != ATOM_BLOCK;
    if (!whole)
        mapping_hull(arena, &part, low, high);
    if (whole || (*low > 1 && !mapping_cut(arena, &part, *low, &part, &rest))) {
        *low = 1;
        *high = atom->size;
    }
    if (!whole && *high < atom->size && !mapping_cut(arena, &part, *high / *low, &rest, &part))
        *high = atom->size;
    return part;
}

// Where the dividend is laid out along what digits low .. high of `atom` are made of, gives it
// digits of that atom instead. False: it is not; *even is up to which digit it is.
static bool lift_digits(Divider *divider, const Atom *atom, int64_t low, int64_t high,
                        int64_t *even)
{
    Mapping part = part_of(divider->arena, atom, &low, &high);
    Search search = {atom, divider->search};
    Divider trial = divider_copy(divider);
    int64_t first, shift = 0;
    trial.generation++;
    trial.search = &search;
    trial.truncates = false;
    *even = 1;
    int64_t ratio = find_ratio(&trial, &part, even);
    *even = checked_mul(*even, low, even) ? *even : 1;
    trial.search = divider->search;
    trial.truncates = divider->truncates;
    int64_t end;
    if (!ratio || !checked_mul(ratio, part.size, &end) ||
        !absorb(&trial, trial.generation, ratio, end, &first))
        return false;
    if (atom->kind == ATOM_SHIFT && !checked_mul(atom->shift, ratio, &shift))
        return false;
    int64_t digits = ceil_div(high, low);
    Item item = {.term = {atom, low, digits},
                 .resize = digits,
                 .place = ratio,
                 .shift = shift,
                 .lifted = true};
    divider_insert(&trial, first, item);
    if (divider->straight && item_end(&item) > divider_limit_above(&trial, first))
        return false; // its padding is not there
    *divider = trial;
    return true;
}

static int64_t end_of(const Term *term)
{
    int64_t end;
    return checked_mul(term->stride, term->modulo, &end) ? min_i64(end, term->atom->size)
                                                         : term->atom->size;
}

// How many positions the digits of an atom in the dividend reach: one more than the largest sum.
static int64_t reach_of(const Divider *divider, const Atom *atom)
{
    int64_t reach = 1, digits;
    for (int64_t i = 0; i < divider->items.count; i++) {
        const Item *item = &divider->items.items[i];
        if (item->is_padding || item->gone || !atom_equal(item->term.atom, atom))
            continue;
        if (!checked_mul(item->resize - 1, item->term.stride, &digits) ||
            !checked_add(reach, digits, &reach))
            return INT64_MAX;
    }
    return reach;
}

// The normal form keeps only as much of a block as its digits reach: `[A, B] # 16 = 8` becomes
// `[A = 2, B] = 8`. If `atom` begins with that block, digits of the block are digits of `atom`: the
// first 8 positions of both are the same, and no digit goes beyond them.
bool divider_widen(Divider *divider, const Atom *atom)
{
    const Atom *part = NULL;
    if (atom->kind != ATOM_BLOCK)
        return false;
    for (int64_t i = 0; i < divider->items.count && !part; i++) {
        const Item *item = &divider->items.items[i];
        const Atom *here = item->term.atom;
        if (item_is_free(item) && here->kind == ATOM_BLOCK && here->size < atom->size &&
            reach_of(divider, here) <= here->size &&
            mapping_is_prefix(divider->arena, here->inner, atom->inner) == MAPPINGS_EQUAL)
            part = here;
    }
    for (int64_t i = 0; part && i < divider->items.count; i++) {
        Item *item = &divider->items.items[i];
        if (item->is_padding || item->gone || !atom_equal(item->term.atom, part))
            continue;
        if (end_of(&item->term) == part->size)
            item->term.modulo = ceil_div(atom->size, item->term.stride);
        item->term.atom = atom;
    }
    return part;
}

bool divider_lift(Divider *divider, const Wanted *wanted)
{
    const Atom *atom = wanted->term.atom;
    int64_t low = wanted->term.stride, high, even, again;
    bool bent = atom->kind == ATOM_SHIFT || atom->kind == ATOM_LIST;
    if (!atom->inner || (bent && divider->straight) || divider_is_searched(divider, atom))
        return false;
    if (!checked_mul(low, wanted->term.modulo, &high))
        high = atom->size;
    if (!divider_has_atom(divider, atom) && lift_digits(divider, atom, 1, atom->size, &even))
        return true; // all of it: other terms will want the rest
    int64_t next =
        divider_next_digit(divider, atom, low); // what is there already need not be found
    high = next ? min_i64(high, next) : high;
    if (lift_digits(divider, atom, low, high, &even))
        return true;
    return atom->kind == ATOM_BLOCK && even > low && even < high &&
           lift_digits(divider, atom, low, even, &again);
}

// Whether any axis occurs in both atoms.
static bool share_axis(Arena *arena, const Atom *a, const Atom *b)
{
    AtomList axes = {0};
    atom_axes(arena, b, &axes);
    return atom_has_axis_of(arena, a, &axes);
}

bool divider_has_axis_of(const Divider *divider, const Atom *atom)
{
    for (int64_t i = 0; i < divider->items.count; i++) {
        const Item *item = &divider->items.items[i];
        if (!item->is_padding && share_axis(divider->arena, item->term.atom, atom))
            return true;
    }
    return false;
}

static bool begins(Arena *arena, const Atom *part, const Atom *whole)
{
    return part->kind == ATOM_BLOCK && whole->kind == ATOM_BLOCK &&
           mapping_is_prefix(arena, part->inner, whole->inner) == MAPPINGS_EQUAL;
}

// Whether both count the same positions, one perhaps fewer of them.
static bool count_alike(Arena *arena, const Atom *a, const Atom *b)
{
    return atom_equal(a, b) || begins(arena, a, b) || begins(arena, b, a);
}

static bool terms_overlap(const Term *a, const Term *b)
{
    return a->stride < end_of(b) && b->stride < end_of(a);
}

int64_t divider_part_end(const Divider *divider, const Term *term)
{
    if (term->atom->kind != ATOM_BLOCK)
        return 0;
    Mapping inner = mapping_normalise(divider->arena, term->atom->inner);
    int64_t end = 1;
    for (int64_t i = 0; i < inner.count; i++) {
        const Factor *factor = &inner.factors[i];
        end = factor->is_padding ? factor->size : end * factor->resize;
        if (end > term->stride && end % term->stride == 0)
            return end;
    }
    return 0;
}

// Whether `term` has something of these digits of a block, whose cut from the block is `part`.
static bool has_some_of(Arena *arena, const Term *term, const Term *digits, const Mapping *part)
{
    if (count_alike(arena, term->atom, digits->atom))
        return terms_overlap(term, digits);
    for (int64_t i = 0; i < part->count; i++) {
        const Term *inner = &part->factors[i].term;
        if (part->factors[i].is_padding)
            continue;
        if (count_alike(arena, term->atom, inner->atom)
                ? terms_overlap(term, inner)
                : share_axis(arena, term->atom, inner->atom))
            return true;
    }
    return false;
}

bool divider_has_some_of(const Divider *divider, const Term *digits)
{
    if (digits->atom->kind != ATOM_BLOCK)
        return false;
    int64_t low = digits->stride, high = end_of(digits);
    Mapping part = part_of(divider->arena, digits->atom, &low, &high);
    for (int64_t i = 0; i < divider->items.count; i++) {
        const Item *item = &divider->items.items[i];
        if (item_is_free(item) && has_some_of(divider->arena, &item->term, digits, &part))
            return true;
    }
    return false;
}

// A part of a linear combination is looked for in the part, whose positions weigh `weight`.
static bool take_in_linear(Divider *divider, int64_t index, Wanted wanted, MatchList *matches)
{
    Item *item = &divider->items.items[index];
    const Atom *linear = item->term.atom;
    if (item->resize != linear->size)
        return false;
    for (int64_t k = 0; k < linear->part_count; k++) {
        Divider *part = divider_new(divider->arena, linear->parts[k]);
        MatchList found = {0};
        divider_take_term(part, wanted, &found);
        if (!found.count || found.items[0].kind != MATCH_FOUND)
            continue;
        for (int64_t i = 0; i < found.count; i++) {
            Match *match = array_push(divider->arena, matches, Match);
            *match = found.items[i];
            match->dividend_stride *= linear->weights[k] * item->place;
            match->room = match->extent;
            match->span = 0;
        }
        item->taken = divider->generation;
        divider->shares |= linear->part_count > 1;
        return true;
    }
    return false;
}

void divider_place_shift(Divider *divider, const Atom *atom)
{
    for (int64_t i = 0; atom->kind == ATOM_SHIFT && i < divider->items.count; i++) {
        Item *item = &divider->items.items[i];
        bool unit = !item->is_padding && !item->lifted && !item->placed && item->term.stride == 1;
        if (!unit || !atom_equal(item->term.atom, atom))
            continue;
        item->shift = -atom->shift * item->place;
        divider_use_shift(divider, item);
    }
}

// A digit of what a block of the dividend is made of is a digit of the block.
static bool take_in_block(Divider *divider, const Atom *block, Wanted wanted, MatchList *matches)
{
    Divider *inner = divider_new(divider->arena, block->inner);
    MatchList found = {0};
    divider_take_term(inner, wanted, &found);
    for (int64_t i = 0; i < found.count; i++)
        if (found.items[i].kind != MATCH_FOUND || found.items[i].list || inner->offset)
            return false;
    if (block->kind == ATOM_SHIFT && block->shift > 0)
        return false;
    divider_place_shift(divider, block);
    for (int64_t i = 0; i < found.count; i++) {
        const Match *match = &found.items[i];
        Term term = {block, match->dividend_stride, match->resize};
        divider_take_term(divider, (Wanted){term, match->resize, match->divisor_stride}, matches);
    }
    return found.count > 0;
}

bool divider_take_inside(Divider *divider, Wanted wanted, MatchList *matches)
{
    for (int64_t i = 0; i < divider->items.count; i++) {
        const Item *item = &divider->items.items[i];
        if (item->is_padding || item->gone)
            continue;
        const Atom *atom = item->term.atom;
        if (atom->kind == ATOM_LINEAR && take_in_linear(divider, i, wanted, matches))
            return true;
        bool block = atom->kind == ATOM_BLOCK || atom->kind == ATOM_SHIFT;
        bool inside = atom_depth(atom) > atom_depth(wanted.term.atom);
        if (block && inside && !item->taken && !divider_is_searched(divider, atom) &&
            take_in_block(divider, atom, wanted, matches))
            return true;
    }
    return false;
}
