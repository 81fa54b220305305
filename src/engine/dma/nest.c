// The loop nest of a move.
//
// Source and target are each one mapping over all their dimensions, outermost first. Dividing the
// target by the source says of every piece of an axis how far one step of it goes on both sides;
// what the division leaves of the target is broadcast. So every piece is a loop with two strides.
// Loops that go on evenly on both sides are one loop. A loop that crosses from one dimension to the
// next (`A` over Slice `A / 8` and Element `A % 8`) is cut where the inner dimension ends, so that
// each step stays in one dimension.
//
// Pieces of a padded axis may be more than the axis has: 15 elements in slices of 4 make 4 times 4
// iterations. The sum of the digits, each times its weight, is then kept below a bound. A mixed
// radix never carries, so a bound and the strides say exactly which elements move.
#include "engine/dma/dma.h"

#include "base/checked.h"
#include "command/nest.h"

#include <stdlib.h>

// A loop while strides count positions of the whole shape.
typedef struct {
    int64_t size;
    int64_t strides[DMA_SIDES];
    int32_t bound;
    int64_t weight;
    const Atom *atom; // NULL: of several
    Mapping mapping;
} Piece;

typedef struct {
    ARRAY(Piece);
} Pieces;

typedef struct {
    Arena *arena;
    DmaNest *nest;
    const Dim *const *dims[DMA_SIDES];
    int64_t places[DMA_SIDES][LEVEL_COUNT]; // positions of the whole shape inside each level
    Pieces pieces;
} Deriver;

// ---- pieces

static void add_piece(Deriver *deriver, const DmaPiece *piece)
{
    Piece *added = array_push(deriver->arena, &deriver->pieces, Piece);
    *added = (Piece){.size = piece->size,
                     .bound = -1,
                     .weight = piece->term.stride,
                     .atom = piece->term.atom,
                     .mapping = mapping_of_term(deriver->arena, piece->term, piece->size)};
    for (DmaSide side = 0; side < DMA_SIDES; side++)
        added->strides[side] = piece->strides[side];
}

void dma_add_matches(Arena *arena, const Division *division, DmaPieces *pieces)
{
    for (int64_t i = 0; i < division->found; i++) {
        const Match *match = &division->matches.items[i];
        if (match->resize > 1)
            *array_push(arena, pieces, DmaPiece) = (DmaPiece){
                match->term, match->resize, {match->divisor_stride, match->dividend_stride, 0}};
    }
}

void dma_add_broadcasts(Arena *arena, const Mapping *residue, DmaPieces *pieces)
{
    int64_t block = 1;
    for (int64_t i = 0; i < residue->count; i++) {
        const Factor *factor = &residue->factors[i];
        if (!factor->is_padding && factor->resize > 1)
            *array_push(arena, pieces, DmaPiece) =
                (DmaPiece){factor->term, factor->resize, {0, block, 0}};
        block = factor->is_padding ? factor->size : block * factor->resize;
    }
}

// In the order of the target. What goes to one place again and again comes first, in the order of
// the index, so that the last of it stays.
static int by_target(const void *a, const void *b)
{
    const Piece *x = a, *y = b;
    int64_t p = x->strides[DMA_TARGET], q = y->strides[DMA_TARGET];
    if (!p && !q) {
        p = x->strides[DMA_INDEX];
        q = y->strides[DMA_INDEX];
    } else if (!p || !q) {
        return p ? 1 : -1;
    }
    return compare_i64(q, p);
}

// ---- bounds

static int32_t add_bound(Deriver *deriver, int64_t limit)
{
    *array_push(deriver->arena, &deriver->nest->bounds, int64_t) = limit;
    return (int32_t)deriver->nest->bounds.count - 1;
}

// Where the pieces of an atom together reach beyond it, its size bounds them.
static void bound_atom(Deriver *deriver, const Atom *atom)
{
    int64_t reach = 0;
    for (int64_t i = 0; i < deriver->pieces.count; i++) {
        const Piece *piece = &deriver->pieces.items[i];
        if (atom_equal(piece->atom, atom))
            reach = saturating_add(reach, saturating_mul(piece->size - 1, piece->weight));
    }
    if (reach < atom->size)
        return;
    int32_t bound = add_bound(deriver, atom->size);
    for (int64_t i = 0; i < deriver->pieces.count; i++)
        if (atom_equal(deriver->pieces.items[i].atom, atom))
            deriver->pieces.items[i].bound = bound;
}

static void bound_pieces(Deriver *deriver)
{
    for (int64_t i = 0; i < deriver->pieces.count; i++) {
        const Atom *atom = deriver->pieces.items[i].atom;
        bool first = true;
        for (int64_t k = 0; k < i; k++)
            first &= !atom_equal(deriver->pieces.items[k].atom, atom);
        if (first)
            bound_atom(deriver, atom);
    }
}

// ---- one loop of two

static bool goes_on(const Piece *outer, const Piece *inner)
{
    for (DmaSide side = 0; side < DMA_SIDES; side++)
        if (!stride_continues(outer->strides[side], inner->size, inner->strides[side]))
            return false;
    if (outer->bound != inner->bound)
        return false;
    return inner->bound < 0 || stride_continues(outer->weight, inner->size, inner->weight);
}

// `outer` becomes both.
static void merge_into(Deriver *deriver, Piece *outer, const Piece *inner)
{
    outer->size *= inner->size;
    for (DmaSide side = 0; side < DMA_SIDES; side++)
        outer->strides[side] = inner->strides[side];
    outer->weight = inner->weight;
    outer->mapping = mapping_pair(deriver->arena, &outer->mapping, &inner->mapping);
}

static void merge_pieces(Deriver *deriver)
{
    Pieces *pieces = &deriver->pieces;
    int64_t kept = 0;
    for (int64_t i = 0; i < pieces->count; i++) {
        if (kept && goes_on(&pieces->items[kept - 1], &pieces->items[i]))
            merge_into(deriver, &pieces->items[kept - 1], &pieces->items[i]);
        else
            pieces->items[kept++] = pieces->items[i];
    }
    pieces->count = kept;
}

// ---- one dimension a loop

// Where the positions that a loop reaches end, with everything inside it. Loops of one bound whose
// strides are in proportion to their weights reach together no further than the bound.
static int64_t end_of(const Deriver *deriver, const Piece *piece, DmaSide side)
{
    int64_t end = saturating_mul(piece->size, piece->strides[side]);
    if (piece->bound < 0)
        return end;
    int64_t step = piece->strides[side] / piece->weight;
    for (int64_t i = 0; i < deriver->pieces.count; i++) {
        const Piece *other = &deriver->pieces.items[i];
        if (other->bound == piece->bound &&
            saturating_mul(step, other->weight) != other->strides[side])
            return end;
    }
    return min_i64(end, saturating_mul(deriver->nest->bounds.items[piece->bound], step));
}

// Whether the steps of a loop are whole positions of the dimensions they go over.
static bool is_whole(const Deriver *deriver, const Piece *piece, DmaSide side)
{
    for (Level level = 0; level < LEVEL_COUNT; level++) {
        int64_t place = deriver->places[side][level];
        if (deriver->dims[side][level] && place <= piece->strides[side] &&
            piece->strides[side] % place)
            return false;
    }
    return true;
}

// The first place where a dimension of `side` ends inside the loop; 0: none.
static int64_t crossing(const Deriver *deriver, const Piece *piece, DmaSide side)
{
    for (int level = LEVEL_COUNT - 1; level >= 0; level--) {
        int64_t place = deriver->places[side][level];
        if (deriver->dims[side][level] && piece->strides[side] && piece->strides[side] < place &&
            place < end_of(deriver, piece, side))
            return place;
    }
    return 0;
}

static void split_mapping(Deriver *deriver, const Piece *piece, int64_t digits, Piece *outer,
                          Piece *inner)
{
    Mapping high, low;
    mapping_split(deriver->arena, &piece->mapping, digits, &high, &low);
    outer->mapping = mapping_normalise(deriver->arena, &high);
    inner->mapping = mapping_normalise(deriver->arena, &low);
}

// Cuts a loop into `digits` inner steps and the rest. False: what is left over at the end has no
// bound that says so.
static bool cut_piece(Deriver *deriver, const Piece *piece, int64_t digits, Piece *outer,
                      Piece *inner)
{
    *outer = *inner = *piece;
    if (piece->size % digits == 0)
        split_mapping(deriver, piece, digits, outer, inner);
    else if (piece->bound < 0) {
        outer->bound = inner->bound = add_bound(deriver, piece->size);
        outer->weight = inner->weight = 1;
    } else if (saturating_mul(piece->size, piece->weight) <
               deriver->nest->bounds.items[piece->bound])
        return false;
    inner->size = digits;
    outer->size = ceil_div(piece->size, digits);
    outer->weight = saturating_mul(outer->weight, digits);
    for (DmaSide side = 0; side < DMA_SIDES; side++)
        outer->strides[side] = saturating_mul(outer->strides[side], digits);
    return true;
}

// Adds the loops of one piece, outermost first. False: a dimension ends between its steps.
static bool place_piece(Deriver *deriver, const Piece *piece, Pieces *placed)
{
    for (DmaSide side = 0; side < DMA_SIDES; side++) {
        int64_t place = crossing(deriver, piece, side);
        Piece outer, inner;
        if (!is_whole(deriver, piece, side))
            return false;
        if (!place)
            continue;
        return place % piece->strides[side] == 0 &&
               cut_piece(deriver, piece, place / piece->strides[side], &outer, &inner) &&
               place_piece(deriver, &outer, placed) && place_piece(deriver, &inner, placed);
    }
    *array_push(deriver->arena, placed, Piece) = *piece;
    return true;
}

static bool place_pieces(Deriver *deriver)
{
    Pieces placed = {0};
    for (int64_t i = 0; i < deriver->pieces.count; i++)
        if (!place_piece(deriver, &deriver->pieces.items[i], &placed))
            return false;
    deriver->pieces = placed;
    return true;
}

// ---- the nest

static void find_places(Deriver *deriver, DmaSide side)
{
    int64_t place = 1;
    for (int level = LEVEL_COUNT - 1; level >= 0; level--) {
        const Dim *dim = deriver->dims[side][level];
        deriver->places[side][level] = place;
        place *= dim ? dim->mapping.size : 1;
    }
}

// The dimension that a step stays in: the one whose positions are counted in strides like it.
static DmaStep step_of(const Deriver *deriver, const Piece *piece, DmaSide side)
{
    int64_t stride = piece->strides[side];
    for (Level level = 0; level < LEVEL_COUNT; level++) {
        const Dim *dim = deriver->dims[side][level];
        int64_t place = deriver->places[side][level];
        if (dim && dim->mapping.size > 1 && place <= stride)
            return (DmaStep){level, stride / place};
    }
    return (DmaStep){LEVEL_ELEMENT, stride};
}

static DmaLoop loop_of(const Deriver *deriver, const Piece *piece)
{
    return (DmaLoop){.size = piece->size,
                     .source = step_of(deriver, piece, DMA_SOURCE),
                     .target = step_of(deriver, piece, DMA_TARGET),
                     .index = step_of(deriver, piece, DMA_INDEX),
                     .bound = piece->bound,
                     .weight = piece->weight,
                     .mapping = piece->mapping};
}

static bool is_run(const DmaLoop *loop)
{
    return loop->source.level == LEVEL_ELEMENT && loop->source.stride == 1 &&
           loop->target.level == LEVEL_ELEMENT && loop->target.stride == 1 && !loop->index.stride;
}

// Single elements: no neighbours on both sides.
static const DmaLoop no_run = {.size = 1,
                               .source = {LEVEL_ELEMENT, 1},
                               .target = {LEVEL_ELEMENT, 1},
                               .index = {LEVEL_ELEMENT, 0},
                               .bound = -1,
                               .weight = 1,
                               .mapping = {.size = 1}};

static void finish(Deriver *deriver)
{
    DmaNest *nest = deriver->nest;
    for (int64_t i = 0; i < deriver->pieces.count; i++) {
        DmaLoop loop = loop_of(deriver, &deriver->pieces.items[i]);
        if (i == deriver->pieces.count - 1 && is_run(&loop))
            nest->run = loop;
        else
            *array_push(deriver->arena, &nest->loops, DmaLoop) = loop;
    }
}

bool dma_arrange(Arena *arena, const Dim *const *const dims[DMA_SIDES], const DmaPieces *pieces,
                 DmaNest *nest)
{
    static const Dim *const no_dims[LEVEL_COUNT] = {0};
    Deriver deriver = {.arena = arena, .nest = nest};
    nest->run = no_run;
    for (DmaSide side = 0; side < DMA_SIDES; side++) {
        deriver.dims[side] = dims[side] ? dims[side] : no_dims;
        find_places(&deriver, side);
    }
    for (int64_t i = 0; i < pieces->count; i++)
        add_piece(&deriver, &pieces->items[i]);
    if (deriver.pieces.count)
        qsort(deriver.pieces.items, (size_t)deriver.pieces.count, sizeof(Piece), by_target);
    bound_pieces(&deriver);
    merge_pieces(&deriver);
    if (!place_pieces(&deriver))
        return false;
    finish(&deriver);
    return true;
}

DmaOutcome dma_derive(Arena *arena, const Dim *const source[LEVEL_COUNT],
                      const Dim *const target[LEVEL_COUNT], DmaNest *nest)
{
    *nest = (DmaNest){.run = no_run};
    Mapping from = shape_of(arena, source), to = shape_of(arena, target);
    nest->division = mapping_divide(arena, &to, &from, DIVIDE_BOUNDED, 1);
    if (nest->division.found < nest->division.matches.count)
        return DMA_NO_PLACE;
    if (!nest->division.exact)
        return DMA_NO_LOOPS;
    DmaPieces pieces = {0};
    dma_add_matches(arena, &nest->division, &pieces);
    dma_add_broadcasts(arena, &nest->division.dividend_residue, &pieces);
    const Dim *const *const dims[DMA_SIDES] = {source, target};
    return dma_arrange(arena, dims, &pieces, nest) ? DMA_DERIVED : DMA_NO_LOOPS;
}

// ---- counting

bool dma_steps_units(const DmaLoop *loop)
{
    const DmaStep *steps[] = {&loop->source, &loop->target};
    for (size_t i = 0; i < COUNT_OF(steps); i++)
        if ((steps[i]->level == LEVEL_CHIP || steps[i]->level == LEVEL_CLUSTER) && steps[i]->stride)
            return true;
    return false;
}

bool dma_has_room(const Machine *machine, int64_t loops)
{
    return loops + 1 <= machine->sequencer_entries;
}

// Loop i of the nest, the run last.
static const DmaLoop *loop_at(const DmaNest *nest, int64_t i)
{
    return i < nest->loops.count ? &nest->loops.items[i] : &nest->run;
}

// The loop of `bound` with the largest weight below `weight`; NULL: none.
static const DmaLoop *next_digit(const DmaNest *nest, int32_t bound, int64_t weight)
{
    const DmaLoop *next = NULL;
    for (int64_t i = 0; i <= nest->loops.count; i++) {
        const DmaLoop *loop = loop_at(nest, i);
        if (loop->bound == bound && loop->weight < weight && (!next || loop->weight > next->weight))
            next = loop;
    }
    return next;
}

// Combinations of the digits with less than `weight` each that add up to less than `limit`.
static int64_t count_below(const DmaNest *nest, int32_t bound, int64_t weight, int64_t limit)
{
    const DmaLoop *digit = next_digit(nest, bound, weight);
    if (!digit || limit <= 0)
        return limit > 0;
    int64_t whole = min_i64(limit / digit->weight, digit->size), inside = 1;
    for (const DmaLoop *next = digit; (next = next_digit(nest, bound, next->weight));)
        inside = saturating_mul(inside, next->size);
    int64_t count = saturating_mul(whole, inside);
    if (whole < digit->size)
        count =
            saturating_add(count, count_below(nest, bound, digit->weight, limit % digit->weight));
    return count;
}

int64_t dma_nest_count(const DmaNest *nest)
{
    int64_t count = 1;
    for (int64_t i = 0; i <= nest->loops.count; i++)
        if (loop_at(nest, i)->bound < 0)
            count = saturating_mul(count, loop_at(nest, i)->size);
    for (int32_t i = 0; i < nest->bounds.count; i++)
        count = saturating_mul(count, count_below(nest, i, INT64_MAX, nest->bounds.items[i]));
    return count;
}

int64_t dma_last_run(const DmaNest *nest)
{
    const DmaLoop *run = &nest->run;
    if (run->bound < 0)
        return 0;
    return ceil_div(nest->bounds.items[run->bound], run->weight) % run->size;
}

// ---- text

static void print_step(StrBuf *out, const DmaStep *step)
{
    if (step->level != LEVEL_ELEMENT)
        buf_format(out, "{} ", level_names[step->level]);
    buf_format(out, "{}", step->stride);
}

void dma_print(StrBuf *out, const DmaNest *nest)
{
    buf_add(out, STR("["));
    for (int64_t i = 0; i < nest->loops.count; i++) {
        const DmaLoop *loop = &nest->loops.items[i];
        buf_format(out, "{}{}:", i ? ", " : "", loop->size);
        print_step(out, &loop->source);
        buf_add(out, STR(":"));
        print_step(out, &loop->target);
        if (loop->bound >= 0)
            buf_format(out, " (x{} < {})", loop->weight, nest->bounds.items[loop->bound]);
    }
    buf_format(out, "]:{}", nest->run.size);
    if (nest->run.bound >= 0)
        buf_format(out, " (x{} < {})", nest->run.weight, nest->bounds.items[nest->run.bound]);
}
