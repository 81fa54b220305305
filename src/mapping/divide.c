#include "mapping/divide.h"

#include "base/checked.h"
#include "mapping/cell.h"

#include <stdlib.h>

// A digit of the dividend, or a padding of it. Items are kept innermost first.
typedef struct {
    bool is_padding;
    Term term;
    int64_t resize;
    int64_t place;       // positions of the dividend that one step takes
    int64_t size;        // of a padding, as in Factor
    PaddingKind padding; // of a padding
    int64_t taken;       // matched, a hole: by which generation of the divider; 0 is free
    bool gone;           // absorbed into a digit of a larger atom
    int64_t shift;       // positions by which the atom starts later in the dividend
    bool lifted;         // found through what its atom is made of
    bool placed;         // where its atom starts is in the offset already
} Item;

typedef struct {
    ARRAY(Item);
} ItemList;

// Atoms that are being looked for through what they are made of; none is taken for its own parts.
typedef struct Search Search;

struct Search {
    const Atom *atom;
    const Search *up;
};

struct Divider {
    Arena *arena;
    ItemList items;
    int64_t size;
    int64_t offset;
    int64_t generation; // rises with every trial, so that what a trial took can be told
    bool shares;
    bool truncates; // a shorter digit of the dividend is found, too
    const Search *search;
    bool even;     // digits are cut only where that leaves whole ones
    bool straight; // nothing shifted or listed is looked for: it leaves no residue
    bool leads;    // something found starts with padding before the data
};

static void insert_item(Divider *divider, int64_t at, Item item)
{
    array_push(divider->arena, &divider->items, Item);
    for (int64_t i = divider->items.count - 1; i > at; i--)
        divider->items.items[i] = divider->items.items[i - 1];
    divider->items.items[at] = item;
}

Divider *divider_new(Arena *arena, const Mapping *dividend)
{
    Divider *divider = arena_new(arena, Divider, 1);
    Mapping normal = mapping_normalise(arena, dividend);
    *divider = (Divider){.arena = arena, .size = normal.size, .generation = 1};
    int64_t block = 1;
    for (int64_t i = 0; i < normal.count; i++) {
        const Factor *factor = &normal.factors[i];
        *array_push(arena, &divider->items, Item) = (Item){.is_padding = factor->is_padding,
                                                           .term = factor->term,
                                                           .resize = factor->resize,
                                                           .place = block,
                                                           .size = factor->size,
                                                           .padding = factor->padding};
        block = factor->is_padding ? factor->size : block * factor->resize;
    }
    return divider;
}

static bool is_free(const Item *item);
static void place_shift(Divider *divider, const Atom *atom);

void divider_allow_truncation(Divider *divider)
{
    divider->truncates = true;
}

int64_t divider_offset(Divider *divider)
{
    // an atom that nothing walked is read at its index 0
    for (int64_t i = 0; i < divider->items.count; i++) {
        const Item *item = &divider->items.items[i];
        if (is_free(item) && item->term.atom->kind == ATOM_SHIFT && item->term.atom->shift < 0)
            place_shift(divider, item->term.atom);
    }
    return divider->offset;
}

bool divider_leads(const Divider *divider)
{
    return divider->leads;
}

int64_t divider_inner_padding(const Divider *divider)
{
    const Item *first = divider->items.items;
    return divider->items.count && first->is_padding ? first->size : 1;
}

bool divider_shares(const Divider *divider)
{
    return divider->shares;
}

static bool is_free(const Item *item)
{
    return !item->is_padding && !item->taken && !item->gone;
}

// Positions from `item` up to where the next thing outside it starts.
static int64_t limit_above(const Divider *divider, int64_t index)
{
    for (int64_t i = index + 1; i < divider->items.count; i++) {
        const Item *item = &divider->items.items[i];
        if (!item->gone)
            return item->is_padding ? item->size : item->place;
    }
    return divider->size;
}

static bool covers(const Item *item, int64_t stride)
{
    int64_t end;
    if (item->term.stride > stride)
        return false;
    return !checked_mul(item->term.stride, item->term.modulo, &end) || stride < end;
}

// Where the positions of a digit end; a last partial digit may end beyond everything.
static int64_t end_of(const Item *item)
{
    int64_t end;
    return checked_mul(item->place, item->resize, &end) ? end : INT64_MAX;
}

// The free digit of `atom` whose range holds `stride`, or -1.
static int64_t find_digit(const Divider *divider, const Atom *atom, int64_t stride)
{
    for (int64_t i = 0; i < divider->items.count; i++) {
        const Item *item = &divider->items.items[i];
        if (is_free(item) && atom_equal(item->term.atom, atom) && covers(item, stride))
            return i;
    }
    return -1;
}

// The smallest stride above `stride` at which a free digit of `atom` starts, or 0.
static int64_t next_digit(const Divider *divider, const Atom *atom, int64_t stride)
{
    int64_t best = 0;
    for (int64_t i = 0; i < divider->items.count; i++) {
        const Item *item = &divider->items.items[i];
        if (is_free(item) && item->term.stride > stride && (!best || item->term.stride < best) &&
            atom_equal(item->term.atom, atom))
            best = item->term.stride;
    }
    return best;
}

static bool has_atom(const Divider *divider, const Atom *atom)
{
    for (int64_t i = 0; i < divider->items.count; i++) {
        const Item *item = &divider->items.items[i];
        if (!item->is_padding && !item->gone && atom_equal(item->term.atom, atom))
            return true;
    }
    return false;
}

// Whether a term reaches the end of its atom: then digits beyond it are padding by themselves.
static bool reaches_end(const Term *term, int64_t resize)
{
    return ceil_div(term->atom->size, term->stride) <= resize;
}

// Cuts item `index` into `digits` low digits and the rest. False: it cannot be cut there.
static bool cut_item(Divider *divider, int64_t index, int64_t digits)
{
    Item low = divider->items.items[index], high = low;
    bool even = low.resize % digits == 0 && low.term.modulo % digits == 0;
    bool room = !divider->even || limit_above(divider, index) % (low.place * digits) == 0;
    if (low.term.atom->kind == ATOM_LIST ||
        (!even && !(room && reaches_end(&low.term, low.resize))))
        return false;
    low.term.modulo = low.resize = digits;
    high.term.stride *= digits;
    high.term.modulo = ceil_div(high.term.modulo, digits);
    high.resize = ceil_div(high.resize, digits);
    high.place *= digits;
    divider->items.items[index] = low;
    insert_item(divider, index + 1, high);
    return true;
}

static Match *add_match(Divider *divider, MatchList *matches, MatchKind kind, Term term,
                        int64_t resize, int64_t stride)
{
    Match *match = array_push(divider->arena, matches, Match);
    *match = (Match){.kind = kind, .term = term, .resize = resize, .divisor_stride = stride};
    return match;
}

// Where an atom starts in the dividend counts once, however many digits of it are taken.
static void use_shift(Divider *divider, const Item *item)
{
    const Atom *atom = item->term.atom;
    if (!item->shift)
        return;
    divider->offset += item->shift;
    divider->leads |= item->shift < 0;
    for (int64_t i = 0; i < divider->items.count; i++) {
        Item *other = &divider->items.items[i];
        if (other->is_padding || !atom_equal(other->term.atom, atom))
            continue;
        other->shift = 0;
        other->placed = true;
    }
}

static void take_item(Divider *divider, MatchList *matches, int64_t index, Term term,
                      int64_t resize, int64_t stride)
{
    Item *item = &divider->items.items[index];
    Match *match = add_match(divider, matches, MATCH_FOUND, term, resize, stride);
    match->extent = item->resize;
    match->dividend_stride = item->place;
    match->room = max_i64((limit_above(divider, index) - max_i64(item->shift, 0)) / item->place, 1);
    bool list = item->lifted && item->term.atom->kind == ATOM_LIST;
    match->list = list ? item->term.atom : NULL;
    item->taken = divider->generation;
    use_shift(divider, item);
}

// A term of the divisor that is looked for, or what is left of it.
typedef struct {
    Term term;
    int64_t resize;
    int64_t stride; // in the divisor
} Wanted;

static void take_term(Divider *divider, Wanted wanted, MatchList *matches);

// ---- atoms that one side has and the other is made of

static int by_divisor_stride(const void *a, const void *b)
{
    const Match *x = a, *y = b;
    return (x->divisor_stride > y->divisor_stride) - (x->divisor_stride < y->divisor_stride);
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
        bool whole = match->kind == MATCH_FOUND && !match->list;
        int64_t here = whole ? match->dividend_stride / match->divisor_stride : 0;
        *even = match->divisor_stride;
        if (!whole || match->dividend_stride % match->divisor_stride || (ratio && here != ratio))
            return 0;
        ratio = here;
    }
    return ratio;
}

static Divider copy_divider(const Divider *divider)
{
    Divider copy = *divider;
    copy.items = (ItemList){0};
    for (int64_t i = 0; i < divider->items.count; i++)
        *array_push(divider->arena, &copy.items, Item) = divider->items.items[i];
    return copy;
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
        bool into = item->place < start && end_of(item) > start;
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

static bool is_searched(const Divider *divider, const Atom *atom)
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
    Divider trial = copy_divider(divider);
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
    insert_item(&trial, first, item);
    if (divider->straight && end_of(&item) > limit_above(&trial, first))
        return false; // its padding is not there
    *divider = trial;
    return true;
}

// The same for a term: all its digits, or those up to where the layout of the dividend changes.
static bool lift_atom(Divider *divider, const Wanted *wanted)
{
    const Atom *atom = wanted->term.atom;
    int64_t low = wanted->term.stride, high, even, again;
    bool bent = atom->kind == ATOM_SHIFT || atom->kind == ATOM_LIST;
    if (!atom->inner || (bent && divider->straight) || is_searched(divider, atom))
        return false;
    if (!checked_mul(low, wanted->term.modulo, &high))
        high = atom->size;
    if (!has_atom(divider, atom) && lift_digits(divider, atom, 1, atom->size, &even))
        return true;                               // all of it: other terms will want the rest
    int64_t next = next_digit(divider, atom, low); // what is there already need not be found
    high = next ? min_i64(high, next) : high;
    if (lift_digits(divider, atom, low, high, &even))
        return true;
    return atom->kind == ATOM_BLOCK && even > low && even < high &&
           lift_digits(divider, atom, low, even, &again);
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
        take_term(part, wanted, &found);
        if (!found.count || found.items[0].kind != MATCH_FOUND)
            continue;
        for (int64_t i = 0; i < found.count; i++) {
            Match *match = array_push(divider->arena, matches, Match);
            *match = found.items[i];
            match->dividend_stride *= linear->weights[k] * item->place;
            match->room = match->extent;
        }
        item->taken = divider->generation;
        divider->shares |= linear->part_count > 1;
        return true;
    }
    return false;
}

// Padding before what an atom of the dividend is made of moves that up, by its unit digit.
static void place_shift(Divider *divider, const Atom *atom)
{
    for (int64_t i = 0; atom->kind == ATOM_SHIFT && i < divider->items.count; i++) {
        Item *item = &divider->items.items[i];
        bool unit = !item->is_padding && !item->lifted && !item->placed && item->term.stride == 1;
        if (!unit || !atom_equal(item->term.atom, atom))
            continue;
        item->shift = -atom->shift * item->place;
        use_shift(divider, item);
    }
}

// A digit of what a block of the dividend is made of is a digit of the block.
static bool take_in_block(Divider *divider, const Atom *block, Wanted wanted, MatchList *matches)
{
    Divider *inner = divider_new(divider->arena, block->inner);
    MatchList found = {0};
    take_term(inner, wanted, &found);
    for (int64_t i = 0; i < found.count; i++)
        if (found.items[i].kind != MATCH_FOUND || found.items[i].list || inner->offset)
            return false;
    if (block->kind == ATOM_SHIFT && block->shift > 0)
        return false;
    place_shift(divider, block);
    for (int64_t i = 0; i < found.count; i++) {
        const Match *match = &found.items[i];
        Term term = {block, match->dividend_stride, match->resize};
        take_term(divider, (Wanted){term, match->resize, match->divisor_stride}, matches);
    }
    return found.count > 0;
}

// Looks for a term inside the blocks and linear combinations of the dividend.
static bool take_inside(Divider *divider, Wanted wanted, MatchList *matches)
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
        if (block && inside && !item->taken && !is_searched(divider, atom) &&
            take_in_block(divider, atom, wanted, matches))
            return true;
    }
    return false;
}

// Whether any axis of `atom` occurs in the dividend.
static bool has_axis_of(const Divider *divider, const Atom *atom)
{
    AtomList wanted = {0}, present = {0};
    Mapping whole = mapping_of_atom(divider->arena, atom);
    mapping_axes(divider->arena, &whole, &wanted);
    for (int64_t i = 0; i < divider->items.count; i++) {
        const Item *item = &divider->items.items[i];
        if (item->is_padding)
            continue;
        Mapping term = mapping_of_atom(divider->arena, item->term.atom);
        mapping_axes(divider->arena, &term, &present);
    }
    for (int64_t i = 0; i < wanted.count; i++)
        for (int64_t k = 0; k < present.count; k++)
            if (atom_equal(wanted.items[i], present.items[k]))
                return true;
    return false;
}

static void miss(Divider *divider, Wanted wanted, MatchKind kind, MatchList *matches)
{
    add_match(divider, matches, kind, wanted.term, wanted.resize, wanted.stride);
}

// ---- digit by digit

// What is left of a wanted term above its `digits` lowest digits. False: the digits it would take
// do not make up whole ones above, nor does it end with its atom.
static bool above(Wanted *wanted, int64_t digits)
{
    bool even = wanted->term.modulo % digits == 0 && wanted->resize % digits == 0;
    bool done = wanted->resize <= digits;
    bool end = reaches_end(&wanted->term, wanted->resize);
    if (!even && !done && !end)
        return false;
    wanted->term.modulo = ceil_div(wanted->term.modulo, digits);
    wanted->resize = ceil_div(wanted->resize, digits);
    if (done)
        return true;
    wanted->stride *= digits;
    int64_t stride;
    wanted->term.stride =
        checked_mul(wanted->term.stride, digits, &stride) ? stride : wanted->term.atom->size;
    return true;
}

static Wanted lowest(Wanted wanted, int64_t digits)
{
    wanted.term.modulo = min_i64(wanted.term.modulo, digits);
    wanted.resize = min_i64(wanted.resize, digits);
    return wanted;
}

// Takes the lowest digits of `wanted` that no digit of the dividend covers. False: nothing above
// them is covered either, or not at a place that divides.
static bool skip_gap(Divider *divider, Wanted *wanted, MatchList *matches)
{
    int64_t next = next_digit(divider, wanted->term.atom, wanted->term.stride);
    int64_t digits = next / wanted->term.stride;
    if (!next || digits >= wanted->term.modulo) {
        miss(divider, *wanted, MATCH_MISSING, matches);
        return false;
    }
    Wanted gap = lowest(*wanted, digits);
    if (next % wanted->term.stride || !above(wanted, digits)) {
        miss(divider, *wanted, MATCH_INCOMPATIBLE, matches);
        return false;
    }
    miss(divider, gap, MATCH_MISSING, matches);
    return true;
}

// Brings a digit of the dividend to the stride of `wanted` and, where it is longer, to its length.
static bool fit_item(Divider *divider, int64_t *index, const Wanted *wanted)
{
    int64_t below = divider->items.items[*index].term.stride;
    if (wanted->term.stride % below)
        return false;
    if (wanted->term.stride > below) {
        if (!cut_item(divider, *index, wanted->term.stride / below))
            return false;
        (*index)++;
    }
    int64_t digits = divider->items.items[*index].term.modulo;
    return wanted->term.modulo >= digits || cut_item(divider, *index, wanted->term.modulo);
}

static void take_digits(Divider *divider, Wanted wanted, MatchList *matches)
{
    while (wanted.resize > 1) {
        int64_t index = find_digit(divider, wanted.term.atom, wanted.term.stride);
        if (index < 0) {
            if (lift_atom(divider, &wanted))
                continue;
            if (take_inside(divider, wanted, matches))
                return;
            if (!skip_gap(divider, &wanted, matches))
                return;
            continue;
        }
        if (!fit_item(divider, &index, &wanted)) {
            miss(divider, wanted, MATCH_INCOMPATIBLE, matches);
            return;
        }
        int64_t digits = divider->items.items[index].term.modulo;
        int64_t live = divider->items.items[index].resize;
        Wanted piece = lowest(wanted, digits), rest = wanted;
        bool lacks = piece.resize > live && !divider->truncates;
        if (lacks || (piece.resize > 1 && !above(&rest, digits))) {
            miss(divider, wanted, lacks ? MATCH_MISSING : MATCH_INCOMPATIBLE, matches);
            return;
        }
        take_item(divider, matches, index, piece.term, piece.resize, piece.stride);
        wanted = rest;
    }
}

static void take_term(Divider *divider, Wanted wanted, MatchList *matches)
{
    const Atom *atom = wanted.term.atom;
    if (!has_atom(divider, atom) && !lift_atom(divider, &wanted)) {
        if (!take_inside(divider, wanted, matches))
            miss(divider, wanted, has_axis_of(divider, atom) ? MATCH_INCOMPATIBLE : MATCH_ABSENT,
                 matches);
        return;
    }
    take_digits(divider, wanted, matches);
}

// An atom that contributes nothing but its origin: where position 0 of it lies.
static void take_origin(Divider *divider, const Wanted *wanted, MatchList *matches)
{
    const Atom *atom = wanted->term.atom;
    if (!has_atom(divider, atom) && !lift_atom(divider, wanted)) {
        if (has_axis_of(divider, atom))
            miss(divider, *wanted, MATCH_INCOMPATIBLE, matches);
        return;
    }
    int64_t index = 0, offset;
    Item *item = divider->items.items;
    while (index < divider->items.count && !(is_free(item) && atom_equal(item->term.atom, atom)))
        item = &divider->items.items[++index];
    if (index == divider->items.count)
        return; // a longer term has it already
    if (atom->kind == ATOM_LIST && checked_mul(atom->offsets[0], item->place, &offset))
        divider->offset += offset;
    item->taken = divider->generation;
    use_shift(divider, item);
}

// Which digits of a block the terms of a mapping are. False: none.
static bool covered_digits(Arena *arena, const Atom *block, const Mapping *part, Wanted *covered)
{
    Divider *inside = divider_new(arena, block->inner);
    MatchList matches = {0};
    int64_t low = block->size, high = 1;
    divider_take(inside, part, 1, &matches);
    for (int64_t i = 0; i < matches.count; i++) {
        const Match *match = &matches.items[i];
        int64_t end;
        if (match->kind != MATCH_FOUND)
            continue;
        low = min_i64(low, match->dividend_stride);
        bool fits = checked_mul(match->dividend_stride, match->resize, &end);
        high = max_i64(high, fits ? min_i64(end, block->size) : block->size);
    }
    int64_t digits = ceil_div(high, low);
    *covered = (Wanted){{block, low, digits}, digits, 1};
    return low < high;
}

// The items as they are: a block that was lifted stays one term, even a whole one. False: its last
// digits reach beyond what is there.
static bool items_as_mapping(const Divider *divider, Mapping *mapping)
{
    FactorList factors = {0};
    int64_t size = 1;
    for (int64_t i = 0; i < divider->items.count; i++) {
        const Item *item = &divider->items.items[i];
        if (item->gone)
            continue;
        if (item->is_padding ? item->size < size : item->place != size)
            return false;
        size = item->is_padding ? item->size : size * item->resize;
        *array_push(divider->arena, &factors, Factor) = (Factor){.is_padding = item->is_padding,
                                                                 .term = item->term,
                                                                 .resize = item->resize,
                                                                 .size = item->size,
                                                                 .padding = item->padding};
    }
    *mapping = (Mapping){factors.items, factors.count, size};
    return size == divider->size;
}

Mapping divider_group(Divider *divider, const Mapping *part)
{
    Mapping grouped = mapping_normalise(divider->arena, part);
    for (int64_t i = 0; i < divider->items.count; i++) {
        const Item *item = &divider->items.items[i];
        bool block_item = is_free(item) && item->term.atom->kind == ATOM_BLOCK;
        if (!block_item || is_searched(divider, item->term.atom))
            continue;
        const Atom *block = item->term.atom;
        Divider *pieces = divider_new(divider->arena, &grouped);
        Wanted covered;
        Mapping together;
        if (!has_atom(pieces, block) && covered_digits(divider->arena, block, &grouped, &covered) &&
            lift_atom(pieces, &covered) && items_as_mapping(pieces, &together))
            grouped = together;
    }
    return grouped;
}

// Steps that the pieces found from `first` on make together; 0 where one was not found.
static int64_t steps_of(const MatchList *matches, int64_t first)
{
    int64_t steps = 1;
    for (int64_t i = first; i < matches->count; i++)
        if (matches->items[i].kind != MATCH_FOUND ||
            !checked_mul(steps, matches->items[i].resize, &steps))
            return 0;
    return steps;
}

void divider_take(Divider *divider, const Mapping *part, int64_t stride, MatchList *matches)
{
    Mapping normal = divider_group(divider, part);
    int64_t block = 1;
    for (int64_t i = 0; i < normal.count; i++) {
        const Factor *factor = &normal.factors[i], *next = factor + 1;
        bool padded = i + 1 < normal.count && next->is_padding;
        Wanted wanted = {factor->term, factor->resize, block * stride};
        if (factor->is_padding) {
            block = factor->size;
            continue;
        }
        if (factor->resize == 1) {
            take_origin(divider, &wanted, matches);
            continue;
        }
        Divider before = copy_divider(divider);
        int64_t first = matches->count;
        take_term(divider, wanted, matches);
        // pieces that do not come out even need padding for the steps they have too many
        int64_t room = padded ? next->size / block : factor->resize;
        if (steps_of(matches, first) > room) {
            *divider = before;
            matches->count = first;
            miss(divider, wanted, MATCH_INCOMPATIBLE, matches);
        }
        block *= factor->resize;
    }
}

// ---- what is left

// The factors of the items, with what was taken replaced by padding or, with a `span`, cut down.
static Mapping rebuild(const Divider *divider, PaddingKind hole, int64_t span)
{
    Arena *arena = divider->arena;
    Mapping result = mapping_identity();
    for (int64_t i = 0; i < divider->items.count; i++) {
        const Item *item = &divider->items.items[i];
        int64_t end = min_i64(end_of(item), limit_above(divider, i));
        if (item->gone)
            continue;
        if (item->is_padding) {
            result = mapping_pad(arena, &result, max_i64(item->size, result.size), item->padding);
            continue;
        }
        result = mapping_pad(arena, &result, max_i64(item->place, result.size), PADDING_TOP);
        int64_t digits = min_i64(item->taken ? span : item->resize, end / item->place);
        if (digits > 1 || atom_has_origin(item->term.atom)) {
            Mapping term = mapping_of_term(arena, item->term, max_i64(digits, 1));
            result = mapping_pair(arena, &term, &result);
        }
        if (item->taken)
            result = mapping_pad(arena, &result, max_i64(end, result.size), hole);
    }
    return mapping_resize(arena, &result, divider->size);
}

Mapping divider_residue(const Divider *divider, PaddingKind hole)
{
    return rebuild(divider, hole, 1);
}

int64_t divisor_at_least(int64_t extent, int64_t least)
{
    // Either the divisor or its cofactor is small for every size a machine has; the search for
    // either is bounded, and what it does not find is taken whole.
    enum { MOST_TRIALS = 1 << 20 };
    int64_t best = extent;
    for (int64_t i = 0; i < MOST_TRIALS; i++) {
        int64_t candidate = least + i, cofactor = extent / least - i;
        if (candidate >= best || cofactor < 1)
            break;
        if (extent % candidate == 0)
            return candidate;
        if (extent % cofactor == 0)
            best = min_i64(best, extent / cofactor);
    }
    return best;
}

// Without what was taken: everything outside it moves in. Of padding round a taken block there
// stays what the smallest block that divides it leaves.
static Mapping compact(const Divider *divider)
{
    Mapping result = mapping_identity();
    for (int64_t i = 0; i < divider->items.count; i++) {
        const Item *item = &divider->items.items[i];
        if (item->gone || item->is_padding)
            continue;
        int64_t extent = max_i64(limit_above(divider, i) / item->place, 1);
        if (item->taken) {
            int64_t left = extent / divisor_at_least(extent, min_i64(item->resize, extent));
            result = mapping_pad(divider->arena, &result, result.size * left, PADDING_TOP);
            continue;
        }
        int64_t size = result.size;
        Mapping term = mapping_of_term(divider->arena, item->term, min_i64(item->resize, extent));
        result = mapping_pair(divider->arena, &term, &result);
        result = mapping_pad(divider->arena, &result, size * extent, PADDING_TOP);
    }
    return result;
}

static int by_dividend_stride(const void *a, const void *b)
{
    const Match *x = a, *y = b;
    if ((x->kind == MATCH_FOUND) != (y->kind == MATCH_FOUND))
        return x->kind == MATCH_FOUND ? -1 : 1;
    int64_t left = x->kind == MATCH_FOUND ? x->dividend_stride : x->divisor_stride;
    int64_t right = y->kind == MATCH_FOUND ? y->dividend_stride : y->divisor_stride;
    return (left < right) - (left > right);
}

// A digit that was cut unevenly and stays, all or in part, leaves a shape that has no factors.
static bool is_ragged(const Divider *divider, bool taken_stay)
{
    for (int64_t i = 0; i < divider->items.count; i++) {
        const Item *item = &divider->items.items[i];
        bool stays = is_free(item) || (taken_stay && item->taken && !item->gone);
        if (stays && end_of(item) > limit_above(divider, i))
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
            take_term(back, (Wanted){match->term, match->resize, 1}, &ignored);
    }
    return back;
}

Division mapping_divide(Arena *arena, const Mapping *dividend, const Mapping *divisor,
                        DivideKind kind, int64_t span)
{
    Division division = {.exact = true};
    Divider *divider = divider_new(arena, dividend);
    MatchList attempt = {0};
    divider->straight = true;
    divider_take(divider, divisor, 1, &attempt);
    bool ragged = is_ragged(divider, kind == DIVIDE_SPAN);
    divider = divider_new(arena, dividend);
    divider->even = ragged;
    divider->straight = true;
    PaddingKind hole = kind == DIVIDE_STRICT ? PADDING_BOTTOM : PADDING_TOP;
    divider_take(divider, divisor, 1, &division.matches);
    for (int64_t i = 0; i < division.matches.count; i++) {
        division.found += division.matches.items[i].kind == MATCH_FOUND;
        division.exact &= division.matches.items[i].kind == MATCH_FOUND;
    }
    division.exact &= !is_ragged(divider, kind == DIVIDE_SPAN);
    division.exact &= kind != DIVIDE_SPAN || division.found == 1;
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
