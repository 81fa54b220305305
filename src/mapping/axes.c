// The axes of the array behind a tensor.
#include "mapping/divide.h"

#include "base/checked.h"

#include <stdlib.h>

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

static bool meet(const Term *low, const Term *high)
{
    int64_t end;
    return atom_equal(low->atom, high->atom) && checked_mul(low->stride, low->modulo, &end) &&
           end == high->stride;
}

static TermList join(Arena *arena, const TermList *terms)
{
    TermList joined = {0};
    for (int64_t i = 0; i < terms->count; i++) {
        Term *last = joined.count ? &joined.items[joined.count - 1] : NULL;
        const Term *next = &terms->items[i];
        if (last && meet(last, next)) {
            int64_t above = ceil_div(last->atom->size, last->stride);
            last->modulo = min_i64(last->modulo * next->modulo, above);
        } else if (!last || !atom_equal(last->atom, next->atom) || last->stride != next->stride) {
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
