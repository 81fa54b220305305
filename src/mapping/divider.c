// Division, digit by digit: a term of the divisor is taken out of the digits of the dividend, and
// digits of either side are cut where the other ends.
#include "mapping/divider.h"

#include "base/checked.h"
#include "mapping/cell.h"

#include <stdlib.h>

static void divider_insert(Divider *divider, int64_t at, Item item)
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

void divider_allow_truncation(Divider *divider)
{
    divider->truncates = true;
}

bool divider_leads(const Divider *divider)
{
    return divider->leads;
}

int64_t divider_inner_padding(const Divider *divider)
{
    const Item *first = divider->items.items;
    bool padded = divider->items.count && first->is_padding && first->padding == PADDING_TOP;
    return padded ? first->size : 1;
}

bool divider_shares(const Divider *divider)
{
    return divider->shares;
}

bool item_is_free(const Item *item)
{
    return !item->is_padding && !item->taken && !item->gone;
}

int64_t divider_limit_above(const Divider *divider, int64_t index)
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

int64_t item_end(const Item *item)
{
    int64_t end;
    return checked_mul(item->place, item->resize, &end) ? end : INT64_MAX;
}

// The free digit of `atom` whose range holds `stride`, or -1.
static int64_t divider_find_digit(const Divider *divider, const Atom *atom, int64_t stride)
{
    for (int64_t i = 0; i < divider->items.count; i++) {
        const Item *item = &divider->items.items[i];
        if (item_is_free(item) && atom_equal(item->term.atom, atom) && covers(item, stride))
            return i;
    }
    return -1;
}

// The smallest stride above `stride` at which a free digit of `atom` starts, or 0.
static int64_t divider_next_digit(const Divider *divider, const Atom *atom, int64_t stride)
{
    int64_t best = 0;
    for (int64_t i = 0; i < divider->items.count; i++) {
        const Item *item = &divider->items.items[i];
        if (item_is_free(item) && item->term.stride > stride &&
            (!best || item->term.stride < best) && atom_equal(item->term.atom, atom))
            best = item->term.stride;
    }
    return best;
}

static bool divider_has_atom(const Divider *divider, const Atom *atom)
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

// Whether a term can be cut above `digits` low digits: its positions make whole ones, and so do its
// digits, unless nothing of the atom is above them.
static bool cuts_even(const Term *term, int64_t resize, int64_t digits)
{
    int64_t end;
    bool open = !checked_mul(term->stride, term->modulo, &end) || end >= term->atom->size;
    return resize % digits == 0 && (open || term->modulo % digits == 0);
}

// Cuts item `index` into `digits` low digits and the rest. False: it cannot be cut there.
static bool cut_item(Divider *divider, int64_t index, int64_t digits)
{
    Item low = divider->items.items[index], high = low;
    bool even = cuts_even(&low.term, low.resize, digits);
    bool room = !divider->even || divider_limit_above(divider, index) % (low.place * digits) == 0;
    if (low.term.atom->kind == ATOM_LIST ||
        (!even && !(room && reaches_end(&low.term, low.resize))))
        return false;
    low.term.modulo = low.resize = digits;
    high.term.stride *= digits;
    high.term.modulo = ceil_div(high.term.modulo, digits);
    high.resize = ceil_div(high.resize, digits);
    high.place *= digits;
    divider->items.items[index] = low;
    divider_insert(divider, index + 1, high);
    return true;
}

// Where an atom starts in the dividend counts once, however many digits of it are taken.
static void divider_use_shift(Divider *divider, const Item *item)
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

static Divider divider_copy(const Divider *divider)
{
    Divider copy = *divider;
    copy.items = (ItemList){0};
    for (int64_t i = 0; i < divider->items.count; i++)
        *array_push(divider->arena, &copy.items, Item) = divider->items.items[i];
    return copy;
}

// ---- atoms that one side has and the other is made of
//
// A block of the stream may lie in the buffer as its axes, an axis of the stream inside a block of
// the buffer; both are linear in each other as long as the layout keeps one distance, and then
// digits of one are digits of the other.

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

// Whether `atom` is being looked for through what it is made of.
static bool divider_is_searched(const Divider *divider, const Atom *atom)
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
static bool divider_widen(Divider *divider, const Atom *atom)
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

// Where the dividend is laid out along what the atom of `wanted` is made of, gives it digits of
// that atom instead: all of them, or those up to where the layout changes. False: it is not.
static bool divider_lift(Divider *divider, const Wanted *wanted)
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

// Whether any axis of `atom` occurs in the dividend.
static bool divider_has_axis_of(const Divider *divider, const Atom *atom)
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

// The lowest multiple of a block's digit at which a part of the block ends above it, in positions
// of the block; 0: there is none, or it is not a block.
static int64_t divider_part_end(const Divider *divider, const Term *term)
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

// Whether the dividend has something, not yet taken, of what these digits of a block are made of.
static bool divider_has_some_of(const Divider *divider, const Term *digits)
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

// Padding before what an atom of the dividend is made of moves that up, by its unit digit.
static void divider_place_shift(Divider *divider, const Atom *atom)
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

// Looks for a term inside the blocks and linear combinations of the dividend.
static bool divider_take_inside(Divider *divider, Wanted wanted, MatchList *matches)
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

// ---- digit by digit

static Match *add_match(Divider *divider, MatchList *matches, MatchKind kind, Term term,
                        int64_t resize, int64_t stride)
{
    Match *match = array_push(divider->arena, matches, Match);
    *match = (Match){.kind = kind, .term = term, .resize = resize, .divisor_stride = stride};
    return match;
}

// Where the padding round an item ends. A hole is no padding: others have been there, or are yet to
// come.
static int64_t room_above(const Divider *divider, int64_t index)
{
    const Item *item = &divider->items.items[index];
    for (int64_t i = index + 1; i < divider->items.count; i++) {
        const Item *next = &divider->items.items[i];
        if (!next->gone)
            return next->is_padding && next->padding == PADDING_BOTTOM
                       ? min_i64(item_end(item), next->size)
                       : divider_limit_above(divider, index);
    }
    return divider->size;
}

static void take_item(Divider *divider, MatchList *matches, int64_t index, Term term,
                      int64_t resize, int64_t stride)
{
    Item *item = &divider->items.items[index];
    Match *match = add_match(divider, matches, MATCH_FOUND, term, resize, stride);
    match->extent = item->resize;
    match->dividend_stride = item->place;
    match->span = room_above(divider, index) - max_i64(item->shift, 0);
    match->room = max_i64(match->span / item->place, 1);
    bool list = item->lifted && item->term.atom->kind == ATOM_LIST;
    match->list = list ? item->term.atom : NULL;
    item->taken = divider->generation;
    divider->offset -= item->origin;
    item->origin = 0;
    divider_use_shift(divider, item);
}

static void miss(Divider *divider, Wanted wanted, MatchKind kind, MatchList *matches)
{
    add_match(divider, matches, kind, wanted.term, wanted.resize, wanted.stride);
}

// What is left of a wanted term above its `digits` lowest digits. False: the digits it would take
// do not make up whole ones above, nor does it end with its atom.
static bool above(Wanted *wanted, int64_t digits)
{
    bool even = cuts_even(&wanted->term, wanted->resize, digits);
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

// Takes the lowest digits of `wanted` that no digit of the dividend covers: up to the next one that
// is covered, or, of a block, up to where a part of it ends, for the parts above may lie in the
// dividend by themselves. False: that is all of `wanted`, or not at a place that divides.
static bool skip_gap(Divider *divider, Wanted *wanted, MatchList *matches)
{
    const Term *term = &wanted->term;
    int64_t next = divider_next_digit(divider, term->atom, term->stride);
    int64_t end = divider_part_end(divider, term);
    next = next && end ? min_i64(next, end) : max_i64(next, end);
    int64_t digits = next / term->stride;
    bool last = !next || digits >= term->modulo;
    Wanted gap = last ? *wanted : lowest(*wanted, digits);
    if (divider_has_some_of(divider, &gap.term) ||
        (!last && (next % term->stride || !above(wanted, digits)))) {
        miss(divider, *wanted, MATCH_INCOMPATIBLE, matches);
        return false;
    }
    miss(divider, gap, MATCH_MISSING, matches);
    return !last;
}

// Where a digit of the dividend is cut above the positions it keeps there is nothing to cut.
static bool shorten_item(const Divider *divider, int64_t index, int64_t digits)
{
    Item *item = &divider->items.items[index];
    if (!divider->truncates || item->resize > digits || item->term.atom->kind == ATOM_LIST)
        return false;
    item->term.modulo = digits;
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
    return wanted->term.modulo >= digits || cut_item(divider, *index, wanted->term.modulo) ||
           shorten_item(divider, *index, wanted->term.modulo);
}

// Takes a wanted term from its lowest digits up. Each round takes what one digit of the dividend
// has of it, cut to fit on either side; or turns digits of what the atom is made of into digits of
// the atom; or skips digits that the dividend does not have. Every round but a lift shortens what
// is wanted, and a lift cannot come twice for the same digits.
static void take_digits(Divider *divider, Wanted wanted, MatchList *matches)
{
    while (wanted.resize > 1) {
        int64_t index = divider_find_digit(divider, wanted.term.atom, wanted.term.stride);
        if (index < 0) {
            if (divider_lift(divider, &wanted))
                continue;
            if (divider_take_inside(divider, wanted, matches))
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

void divider_take_term(Divider *divider, Wanted wanted, MatchList *matches)
{
    const Atom *atom = wanted.term.atom;
    if (!divider_has_atom(divider, atom) && !divider_lift(divider, &wanted) &&
        !divider_widen(divider, atom)) {
        if (!divider_take_inside(divider, wanted, matches))
            miss(divider, wanted,
                 divider_has_axis_of(divider, atom) ? MATCH_INCOMPATIBLE : MATCH_ABSENT, matches);
        return;
    }
    take_digits(divider, wanted, matches);
}

// The free digit of an atom that tells where its position 0 lies, one of a single position if there
// is such.
static Item *origin_item(const Divider *divider, const Atom *atom)
{
    Item *found = NULL;
    for (int64_t i = 0; i < divider->items.count; i++) {
        Item *item = &divider->items.items[i];
        if (item_is_free(item) && atom_equal(item->term.atom, atom) &&
            (!found || (found->resize > 1 && item->resize == 1)))
            found = item;
    }
    return found;
}

// An atom that contributes nothing but its origin: where position 0 of it lies.
static void take_origin(Divider *divider, const Wanted *wanted, MatchList *matches)
{
    const Atom *atom = wanted->term.atom;
    if (!divider_has_atom(divider, atom) && !divider_lift(divider, wanted)) {
        if (divider_has_axis_of(divider, atom))
            miss(divider, *wanted, MATCH_INCOMPATIBLE, matches);
        return;
    }
    Item *item = origin_item(divider, atom);
    if (!item)
        return; // a longer term has it already
    bool list = item->lifted && atom->kind == ATOM_LIST && !item->origin;
    if (list && checked_mul(atom->offsets[0], item->place, &item->origin))
        divider->offset += item->origin;
    item->taken = item->resize == 1 ? divider->generation : 0; // others may walk along it yet
    divider_use_shift(divider, item);
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
        bool block_item = item_is_free(item) && item->term.atom->kind == ATOM_BLOCK;
        if (!block_item || divider_is_searched(divider, item->term.atom))
            continue;
        const Atom *block = item->term.atom;
        Divider *pieces = divider_new(divider->arena, &grouped);
        pieces->whole = true; // nothing of the part may be lost
        Wanted covered;
        Mapping together;
        if (!divider_has_atom(pieces, block) &&
            covered_digits(divider->arena, block, &grouped, &covered) &&
            divider_lift(pieces, &covered) && items_as_mapping(pieces, &together))
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

// Each term is looked for by itself. Pieces that are cut unevenly may count further than the term
// does: 3 positions as 2 x 2. That is undone, and the term reported as incompatible, unless padding
// after it leaves room or the caller leaves the last positions out (`bounded`).
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
        Divider before = divider_copy(divider);
        int64_t first = matches->count;
        divider_take_term(divider, wanted, matches);
        // pieces that do not come out even have extra steps: these need padding, or a caller that
        // leaves them out
        int64_t room = padded ? next->size / block : factor->resize;
        bool beyond = steps_of(matches, first) > room;
        divider->uneven |= beyond;
        if (beyond && !divider->bounded) {
            *divider = before;
            matches->count = first;
            miss(divider, wanted, MATCH_INCOMPATIBLE, matches);
        }
        block *= factor->resize;
    }
}

int64_t divider_offset(Divider *divider)
{
    // an atom that nothing walked is read at its index 0
    for (int64_t i = 0; i < divider->items.count; i++) {
        const Item *item = &divider->items.items[i];
        if (item_is_free(item) && item->term.atom->kind == ATOM_SHIFT && item->term.atom->shift < 0)
            divider_place_shift(divider, item->term.atom);
    }
    return divider->offset;
}
