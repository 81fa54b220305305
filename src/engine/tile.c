#include "engine/tile.h"

#include "base/checked.h"
#include "engine/report.h"
#include "engine/tensor.h"
#include "mapping/divide.h"

#include <inttypes.h>

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
    Diag *diag =
        diag_add(verify->diags, DIAG_TILE_LEVEL, tile->span,
                 "a %sview of %.*s cannot be tiled along %s", view->is_mut ? "mutable " : "",
                 STR_ARG(tensor_text(verify->arena, view->tensor)), level_names[tile->level]);
    if (has_tile(tier, tile->level, false))
        diag_help(diag, "%s is for reading; what is written goes to all slices",
                  methods[tile->level]);
}

// ---- what a tile leaves of the mapping

static void report_index(const Verify *verify, const Dim *whole, const Dim *index, Span span)
{
    Diag *diag =
        diag_add(verify->diags, DIAG_TILE_INDEX, dim_span(index, span),
                 "a tile cannot go along `%.*s`, which is not one piece of `%.*s`",
                 STR_ARG(dim_text(verify->arena, index)), STR_ARG(dim_text(verify->arena, whole)));
    AtomList axes = {0};
    expr_axes(verify->arena, whole->expr, &axes);
    const char *axis = axes.count ? axes.items[0]->name : "A";
    diag_help(diag, "tile along an axis of it, as `%s`, or along a part of one, as `%s / 8`", axis,
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
        bool tiled = !found && mapping_equal(arena, &element, index) == MAPPINGS_EQUAL;
        found |= tiled;
        buf_add(&buf, i ? STR(", ") : STR(""));
        if (tiled && length == 1)
            buf_printf(&buf, "1 # %" PRId64, element.size);
        else if (tiled && length < element.size)
            buf_printf(&buf, "%.*s = %" PRId64 " # %" PRId64, STR_ARG(text), length, element.size);
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
                          "`%.*s` is not what a tile along `%.*s` leaves of `%.*s`",
                          STR_ARG(dim_text(arena, tile)), STR_ARG(dim_text(arena, index)),
                          STR_ARG(dim_text(arena, whole)));
    if (tile->mapping.size != right->size)
        diag_note(diag, SPAN_NOWHERE,
                  "it has %" PRId64 " positions, and the part of the tensor spans %" PRId64
                  ": everything outside the tile would move",
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
        report_index(verify, whole, index, span);
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
                 "whether `%.*s` is the mapping of the tile was not decided",
                 STR_ARG(dim_text(verify->arena, tile)));
    return false;
}

// ---- where it lies

static bool verify_length(const Verify *verify, const Tile *tile)
{
    int64_t size = tile->index->mapping.size;
    if (tile->length >= 1 && tile->length <= size)
        return true;
    diag_add(verify->diags, DIAG_TILE_RANGE, tile->span,
             "a tile has 1 to %" PRId64 " positions of `%.*s`, not %" PRId64, size,
             STR_ARG(dim_text(verify->arena, tile->index)), tile->length);
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
static void verify_padding(const Verify *verify, const Tile *tile)
{
    int64_t start = tile->start.value, size = tile->index->mapping.size;
    if (!tile->start.known || start < 1)
        return;
    int64_t step = distance_of_elements(verify, &tile->index->mapping);
    Str index = dim_text(verify->arena, tile->index);
    Span span = report_at(tile->start_span, tile->span);
    if (step == size)
        diag_add(verify->diags, DIAG_TILE_RANGE, span,
                 "position %" PRId64 " of `%.*s` is padding: a tile of it can only start at 0",
                 start, STR_ARG(index));
    else if (start % step)
        diag_add(verify->diags, DIAG_TILE_RANGE, span,
                 "position %" PRId64 " of `%.*s` is padding: a tile of it can only start at "
                 "multiples of %" PRId64,
                 start, STR_ARG(index), step);
}

// The start counts positions of the index, not tiles.
static void verify_start(const Verify *verify, const Tile *tile)
{
    int64_t size = tile->index->mapping.size, start = tile->start.value;
    if (!tile->start.known || (start >= 0 && start <= size - tile->length)) {
        verify_padding(verify, tile);
        return;
    }
    Diag *diag = diag_add(verify->diags, DIAG_TILE_RANGE, report_at(tile->start_span, tile->span),
                          "a tile of %" PRId64 " from position %" PRId64
                          " reaches beyond `%.*s`, which has %" PRId64,
                          tile->length, start, STR_ARG(dim_text(verify->arena, tile->index)), size);
    diag_help(diag, "it can start at 0 to %" PRId64, size - tile->length);
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
        verify_start(verify, tile);
}
