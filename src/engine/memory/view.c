// Views and other names of tensors: tiles, and reshapes.
#include "engine/memory/memory.h"

#include "base/checked.h"
#include "engine/report.h"
#include "engine/shape.h"
#include "mapping/cell.h"
#include "mapping/divide.h"

// ---- which views have which tiles

static const char *const methods[LEVEL_COUNT] = {
    [LEVEL_CHIP] = "chip_tile",
    [LEVEL_CLUSTER] = "cluster_tile",
    [LEVEL_SLICE] = "slice_tile",
    [LEVEL_ELEMENT] = "tile",
};

static bool has_tile(Tier tier, Level level, bool is_mut)
{
    if (level == LEVEL_ELEMENT)
        return tier == TIER_HBM || tier == TIER_DM;
    return tier == TIER_DM && methods[level] && !(is_mut && level == LEVEL_SLICE);
}

static void verify_method(const Verify *verify, const View *view, const Tile *tile)
{
    Tier tier = view->tensor->tier;
    if (has_tile(tier, tile->level, view->is_mut))
        return;
    Diag *diag = diag_add(verify->diags, DIAG_TILE_LEVEL, tile->span,
                          "a {}view of {} cannot be tiled along {}", view->is_mut ? "mutable " : "",
                          tensor_text(verify->arena, view->tensor), level_names[tile->level]);
    if (has_tile(tier, tile->level, false))
        diag_help(diag, "{} is for reading; what is written goes to all slices",
                  methods[tile->level]);
}

// ---- what a tile leaves of the mapping

// `length` positions of something that is there, but of several pieces: only one position of it can
// be taken.
static void report_pieces(const Verify *verify, const Dim *index, int64_t length, Span span)
{
    Str text = dim_text(verify->arena, index);
    bool is_padding = !mapping_has_terms(&index->mapping);
    Diag *diag = diag_add(verify->diags, DIAG_TILE_INDEX, dim_span(index, span),
                          "a tile of {} positions cannot go along `{}`, which {}", length, text,
                          is_padding ? "has one element" : "is several pieces");
    diag_help(diag, is_padding ? "give the tile one position"
                               : "give the tile one position, or tile along one of the pieces");
}

static void report_index(const Verify *verify, const Dim *whole, const Dim *index, int64_t length,
                         Span span)
{
    Mapping ignored;
    if (length > 1 && mapping_tile(verify->arena, &whole->mapping, &index->mapping, 1, &ignored)) {
        report_pieces(verify, index, length, span);
        return;
    }
    Diag *diag = diag_add(verify->diags, DIAG_TILE_INDEX, dim_span(index, span),
                          "a tile cannot go along `{}`, which is not one piece of `{}`",
                          dim_text(verify->arena, index), dim_text(verify->arena, whole));
    AtomList axes = {0};
    expr_axes(verify->arena, whole->expr, &axes);
    const char *axis = axes.count ? axes.items[0]->name : "A";
    diag_help(diag, "tile along an axis of it, as `{}`, or along a part of one, as `{} / 8`", axis,
              axis);
}

// The tile in the words of the tensor: its elements, with the tiled one replaced. Where that is no
// element by itself, the factors of `right`.
static Str tile_text(Arena *arena, const Expr *whole, const Mapping *index, int64_t length,
                     const Mapping *right)
{
    ExprList elements = {0};
    StrBuf buf = {.arena = arena};
    bool found = false;
    if (whole)
        expr_elements(arena, whole, &elements);
    for (int64_t i = 0; i < elements.count; i++) {
        Str text = expr_text(arena, elements.items[i]);
        Mapping element = mapping_of_expr(arena, elements.items[i]);
        bool tiled = !found && shape_equal(arena, &element, index);
        found |= tiled;
        buf_add(&buf, i ? STR(", ") : STR(""));
        if (tiled && length == 1)
            buf_format(&buf, "1 # {}", element.size);
        else if (tiled && length < element.size)
            buf_format(&buf, "{} = {} # {}", text, length, element.size);
        else
            buf_add(&buf, text);
    }
    return found ? buf_str(&buf) : mapping_text(arena, right);
}

Str tile_written(Arena *arena, const Expr *whole, const Expr *index, int64_t length)
{
    Mapping all = mapping_of_expr(arena, whole), part = mapping_of_expr(arena, index), right = all;
    mapping_tile(arena, &all, &part, length, &right);
    right = mapping_normalise(arena, &right);
    return tile_text(arena, whole, &part, length, &right);
}

static void report_wrong_tile(const Verify *verify, const Dim *whole, const Dim *index,
                              int64_t length, const Mapping *right, const Dim *tile, Span span)
{
    Arena *arena = verify->arena;
    Diag *diag = diag_add(verify->diags, DIAG_TILE_MAPPING, dim_span(tile, span),
                          "`{}` is not what a tile along `{}` leaves of `{}`",
                          dim_text(arena, tile), dim_text(arena, index), dim_text(arena, whole));
    if (tile->mapping.size != right->size)
        diag_note(diag, SPAN_NOWHERE,
                  "it has {} positions, and the part of the tensor spans {}: everything outside "
                  "the tile would move",
                  tile->mapping.size, right->size);
    report_rewrite(verify, diag, tile,
                   tile_text(arena, whole->expr, &index->mapping, length, right),
                   "the mapping of the tile is");
}

bool tile_mapping_verify(const Verify *verify, const Dim *whole, const Dim *index, int64_t length,
                         const Dim *tile, Span span)
{
    Mapping right;
    if (!mapping_tile(verify->arena, &whole->mapping, &index->mapping, length, &right)) {
        report_index(verify, whole, index, length, span);
        return false;
    }
    MappingEquality equality = mapping_equal(verify->arena, &right, &tile->mapping);
    if (equality == MAPPINGS_EQUAL)
        return true;
    right = mapping_normalise(verify->arena, &right);
    if (equality == MAPPINGS_DIFFER)
        report_wrong_tile(verify, whole, index, length, &right, tile, span);
    else
        diag_add(verify->diags, DIAG_UNDECIDED, dim_span(tile, span),
                 "whether `{}` is the mapping of the tile was not decided",
                 dim_text(verify->arena, tile));
    return false;
}

// ---- where it lies

static bool verify_length(const Verify *verify, const Tile *tile)
{
    int64_t size = tile->index->mapping.size;
    if (tile->length >= 1 && tile->length <= size)
        return true;
    diag_add(verify->diags, DIAG_TILE_RANGE, tile->span,
             "a tile has 1 to {} positions of `{}`, not {}", size,
             dim_text(verify->arena, tile->index), tile->length);
    return false;
}

// Positions of the index from one element of it to the next; all of them if it holds one element.
static int64_t distance_of_elements(const Verify *verify, const Mapping *index)
{
    Mapping normal = mapping_normalise(verify->arena, index);
    for (int64_t i = 0; i < normal.count; i++) {
        Mapping inside = {normal.factors, i, 0};
        if (!normal.factors[i].is_padding && normal.factors[i].resize > 1)
            return mapping_recount(&inside);
    }
    return index->size;
}

// Axes of size 1 leave no trace in the mapping that is tiled, so nothing tells where their padding
// lies there: a tile along `[E, D # 2]` with D = 1 cannot start at position 1.
static bool verify_padding(const Verify *verify, const Tile *tile)
{
    int64_t start = tile->start.value, size = tile->index->mapping.size;
    if (!tile->start.known || start < 1)
        return true;
    int64_t step = distance_of_elements(verify, &tile->index->mapping);
    Str index = dim_text(verify->arena, tile->index);
    Span span = report_at(tile->start_span, tile->span);
    if (step == size)
        diag_add(verify->diags, DIAG_TILE_RANGE, span,
                 "position {} of `{}` is padding: a tile of it can only start at 0", start, index);
    else if (start % step)
        diag_add(verify->diags, DIAG_TILE_RANGE, span,
                 "position {} of `{}` is padding: a tile of it can only start at multiples of {}",
                 start, index, step);
    return step != size && start % step == 0;
}

// ---- elements where the mapping of a tile has padding

// A group that is padded inside, cut elsewhere than its axes are: `[A, B # 5] # 16 / 4` with B = 3.
static bool pads_inside(const Mapping *normal)
{
    for (int64_t i = 0; i < normal->count; i++) {
        const Atom *atom = normal->factors[i].term.atom;
        if (normal->factors[i].is_padding || atom->kind != ATOM_BLOCK)
            continue;
        for (int64_t k = 0; k + 1 < atom->inner->count; k++)
            if (atom->inner->factors[k].is_padding)
                return true;
        if (pads_inside(atom->inner))
            return true;
    }
    return false;
}

// A view of a tensor, as far as it has to do with the axes of its last tile.
typedef struct {
    const View *view;
    AtomList axes;
    Mapping whole, part;
    int64_t offset;
    Division *along; // the whole by the index of each tile
} Cut;

// The position of what a mapping was divided by at position `at` of the mapping.
static int64_t position_along(const Division *division, int64_t size, int64_t at)
{
    int64_t position = 0;
    for (int64_t i = 0; i < division->found; i++) {
        const Match *match = &division->matches.items[i];
        int64_t end = size;
        for (int64_t k = 0; k < division->found; k++)
            if (division->matches.items[k].divisor_stride > match->divisor_stride)
                end = min_i64(end, division->matches.items[k].divisor_stride);
        position +=
            at / match->dividend_stride % (end / match->divisor_stride) * match->divisor_stride;
    }
    return position;
}

static bool is_inside(const Cut *cut, int64_t at)
{
    for (int64_t i = 0; i < cut->view->tiles.count; i++) {
        const Tile *tile = &cut->view->tiles.items[i];
        if (!cut->along[i].found)
            continue;
        int64_t position = position_along(&cut->along[i], tile->index->mapping.size, at);
        if (position < tile->start.value || position >= tile->start.value + tile->length)
            return false;
    }
    return at >= cut->offset;
}

// A factor of a tensor: how many steps it has, and of how many positions.
typedef struct {
    int64_t count, block;
} Stride;

typedef struct {
    ARRAY(Stride);
} StrideList;

static bool shares_axis(Arena *arena, const Mapping *mapping, const AtomList *axes)
{
    for (int64_t i = 0; i < mapping->count; i++)
        if (!mapping->factors[i].is_padding &&
            atom_has_axis_of(arena, mapping->factors[i].term.atom, axes))
            return true;
    return false;
}

// Of the factors of the whole that have to do with the axes.
static StrideList strides_of(Arena *arena, const Cut *cut)
{
    StrideList strides = {0};
    for (int64_t i = 0; i < cut->whole.count; i++) {
        const Factor *factor = &cut->whole.factors[i];
        Mapping inside = {cut->whole.factors, i, 0};
        if (!factor->is_padding && atom_has_axis_of(arena, factor->term.atom, &cut->axes))
            *array_push(arena, &strides, Stride) =
                (Stride){factor->resize, mapping_recount(&inside)};
    }
    return strides;
}

// The first element of the tensor that is inside the tile where its mapping has padding. False:
// there is none, or there are too many positions to look at.
static bool find_lost(Arena *arena, const Cut *cut, Cell *lost)
{
    enum { MOST_POSITIONS = 1 << 14 };
    StrideList strides = strides_of(arena, cut);
    int64_t count = 1;
    for (int64_t i = 0; i < strides.count; i++)
        if (!checked_mul(count, strides.items[i].count, &count) || count > MOST_POSITIONS)
            return false;
    for (int64_t n = 0; n < count; n++) {
        int64_t at = 0, rest = n;
        for (int64_t i = 0; i < strides.count; i++) {
            at += rest % strides.items[i].count * strides.items[i].block;
            rest /= strides.items[i].count;
        }
        if (!is_inside(cut, at))
            continue;
        ArenaMark mark = arena_mark(arena);
        *lost = mapping_cell(arena, &cut->whole, at);
        if (lost->count && !mapping_cell(arena, &cut->part, at - cut->offset).count)
            return true;
        arena_reset(arena, mark);
    }
    return false;
}

// The position of the tensor at which a view begins. False: nobody knows, or it does not fit.
static bool offset_of(const View *view, int64_t *offset)
{
    int64_t inside = 1, added;
    *offset = 0;
    for (int level = LEVEL_COUNT - 1; level >= 0; level--) {
        const Dim *dim = view->tensor->dims[level];
        if (dim && (!view->offsets[level].known ||
                    !checked_mul(view->offsets[level].value, inside, &added) ||
                    !checked_add(*offset, added, offset) ||
                    !checked_mul(inside, dim->mapping.size, &inside)))
            return false;
    }
    return true;
}

// The mapping of a tile is that of the first one, wherever it starts. Inside a group that is padded
// inside, what is padding of the first tile may be an element of another: with B = 3, positions 3
// and 4 of `[A, B # 5] # 16` are padding, but 11 is an element. No mapping says that, so nothing
// would move that element, and whoever writes the tile as a whole would overwrite it.
static void verify_elements(const Verify *verify, const View *view)
{
    Arena *arena = verify->arena;
    const Tile *last = &view->tiles.items[view->tiles.count - 1];
    Cut cut = {.view = view};
    Cell lost;
    if (!last->start.value || !offset_of(view, &cut.offset))
        return;
    Mapping index = mapping_normalise(arena, &last->index->mapping);
    Mapping whole = shape_of(arena, view->tensor->dims), part = shape_of(arena, view->dims);
    cut.whole = mapping_normalise(arena, &whole);
    cut.part = mapping_normalise(arena, &part);
    if (!pads_inside(&index) && !pads_inside(&cut.part))
        return;
    mapping_axes(arena, &last->index->mapping, &cut.axes);
    cut.offset = mapping_share(arena, &cut.whole, &cut.axes, cut.offset);
    cut.along = arena_new(arena, Division, (size_t)view->tiles.count);
    for (int64_t i = 0; i < view->tiles.count; i++) {
        const Mapping *along = &view->tiles.items[i].index->mapping;
        if (shares_axis(arena, along, &cut.axes))
            cut.along[i] = mapping_divide(arena, &cut.whole, along, DIVIDE_RELAXED, 1);
    }
    if (!find_lost(arena, &cut, &lost))
        return;
    StrBuf element = {.arena = arena};
    for (int64_t i = 0; i < cut.axes.count; i++)
        buf_format(&element, "{}{} {}", i ? ", " : "", cut.axes.items[i]->name,
                   index_value(&lost.items[0], cut.axes.items[i]));
    Diag *diag =
        diag_add(verify->diags, DIAG_TILE_RANGE, report_at(last->start_span, last->span),
                 "element [{}] is in this tile, where its mapping has padding", buf_str(&element));
    diag_note(diag, SPAN_NOWHERE,
              "the group is padded inside: the padding at position {} of `{}` is not where it is "
              "at position 0, which the mapping of a tile describes",
              last->start.value, dim_text(arena, last->index));
    diag_help(diag, "tile along an axis of the group, or pad the group only at its end");
}

// The start counts positions of the index, not tiles.
static void verify_start(const Verify *verify, const View *view, const Tile *tile)
{
    int64_t size = tile->index->mapping.size, start = tile->start.value;
    if (!tile->start.known || (start >= 0 && start <= size - tile->length)) {
        if (verify_padding(verify, tile))
            verify_elements(verify, view);
        return;
    }
    Diag *diag = diag_add(verify->diags, DIAG_TILE_RANGE, report_at(tile->start_span, tile->span),
                          "a tile of {} from position {} reaches beyond `{}`, which has {}",
                          tile->length, start, dim_text(verify->arena, tile->index), size);
    diag_help(diag, "it can start at 0 to {}", size - tile->length);
}

void tile_verify(const Verify *verify, const View *from, const View *view)
{
    const Tile *tile = &view->tiles.items[view->tiles.count - 1];
    verify_method(verify, view, tile);
    if (!from->dims[tile->level] || !verify_length(verify, tile))
        return;
    bool is_tile = tile_mapping_verify(verify, from->dims[tile->level], tile->index, tile->length,
                                       view->dims[tile->level], tile->span);
    if (is_tile && verify->rules != RULES_REFERENCE)
        verify_start(verify, view, tile);
}

// ---- reshapes

// A reshape is four reshapes of one dimension each, Chip first: the dimensions outside have their
// new mappings already, those inside still their old ones.
typedef struct {
    const Verify *verify;
    Level level;
    const Dim *source, *target;
    const Dim *before[LEVEL_COUNT], *after[LEVEL_COUNT]; // the whole shape, round this step
    Span span;
} Step;

static Diag *report(const Step *step, DiagCode code, const char *what, int64_t source,
                    int64_t target)
{
    Arena *arena = step->verify->arena;
    return diag_add(step->verify->diags, code, step->span,
                    "reshape makes `{}` of {} `{}`: {} {} instead of {}",
                    dim_text(arena, step->target), level_names[step->level],
                    dim_text(arena, step->source), target, what, source);
}

// Padding is a factor, too.
static bool may_pad(const Step *step)
{
    Arena *arena = step->verify->arena;
    Mapping source = mapping_normalise(arena, &step->source->mapping);
    Mapping padded = mapping_pad(arena, &step->target->mapping, source.size, PADDING_TOP);
    return mapping_normalise(arena, &padded).count == source.count;
}

static bool verify_step_size(const Step *step)
{
    int64_t source = step->source->mapping.size, target = step->target->mapping.size;
    if (source == target)
        return true;
    Diag *diag = report(step, DIAG_RESHAPE_SIZE, "positions", source, target);
    if (target < source && may_pad(step))
        report_rewrite(step->verify, diag, step->target,
                       dim_padded_text(step->verify->arena, step->target, source), "pad it:");
    return false;
}

static bool verify_factors(const Step *step)
{
    Mapping source = mapping_normalise(step->verify->arena, &step->source->mapping);
    Mapping target = mapping_normalise(step->verify->arena, &step->target->mapping);
    if (source.count == target.count)
        return true;
    Diag *diag = report(step, DIAG_RESHAPE_FACTORS, target.count == 1 ? "factor" : "factors",
                        source.count, target.count);
    diag_note(diag, SPAN_NOWHERE, "in factors: `{}`, and `{}`",
              mapping_text(step->verify->arena, &source),
              mapping_text(step->verify->arena, &target));
    diag_help(diag, "a reshape gives each factor another name; it joins and cuts none");
    return false;
}

// What the other dimensions hold stays: taking this one out leaves the same before and after.
static bool verify_rest(const Step *step)
{
    Arena *arena = step->verify->arena;
    Mapping before = shape_of(arena, step->before), after = shape_of(arena, step->after);
    Division went = mapping_divide(arena, &before, &step->source->mapping, DIVIDE_RELAXED, 1);
    Division came = mapping_divide(arena, &after, &step->target->mapping, DIVIDE_RELAXED, 1);
    bool same = went.exact && came.exact &&
                shape_equal(arena, &went.dividend_residue, &came.dividend_residue);
    if (same)
        return true;
    Diag *diag = diag_add(step->verify->diags, DIAG_RESHAPE_REST, step->span,
                          "reshape of {} `{}` to `{}` would change other dimensions, too",
                          level_names[step->level], dim_text(arena, step->source),
                          dim_text(arena, step->target));
    diag_note(diag, SPAN_NOWHERE, "the rest is `{}` before, and `{}` after",
              mapping_text(arena, &went.dividend_residue),
              mapping_text(arena, &came.dividend_residue));
    diag_help(diag, "use axes that no other dimension has a part of");
    return false;
}

static bool verify_tensors(const Verify *verify, const Tensor *from, const Tensor *to)
{
    if (from->tier == TIER_DM && to->tier == TIER_DM && from->type == to->type)
        return true;
    if (from->type != to->type)
        diag_add(verify->diags, DIAG_RESHAPE_TENSOR, to->span,
                 "reshape keeps the type of the elements: {} does not become {}",
                 scalar_name(from->type), scalar_name(to->type));
    else
        diag_add(verify->diags, DIAG_RESHAPE_TENSOR, to->span,
                 "reshape works on tensors in DM, and this one is in {}",
                 tiers[from->tier == TIER_DM ? to->tier : from->tier].name);
    return false;
}

void reshape_verify(const Verify *verify, const Tensor *from, const Tensor *to)
{
    static const Level order[] = {LEVEL_CHIP, LEVEL_CLUSTER, LEVEL_SLICE, LEVEL_ELEMENT};
    Step step = {.verify = verify, .span = to->span};
    if (!verify_tensors(verify, from, to))
        return;
    for (Level level = 0; level < LEVEL_COUNT; level++)
        step.before[level] = step.after[level] = from->dims[level];
    for (size_t i = 0; i < COUNT_OF(order); i++) {
        step.level = order[i];
        step.source = from->dims[step.level];
        step.target = step.after[step.level] = to->dims[step.level];
        bool same = mapping_same(&step.source->mapping, &step.target->mapping);
        if (!same && verify_step_size(&step) && verify_factors(&step))
            verify_rest(&step);
        step.before[step.level] = step.target;
    }
}
