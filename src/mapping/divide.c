// What a division leaves: residues with holes, remainders without them, tiles.
#include "mapping/divider.h"

#include "base/checked.h"
#include "base/divisor.h"

#include <stdlib.h>

static void add_term(MappingBuilder *builder, const Item *item, int64_t digits)
{
    mapping_build_factor(builder, &(Factor){.term = item->term, .resize = max_i64(digits, 1)});
}

// The factors of the items, with what was taken replaced by padding or, with a `span`, cut down.
static Mapping rebuild(const Divider *divider, PaddingKind hole, int64_t span)
{
    MappingBuilder result = mapping_build(divider->arena);
    for (int64_t i = 0; i < divider->items.count; i++) {
        const Item *item = &divider->items.items[i];
        int64_t end = min_i64(item_end(item), divider_limit_above(divider, i));
        if (item->gone)
            continue;
        if (item->is_padding) {
            mapping_build_pad(&result, max_i64(item->size, result.size), item->padding);
            continue;
        }
        mapping_build_pad(&result, max_i64(item->place, result.size), PADDING_TOP);
        int64_t digits = min_i64(item->taken ? span : item->resize, end / item->place);
        if (digits > 1 || (!item->taken && atom_has_origin(item->term.atom)))
            add_term(&result, item, digits);
        if (item->taken)
            mapping_build_pad(&result, max_i64(end, result.size), hole);
    }
    Mapping done = mapping_build_done(&result);
    return mapping_resize(divider->arena, &done, divider->size);
}

Mapping divider_residue(const Divider *divider, PaddingKind hole)
{
    return rebuild(divider, hole, 1);
}

// Without what was taken: everything outside it moves in. Of padding round a taken block there
// stays what the smallest block that divides it leaves.
static Mapping compact(const Divider *divider)
{
    MappingBuilder result = mapping_build(divider->arena);
    for (int64_t i = 0; i < divider->items.count; i++) {
        const Item *item = &divider->items.items[i];
        if (item->gone || item->is_padding)
            continue;
        int64_t extent = max_i64(divider_limit_above(divider, i) / item->place, 1);
        int64_t digits = min_i64(item->resize, extent), size = result.size;
        if (item->taken) {
            int64_t left = extent / divisor_at_least(extent, digits);
            mapping_build_pad(&result, size * left, PADDING_TOP);
            continue;
        }
        add_term(&result, item, digits);
        mapping_build_pad(&result, size * extent, PADDING_TOP);
    }
    return mapping_build_done(&result);
}

static int by_dividend_stride(const void *a, const void *b)
{
    const Match *x = a, *y = b;
    if ((x->kind == MATCH_FOUND) != (y->kind == MATCH_FOUND))
        return x->kind == MATCH_FOUND ? -1 : 1;
    int64_t left = x->kind == MATCH_FOUND ? x->dividend_stride : x->divisor_stride;
    int64_t right = y->kind == MATCH_FOUND ? y->dividend_stride : y->divisor_stride;
    return compare_i64(right, left);
}

// A digit that was cut unevenly and stays, all or in part, leaves a shape that has no factors.
static bool is_ragged(const Divider *divider, bool taken_stay)
{
    for (int64_t i = 0; i < divider->items.count; i++) {
        const Item *item = &divider->items.items[i];
        bool stays = item_is_free(item) || (taken_stay && item->taken && !item->gone);
        if (stays && item_end(item) > divider_limit_above(divider, i))
            return true;
    }
    return false;
}

// Takes the found pieces out of the divisor, too.
static Divider *divide_back(Arena *arena, const Mapping *divisor, const MatchList *matches)
{
    Divider *back = divider_new(arena, divisor);
    back->straight = true;
    MatchList ignored = {0};
    for (int64_t i = 0; i < matches->count; i++) {
        const Match *match = &matches->items[i];
        if (match->kind == MATCH_FOUND)
            divider_take_term(back, (Wanted){match->term, match->resize, 1}, &ignored);
    }
    return back;
}

// Takes the divisor out of the dividend. Cutting unevenly is tried first: where every piece is
// found, nothing of it shows; where one is left over, only even cuts leave something with factors.
static Divider *take_all(Arena *arena, const Mapping *dividend, const Mapping *divisor,
                         DivideKind kind, MatchList *matches)
{
    for (bool even = false;; even = true) {
        Divider *divider = divider_new(arena, dividend);
        divider->straight = true;
        divider->even = even;
        divider->bounded = kind == DIVIDE_BOUNDED;
        *matches = (MatchList){0};
        divider_take(divider, divisor, 1, matches);
        if (even || !is_ragged(divider, kind == DIVIDE_SPAN))
            return divider;
    }
}

// Every term was found, and what is left has factors. A span needs one piece, a strict division
// something to find.
static bool is_exact(const Division *division, const Divider *divider, DivideKind kind)
{
    if (division->found < division->matches.count || is_ragged(divider, kind == DIVIDE_SPAN))
        return false;
    return kind == DIVIDE_RELAXED || kind == DIVIDE_BOUNDED ||
           (kind == DIVIDE_SPAN ? division->found == 1 : division->found);
}

Division mapping_divide(Arena *arena, const Mapping *dividend, const Mapping *divisor,
                        DivideKind kind, int64_t span)
{
    Division division = {0};
    PaddingKind hole = kind == DIVIDE_STRICT ? PADDING_BOTTOM : PADDING_TOP;
    Divider *divider = take_all(arena, dividend, divisor, kind, &division.matches);
    for (int64_t i = 0; i < division.matches.count; i++)
        division.found += division.matches.items[i].kind == MATCH_FOUND;
    division.exact = is_exact(&division, divider, kind);
    division.uneven = divider->uneven;
    if (division.matches.count)
        qsort(division.matches.items, (size_t)division.matches.count, sizeof(Match),
              by_dividend_stride);
    Divider *back = divide_back(arena, divisor, &division.matches);
    division.dividend_residue = rebuild(divider, hole, kind == DIVIDE_SPAN ? span : 1);
    division.divisor_residue = rebuild(back, hole, 1);
    division.dividend_remainder = compact(divider);
    division.divisor_remainder = compact(back);
    return division;
}

bool mapping_tile(Arena *arena, const Mapping *mapping, const Mapping *index, int64_t length,
                  Mapping *tile)
{
    Division division =
        mapping_divide(arena, mapping, index, length > 1 ? DIVIDE_SPAN : DIVIDE_RELAXED, length);
    *tile = division.dividend_residue;
    return division.exact || (index->count == 0 && length == 1);
}

// Each found term is one digit of the start: it ends where the next larger one begins. A digit past
// the end of its term is in the padding after the term, where a tile may start as well.
int64_t mapping_tile_offset(Arena *arena, const Mapping *mapping, const Mapping *index,
                            int64_t start)
{
    Division division = mapping_divide(arena, mapping, index, DIVIDE_RELAXED, 1);
    int64_t offset = 0;
    for (int64_t i = 0; i < division.found; i++) {
        const Match *match = &division.matches.items[i];
        int64_t end = index->size;
        for (int64_t k = 0; k < division.found; k++)
            if (division.matches.items[k].divisor_stride > match->divisor_stride)
                end = min_i64(end, division.matches.items[k].divisor_stride);
        offset += start % end / match->divisor_stride * match->dividend_stride;
    }
    return offset;
}

// ---- the axes of the array behind a tensor

static int by_term(const void *a, const void *b)
{
    const Term *x = a, *y = b;
    return compare_by(atom_compare(x->atom, y->atom), compare_i64(x->stride, y->stride),
                      compare_i64(x->modulo, y->modulo));
}

static void add_terms(Arena *arena, const Mapping *mapping, TermList *terms)
{
    for (int64_t i = 0; i < mapping->count; i++)
        if (!mapping->factors[i].is_padding)
            *array_push(arena, terms, Term) = mapping->factors[i].term;
}

static TermList join(Arena *arena, const TermList *terms)
{
    TermList joined = {0};
    for (int64_t i = 0; i < terms->count; i++) {
        Term *last = joined.count ? &joined.items[joined.count - 1] : NULL;
        const Term *next = &terms->items[i];
        bool same = last && atom_equal(last->atom, next->atom);
        if (same && saturating_mul(last->stride, last->modulo) == next->stride) {
            int64_t above = ceil_div(last->atom->size, last->stride);
            last->modulo = min_i64(last->modulo * next->modulo, above);
        } else if (!same || last->stride != next->stride) {
            *array_push(arena, &joined, Term) = *next;
        }
    }
    return joined;
}

// A block all of whose positions are present is the axes it is made of.
static bool open_blocks(Arena *arena, const TermList *terms, TermList *opened)
{
    bool any = false;
    for (int64_t i = 0; i < terms->count; i++) {
        const Term *term = &terms->items[i];
        bool whole = term->stride == 1 && term->modulo == term->atom->size;
        if (term->atom->kind == ATOM_BLOCK && whole) {
            Mapping inner = mapping_normalise(arena, term->atom->inner);
            add_terms(arena, &inner, opened);
            any = true;
        } else {
            *array_push(arena, opened, Term) = *term;
        }
    }
    return any;
}

TermList mapping_canonical_axes(Arena *arena, const Mapping *mapping)
{
    Mapping normal = mapping_normalise(arena, mapping);
    TermList terms = {0};
    add_terms(arena, &normal, &terms);
    for (bool again = true; again;) {
        if (terms.count)
            qsort(terms.items, (size_t)terms.count, sizeof(Term), by_term);
        TermList joined = join(arena, &terms), opened = {0};
        again = open_blocks(arena, &joined, &opened);
        terms = opened;
    }
    return terms;
}
