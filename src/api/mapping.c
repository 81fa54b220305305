#include "api/sized.h"

#include "base/checked.h"
#include "base/divisor.h"
#include "mapping/divide.h"
#include "mapping/picture.h"
#include "program/text_read.h"

ContraStatus contra_declare_axes(Contra *contra, ContraText axes)
{
    CONTRA_ENTER(contra);
    int32_t source = add_source(contra, contra_text("axes"), axes);
    Str text = contra->sources.items[source].text;
    return scope_parse_axes(&contra->scope, &contra->diags, source, text) ? CONTRA_OK
                                                                          : CONTRA_INVALID;
}

ContraStatus contra_define(Contra *contra, ContraText definition)
{
    CONTRA_ENTER(contra);
    int32_t source = add_source(contra, contra_text("definition"), definition);
    Str text = contra->sources.items[source].text;
    return scope_parse_definition(&contra->scope, &contra->diags, source, text) ? CONTRA_OK
                                                                                : CONTRA_INVALID;
}

ContraMapping *new_mapping(Contra *contra, const Mapping *mapping, const Expr *expr)
{
    Arena *arena = &contra->arena, *request = &contra->request;
    ArenaMark mark = arena_mark(request); // texts are kept without spare capacity
    ContraMapping *result = arena_new(arena, ContraMapping, 1);
    result->contra = contra;
    result->expr = expr;
    result->mapping = *mapping;
    result->normal = mapping_normalise(arena, mapping);
    result->normal_text = text_of(str_copy(arena, mapping_text(request, &result->normal)));
    result->text = expr ? text_of(str_copy(arena, expr_text(request, expr))) : result->normal_text;
    if (expr)
        expr_axes(arena, expr, &result->axes);
    else
        mapping_axes(arena, mapping, &result->axes);
    arena_reset(request, mark);
    return result;
}

ContraStatus contra_mapping_parse(Contra *contra, ContraText name, ContraText text,
                                  ContraMapping **mapping)
{
    CONTRA_GIVES(mapping, NULL);
    CONTRA_ENTER(contra);
    CONTRA_NEEDS(contra, mapping, "`mapping`");
    if (!scope_resolve(&contra->scope, &contra->diags))
        return CONTRA_INVALID;
    int32_t source = add_source(contra, name, text);
    Str copy = contra->sources.items[source].text;
    const Expr *expr = mapping_parse(&contra->scope, &contra->diags, source, copy);
    if (expr->kind == EXPR_POISON || !expr_check_overlap(&contra->diags, expr))
        return CONTRA_INVALID;
    Mapping factors = mapping_of_expr(&contra->arena, expr);
    *mapping = new_mapping(contra, &factors, expr);
    return CONTRA_OK;
}

// ---- by constructors

static ContraStatus read_mapping(Contra *contra, Str text, ContraMapping **mapping)
{
    return contra_mapping_parse(contra, contra_text("mapping"), text_of(text), mapping);
}

// Opens a constructor, as CONTRA_ENTER does. The text is put together under its own guard: reading
// sets another.
#define MAPPING_ENTER(contra, mapping) \
    if (mapping)                       \
        *(mapping) = NULL;             \
    CONTRA_ENTER(contra);              \
    if (!(mapping))                    \
    return refuse_argument(contra, __func__, "`mapping`")

ContraStatus contra_mapping_named(Contra *contra, const char *name, ContraMapping **mapping)
{
    MAPPING_ENTER(contra, mapping);
    CONTRA_NEEDS(contra, name, "`name`");
    Str word = str_trim(str_from(name));
    if (text_is_word(word))
        return read_mapping(contra, word, mapping);
    return request_refuse(contra, DIAG_AXIS_NAME, "`{}` is not a name", word);
}

ContraStatus contra_mapping_one(Contra *contra, ContraMapping **mapping)
{
    MAPPING_ENTER(contra, mapping);
    return read_mapping(contra, STR("1"), mapping);
}

ContraStatus contra_mapping_pair(Contra *contra, const ContraMapping *outer,
                                 const ContraMapping *inner, ContraMapping **mapping)
{
    MAPPING_ENTER(contra, mapping);
    CONTRA_NEEDS(contra, outer && inner, "`outer` and `inner`");
    CONTRA_OWNS(contra, outer, "a mapping");
    CONTRA_OWNS(contra, inner, "a mapping");
    Str text = str_format(&contra->arena, "{}, {}", str_of(outer->text), str_of(inner->text));
    return read_mapping(contra, text, mapping);
}

// Numbers of mappings count positions.
static ContraStatus refuse_negative(Contra *contra, const char *function, int64_t number)
{
    return request_refuse(contra, DIAG_ARGUMENT_UNFIT,
                          "{} was called with {}: a number of a mapping is not negative", function,
                          number);
}

// [X] sign n, for a function
static ContraStatus operate(Contra *contra, const char *function, const ContraMapping *of,
                            char sign, int64_t n, ContraMapping **mapping)
{
    if (mapping)
        *mapping = NULL;
    CONTRA_ENTER(contra);
    if (!mapping || !of)
        return refuse_argument(contra, function, mapping ? "`of`" : "`mapping`");
    if (of->contra != contra)
        return refuse_stranger(contra, function, "a mapping");
    if (n < 0)
        return refuse_negative(contra, function, n);
    Str text = str_format(&contra->arena, "[{}] {c} {}", str_of(of->text), sign, n);
    return read_mapping(contra, text, mapping);
}

#define OPERATION(name, sign)                                                              \
    ContraStatus contra_mapping_##name(Contra *contra, const ContraMapping *of, int64_t n, \
                                       ContraMapping **mapping)                            \
    {                                                                                      \
        return operate(contra, __func__, of, sign, n, mapping);                            \
    }

OPERATION(stride, '/')
OPERATION(modulo, '%')
OPERATION(resize, '=')
OPERATION(pad, '#')
OPERATION(offset, '@')

ContraStatus contra_mapping_pad_around(Contra *contra, int64_t before, const ContraMapping *of,
                                       int64_t after, ContraMapping **mapping)
{
    MAPPING_ENTER(contra, mapping);
    CONTRA_TAKES(contra, of, "a mapping");
    if (before < 0 || after < 0)
        return refuse_negative(contra, __func__, before < 0 ? before : after);
    Str text = str_format(&contra->arena, "# {} + [{}] + # {}", before, str_of(of->text), after);
    return read_mapping(contra, text, mapping);
}

ContraStatus contra_mapping_select(Contra *contra, const ContraMapping *of,
                                   const int64_t *positions, int64_t count, ContraMapping **mapping)
{
    MAPPING_ENTER(contra, mapping);
    CONTRA_TAKES(contra, of, "a mapping");
    CONTRA_NEEDS(contra, IS_LIST(positions, count), "as many `positions` as it says");
    CONTRA_NEEDS(contra, count, "a position");
    for (int64_t i = 0; i < count; i++)
        if (positions[i] < 0)
            return refuse_negative(contra, __func__, positions[i]);
    StrBuf text = {.arena = &contra->arena};
    buf_format(&text, "[{}] @ [", str_of(of->text));
    for (int64_t i = 0; i < count; i++)
        buf_format(&text, "{}{}", i ? ", " : "", positions[i]);
    buf_add_char(&text, ']');
    return read_mapping(contra, buf_str(&text), mapping);
}

static bool all_given(const ContraMapping *const *of, const int64_t *factors, int64_t count)
{
    bool given = of && factors && count > 0;
    for (int64_t i = 0; given && i < count; i++)
        given = of[i];
    return given;
}

ContraStatus contra_mapping_linear(Contra *contra, const ContraMapping *const *of,
                                   const int64_t *factors, int64_t count, ContraMapping **mapping)
{
    MAPPING_ENTER(contra, mapping);
    CONTRA_NEEDS(contra, all_given(of, factors, count), "as many mappings and factors as it says");
    for (int64_t i = 0; i < count; i++)
        CONTRA_OWNS(contra, of[i], "a mapping");
    for (int64_t i = 0; i < count; i++)
        if (factors[i] < 0)
            return refuse_negative(contra, __func__, factors[i]);
    StrBuf text = {.arena = &contra->arena};
    buf_add(&text, STR("$("));
    for (int64_t i = 0; i < count; i++)
        buf_format(&text, "{}[{}]:{}", i ? ", " : "", str_of(of[i]->text), factors[i]);
    buf_add_char(&text, ')');
    return read_mapping(contra, buf_str(&text), mapping);
}

// ---- what they are

int64_t contra_mapping_size(const ContraMapping *mapping)
{
    return mapping ? mapping->mapping.size : 0;
}

ContraText contra_mapping_text(const ContraMapping *mapping)
{
    return mapping ? mapping->text : NO_TEXT;
}

ContraText contra_mapping_normal(const ContraMapping *mapping)
{
    return mapping ? mapping->normal_text : NO_TEXT;
}

int64_t contra_mapping_factor_count(const ContraMapping *mapping)
{
    return mapping ? mapping->normal.count : 0;
}

ContraStatus contra_mapping_factor(Contra *contra, const ContraMapping *mapping, int64_t index,
                                   ContraFactor *result)
{
    CONTRA_GIVES(result, (ContraFactor){0});
    CONTRA_ENTER(contra);
    CONTRA_NEEDS(contra, mapping && result, "`mapping` and `result`");
    CONTRA_OWNS(contra, mapping, "a mapping");
    if (index < 0 || index >= mapping->normal.count)
        return CONTRA_INVALID;
    const Factor *factor = &mapping->normal.factors[index];
    Mapping inside = {mapping->normal.factors, index, 0};
    StrBuf buf = {.arena = &contra->arena};
    if (!factor->is_padding)
        term_print(&buf, &factor->term, factor->resize);
    *result = (ContraFactor){.is_padding = factor->is_padding,
                             .text = text_of(buf_str(&buf)),
                             .size = factor->is_padding ? factor->size : factor->resize,
                             .block = mapping_recount(&inside)};
    return CONTRA_OK;
}

int64_t contra_mapping_axis_count(const ContraMapping *mapping)
{
    return mapping ? mapping->axes.count : 0;
}

const char *contra_mapping_axis(const ContraMapping *mapping, int64_t index, int64_t *size)
{
    CONTRA_GIVES(size, 0);
    if (!mapping || index < 0 || index >= mapping->axes.count)
        return NULL;
    if (size)
        *size = mapping->axes.items[index]->size;
    return mapping->axes.items[index]->name;
}

static void report_shared(Contra *contra, int64_t position)
{
    Diag *diag = request_report(contra, DIAG_REQUEST_TOO_LARGE,
                                "too many indices share position {}, or may share it, to list them",
                                position);
    diag_help(diag, "ask for another position, or make the linear combination smaller");
}

ContraStatus contra_mapping_cell(Contra *contra, const ContraMapping *mapping, int64_t position,
                                 ContraCell *cell)
{
    CONTRA_GIVES(cell, (ContraCell){0});
    CONTRA_ENTER(contra);
    CONTRA_NEEDS(contra, mapping && cell, "`mapping` and `cell`");
    CONTRA_OWNS(contra, mapping, "a mapping");
    if (position < 0 || position >= mapping->mapping.size)
        return CONTRA_INVALID;
    arena_clear(&contra->scratch);
    Cell found = mapping_cell(&contra->scratch, &mapping->mapping, position);
    if (found.truncated) {
        report_shared(contra, position);
        return CONTRA_INVALID;
    }
    int64_t axes = mapping->axes.count;
    int64_t *values =
        arena_new(&contra->scratch, int64_t, (size_t)(max_i64(1, axes) * max_i64(1, found.count)));
    for (int64_t i = 0; i < found.count; i++)
        for (int64_t k = 0; k < axes; k++)
            values[i * axes + k] = index_value(&found.items[i], mapping->axes.items[k]);
    *cell = (ContraCell){found.count, values};
    return CONTRA_OK;
}

static ContraStatus answer(Contra *contra, MappingEquality equality, bool *yes)
{
    *yes = equality == MAPPINGS_EQUAL;
    if (equality != MAPPINGS_UNDECIDED)
        return CONTRA_OK;
    request_report(contra, DIAG_UNDECIDED,
                   "whether the mappings are equal was not decided: it takes too many steps");
    return CONTRA_UNDECIDED;
}

ContraStatus contra_mapping_equal(Contra *contra, const ContraMapping *a, const ContraMapping *b,
                                  bool *equal, int64_t *difference)
{
    CONTRA_GIVES(equal, false);
    CONTRA_GIVES(difference, -1);
    CONTRA_ENTER(contra);
    CONTRA_NEEDS(contra, a && b && equal, "`a`, `b` and `equal`");
    CONTRA_OWNS(contra, a, "a mapping");
    CONTRA_OWNS(contra, b, "a mapping");
    arena_clear(&contra->scratch);
    MappingEquality equality = mapping_equal(&contra->scratch, &a->mapping, &b->mapping);
    ContraStatus status = answer(contra, equality, equal);
    if (difference && status == CONTRA_OK && !*equal) {
        if (!mapping_find_difference(&contra->scratch, &a->normal, &b->normal, difference))
            *difference = -1;
    }
    return status;
}

ContraStatus contra_mapping_is_prefix(Contra *contra, const ContraMapping *prefix,
                                      const ContraMapping *whole, bool *is_prefix)
{
    CONTRA_GIVES(is_prefix, false);
    CONTRA_ENTER(contra);
    CONTRA_NEEDS(contra, prefix && whole && is_prefix, "`prefix`, `whole` and `is_prefix`");
    CONTRA_OWNS(contra, prefix, "a mapping");
    CONTRA_OWNS(contra, whole, "a mapping");
    arena_clear(&contra->scratch);
    return answer(contra, mapping_is_prefix(&contra->scratch, &prefix->mapping, &whole->mapping),
                  is_prefix);
}

static Span span_of(const ContraMapping *mapping)
{
    return mapping->expr ? mapping->expr->span : SPAN_NOWHERE;
}

ContraStatus contra_mapping_split(Contra *contra, const ContraMapping *mapping, int64_t at,
                                  ContraMapping **outer, ContraMapping **inner)
{
    CONTRA_GIVES(outer, NULL);
    CONTRA_GIVES(inner, NULL);
    CONTRA_ENTER(contra);
    CONTRA_NEEDS(contra, mapping && outer && inner, "`mapping`, `outer` and `inner`");
    CONTRA_OWNS(contra, mapping, "a mapping");
    if (at < 1 || mapping->mapping.size % at) {
        diag_add(&contra->diags, DIAG_SPLIT_SIZE, span_of(mapping),
                 "the size {} cannot be split at {}: it is no multiple of it",
                 mapping->mapping.size, at);
        return CONTRA_INVALID;
    }
    Mapping high, low;
    mapping_split(&contra->arena, &mapping->mapping, at, &high, &low);
    ContraMapping *first = new_mapping(contra, &high, NULL);
    *inner = new_mapping(contra, &low, NULL);
    *outer = first;
    return CONTRA_OK;
}

static bool check_tile_range(Contra *contra, const ContraMapping *index, int64_t length,
                             int64_t start)
{
    int64_t end, size = index->mapping.size;
    if (length >= 1 && start >= 0 && checked_add(start, length, &end) && end <= size)
        return true;
    diag_add(&contra->diags, DIAG_TILE_RANGE, span_of(index),
             "a tile of {} positions from {} on leaves `{}`, which has {} positions", length, start,
             ((Str){index->text.data, index->text.length}), size);
    return false;
}

ContraStatus contra_mapping_tile(Contra *contra, const ContraMapping *mapping,
                                 const ContraMapping *index, int64_t length, int64_t start,
                                 ContraMapping **tile, int64_t *offset)
{
    CONTRA_GIVES(tile, NULL);
    CONTRA_GIVES(offset, -1);
    CONTRA_ENTER(contra);
    CONTRA_NEEDS(contra, mapping && index && tile, "`mapping`, `index` and `tile`");
    CONTRA_OWNS(contra, mapping, "a mapping");
    CONTRA_OWNS(contra, index, "a mapping");
    Mapping result;
    if (!check_tile_range(contra, index, length, start))
        return CONTRA_INVALID;
    if (!mapping_tile(&contra->arena, &mapping->mapping, &index->mapping, length, &result)) {
        Diag *diag = diag_add(&contra->diags, DIAG_TILE_INDEX, span_of(index),
                              "`{}` is not to be found in `{}` as one piece",
                              ((Str){index->text.data, index->text.length}),
                              ((Str){mapping->text.data, mapping->text.length}));
        diag_help(diag, "tile along a factor of the mapping; a tile of more than one position "
                        "needs its dimension in one place");
        return CONTRA_INVALID;
    }
    int64_t from = mapping_tile_offset(&contra->arena, &mapping->mapping, &index->mapping, start);
    *tile = new_mapping(contra, &result, NULL);
    CONTRA_GIVES(offset, from);
    return CONTRA_OK;
}

ContraStatus contra_mapping_canonical_axes(Contra *contra, const ContraMapping *mapping,
                                           const ContraTerm **terms, int64_t *count)
{
    CONTRA_GIVES(terms, NULL);
    CONTRA_GIVES(count, 0);
    CONTRA_ENTER(contra);
    CONTRA_NEEDS(contra, mapping && terms && count, "`mapping`, `terms` and `count`");
    CONTRA_OWNS(contra, mapping, "a mapping");
    TermList axes = mapping_canonical_axes(&contra->arena, &mapping->mapping);
    ContraTerm *result = arena_new(&contra->arena, ContraTerm, (size_t)axes.count + 1);
    for (int64_t i = 0; i < axes.count; i++) {
        StrBuf buf = {.arena = &contra->arena};
        term_print(&buf, &axes.items[i], axes.items[i].modulo);
        result[i] = (ContraTerm){text_of(buf_str(&buf)), axes.items[i].modulo};
    }
    *terms = result;
    *count = axes.count;
    return CONTRA_OK;
}

static ContraDivisionTerm division_term(Contra *contra, const Match *match)
{
    StrBuf buf = {.arena = &contra->arena};
    term_print(&buf, &match->term, match->resize);
    ContraDivisionTerm term = {.found = match->kind == MATCH_FOUND,
                               .text = text_of(buf_str(&buf)),
                               .size = match->resize,
                               .dividend_stride = match->dividend_stride,
                               .divisor_stride = match->divisor_stride};
    if (term.found) {
        term.dividend_min = divisor_at_least(match->room, min_i64(match->extent, match->room));
        term.dividend_max = match->room;
    }
    return term;
}

ContraStatus contra_mapping_divide(Contra *contra, const ContraMapping *dividend,
                                   const ContraMapping *divisor, ContraDivideKind kind,
                                   int64_t span, ContraDivision *division)
{
    static const DivideKind kinds[] = {
        [CONTRA_DIVIDE_RELAXED] = DIVIDE_RELAXED,
        [CONTRA_DIVIDE_STRICT] = DIVIDE_STRICT,
        [CONTRA_DIVIDE_SPAN] = DIVIDE_SPAN,
    };
    CONTRA_FILLS(contra, ContraDivision, division);
    CONTRA_NEEDS(contra, dividend && divisor, "`dividend` and `divisor`");
    CONTRA_OWNS(contra, dividend, "a mapping");
    CONTRA_OWNS(contra, divisor, "a mapping");
    CONTRA_NEEDS(contra, IS_ENUM(kind, COUNT_OF(kinds)), "a kind that there is");
    if (kind == CONTRA_DIVIDE_SPAN && !check_tile_range(contra, divisor, span, 0))
        return CONTRA_INVALID;
    Division result = mapping_divide(&contra->arena, &dividend->mapping, &divisor->mapping,
                                     kinds[kind], max_i64(1, span));
    int64_t count = result.matches.count;
    ContraDivisionTerm *terms = arena_new(&contra->arena, ContraDivisionTerm, (size_t)count + 1);
    for (int64_t i = 0; i < count; i++)
        terms[i] = division_term(contra, &result.matches.items[i]);
    ContraDivision made = {
        .exact = result.exact,
        .terms = terms,
        .term_count = count,
        .dividend_residue = new_mapping(contra, &result.dividend_residue, NULL),
        .divisor_residue = new_mapping(contra, &result.divisor_residue, NULL),
        .dividend_remainder = new_mapping(contra, &result.dividend_remainder, NULL),
        .divisor_remainder = new_mapping(contra, &result.divisor_remainder, NULL),
    };
    sized_give(SIZED_ContraDivision, &made, division);
    return CONTRA_OK;
}

ContraStatus contra_mapping_picture(Contra *contra, const ContraMapping *mapping,
                                    ContraPictureFormat format, int64_t most, ContraText *picture)
{
    CONTRA_GIVES(picture, NO_TEXT);
    CONTRA_ENTER(contra);
    CONTRA_NEEDS(contra, mapping && picture, "`mapping` and `picture`");
    CONTRA_OWNS(contra, mapping, "a mapping");
    if (most > PICTURE_MOST) {
        return request_refuse(contra, DIAG_REQUEST_TOO_LARGE,
                              "a picture shows at most {} positions, not {}", PICTURE_MOST, most);
    }
    StrBuf buf = {.arena = &contra->request};
    Picture request = {.mapping = &mapping->mapping,
                       .normal = &mapping->normal,
                       .axes = &mapping->axes,
                       .title = str_of(mapping->text),
                       .most = most,
                       .scratch = &contra->scratch};
    arena_clear(&contra->scratch);
    if (format == CONTRA_PICTURE_SVG)
        picture_svg(&buf, &request);
    else
        picture_text(&buf, &request);
    return give_text(contra, &buf, picture);
}
