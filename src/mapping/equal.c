// Equality of mappings: size and all cells agree.
//
// For mappings of axes alone the normal form is canonical. Read the cells from position 0 up: the
// first live position gives the innermost factor's axis and stride, the run of its multiples its
// resize, the next live position the size of everything inside the next factor, and so on; every
// position that begins a digit is live, because digits alone never leave their axis and no part of
// an axis is given twice. So equal cells mean equal factors. Whatever else can be written (blocks
// cut across their padding, shifts, lists, linear combinations, skews, parts given twice) is
// compared as a relation between integers, which is slower and just as exact.
#include "base/checked.h"
#include "mapping/cell.h"

#include <isl/ctx.h>
#include <isl/map.h>
#include <isl/options.h>
#include <isl/point.h>
#include <isl/set.h>
#include <isl/val.h>
#include <stdlib.h>

// Cells compared one by one before isl is asked: most different mappings differ early. The cells of
// a small mapping are all compared, since even a small relation can take isl minutes.
enum { PROBES = 48, MOST_CELLS = 4096 };

static bool is_plain(Arena *arena, const Mapping *mapping)
{
    for (int64_t i = 0; i < mapping->count; i++)
        if (!mapping->factors[i].is_padding && mapping->factors[i].term.atom->kind != ATOM_AXIS)
            return false;
    return !mapping_has_overlap(arena, mapping);
}

// A cell with too many indices to list them decides nothing.
static MappingEquality compare_cells(Arena *arena, const Mapping *a, const Mapping *b, int64_t at)
{
    ArenaMark mark = arena_mark(arena);
    Cell left = mapping_cell(arena, a, at), right = mapping_cell(arena, b, at);
    MappingEquality result = left.truncated || right.truncated ? MAPPINGS_UNDECIDED
                             : cell_equal(&left, &right)       ? MAPPINGS_EQUAL
                                                               : MAPPINGS_DIFFER;
    arena_reset(arena, mark);
    return result;
}

// Compares the first `count` cells, up to one that differs, which is stored in *position.
static MappingEquality compare_first(Arena *arena, const Mapping *a, const Mapping *b,
                                     int64_t count, int64_t *position)
{
    MappingEquality result = MAPPINGS_EQUAL;
    for (*position = 0; *position < count; ++*position) {
        MappingEquality here = compare_cells(arena, a, b, *position);
        if (here == MAPPINGS_DIFFER)
            return here;
        if (here == MAPPINGS_UNDECIDED)
            result = here;
    }
    return result;
}

// Of two mappings of one size: all cells of small ones; of others the first, and cells spread over
// the rest by a stride that shares no small factor with usual sizes.
static MappingEquality probe(Arena *arena, const Mapping *a, const Mapping *b)
{
    int64_t position, step = a->size / PROBES | 1;
    if (a->size <= MOST_CELLS)
        return compare_first(arena, a, b, a->size, &position);
    if (compare_first(arena, a, b, PROBES, &position) == MAPPINGS_DIFFER ||
        compare_cells(arena, a, b, a->size - 1) == MAPPINGS_DIFFER)
        return MAPPINGS_DIFFER;
    for (int64_t i = 0; i < PROBES; i++) {
        int64_t at = (int64_t)((uint64_t)i * (uint64_t)step % (uint64_t)a->size);
        if (compare_cells(arena, a, b, at) == MAPPINGS_DIFFER)
            return MAPPINGS_DIFFER;
    }
    return MAPPINGS_UNDECIDED;
}

// The normal form with holes as ordinary padding: neither holds anything.
static Mapping without_holes(Arena *arena, const Mapping *mapping)
{
    MappingBuilder builder = mapping_build(arena);
    for (int64_t i = 0; i < mapping->count; i++) {
        Factor factor = mapping->factors[i];
        factor.padding = PADDING_TOP;
        mapping_build_factor(&builder, &factor);
    }
    Mapping result = mapping_build_done(&builder);
    return mapping_normalise(arena, &result);
}

// ---- relations

// Mappings as relations between integers, compared by isl.
//
// The relation of a mapping holds (position, axis values) for every cell that is no padding. It is
// the set of solutions of linear equations: the position is the sum of its digits times their
// blocks, each atom is the sum of digits times strides, and so on inside each atom. A digit is a
// variable with a range. isl compares such sets exactly, whatever the sizes in them.

// Steps isl may take for one comparison. Most comparisons need fewer than 30,000; where the numbers
// in the constraints grow, a million takes about ten seconds.
enum { MOST_STEPS = 1000 * 1000 };

typedef struct {
    const Atom *atom;
    StrBuf sum; // "+ 8*d0 + d3": what is contributed to it
} AtomSum;

typedef struct {
    ARRAY(AtomSum);
} AtomSums;

// The text of a relation under construction.
typedef struct {
    Arena *arena;
    StrBuf constraints;
    AtomSums sums;
    int64_t variables; // d0, d1, ..
} Relation;

static StrBuf *sum_of(Relation *relation, const Atom *atom)
{
    for (int64_t i = 0; i < relation->sums.count; i++)
        if (atom_equal(relation->sums.items[i].atom, atom))
            return &relation->sums.items[i].sum;
    AtomSum *sum = array_push(relation->arena, &relation->sums, AtomSum);
    *sum = (AtomSum){atom, {.arena = relation->arena}};
    return &sum->sum;
}

static void(constrain)(Relation *relation, Message message);
#define constrain(relation, ...) constrain(relation, MESSAGE(__VA_ARGS__))

static void(constrain)(Relation *relation, Message message)
{
    buf_add(&relation->constraints, STR(" and "));
    (buf_format)(&relation->constraints, message);
}

// A new variable 0 <= d < size; its number.
static int64_t new_variable(Relation *relation, int64_t size)
{
    int64_t variable = relation->variables++;
    constrain(relation, "0 <= d{} < {}", variable, size);
    return variable;
}

// position = sum(block * digit), and each digit contributes to its atom.
static void add_mapping(Relation *relation, const Mapping *mapping, Str position)
{
    StrBuf digits = {.arena = relation->arena};
    int64_t block = 1;
    for (int64_t i = 0; i < mapping->count; i++) {
        const Factor *factor = &mapping->factors[i];
        if (factor->is_padding) {
            block = factor->size;
            continue;
        }
        int64_t digit = new_variable(relation, factor->resize);
        buf_format(&digits, " + {}*d{}", block, digit);
        buf_format(sum_of(relation, factor->term.atom), " + {}*d{}", factor->term.stride, digit);
        block *= factor->resize;
    }
    constrain(relation, "{} = 0{}", position, buf_str(&digits));
}

static Str variable_text(Relation *relation, int64_t variable)
{
    return str_format(relation->arena, "d{}", variable);
}

static void add_list(Relation *relation, const Atom *atom, Str at)
{
    int64_t place = new_variable(relation, atom->inner->size);
    StrBuf cases = {.arena = relation->arena};
    for (int64_t i = 0; i < atom->size; i++)
        buf_format(&cases, "{}({} = {} and d{} = {})", i ? " or " : "", at, i, place,
                   atom->offsets[i]);
    constrain(relation, "({})", buf_str(&cases));
    add_mapping(relation, atom->inner, variable_text(relation, place));
}

static void add_linear(Relation *relation, const Atom *atom, Str at)
{
    StrBuf sum = {.arena = relation->arena};
    for (int64_t i = 0; i < atom->part_count; i++) {
        int64_t place = new_variable(relation, atom->parts[i]->size);
        buf_format(&sum, " + {}*d{}", atom->weights[i], place);
        add_mapping(relation, atom->parts[i], variable_text(relation, place));
    }
    constrain(relation, "{} = 0{}", at, buf_str(&sum));
}

// base = at + others - size * turns
static void add_skew(Relation *relation, const Atom *atom, Str at)
{
    int64_t base = new_variable(relation, atom->size);
    StrBuf sum = {.arena = relation->arena};
    for (int64_t i = 0; i < atom->part_count; i++)
        buf_add(&sum, buf_str(sum_of(relation, atom->others[i])));
    int64_t turns = relation->variables++;
    constrain(relation, "d{} = {}{} - {}*d{}", base, at, buf_str(&sum), atom->size, turns);
    buf_format(sum_of(relation, atom->base), " + d{}", base);
}

static void add_atom(Relation *relation, const Atom *atom, Str sum)
{
    Str at = str_format(relation->arena, "(0{})", sum);
    constrain(relation, "0 <= {} < {}", at, atom->size);
    switch (atom->kind) {
    case ATOM_AXIS:
        return;
    case ATOM_BLOCK:
        add_mapping(relation, atom->inner, at);
        return;
    case ATOM_SHIFT:
        add_mapping(relation, atom->inner, str_format(relation->arena, "{} + {}", at, atom->shift));
        return;
    case ATOM_LIST:
        add_list(relation, atom, at);
        return;
    case ATOM_LINEAR:
        add_linear(relation, atom, at);
        return;
    case ATOM_SKEW:
        add_skew(relation, atom, at);
        return;
    }
}

static int64_t next_sum(const Relation *relation)
{
    AtomList atoms = {0};
    for (int64_t i = 0; i < relation->sums.count; i++)
        *array_push(relation->arena, &atoms, const Atom *) = relation->sums.items[i].atom;
    return next_atom(&atoms);
}

// "{ [p] -> [a0, a1, ..] : exists d0, d1, .. : .. }"
static Str relation_text(Arena *arena, const Mapping *mapping, const AtomList *axes)
{
    Relation relation = {.arena = arena, .constraints = {.arena = arena}};
    add_mapping(&relation, mapping, STR("p"));
    for (int64_t i = next_sum(&relation); i >= 0; i = next_sum(&relation)) {
        AtomSum sum = relation.sums.items[i];
        relation.sums.items[i] = relation.sums.items[--relation.sums.count];
        add_atom(&relation, sum.atom, buf_str(&sum.sum));
    }
    StrBuf text = {.arena = arena};
    buf_add(&text, STR("{ [p] -> ["));
    for (int64_t i = 0; i < axes->count; i++)
        buf_format(&text, "{}a{}", i ? ", " : "", i);
    buf_add(&text, STR("] : "));
    for (int64_t i = 0; i < relation.variables; i++)
        buf_format(&text, "{}d{}", i ? ", " : "exists ", i);
    buf_add(&text, relation.variables ? STR(" : 0 <= p") : STR("0 <= p"));
    buf_add(&text, buf_str(&relation.constraints));
    for (int64_t i = 0; i < axes->count; i++)
        buf_format(&text, " and a{} = 0{} and 0 <= a{} < {}", i,
                   buf_str(sum_of(&relation, axes->items[i])), i, axes->items[i]->size);
    buf_add(&text, STR(" }"));
    return buf_str(&text);
}

// The smallest position in the difference of two relations.
static bool first_difference(isl_map *a, isl_map *b, int64_t *position)
{
    isl_set *left = isl_map_domain(isl_map_subtract(isl_map_copy(a), isl_map_copy(b)));
    isl_set *right = isl_map_domain(isl_map_subtract(isl_map_copy(b), isl_map_copy(a)));
    isl_set *lowest = isl_set_lexmin(isl_set_union(left, right));
    isl_point *point = isl_set_sample_point(lowest);
    isl_val *value = isl_point_get_coordinate_val(point, isl_dim_set, 0);
    bool found = value && isl_val_is_int(value) == isl_bool_true;
    if (found)
        *position = (int64_t)isl_val_get_num_si(value);
    isl_val_free(value);
    isl_point_free(point);
    return found;
}

MappingEquality mapping_equal_exact(Arena *arena, const Mapping *a, const Mapping *b,
                                    int64_t *position)
{
    AtomList axes = {0};
    mapping_axes(arena, a, &axes);
    mapping_axes(arena, b, &axes);
    // all of the arena's work comes first: nothing of isl's is lost if memory runs out there
    const char *left_text = str_terminated(arena, relation_text(arena, a, &axes));
    const char *right_text = str_terminated(arena, relation_text(arena, b, &axes));
    isl_ctx *context = isl_ctx_alloc();
    isl_options_set_on_error(context, ISL_ON_ERROR_CONTINUE);
    isl_ctx_set_max_operations(context, MOST_STEPS);
    isl_map *left = isl_map_read_from_str(context, left_text);
    isl_map *right = isl_map_read_from_str(context, right_text);
    isl_bool equal = isl_map_is_equal(left, right);
    MappingEquality result = equal == isl_bool_true    ? MAPPINGS_EQUAL
                             : equal == isl_bool_false ? MAPPINGS_DIFFER
                                                       : MAPPINGS_UNDECIDED;
    if (result == MAPPINGS_DIFFER && position && !first_difference(left, right, position))
        *position = -1;
    isl_map_free(left);
    isl_map_free(right);
    isl_ctx_free(context);
    return result;
}

// ---- answers

MappingEquality mapping_equal(Arena *arena, const Mapping *a, const Mapping *b)
{
    if (a->size != b->size)
        return MAPPINGS_DIFFER;
    Mapping left = without_holes(arena, a), right = without_holes(arena, b);
    if (mapping_same(&left, &right))
        return MAPPINGS_EQUAL;
    if (is_plain(arena, &left) && is_plain(arena, &right))
        return MAPPINGS_DIFFER;
    MappingEquality probed = probe(arena, &left, &right);
    return probed == MAPPINGS_UNDECIDED ? mapping_equal_exact(arena, &left, &right, NULL) : probed;
}

MappingEquality mapping_is_prefix(Arena *arena, const Mapping *prefix, const Mapping *whole)
{
    Mapping start = mapping_resize(arena, whole, prefix->size);
    return mapping_equal(arena, prefix, &start);
}

bool mapping_find_difference(Arena *arena, const Mapping *a, const Mapping *b, int64_t *position)
{
    int64_t shared = min_i64(a->size, b->size);
    int64_t probes = shared <= MOST_CELLS ? shared : PROBES;
    MappingEquality first = compare_first(arena, a, b, probes, position);
    if (first == MAPPINGS_DIFFER)
        return true;
    *position = shared;
    if (first == MAPPINGS_EQUAL && probes == shared)
        return a->size != b->size;
    Mapping left = mapping_resize(arena, a, shared), right = mapping_resize(arena, b, shared);
    MappingEquality equality = mapping_equal_exact(arena, &left, &right, position);
    return equality == MAPPINGS_DIFFER || (equality == MAPPINGS_EQUAL && a->size != b->size);
}
