// The same for tiles, and for tensors that move from one memory to another.
#include "lsp/complete/complete.h"

#include "base/checked.h"
#include "engine/memory/memory.h"
#include "engine/shape.h"

#include <string.h>

// ---- tiles

// Along what a tile goes: what stands outermost and is no padding; NULL: nothing does.
static const Expr *tile_index(Arena *arena, const Type *dim)
{
    ExprList elements = {0};
    expr_elements(arena, dim->expr, &elements);
    for (int64_t i = 0; i < elements.count; i++) {
        Mapping mapping = mapping_of_expr(arena, elements.items[i]);
        Mapping tile, whole = mapping_of_expr(arena, dim->expr);
        if (mapping_has_terms(&mapping) && mapping_tile(arena, &whole, &mapping, 1, &tile))
            return elements.items[i];
    }
    return NULL;
}

// The dimension that a method makes tiles of; NULL: none, or it is not known.
static const Type *tiled_dim(const CallSource *source, const char *method)
{
    static const struct {
        const char *method;
        Level level;
    } tiles[] = {{"tile", LEVEL_ELEMENT},
                 {"slice_tile", LEVEL_SLICE},
                 {"cluster_tile", LEVEL_CLUSTER},
                 {"chip_tile", LEVEL_CHIP}};
    Mapping whole;
    for (size_t i = 0; i < COUNT_OF(tiles); i++) {
        const Type *dim = source->in.dims[tiles[i].level];
        if (strcmp(tiles[i].method, method) == 0 &&
            mapping_of_dim(source_arena(source), dim, &whole))
            return dim;
    }
    return NULL;
}

bool tile_is_empty(const CallSource *source, const char *method)
{
    const Type *dim = tiled_dim(source, method);
    return dim && !tile_index(source_arena(source), dim);
}

bool tile_argument(const CallSource *source, const char *method, const char *name, Str *text)
{
    Arena *arena = source_arena(source);
    const Type *dim = tiled_dim(source, method);
    const Expr *index = dim ? tile_index(arena, dim) : NULL;
    if (!index)
        return false;
    bool of_index = strcmp(name, "Index") == 0 || strcmp(name, "I") == 0;
    *text = of_index ? expr_text(arena, index) : tile_written(arena, dim->expr, index, 1);
    return true;
}

// ---- tensors that move

static Mapping without_padding(Arena *arena, const Mapping *mapping)
{
    PlacedTerms terms = shape_terms(arena, mapping);
    Mapping kept = mapping_identity();
    for (int64_t i = 0; i < terms.count; i++) {
        Mapping term = mapping_of_term(arena, terms.items[i].term, terms.items[i].resize);
        kept = mapping_pair(arena, &term, &kept);
    }
    return kept;
}

// The levels that a tensor of this type has, as a set.
static uint32_t levels_of(Type *type)
{
    uint32_t levels = 0;
    type = type_of(type);
    if (type_has_role(type, ROLE_FUTURE) && type->arg_count)
        type = type_of(type->args[0]);
    const AstItem *item = type->kind == TYPE_NAMED ? type->decl->item : NULL;
    for (int64_t i = 0; item && i < item->generics.count; i++)
        for (Level level = 0; level < LEVEL_COUNT; level++)
            if (strcmp(level_names[level], item->generics.items[i].name.text) == 0)
                levels |= 1U << level;
    return levels;
}

// Slices of what is outermost, as far as there are any; clusters stay as they are.
static bool usual_level(const CallSource *source, Level level, Mapping *mapping)
{
    Arena *arena = source_arena(source);
    const Machine *machine = source_machine(source);
    int64_t count =
        level == LEVEL_CLUSTER ? machine->clusters_per_chip : machine->slices_per_cluster;
    Mapping element;
    if ((level != LEVEL_SLICE && level != LEVEL_CLUSTER) ||
        !source_mapping(source, LEVEL_ELEMENT, &element))
        return false;
    *mapping = mapping_identity();
    PlacedTerms terms = shape_terms(arena, &element);
    for (int64_t i = terms.count - 1; level == LEVEL_SLICE && i >= 0; i--) {
        int64_t left = count / mapping->size, size = terms.items[i].resize;
        Mapping term = mapping_of_term(arena, terms.items[i].term, size), inner;
        if (left % size && size % left == 0) // its outer part
            mapping_split(arena, &term, size / left, &term, &inner);
        if (left % term.size)
            break;
        *mapping = mapping_pair(arena, mapping, &term);
    }
    *mapping = mapping_pad(arena, mapping, count, PADDING_TOP);
    return true;
}

// A level of the tensor that a tensor is moved to.
static bool level_behind(const CallSource *source, Level level, Mapping *mapping)
{
    return source_mapping(source, level, mapping) ||
           alias_mapping(source->completion, level_names[level], mapping) ||
           usual_level(source, level, mapping);
}

// Whatever the target has no level for goes into Element, and what it has a name for, out of it.
static bool element_behind(const CallSource *source, uint32_t levels, Mapping *element)
{
    Arena *arena = source_arena(source);
    Mapping taken = mapping_identity(), part;
    if (!source_mapping(source, LEVEL_ELEMENT, element))
        return false;
    for (int level = LEVEL_SLICE; level >= 0; level--) {
        bool had = source_mapping(source, (Level)level, &part), has = levels & 1U << level;
        if (had == has || (!had && !level_behind(source, (Level)level, &part)))
            continue;
        part = without_padding(arena, &part);
        Mapping *side = had ? element : &taken;
        *side = mapping_pair(arena, &part, side);
    }
    if (taken.size > 1)
        *element = mapping_divide(arena, element, &taken, DIVIDE_RELAXED, 1).dividend_remainder;
    return true;
}

bool move_mapping(const CallSource *source, Type *result, Level level, Mapping *mapping)
{
    uint32_t levels = levels_of(result);
    if (level == LEVEL_COUNT || !(levels & 1U << level))
        return false;
    return level == LEVEL_ELEMENT ? element_behind(source, levels, mapping)
                                  : level_behind(source, level, mapping);
}
