#include "draft_features.h"

#include <string.h>

const char *const feature_names[FEATURE_COUNT] = {
#define X(name, text) [FEATURE_##name] = text,
    FEATURES(X)
#undef X
};

enum { MOST_ATOMS = 64 };

// ---- mappings

typedef struct {
    const Atom *items[MOST_ATOMS];
    int64_t count;
} AtomSet;

static bool set_has(const AtomSet *set, const Atom *atom)
{
    for (int64_t i = 0; i < set->count; i++)
        if (set->items[i] == atom)
            return true;
    return false;
}

// Adds the axes of an expression: all, or those with padding after them.
static void add_atoms(const Expr *expr, bool padded_only, bool is_padded, AtomSet *set)
{
    is_padded |= expr->kind == EXPR_PADDING && expr->number > expr->inner->size;
    if (expr->kind == EXPR_ATOM && (is_padded || !padded_only) && !set_has(set, expr->atom) &&
        set->count < MOST_ATOMS)
        set->items[set->count++] = expr->atom;
    if (expr->inner)
        add_atoms(expr->inner, padded_only, is_padded, set);
    for (int64_t i = 0; expr->items && i < expr->count; i++)
        add_atoms(expr->items[i], padded_only, is_padded, set);
}

static AtomSet atoms_of(const Dim *const dims[LEVEL_COUNT], bool padded_only)
{
    AtomSet set = {0};
    for (Level level = 0; level < LEVEL_COUNT; level++)
        if (dims[level])
            add_atoms(dims[level]->expr, padded_only, false, &set);
    return set;
}

// Whether several axes are joined to a group that `/` or `%` cuts.
static bool cuts_group(const Expr *expr, bool is_cut)
{
    is_cut |= expr->kind == EXPR_STRIDE || expr->kind == EXPR_MODULO;
    if (is_cut && expr->kind == EXPR_PAIR && expr->count > 1)
        return true;
    bool found = expr->inner && cuts_group(expr->inner, is_cut);
    for (int64_t i = 0; expr->items && i < expr->count && !found; i++)
        found = cuts_group(expr->items[i], is_cut);
    return found;
}

// ---- operations

static void look_at_dims(FeatureSet *set, const Dim *const dims[LEVEL_COUNT])
{
    AtomSet all = atoms_of(dims, false), padded = atoms_of(dims, true);
    for (int64_t i = 0; i < all.count; i++)
        set->has[FEATURE_AXIS_OF_ONE] |= all.items[i]->size == 1;
    set->has[FEATURE_TWO_PADDED] |= padded.count > 1;
    for (Level level = 0; level < LEVEL_COUNT; level++)
        set->has[FEATURE_GROUP] |= dims[level] && cuts_group(dims[level]->expr, false);
}

static void look_at_view(FeatureSet *set, const View *view)
{
    for (int64_t i = 0; view && i < view->tiles.count; i++) {
        bool is_group = cuts_group(view->tiles.items[i].index->expr, false);
        set->has[is_group ? FEATURE_GROUP_TILE : FEATURE_TILE] = true;
    }
    if (view)
        look_at_dims(set, view->tensor->dims);
}

static bool adds_padding(const Dim *const from[LEVEL_COUNT], const Dim *const to[LEVEL_COUNT])
{
    AtomSet bare = atoms_of(from, false), before = atoms_of(from, true), after = atoms_of(to, true);
    for (int64_t i = 0; i < after.count; i++)
        if (set_has(&bare, after.items[i]) && !set_has(&before, after.items[i]))
            return true;
    return false;
}

// Whether the input has an axis with padding that the output does not have.
static bool reduces_padding(const Stage *stage)
{
    AtomSet before = atoms_of(stage->before->dims, true), after = atoms_of(stage->dims, false);
    for (int64_t i = 0; i < before.count; i++)
        if (!set_has(&after, before.items[i]))
            return true;
    return false;
}

static bool is_float_sum(const Stage *stage)
{
    bool is_sum = stage->kind == STAGE_ACCUMULATE || !strncmp(vector_ops[stage->op].name, "Add", 3);
    return is_sum && stage->type == SCALAR_F32;
}

static void look_at_reduce(FeatureSet *set, const Stage *stage, Feature kind, Feature padded)
{
    set->has[kind] = true;
    set->has[FEATURE_FLOAT_SUM] |= is_float_sum(stage);
    set->has[padded] |= reduces_padding(stage);
}

static void look_at_stage(FeatureSet *set, const Pass *pass, const Stage *stage)
{
    look_at_dims(set, stage->dims);
    look_at_view(set, stage->sources[0]);
    look_at_view(set, stage->sources[1]);
    look_at_view(set, stage->target);
    switch (stage->kind) {
    case STAGE_FETCH:
        set->has[FEATURE_UNPADDED_FETCH] |=
            adds_padding(pass->stages.items[0]->sources[0]->dims, stage->dims);
        break;
    case STAGE_SWITCH:
        set->has[FEATURE_SWITCH] = true;
        set->has[FEATURE_CUSTOM_SWITCH] |= stage->config.kind == SWITCH_CUSTOM_BROADCAST;
        break;
    case STAGE_CONTRACT:
    case STAGE_ACCUMULATE:
        set->has[FEATURE_PADDED_CONTRACT] |= reduces_padding(stage);
        set->has[FEATURE_FLOAT_SUM] |= is_float_sum(stage);
        break;
    case STAGE_VECTOR_INTRA_REDUCE:
        look_at_reduce(set, stage, FEATURE_INTRA, FEATURE_PADDED_INTRA);
        break;
    case STAGE_VECTOR_INTER_REDUCE:
        look_at_reduce(set, stage, FEATURE_INTER, FEATURE_PADDED_INTER);
        break;
    case STAGE_VECTOR_STASH:
        set->has[FEATURE_STASH] = true;
        break;
    case STAGE_VECTOR_BRANCH:
        set->has[FEATURE_VALID_COUNT] |= stage->branch == BRANCH_VALID_COUNT;
        set->has[FEATURE_BRANCH] |=
            stage->branch != BRANCH_VALID_COUNT && stage->branch != BRANCH_UNCONDITIONAL;
        break;
    case STAGE_VECTOR_FILTER:
        set->has[FEATURE_FILTER] = true;
        break;
    case STAGE_TRANSPOSE:
        set->has[FEATURE_TRANSPOSE] = true;
        break;
    case STAGE_CAST:
        set->has[FEATURE_CAST] = true;
        break;
    default:
        break;
    }
}

FeatureSet features_of(const Op *op)
{
    FeatureSet set = {0};
    look_at_view(&set, op->source);
    look_at_view(&set, op->target);
    if (op->source && op->target)
        set.has[FEATURE_UNPADDED_MOVE] = adds_padding(op->source->dims, op->target->dims);
    set.has[FEATURE_SCATTER] = op->kind == OP_SCATTER;
    set.has[FEATURE_GATHER] = op->kind == OP_GATHER;
    for (int64_t i = 0; op->pass && i < op->pass->stages.count; i++)
        look_at_stage(&set, op->pass, op->pass->stages.items[i]);
    return set;
}
