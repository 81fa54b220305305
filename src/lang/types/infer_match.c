// Does a list of patterns take every value? The usual way: the first column of the matrix of
// patterns is split by what a value can be there, and each case is asked again without it. What
// cannot be told (a type with errors, a constant that is computed) counts as taken.
//
// Manual of Rust: a `match` is exhaustive; a pattern of a `let` or parameter takes everything.
#include "lang/types/infer_internal.h"

#include "base/checked.h"
#include "lang/eval/whole.h"

#include <stdlib.h>
#include <string.h>

// More is not looked at: nobody writes it by hand.
enum { MOST_STEPS = 500 * 1000, MOST_COLUMNS = 1000, LONGEST_LIST = 64 };

// A row of patterns. NULL: anything fits.
typedef const AstPattern **Row;

typedef struct {
    ARRAY(Row);
} Rows;

// The values that are left to look at: one type a column.
typedef struct {
    Type **types;
    int64_t width;
} Columns;

// What a value can be at its top.
typedef struct {
    enum { CASE_DECL, CASE_TUPLE, CASE_LIST, CASE_BOOL, CASE_RANGE } kind;
    Decl *decl;        // variant or struct
    Uint128 low, high; // range, in the order of unsigned numbers; bool: low
    Uint128 sign;      // range: the bit that is turned round for that
    bool longer;       // list: of this length or more
    int64_t count;     // parts
    Type **parts;
} Case;

typedef struct {
    Infer *infer;
    int64_t steps;
    bool unsure;
} Cover;

static bool is_missing(Cover *cover, const Rows *rows, Columns columns, Str *witness);

static Arena *arena_of(const Cover *cover)
{
    return cover->infer->lang->arena;
}

static Decl *decl_of(const Cover *cover, const AstPattern *pattern)
{
    return map_get(&cover->infer->body->patterns, pattern);
}

// Without what surrounds it; NULL: anything fits.
static const AstPattern *head_of(const Cover *cover, const AstPattern *pattern)
{
    while (pattern) {
        bool binds = pattern->kind == PATTERN_BIND && !decl_of(cover, pattern);
        if (binds || pattern->kind == PATTERN_REF)
            pattern = pattern->inner;
        else
            break;
    }
    if (pattern && pattern->kind == PATTERN_STRUCT && !decl_of(cover, pattern))
        return NULL; // its name is unknown, which is an error already
    bool anything = pattern && (pattern->kind == PATTERN_WILDCARD ||
                                pattern->kind == PATTERN_REST || pattern->kind == PATTERN_ERROR);
    return anything ? NULL : pattern;
}

// ---- rows

static void add_row(const Cover *cover, Rows *rows, Row row, int64_t width, const AstPattern *head)
{
    Row copy = arena_new(arena_of(cover), const AstPattern *, (size_t)width);
    memcpy(copy, row, sizeof *row * (size_t)width);
    copy[0] = head_of(cover, head);
    if (!copy[0] || copy[0]->kind != PATTERN_OR) {
        *array_push(arena_of(cover), rows, Row) = copy;
        return;
    }
    for (int64_t i = 0; i < copy[0]->items.count; i++)
        add_row(cover, rows, copy, width, copy[0]->items.items[i]);
}

// ---- numbers

// The value of a literal, or of a constant that is one, with the sign bit turned round so that the
// order is that of unsigned numbers.
static bool number_of(const AstExpr *expr, Uint128 sign, Uint128 *number)
{
    bool negative = false;
    while (expr->kind == AST_PAREN || (expr->kind == AST_UNARY && expr->unary.op == UNARY_NEGATE)) {
        negative ^= expr->kind == AST_UNARY;
        expr = expr->kind == AST_PAREN ? expr->inner : expr->unary.inner;
    }
    if (expr->kind != AST_LITERAL)
        return false;
    *number = (negative ? 0 - expr->literal.integer : expr->literal.integer) ^ sign;
    return true;
}

typedef struct {
    Uint128 sign, low, high; // of the type
} Domain;

static bool domain_of(Type *type, Domain *domain)
{
    if (type->kind != TYPE_NAMED || type->decl->kind != DECL_PRIM)
        return false;
    const PrimInfo *prim = &prims[type->decl->prim];
    *domain = (Domain){.high = 0x10FFFF};
    if (type->decl->prim == PRIM_char)
        return true;
    if (prim->class != PRIM_INT && prim->class != PRIM_UINT)
        return false;
    int32_t bits = prim->bits;
    domain->high = ~(Uint128)0 >> (128 - bits);
    if (prim->class == PRIM_INT) {
        Uint128 half = (Uint128)1 << (bits - 1);
        domain->sign = (Uint128)1 << 127;
        domain->low = (0 - half) ^ domain->sign;
        domain->high = (half - 1) ^ domain->sign;
    }
    return true;
}

// The numbers that a pattern takes. False: none that can be told.
static bool range_of(const Cover *cover, const AstPattern *pattern, const Domain *domain,
                     Uint128 *low, Uint128 *high)
{
    Decl *decl = decl_of(cover, pattern);
    const AstExpr *value = decl && decl->kind == DECL_CONST ? decl->item->constant.value : NULL;
    if (pattern->kind != PATTERN_LITERAL) {
        if (!value || !number_of(value, domain->sign, low))
            return false;
        *high = *low;
        return true;
    }
    if (!pattern->low || !number_of(pattern->low, domain->sign, low))
        *low = domain->low; // i32::MIN and the like
    if (!pattern->is_range) {
        *high = *low;
        return true;
    }
    *high = domain->high;
    if (pattern->high && number_of(pattern->high, domain->sign, high) && !pattern->inclusive)
        --*high;
    return *low <= *high;
}

static int compare_numbers(const void *left, const void *right)
{
    const Uint128 *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

// Where the ranges of a column begin and end: between two such places all numbers are alike.
static int64_t find_cuts(const Cover *cover, const Rows *rows, const Domain *domain, Uint128 **cuts)
{
    int64_t count = 0, kept = 0;
    *cuts = arena_new(arena_of(cover), Uint128, (size_t)rows->count * 2 + 1);
    (*cuts)[count++] = domain->low;
    for (int64_t i = 0; i < rows->count; i++) {
        Uint128 low, high;
        const AstPattern *head = rows->items[i][0];
        if (!head || !range_of(cover, head, domain, &low, &high))
            continue;
        (*cuts)[count++] = low;
        if (high < domain->high)
            (*cuts)[count++] = high + 1;
    }
    qsort(*cuts, (size_t)count, sizeof **cuts, compare_numbers);
    for (int64_t i = 0; i < count; i++)
        if (!kept || (*cuts)[i] != (*cuts)[kept - 1])
            (*cuts)[kept++] = (*cuts)[i];
    return kept;
}

// ---- cases

static bool take_list(const AstPattern *pattern, const Case *one, Row parts)
{
    const AstPatterns *items = &pattern->items;
    bool rest = pattern_has_rest(items);
    if (rest ? items->count - 1 > one->count : items->count != one->count || one->longer)
        return false;
    for (int64_t i = 0; i < items->count; i++)
        if (items->items[i]->kind != PATTERN_REST)
            parts[pattern_place(items, i, one->count)] = items->items[i];
    return true;
}

static void take_fields(Decl *decl, const AstPattern *pattern, Row parts)
{
    const AstFields *fields =
        decl->kind == DECL_VARIANT ? &decl->variant->fields : &decl->item->structure.fields;
    for (int64_t i = 0; i < pattern->items.count; i++)
        for (int64_t k = 0; k < fields->count; k++)
            if (fields->items[k].name.text == pattern->fields.items[i].text)
                parts[k] = pattern->items.items[i];
}

// Does a pattern take a value of this case? Its parts go into `parts`.
static bool takes(Cover *cover, const Case *one, const AstPattern *pattern, const Domain *domain,
                  Row parts)
{
    Decl *decl = decl_of(cover, pattern);
    Uint128 low, high;
    if (one->kind == CASE_RANGE)
        return range_of(cover, pattern, domain, &low, &high) && low <= one->low &&
               one->high <= high;
    if (decl && decl->kind == DECL_CONST) // worked out later
        return true;
    if (one->kind == CASE_BOOL)
        return pattern->low && number_of(pattern->low, 0, &low) && low == one->low;
    if (one->kind == CASE_DECL && decl != one->decl)
        return false;
    if (pattern->kind != PATTERN_STRUCT || !decl)
        return take_list(pattern, one, parts);
    take_fields(decl, pattern, parts);
    return true;
}

static Whole case_number(const Case *one)
{
    Uint128 bits = one->low ^ one->sign;
    bool negative = one->sign && bits >> 127;
    return (Whole){.size = negative ? -bits : bits, .negative = negative};
}

static Str case_text(const Cover *cover, const Case *one, const Str *parts)
{
    StrBuf buf = {.arena = arena_of(cover)};
    bool variant = one->kind == CASE_DECL && one->decl->kind == DECL_VARIANT;
    bool list = one->kind == CASE_LIST;
    if (one->kind == CASE_RANGE)
        return whole_print(&buf, case_number(one)), buf_str(&buf);
    if (one->kind == CASE_BOOL)
        return one->low ? STR("true") : STR("false");
    if (variant && !one->decl->is_builtin)
        buf_format(&buf, "{}::", one->decl->parent->name);
    if (one->kind == CASE_DECL)
        buf_format(&buf, "{}", one->decl->name);
    AstFieldsKind form = one->kind != CASE_DECL ? FIELDS_TUPLE
                         : variant              ? one->decl->variant->kind
                                                : one->decl->item->structure.kind;
    if (form == FIELDS_NONE)
        return buf_str(&buf);
    if (form == FIELDS_NAMED)
        return buf_add(&buf, STR(" { .. }")), buf_str(&buf);
    buf_add_char(&buf, list ? '[' : '(');
    for (int64_t i = 0; i < one->count; i++)
        buf_format(&buf, "{}{}", i ? ", " : "", parts[i]);
    buf_format(&buf, "{}{c}", one->longer ? one->count ? ", .." : ".." : "", list ? ']' : ')');
    return buf_str(&buf);
}

// The rows that fit a case, with its parts instead of the first column.
static bool case_is_missing(Cover *cover, const Rows *rows, Columns columns, const Case *one,
                            Str *witness)
{
    Arena *arena = arena_of(cover);
    Domain domain = {0};
    domain_of(type_strip(columns.types[0]), &domain);
    int64_t width = one->count + columns.width - 1;
    Columns inner = {arena_new(arena, Type *, (size_t)max_i64(1, width)), width};
    for (int64_t i = 0; i < width; i++)
        inner.types[i] = i < one->count ? one->parts[i] : columns.types[i - one->count + 1];
    Rows fitting = {0};
    Row parts = NULL;
    cover->steps += rows->count;
    for (int64_t i = 0; i < rows->count; i++) {
        if (!parts)
            parts = arena_new(arena, const AstPattern *, (size_t)max_i64(1, width));
        if (rows->items[i][0] && !takes(cover, one, rows->items[i][0], &domain, parts))
            continue;
        for (int64_t k = 1; k < columns.width; k++)
            parts[one->count + k - 1] = rows->items[i][k];
        *array_push(arena, &fitting, Row) = parts;
        parts = NULL;
    }
    Str *found = arena_new(arena, Str, (size_t)max_i64(1, width));
    if (!is_missing(cover, &fitting, inner, found))
        return false;
    witness[0] = case_text(cover, one, found);
    for (int64_t k = 1; k < columns.width; k++)
        witness[k] = found[one->count + k - 1];
    return true;
}

// ---- what a value of a type can be

static bool is_empty(Type *type)
{
    type = type_of(type);
    return type->kind == TYPE_NEVER || (type->kind == TYPE_NAMED && type->decl->kind == DECL_ENUM &&
                                        type->decl->item && !type->decl->item->variants.count);
}

static Case case_of_decl(const Cover *cover, Decl *decl, Type *type)
{
    Lang *lang = cover->infer->lang;
    const Signature *signature = signature_of(lang, decl);
    Case one = {.kind = CASE_DECL, .decl = decl, .count = signature->param_count};
    one.parts = arena_new(lang->arena, Type *, (size_t)max_i64(1, one.count));
    for (int64_t i = 0; i < one.count; i++)
        one.parts[i] = type_instantiate(lang, signature->params[i], type->args);
    return one;
}

static bool enum_is_missing(Cover *cover, const Rows *rows, Columns columns, Type *type,
                            Str *witness)
{
    for (int64_t i = 0; i < type->decl->item->variants.count; i++) {
        Decl *variant = enum_variant(type->decl, type->decl->item->variants.items[i].name.text);
        Case one = case_of_decl(cover, variant, type);
        bool empty = false;
        for (int64_t k = 0; k < one.count; k++)
            empty |= is_empty(one.parts[k]);
        if (!empty && case_is_missing(cover, rows, columns, &one, witness))
            return true;
    }
    return false;
}

static bool number_is_missing(Cover *cover, const Rows *rows, Columns columns, const Domain *domain,
                              Str *witness)
{
    Uint128 *cuts;
    int64_t count = find_cuts(cover, rows, domain, &cuts);
    for (int64_t i = 0; i < count; i++) {
        Case one = {.kind = CASE_RANGE,
                    .sign = domain->sign,
                    .low = cuts[i],
                    .high = i + 1 < count ? cuts[i + 1] - 1 : domain->high};
        if (case_is_missing(cover, rows, columns, &one, witness))
            return true;
    }
    return false;
}

// Lists by their length; all that are longer than any pattern says are alike.
static bool list_is_missing(Cover *cover, const Rows *rows, Columns columns, Type *type,
                            Str *witness)
{
    int64_t longest = 0, shortest = 0;
    for (int64_t i = 0; i < rows->count; i++)
        if (rows->items[i][0])
            longest = max_i64(longest, rows->items[i][0]->items.count + 1);
    Type *length = type->kind == TYPE_ARRAY ? type_of(type->args[1]) : NULL;
    if (length)
        shortest = longest = length->kind == TYPE_CONST ? length->value : LONGEST_LIST + 1;
    if (longest > LONGEST_LIST) {
        cover->unsure = true;
        return false;
    }
    for (int64_t count = shortest; count <= longest; count++) {
        Case one = {.kind = CASE_LIST, .count = count, .longer = !length && count == longest};
        one.parts = arena_new(arena_of(cover), Type *, (size_t)max_i64(1, count));
        for (int64_t i = 0; i < count; i++)
            one.parts[i] = type->args[0];
        if (case_is_missing(cover, rows, columns, &one, witness))
            return true;
    }
    return false;
}

// Only what takes anything is known to take the rest: of text, floats, and where nothing is named.
static bool rest_is_missing(Cover *cover, const Rows *rows, Columns columns, Str *witness)
{
    Rows rest = {0};
    for (int64_t i = 0; i < rows->count; i++)
        if (!rows->items[i][0])
            *array_push(arena_of(cover), &rest, Row) = rows->items[i] + 1;
    witness[0] = STR("_");
    return is_missing(cover, &rest, (Columns){columns.types + 1, columns.width - 1}, witness + 1);
}

static bool is_missing(Cover *cover, const Rows *unsplit, Columns columns, Str *witness)
{
    cover->unsure |= ++cover->steps > MOST_STEPS || columns.width > MOST_COLUMNS;
    if (cover->unsure || !columns.width)
        return !cover->unsure && !unsplit->count;
    Rows rows = {0};
    bool named = false;
    for (int64_t i = 0; i < unsplit->count; i++)
        add_row(cover, &rows, unsplit->items[i], columns.width, unsplit->items[i][0]);
    for (int64_t i = 0; i < rows.count; i++)
        named |= rows.items[i][0] != NULL;
    Type *type = type_strip(columns.types[0]);
    Domain domain;
    if (!named && is_empty(type))
        return false;
    if (!named)
        return rest_is_missing(cover, &rows, columns, witness);
    if (domain_of(type, &domain))
        return number_is_missing(cover, &rows, columns, &domain, witness);
    if (type->kind == TYPE_ARRAY || type->kind == TYPE_SLICE)
        return list_is_missing(cover, &rows, columns, type, witness);
    if (type->kind == TYPE_TUPLE) {
        Case one = {.kind = CASE_TUPLE, .count = type->arg_count, .parts = type->args};
        return case_is_missing(cover, &rows, columns, &one, witness);
    }
    if (type_is_prim(type, PRIM_bool)) {
        Case no = {.kind = CASE_BOOL}, yes = {.kind = CASE_BOOL, .low = 1};
        return case_is_missing(cover, &rows, columns, &yes, witness) ||
               case_is_missing(cover, &rows, columns, &no, witness);
    }
    if (type->kind == TYPE_NAMED && type->decl->kind == DECL_ENUM)
        return enum_is_missing(cover, &rows, columns, type, witness);
    if (type->kind == TYPE_NAMED && type->decl->kind == DECL_STRUCT && type->decl->item) {
        Case one = case_of_decl(cover, type->decl, type);
        return case_is_missing(cover, &rows, columns, &one, witness);
    }
    cover->unsure = type->kind != TYPE_NAMED;
    return rest_is_missing(cover, &rows, columns, witness);
}

// ---- what is asked

void must_take_all(Infer *infer, const AstExpr *match, const AstPattern *pattern, Type *type)
{
    *array_push(infer->lang->arena, &infer->coverages, Coverage) = (Coverage){match, pattern, type};
}

static void report_missing(const Infer *infer, const Coverage *asked, Str witness)
{
    if (asked->match) {
        Diag *diag =
            diag_add(infer->lang->diags, DIAG_NOT_EXHAUSTIVE, asked->match->match.inner->span,
                     "this `match` does not say what happens with `{}`", witness);
        diag_help(diag, "add an arm for it, or `_ => ..` for all that is left");
        return;
    }
    Diag *diag = diag_add(infer->lang->diags, DIAG_NOT_EXHAUSTIVE, asked->pattern->span,
                          "the value may be `{}`, which this pattern does not take", witness);
    diag_help(diag, "use `let .. else {{ .. }`, `if let` or `match`");
}

void check_coverage(Infer *infer)
{
    for (int64_t i = 0; i < infer->coverages.count; i++) {
        const Coverage *asked = &infer->coverages.items[i];
        Cover cover = {.infer = infer};
        Rows rows = {0};
        int64_t arms = asked->match ? asked->match->match.arms.count : 1;
        for (int64_t k = 0; k < arms; k++) {
            const AstArm *arm = asked->match ? &asked->match->match.arms.items[k] : NULL;
            Row row = arena_new(infer->lang->arena, const AstPattern *, 1);
            row[0] = arm ? arm->pattern : asked->pattern;
            if (!arm || !arm->guard)
                *array_push(infer->lang->arena, &rows, Row) = row;
        }
        Type *type = asked->type;
        Str witness;
        if (is_missing(&cover, &rows, (Columns){&type, 1}, &witness) && !cover.unsure)
            report_missing(infer, asked, witness);
    }
}
