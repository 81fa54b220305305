#include "lang/types/signature.h"

#include "base/checked.h"
#include "lang/eval/whole.h"

#include <assert.h>
#include <string.h>

// ---- mappings

// The mapping that a type stands for; NULL: it is none.
static const Expr *expr_of_type(Type *type)
{
    type = type_of(type);
    return type->kind == TYPE_MAPPING ? type->expr : NULL;
}

static Type *axis_type(Lang *lang, Decl *decl, Span span)
{
    if (!decl->atom) // its size was reported
        return type_poison(lang);
    if (!decl->type)
        decl->type = type_mapping(lang, expr_atom(lang->diags, decl->span, decl->atom), decl->span);
    return type_mapping(lang, decl->type->expr, span);
}

typedef struct {
    const TypeScope *scope;
    Lang *lang;
    bool open;    // a generic is not known yet
    bool generic; // there is one in it
} MappingReader;

static const Expr *read_mapping(MappingReader *reader, const AstMapping *mapping);

static void help_escape(Diag *diag, const char *name)
{
    diag_help(diag, "write `{{ {} }` to insert a mapping by its name", name);
    diag_edit(diag, diag->span, "{{ {} }", name);
}

static const Expr *not_an_axis(MappingReader *reader, const AstMapping *mapping, Decl *decl)
{
    const char *name = mapping->name.text;
    DiagList *diags = reader->lang->diags;
    bool generic = find_generic(reader->scope->signature, name) >= 0;
    if (generic || (decl && decl->kind != DECL_AXIS)) {
        Diag *diag = diag_add(diags, DIAG_MAPPING_NOT_AXIS, mapping->span, "`{}` is no axis", name);
        if (generic || decl->kind == DECL_ALIAS)
            help_escape(diag, name);
    }
    return expr_poison(diags, mapping->span);
}

static const Expr *read_symbol(MappingReader *reader, const AstMapping *mapping)
{
    int64_t used;
    Decl *decl = module_lookup(reader->lang, reader->scope->scope, mapping->name.text, SPACE_TYPE);
    if (!decl && find_generic(reader->scope->signature, mapping->name.text) >= 0)
        return not_an_axis(reader, mapping, NULL);
    if (!decl)
        decl = module_resolve(reader->lang, reader->scope->scope, false, &mapping->name, 1,
                              SPACE_TYPE, (OwnNames){.signature = reader->scope->signature}, &used);
    if (!decl || decl->kind != DECL_AXIS || !decl->atom)
        return not_an_axis(reader, mapping, decl);
    return expr_atom(reader->lang->diags, mapping->span, decl->atom);
}

static const Expr *read_escape(MappingReader *reader, const AstMapping *mapping)
{
    Type *type = type_of(resolve_type(reader->scope, mapping->type));
    const Expr *expr = expr_of_type(type);
    if (reader->lang->is_running)
        type_recall(reader->lang, type); // they are the faults of this mapping, too
    const AstSegments *path =
        mapping->type->kind == AST_TYPE_PATH ? &mapping->type->path.segments : NULL;
    reader->generic |= path && path->count == 1 &&
                       find_generic(reader->scope->signature, path->items[0].name.text) >= 0;
    if (expr)
        return expr;
    if (type->kind == TYPE_PARAM || type->kind == TYPE_OPEN || type->kind == TYPE_VAR)
        reader->open = true;
    else if (type->kind != TYPE_ERROR)
        diag_add(reader->lang->diags, DIAG_MAPPING_NOT_AXIS, mapping->span,
                 "`{}` is no mapping, so it cannot stand in `m![..]`",
                 type_text(reader->lang->arena, type));
    return expr_poison(reader->lang->diags, mapping->span);
}

static const Expr *read_pair(MappingReader *reader, const AstMapping *mapping)
{
    ExprList items = {0};
    for (int64_t i = 0; i < mapping->items.count; i++)
        *array_push(reader->lang->arena, &items, const Expr *) =
            read_mapping(reader, mapping->items.items[i]);
    return expr_pair(reader->lang->diags, mapping->span, &items);
}

static ExprKind operator_kind(char op)
{
    switch (op) {
    case '/':
        return EXPR_STRIDE;
    case '%':
        return EXPR_MODULO;
    case '=':
        return EXPR_RESIZE;
    default:
        return EXPR_PADDING;
    }
}

static const Expr *read_number(MappingReader *reader, const AstMapping *mapping)
{
    if (mapping->number == 1)
        return expr_identity(reader->lang->diags, mapping->span);
    Diag *diag = diag_add(reader->lang->diags, DIAG_BARE_NUMBER, mapping->span,
                          "`{}` cannot stand alone in a mapping", mapping->number);
    diag_help(diag,
              "declare a new axis of size {} to repeat a value, or write `1 # {}` to leave the "
              "room unused",
              mapping->number, mapping->number);
    diag_edit(diag, mapping->span, "1 # {}", mapping->number);
    return expr_poison(reader->lang->diags, mapping->span);
}

static const Expr *read_mapping(MappingReader *reader, const AstMapping *mapping)
{
    switch (mapping->kind) {
    case AST_MAPPING_SYMBOL:
        return read_symbol(reader, mapping);
    case AST_MAPPING_NUMBER:
        return read_number(reader, mapping);
    case AST_MAPPING_ESCAPE:
        return read_escape(reader, mapping);
    case AST_MAPPING_PAIR:
        return read_pair(reader, mapping);
    case AST_MAPPING_OP:
        return expr_operator(reader->lang->diags, mapping->span, operator_kind(mapping->op),
                             read_mapping(reader, mapping->inner), mapping->number);
    case AST_MAPPING_ERROR:
        break;
    }
    return expr_poison(reader->lang->diags, mapping->span);
}

static Type *open_mapping(const TypeScope *scope, const AstMapping *mapping)
{
    const Signature *signature = scope->signature;
    Type *type = arena_new(scope->lang->arena, Type, 1);
    *type = (Type){.kind = TYPE_OPEN,
                   .span = mapping->span,
                   .mapping = mapping,
                   .signature = signature,
                   .has_params = !scope->generics,
                   .arg_count = signature->generic_count};
    type->args = arena_new(scope->lang->arena, Type *, (size_t)signature->generic_count);
    for (int32_t i = 0; i < signature->generic_count; i++) {
        Type *param = arena_new(scope->lang->arena, Type, 1);
        *param = (Type){.kind = TYPE_PARAM,
                        .index = i,
                        .name = signature->generics[i]->name.text,
                        .has_params = true};
        type->args[i] = scope->generics ? scope->generics[i] : param;
    }
    return type;
}

// The same, written here: what `{ X }` stands for was written elsewhere, and what a generic stands
// for is written nowhere.
static const Expr *expr_written(const MappingReader *reader, const Expr *expr, Span span)
{
    if (!reader->generic && expr->span.source == span.source && expr->span.start == span.start)
        return expr;
    Expr *here = arena_copy(reader->lang->arena, expr, sizeof *expr);
    here->span = reader->generic ? SPAN_NOWHERE : span;
    here->is_constructed = false;
    return here;
}

// A mapping that repeats an axis is an error where data moves through it, which may never happen.
static void warn_of_repeat(Lang *lang, const Expr *expr)
{
    DiagTreatment treatments[DIAG_CODE_COUNT] = {[DIAG_FACTORS_OVERLAP] = TREAT_AS_WARNING};
    DiagList found = {.arena = lang->diags->arena, .treatments = treatments};
    expr_check_overlap(&found, expr);
    diag_move(lang->diags, &found);
}

Type *resolve_mapping(const TypeScope *scope, const AstMapping *mapping)
{
    Lang *lang = scope->lang;
    Type *known = map_get(&lang->mapping_types, mapping);
    if (known)
        return known;
    MappingReader reader = {.scope = scope, .lang = lang};
    int64_t reports = lang->diags->count;
    const Expr *expr = read_mapping(&reader, mapping);
    if (reader.open && scope->signature)
        return open_mapping(scope, mapping);
    Type *type =
        expr->kind == EXPR_POISON
            ? type_fault(lang, reports)
            : type_mapping(lang, expr_written(&reader, expr, mapping->span), mapping->span);
    if (expr->kind != EXPR_POISON && lang->warns_of_mappings && !lang->is_running)
        warn_of_repeat(lang, expr);
    // what holds generics differs from use to use
    if (!scope->signature || !scope->signature->generic_count)
        map_put(&lang->mapping_types, mapping, type);
    return type;
}

Type *settle_mapping(Lang *lang, Type *open)
{
    for (int32_t i = 0; i < open->arg_count; i++) {
        Type *arg = type_of(open->args[i]);
        if (arg->kind == TYPE_VAR || arg->kind == TYPE_PARAM || arg->kind == TYPE_OPEN)
            return NULL;
    }
    TypeScope scope = {.lang = lang,
                       .scope = open->signature->decl->scope,
                       .signature = open->signature,
                       .generics = open->args};
    Type *type = resolve_mapping(&scope, open->mapping);
    return type->kind == TYPE_OPEN ? NULL : type;
}

// ---- generics

int32_t find_generic(const Signature *signature, const char *name)
{
    for (int32_t i = 0; signature && i < signature->generic_count; i++)
        if (signature->generics[i]->name.text == name)
            return i;
    return -1;
}

Type *generic_type(const TypeScope *scope, int32_t index, Span span)
{
    if (scope->generics)
        return scope->generics[index];
    Type *type = arena_new(scope->lang->arena, Type, 1);
    *type = (Type){.kind = TYPE_PARAM,
                   .span = span,
                   .index = index,
                   .name = scope->signature->generics[index]->name.text,
                   .has_params = true};
    return type;
}

static const struct {
    const char *bound;
    GenericKind kind;
} bounds[] = {
    {"M", GENERIC_MAPPING},       {"AxisName", GENERIC_AXIS},     {"Scalar", GENERIC_SCALAR},
    {"VeScalar", GENERIC_SCALAR}, {"Position", GENERIC_POSITION}, {"Stage", GENERIC_STAGE},
};

static GenericKind generic_kind(const AstGeneric *generic)
{
    if (generic->kind == PARAM_CONST)
        return GENERIC_NUMBER;
    for (int64_t i = 0; i < generic->bounds.count; i++) {
        const AstType *bound = generic->bounds.items[i];
        if (bound->kind != AST_TYPE_PATH || !bound->path.segments.count)
            continue;
        const char *name = bound->path.segments.items[bound->path.segments.count - 1].name.text;
        for (size_t k = 0; k < COUNT_OF(bounds); k++)
            if (strcmp(name, bounds[k].bound) == 0)
                return bounds[k].kind;
    }
    return GENERIC_ANY;
}

static void add_generics(Signature *signature, const AstGenerics *generics)
{
    for (int64_t i = 0; i < generics->count; i++) {
        if (generics->items[i].kind == PARAM_LIFETIME)
            continue;
        signature->generics[signature->generic_count] = &generics->items[i];
        signature->kinds[signature->generic_count++] = generic_kind(&generics->items[i]);
    }
}

static const char *const kind_words[] = {
    [GENERIC_ANY] = "a type",
    [GENERIC_MAPPING] = "a mapping `m![..]`",
    [GENERIC_AXIS] = "the name of an axis",
    [GENERIC_SCALAR] = "an element type such as `i8` or `f32`",
    [GENERIC_POSITION] = "a position such as `PositionFetch`",
    [GENERIC_STAGE] = "a stage such as `stage::Fxp`",
    [GENERIC_NUMBER] = "a constant",
};

static bool kind_fits(GenericKind kind, Type *type, bool bare)
{
    switch (type->kind) {
    case TYPE_VAR:
    case TYPE_ERROR:
    case TYPE_PARAM:
        return true;
    case TYPE_MAPPING:
        if (kind == GENERIC_AXIS)
            return type->expr->kind == EXPR_ATOM && bare;
        return kind == GENERIC_ANY || (kind == GENERIC_MAPPING && !bare);
    case TYPE_OPEN:
        return kind == GENERIC_MAPPING || kind == GENERIC_ANY;
    case TYPE_CONST:
        return kind == GENERIC_NUMBER;
    case TYPE_NAMED:
        return kind == GENERIC_ANY || (kind == GENERIC_SCALAR && type->decl->kind == DECL_PRIM &&
                                       prims[type->decl->prim].scalar != SCALAR_NONE);
    default:
        return kind == GENERIC_ANY;
    }
}

static bool has_impl(Decl *decl, const AstType *trait)
{
    const char *name = trait->path.segments.items[0].name.text;
    for (int64_t i = 0; i < decl->impls.count; i++) {
        const AstType *other = decl->impls.items[i]->item->impl.trait;
        if (other && other->kind == AST_TYPE_PATH &&
            other->path.segments.items[0].name.text == name)
            return true;
    }
    return false;
}

// The marks of streams are types of the prelude that say so.
static bool mark_fits(const Signature *target, int32_t index, Type *type)
{
    bool open = type->kind == TYPE_VAR || type->kind == TYPE_ERROR || type->kind == TYPE_PARAM;
    return open || !target->decl->is_builtin ||
           (type->kind == TYPE_NAMED &&
            has_impl(type->decl, target->generics[index]->bounds.items[0]));
}

// A bare axis where a mapping is wanted, or `m![A]` where the axis itself is.
static bool is_bare_axis(const TypeScope *scope, const AstGenericArg *arg)
{
    if (arg->kind != GENERIC_TYPE || arg->type->kind != AST_TYPE_PATH)
        return false;
    const AstSegments *segments = &arg->type->path.segments;
    const char *name = segments->count ? segments->items[segments->count - 1].name.text : "";
    if (find_generic(scope->signature, name) >= 0)
        return false;
    Decl *decl = module_lookup(scope->lang, scope->scope, name, SPACE_TYPE);
    return decl && decl->kind == DECL_AXIS;
}

static Type *check_kind(const TypeScope *scope, const AstGenericArg *arg, const Signature *target,
                        int32_t index, Type *type)
{
    if (scope->scope->is_builtin) // ours is right
        return type;
    bool bare = is_bare_axis(scope, arg);
    GenericKind kind = target->kinds[index];
    bool mark = kind == GENERIC_POSITION || kind == GENERIC_STAGE;
    bool fits =
        mark ? mark_fits(target, index, type_of(type)) : kind_fits(kind, type_of(type), bare);
    if (fits ||
        (kind == GENERIC_AXIS && scope->generics && !bare && type_of(type)->kind == TYPE_MAPPING &&
         arg->type && arg->type->kind == AST_TYPE_PATH))
        return type;
    Str text = type_text(scope->lang->arena, type);
    Str given = bare ? str_format(scope->lang->arena, "the axis `{}`",
                                  expr_text(scope->lang->arena, expr_of_type(type)))
                     : str_format(scope->lang->arena, "`{}`", text);
    Diag *diag =
        diag_add(scope->lang->diags, DIAG_GENERIC_KIND, arg->span, "`{}` of `{}` is {}, not {}",
                 target->generics[index]->name.text, target->decl->name, kind_words[kind], given);
    if (kind == GENERIC_MAPPING && bare)
        diag_replace(diag, arg->span, "{}", text);
    if (kind == GENERIC_AXIS && type_of(type)->kind == TYPE_MAPPING) {
        const Expr *expr = type_of(type)->expr;
        diag_help(diag, "write the axis alone, without `m![..]`");
        diag_edit(diag, expr->kind == EXPR_ATOM ? arg->span : SPAN_NOWHERE, "{}",
                  expr_text(scope->lang->arena, expr));
    }
    return type_poison(scope->lang);
}

// A constant where another kind of constant is wanted: a number for a bool, a negative one, one
// that does not fit.
static Type *check_const(const TypeScope *scope, const AstGenericArg *arg, const Signature *target,
                         const AstGeneric *generic, Type *value)
{
    Type *known = type_of(value);
    TypeScope inside = {.lang = scope->lang, .scope = target->decl->scope};
    Type *wanted = generic->type ? type_of(resolve_type(&inside, generic->type)) : NULL;
    bool prim = wanted && wanted->kind == TYPE_NAMED && wanted->decl->kind == DECL_PRIM;
    if (known->kind != TYPE_CONST || !prim)
        return value;
    Decl *kind =
        type_is_prim(wanted, PRIM_bool) || type_is_prim(wanted, PRIM_char) ? wanted->decl : NULL;
    const PrimInfo *row = &prims[wanted->decl->prim];
    Whole number = whole_of_int(known->value);
    if (known->decl != kind || (row->class == PRIM_UINT && number.negative))
        diag_add(scope->lang->diags, DIAG_GENERIC_KIND, arg->span, "`{}` is `{}`, not `{}`",
                 generic->name.text, row->name, type_text(scope->lang->arena, value));
    else if (prim_is_whole(row) && !whole_fits(number, row))
        whole_report(scope->lang->diags, arg->span, number, row);
    else
        return value;
    return type_poison(scope->lang);
}

static Type *resolve_arg(const TypeScope *scope, const AstGenericArg *arg, const Signature *target,
                         int32_t index)
{
    bool number = target->kinds[index] == GENERIC_NUMBER;
    if (arg->kind == GENERIC_CONST && number)
        return check_const(scope, arg, target, target->generics[index],
                           resolve_const(scope, arg->value));
    if (arg->kind == GENERIC_CONST)
        return check_kind(scope, arg, target, index, resolve_const(scope, arg->value));
    // a path may name a constant
    if (number && arg->type->kind == AST_TYPE_PATH) {
        AstExpr *path = arena_new(scope->lang->arena, AstExpr, 1);
        *path = (AstExpr){.kind = AST_PATH, .span = arg->span, .path = arg->type->path};
        return check_kind(scope, arg, target, index, resolve_const(scope, path));
    }
    return check_kind(scope, arg, target, index, resolve_type(scope, arg->type));
}

// `open`: none of them is written, in an expression, so that they are found rather than defaults.
static Type *missing_arg(const TypeScope *scope, const AstSegment *segment, const Signature *target,
                         int32_t index, Type **types, bool open)
{
    const AstGeneric *generic = target->generics[index];
    TypeScope inside = {
        .lang = scope->lang, .scope = target->decl->scope, .signature = target, .generics = types};
    if (scope->lang->depth > MOST_DEPTH) // a default that needs itself
        return type_poison(scope->lang);
    scope->lang->depth++;
    bool written = generic->fallback && !open;
    Type *fallback = written ? resolve_type(&inside, generic->fallback) : NULL;
    scope->lang->depth--;
    if (fallback)
        return fallback;
    if (generic->value)
        return resolve_const(&inside, generic->value);
    Type *var = type_var(scope->lang, VAR_ANY, segment->name.span);
    var->name = generic->name.text;
    var->of = target->decl;
    return var;
}

Str generic_name(const Signature *signature, int32_t index)
{
    Str name = str_from(signature->generics[index]->name.text);
    bool is_numbered = name.len > 1 && name.data[name.len - 1] == '2';
    return signature->decl->is_builtin && is_numbered ? str_slice(name, 0, name.len - 1) : name;
}

static void report_count(const TypeScope *scope, const AstSegment *segment, const Signature *target,
                         int32_t start, int32_t end, int32_t given)
{
    StrBuf names = {.arena = scope->lang->arena};
    for (int32_t i = start; i < end; i++)
        buf_format(&names, "{}{}", i > start ? ", " : "", generic_name(target, i));
    Diag *diag = diag_add(scope->lang->diags, DIAG_GENERIC_COUNT,
                          segment->has_args ? segment->args_span : segment->name.span,
                          "`{}` takes {} type argument{}, not {}", target->decl->name, end - start,
                          end - start == 1 ? "" : "s", given);
    if (end > start)
        diag_help(diag, "they are `<{}>`", buf_str(&names));
}

static bool is_type_arg(const AstGenericArg *arg)
{
    return arg->kind != GENERIC_LIFETIME && arg->kind != GENERIC_BINDING;
}

static int32_t count_args(const AstSegment *segment)
{
    int32_t count = 0;
    for (int64_t i = 0; i < segment->args.count; i++)
        count += is_type_arg(&segment->args.items[i]);
    return count;
}

// Closures are generics in Rust and `impl Fn` here: a `_` for each may stand behind the others.
static int32_t count_closures(const AstSegment *segment, const Signature *target)
{
    const AstItem *item = target->decl->item;
    int32_t count = 0;
    int64_t last = segment->args.count - 1;
    if (!target->decl->is_builtin || target->decl->kind != DECL_FN)
        return 0;
    for (int64_t i = 0; i < item->function.params.count; i++) {
        bool closure = item->function.params.items[i].type->kind == AST_TYPE_FN;
        bool hole = last >= count && segment->args.items[last - count].type &&
                    segment->args.items[last - count].type->kind == AST_TYPE_INFER;
        count += closure && hole;
    }
    return count;
}

// `unzip::<A, B, Vec<A>, Vec<B>>`: what the items are is known before, and passed over.
static int32_t count_known(const Signature *target, int32_t given)
{
    bool known = target->decl->is_builtin && strcmp(target->decl->name, "unzip") == 0;
    return known && given == 4 ? 2 : 0;
}

void resolve_args(const TypeScope *scope, const AstSegment *segment, const Signature *target,
                  int32_t start, int32_t end, Type **types, bool complete)
{
    int32_t next = start, given = count_args(segment), known = count_known(target, given);
    bool short_of = false;
    given -= known;
    if (given > end - start && given - (end - start) <= count_closures(segment, target))
        given = end - start;
    for (int32_t i = start + given; i < end; i++)
        short_of |= !target->generics[i]->fallback && !target->generics[i]->value;
    if (given > end - start || (short_of && (complete || given))) {
        report_count(scope, segment, target, start, end, given);
        for (int32_t i = start; i < end; i++)
            types[i] = type_poison(scope->lang); // which is which cannot be told
        return;
    }
    for (int64_t i = 0; i < segment->args.count; i++)
        if (is_type_arg(&segment->args.items[i]) && known-- <= 0 && next < start + given) {
            types[next] = resolve_arg(scope, &segment->args.items[i], target, next);
            next++;
        }
    for (int32_t i = next; i < end; i++)
        types[i] = type_poison(scope->lang); // a default may name only what stands before it
    bool open = !complete && !given && !target->decl->is_builtin;
    for (; next < end; next++)
        types[next] = missing_arg(scope, segment, target, next, types, open);
}

// ---- types by name

// Mappings written by their constructors: Padding<Identity, 2> is m![1 # 2].
static const struct {
    const char *name;
    ExprKind kind;
} constructors[] = {
    {"Identity", EXPR_IDENTITY}, {"Symbol", EXPR_ATOM},   {"Stride", EXPR_STRIDE},
    {"Modulo", EXPR_MODULO},     {"Resize", EXPR_RESIZE}, {"Padding", EXPR_PADDING},
    {"Pair", EXPR_PAIR},
};

// What replaces a constructed mapping is a type, too.
static void wrap_edits(Lang *lang, int64_t first, Span span)
{
    for (int64_t i = first; i < lang->diags->count; i++) {
        const Diag *diag = lang->diags->items[i];
        for (int64_t k = 0; k < diag->helps.count; k++) {
            const DiagHelp *help = &diag->helps.items[k];
            for (int64_t e = 0; e < help->edits.count; e++) {
                DiagEdit *edit = &help->edits.items[e];
                if (span_same(edit->span, span))
                    edit->text = str_format(lang->arena, "m![{}]", edit->text);
            }
        }
    }
}

static Type *construct(Lang *lang, ExprKind kind, Type *type, Span span)
{
    int64_t first = lang->diags->count;
    const Expr *parts[2] = {NULL, NULL};
    for (int32_t i = 0; i < type->arg_count; i++) {
        Type *arg = type_of(type->args[i]);
        parts[i] = expr_of_type(arg);
        if (!parts[i] && arg->kind != TYPE_CONST)
            return type_poison(lang);
    }
    const Expr *expr;
    if (kind == EXPR_IDENTITY) {
        expr = expr_identity(lang->diags, span);
    } else if (kind == EXPR_ATOM) {
        expr = parts[0];
    } else if (kind == EXPR_PAIR) {
        ExprList items = {0};
        *array_push(lang->arena, &items, const Expr *) = parts[0];
        *array_push(lang->arena, &items, const Expr *) = parts[1];
        expr = expr_pair(lang->diags, span, &items);
    } else {
        expr = expr_operator(lang->diags, span, kind, parts[0], type_of(type->args[1])->value);
    }
    wrap_edits(lang, first, span);
    if (!expr || expr->kind == EXPR_POISON)
        return type_poison(lang);
    Expr *constructed = arena_copy(lang->arena, expr, sizeof *expr);
    constructed->is_constructed = true;
    constructed->span = span;
    return type_mapping(lang, constructed, span);
}

static Type *as_constructed(Lang *lang, Type *type, Span span)
{
    for (size_t i = 0; i < COUNT_OF(constructors); i++)
        if (type_is_named(type, constructors[i].name))
            return construct(lang, constructors[i].kind, type, span);
    return type;
}

static Signature *new_signature(Lang *lang, Decl *decl);

// A running program reports them where it needs the mapping (type_fault).
static void report_faults(Lang *lang, const Signature *alias, Span use)
{
    for (int64_t i = 0; !lang->is_running && i < alias->faults.count; i++) {
        Diag *error = diag_add_copy(lang->diags, alias->faults.items[i], SEVERITY_ERROR);
        diag_note(error, use, "used here");
        lang->mapping_errors++;
    }
}

static Type *instantiate_named(const TypeScope *scope, Decl *decl, const AstSegment *segment,
                               Span span)
{
    Lang *lang = scope->lang;
    // the fields of a struct that an alias names may name the alias
    bool named = decl->kind == DECL_STRUCT && !decl->signature && lang->aliases;
    Signature *signature = named ? new_signature(lang, decl) : signature_of(lang, decl);
    Type **args = arena_new(lang->arena, Type *, (size_t)max_i64(1, signature->generic_count));
    resolve_args(scope, segment, signature, 0, signature->generic_count, args, !scope->holes);
    if (decl->kind == DECL_ALIAS) {
        report_faults(lang, signature, span);
        Type *type = type_instantiate(lang, signature->result, args);
        Type *copy = arena_new(lang->arena, Type, 1);
        if (type->kind == TYPE_VAR)
            return type;
        *copy = *type; // the same type, written here
        copy->span = span;
        if (copy->kind == TYPE_MAPPING)
            copy->dim = NULL; // of another place
        return copy;
    }
    Type *type = type_named(lang, decl, args, signature->generic_count);
    type->span = span;
    return decl->is_builtin && !scope->scope->is_builtin ? as_constructed(lang, type, span) : type;
}

static Type *type_of_decl(const TypeScope *scope, Decl *decl, const AstSegment *segment, Span span)
{
    Lang *lang = scope->lang;
    switch (decl->kind) {
    case DECL_AXIS:
        return axis_type(lang, decl, span);
    case DECL_PRIM:
        return type_prim(lang, decl->prim);
    case DECL_ALIAS:
    case DECL_STRUCT:
    case DECL_ENUM:
        return instantiate_named(scope, decl, segment, span);
    default:
        diag_add(lang->diags, DIAG_NOT_A_TYPE, span, "`{}` is {}, not a type", decl->name,
                 decl_words[decl->kind]);
        return type_poison(lang);
    }
}

static Type *generic_or_self(const TypeScope *scope, const char *name, Span span)
{
    int32_t generic = find_generic(scope->signature, name);
    if (generic >= 0)
        return generic_type(scope, generic, span);
    if (scope->self && strcmp(name, "Self") == 0)
        return scope->self;
    Decl *decl = scope->signature ? scope->signature->decl : NULL;
    return decl && decl->item ? trait_argument(scope->lang, decl->impl, scope->generics, name)
                              : NULL;
}

// Self::Output inside its own impl block, in the generics of that: not all need be part of Self.
static Type *written_beside(const TypeScope *scope, const Impl *impl, const char *name)
{
    const AstItems *items = impl_items(scope->lang, impl);
    const AstType *written = impl_written(scope->lang, impl, name);
    bool beside = false;
    for (int64_t i = 0; i < items->count; i++)
        beside |= items->items[i] == scope->signature->decl->item;
    if (!written || !beside || scope->lang->depth > MOST_DEPTH)
        return NULL;
    scope->lang->depth++;
    Type *type = resolve_type(scope, written);
    scope->lang->depth--;
    return type;
}

// T::Item, Self::Output, <T as Trait>::Item: the types of the names behind a type.
static Type *project(const TypeScope *scope, Type *base, const AstPath *path)
{
    Lang *lang = scope->lang;
    const Impl *impl = scope->signature ? scope->signature->decl->impl : NULL;
    for (int64_t i = path->self ? 0 : 1; i < path->segments.count; i++) {
        const AstName *name = &path->segments.items[i].name;
        Type *of = type_of(base);
        assert(of);
        bool own = of == (scope->self ? type_of(scope->self) : NULL) && impl;
        Type *known = own ? written_beside(scope, impl, name->text) : NULL;
        if (own && !known)
            known = impl_type(lang, impl, of, name->text);
        Type *open = type_associated(lang, of, name->text, name->span);
        base = known ? known : settle_associated(lang, open);
        bool later = of->kind == TYPE_PARAM || of->kind == TYPE_VAR || of->kind == TYPE_ASSOC;
        if (!base && later)
            base = open;
        if (base)
            continue;
        diag_add(lang->diags, DIAG_NOT_A_TYPE, name->span, "`{}` has no type `{}`",
                 type_head_name(of), name->text);
        return type_poison(lang);
    }
    return base;
}

static Type *resolve_path(const TypeScope *scope, const AstPath *path)
{
    Lang *lang = scope->lang;
    const AstSegments *segments = &path->segments;
    if (!segments->count)
        return type_poison(lang);
    const char *first = segments->items[0].name.text;
    Type *base =
        path->self ? resolve_type(scope, path->self) : generic_or_self(scope, first, path->span);
    if (base)
        return project(scope, base, path);
    AstName few[4];
    AstNames names = {.items = few, .count = 0, .capacity = 4};
    for (int64_t i = 0; i < segments->count; i++)
        *array_push(lang->arena, &names, AstName) = segments->items[i].name;
    int64_t used;
    Decl *decl = module_resolve(lang, scope->scope, path->global, names.items, names.count,
                                SPACE_TYPE, (OwnNames){.signature = scope->signature}, &used);
    if (!decl)
        return type_poison(lang);
    if (used < names.count) {
        diag_add(lang->diags, DIAG_NOT_A_TYPE, names.items[used].span, "`{}` has no type `{}`",
                 decl->name, names.items[used].text);
        return type_poison(lang);
    }
    return type_of_decl(scope, decl, &segments->items[segments->count - 1], path->span);
}

Type *prefix_type(const TypeScope *scope, const AstPath *path)
{
    if (path->self && path->segments.count == 1)
        return resolve_type(scope, path->self);
    AstType type = {.kind = AST_TYPE_PATH, .span = path->span, .path = *path};
    type.path.segments.count--;
    return resolve_type(scope, &type);
}

bool is_generic_or_self(const TypeScope *scope, const AstPath *path)
{
    const char *first = path->segments.items[0].name.text;
    return strcmp(first, "Self") == 0 || find_generic(scope->signature, first) >= 0;
}

static Type *resolve_function_type(const TypeScope *scope, const AstType *type)
{
    Lang *lang = scope->lang;
    int32_t count = (int32_t)type->items.count;
    Type *result = arena_new(lang->arena, Type, 1);
    *result = (Type){.kind = TYPE_FN, .span = type->span, .arg_count = count + 1};
    result->args = arena_new(lang->arena, Type *, (size_t)count + 1);
    for (int32_t i = 0; i < count; i++)
        result->args[i] = resolve_type(scope, type->items.items[i]);
    result->args[count] = type->result ? resolve_type(scope, type->result) : type_unit(lang);
    for (int32_t i = 0; i <= count; i++)
        result->has_params |= result->args[i]->has_params;
    return result;
}

// `impl Trait` in an argument is a generic without a name.
static bool is_argument_type(const AstGeneric *generic, const AstType *type)
{
    return generic->bounds.count == 1 && generic->bounds.items[0] == type;
}

static Type *resolve_impl_type(const TypeScope *scope, const AstType *type)
{
    Lang *lang = scope->lang;
    const AstSegments *segments = &type->path.segments;
    Type *result = arena_new(lang->arena, Type, 1);
    *result = (Type){.kind = TYPE_IMPL, .span = type->span};
    if (!segments->count)
        return result;
    for (int32_t i = 0; scope->signature && i < scope->signature->generic_count; i++)
        if (is_argument_type(scope->signature->generics[i], type))
            return generic_type(scope, i, type->span);
    const AstSegment *last = &segments->items[segments->count - 1];
    Decl *trait = module_find(lang, scope->scope, &type->path, SPACE_TYPE);
    result->decl = trait && trait->kind == DECL_TRAIT && !trait->is_builtin ? trait : NULL;
    result->name = last->name.text;
    result->args = arena_new(lang->arena, Type *, (size_t)max_i64(1, last->args.count));
    for (int64_t i = 0; i < last->args.count; i++) {
        const AstGenericArg *arg = &last->args.items[i];
        if (arg->kind != GENERIC_TYPE && arg->kind != GENERIC_BINDING)
            continue;
        Type *inner = resolve_type(scope, arg->type);
        result->args[result->arg_count++] = inner;
        result->has_params |= inner->has_params;
    }
    return result;
}

static Type *resolve_tuple(const TypeScope *scope, const AstType *type)
{
    int32_t count = (int32_t)type->items.count;
    Type **items = arena_new(scope->lang->arena, Type *, (size_t)max_i64(1, count));
    for (int32_t i = 0; i < count; i++)
        items[i] = resolve_type(scope, type->items.items[i]);
    return type_tuple(scope->lang, items, count);
}

static Type *resolve_hole(const TypeScope *scope, const AstType *type)
{
    if (scope->holes)
        return type_var(scope->lang, VAR_ANY, type->span);
    diag_add(scope->lang->diags, DIAG_NOT_A_TYPE, type->span,
             "`_` cannot stand in the type of an item: write the type");
    return type_poison(scope->lang);
}

Type *resolve_type(const TypeScope *scope, const AstType *type)
{
    Lang *lang = scope->lang;
    switch (type->kind) {
    case AST_TYPE_PATH:
        return resolve_path(scope, &type->path);
    case AST_TYPE_REF:
        return type_ref(lang, resolve_type(scope, type->inner), type->is_mut);
    case AST_TYPE_TUPLE:
        return resolve_tuple(scope, type);
    case AST_TYPE_ARRAY:
        return type_array(lang, resolve_type(scope, type->inner),
                          resolve_const(scope, type->length));
    case AST_TYPE_SLICE:
        return type_slice(lang, resolve_type(scope, type->inner));
    case AST_TYPE_INFER:
        return resolve_hole(scope, type);
    case AST_TYPE_MAPPING:
        return resolve_mapping(scope, type->mapping);
    case AST_TYPE_FN:
        return resolve_function_type(scope, type);
    case AST_TYPE_IMPL:
        return resolve_impl_type(scope, type);
    case AST_TYPE_NEVER:
        return type_never(lang);
    case AST_TYPE_ERROR:
        break;
    }
    return type_poison(lang);
}

// ---- signatures

static int64_t count_generics(const AstGenerics *generics)
{
    int64_t count = 0;
    for (int64_t i = 0; i < generics->count; i++)
        count += generics->items[i].kind != PARAM_LIFETIME;
    return count;
}

// Every `impl Trait` in the type of an argument, as a generic.
static void collect_arguments(Lang *lang, AstType *type, AstGenerics *found)
{
    if (type->kind == AST_TYPE_IMPL && !type->is_dyn && type->path.segments.count) {
        AstGeneric *generic = array_push(lang->arena, found, AstGeneric);
        const AstSegments *segments = &type->path.segments;
        *generic =
            (AstGeneric){.kind = PARAM_TYPE, .name = segments->items[segments->count - 1].name};
        *array_push(lang->arena, &generic->bounds, AstType *) = type;
    }
    if (type->inner)
        collect_arguments(lang, type->inner, found);
    for (int64_t i = 0; type->kind == AST_TYPE_TUPLE && i < type->items.count; i++)
        collect_arguments(lang, type->items.items[i], found);
    const AstSegments *segments = &type->path.segments;
    for (int64_t i = 0; type->kind == AST_TYPE_PATH && i < segments->count; i++)
        for (int64_t k = 0; k < segments->items[i].args.count; k++)
            if (segments->items[i].args.items[k].kind == GENERIC_TYPE)
                collect_arguments(lang, segments->items[i].args.items[k].type, found);
}

static AstGenerics unnamed_generics(Lang *lang, Decl *decl)
{
    AstGenerics found = {0};
    if (decl->kind != DECL_FN || decl->is_builtin)
        return found;
    for (int64_t i = 0; i < decl->item->function.params.count; i++)
        if (decl->item->function.params.items[i].type)
            collect_arguments(lang, decl->item->function.params.items[i].type, &found);
    return found;
}

static Signature *new_signature(Lang *lang, Decl *decl)
{
    Signature *signature = arena_new(lang->arena, Signature, 1);
    AstGenerics unnamed = unnamed_generics(lang, decl);
    int64_t count = count_generics(&decl->item->generics) + unnamed.count;
    if (decl->impl)
        count += count_generics(&decl->impl->item->generics);
    signature->decl = decl;
    signature->generics = arena_new(lang->arena, const AstGeneric *, (size_t)max_i64(1, count));
    signature->kinds = arena_new(lang->arena, GenericKind, (size_t)max_i64(1, count));
    if (decl->impl)
        add_generics(signature, &decl->impl->item->generics);
    signature->own_start = signature->generic_count;
    add_generics(signature, &decl->item->generics);
    signature->own_end = signature->generic_count;
    add_generics(signature, &unnamed);
    return signature;
}

// A constant in one of its types may use the function or struct itself.
static void poison_params(Lang *lang, Signature *signature)
{
    for (int32_t i = 0; i < signature->param_count; i++)
        signature->params[i] = type_poison(lang);
}

static void fill_function(Lang *lang, Signature *signature, const TypeScope *scope)
{
    const AstItem *item = signature->decl->item;
    int64_t count = item->function.params.count;
    signature->self_kind = item->function.self;
    signature->self = scope->self;
    signature->params = arena_new(lang->arena, Type *, (size_t)max_i64(1, count));
    signature->param_count = (int32_t)count;
    poison_params(lang, signature);
    for (int64_t i = 0; i < count; i++) {
        const AstType *type = item->function.params.items[i].type;
        if (type)
            signature->params[i] = resolve_type(scope, type);
    }
    signature->result =
        item->function.result ? resolve_type(scope, item->function.result) : type_unit(lang);
}

// The type itself, of its own generics.
static Type *own_type(Lang *lang, Decl *decl, const Signature *signature)
{
    TypeScope scope = {.lang = lang, .scope = decl->scope, .signature = signature};
    Type **args = arena_new(lang->arena, Type *, (size_t)max_i64(1, signature->generic_count));
    for (int32_t i = 0; i < signature->generic_count; i++)
        args[i] = generic_type(&scope, i, SPAN_NOWHERE);
    return type_named(lang, decl, args, signature->generic_count);
}

static void fill_fields(Lang *lang, Signature *signature, const TypeScope *scope,
                        const AstFields *fields, Decl *type_decl)
{
    signature->params = arena_new(lang->arena, Type *, (size_t)max_i64(1, fields->count));
    signature->param_count = (int32_t)fields->count;
    poison_params(lang, signature);
    signature->result = own_type(lang, type_decl, signature);
    for (int64_t i = 0; i < fields->count; i++)
        signature->params[i] = resolve_type(scope, fields->items[i].type);
}

// Takes errors in sizes of mappings off the list, from number `first` on, and leaves warnings in
// their place: as long as nothing uses the alias, they do no harm.
static void set_faults_aside(Lang *lang, Signature *alias, int64_t first)
{
    DiagList *diags = lang->diags, found = {.arena = diags->arena};
    for (int64_t i = first; i < diags->count; i++)
        diag_again(&found, diags->items[i]);
    diag_forget(diags, first);
    for (int64_t i = 0; i < found.count; i++) {
        Diag *diag = found.items[i];
        bool is_about_sizes = strcmp(diag_infos[diag->code].group, "mapping-size") == 0;
        if (diag->severity != SEVERITY_ERROR || !is_about_sizes) {
            diag_again(diags, diag);
            continue;
        }
        diag_again(&alias->faults, diag);
        lang->mapping_errors--;
        if (lang->warns_of_mappings)
            diag_add_copy(diags, diag, SEVERITY_WARNING);
    }
}

static void fill_alias(Lang *lang, Decl *decl, Signature *signature, const TypeScope *scope)
{
    if (decl->resolving || !decl->item->alias.type) {
        Diag *diag = diag_add(lang->diags, DIAG_ALIAS_CYCLE, decl->span,
                              "the type `{}` contains itself", decl->name);
        diag_help(diag, "write out what it stands for");
        signature->result = type_poison(lang);
        return;
    }
    int64_t first = lang->diags->count;
    decl->resolving = true;
    lang->aliases++;
    signature->result = resolve_type(scope, decl->item->alias.type);
    lang->aliases--;
    signature->faults.arena = lang->arena;
    if (!lang->is_running)
        set_faults_aside(lang, signature, first);
    decl->resolving = false;
}

Signature *signature_of(Lang *lang, Decl *decl)
{
    if (decl->signature)
        return decl->signature;
    assert(!decl->item->unread); // decl_in has read it
    sort_impls(lang);
    Signature *signature = new_signature(lang, decl);
    TypeScope scope = {.lang = lang,
                       .scope = decl->scope,
                       .signature = signature,
                       .self = decl->impl ? decl->impl->self : NULL};
    signature->result = type_poison(lang);
    if (lang->depth > MOST_DEPTH) {
        diag_add(lang->diags, DIAG_ALIAS_CYCLE, decl->span,
                 "`{}` stands for types that are nested too deeply", decl->name);
        return decl->signature = signature;
    }
    lang->depth++;
    signature->is_open = true;
    if (decl->kind == DECL_ALIAS)
        fill_alias(lang, decl, signature, &scope);
    if (decl->kind != DECL_ALIAS || !decl->resolving)
        decl->signature = signature;
    if (decl->kind == DECL_FN)
        fill_function(lang, signature, &scope);
    else if (decl->kind == DECL_VARIANT)
        fill_fields(lang, signature, &scope, &decl->variant->fields, decl->parent);
    else if (decl->kind == DECL_STRUCT)
        fill_fields(lang, signature, &scope, &decl->item->structure.fields, decl);
    signature->is_open = false;
    lang->depth--;
    return signature;
}

Type *field_type(Lang *lang, Type *type, const char *name)
{
    type = type_strip(type);
    if (type->kind != TYPE_NAMED || type->decl->kind != DECL_STRUCT)
        return NULL;
    const AstFields *fields = &type->decl->item->structure.fields;
    const Signature *signature = signature_of(lang, type->decl);
    for (int64_t i = 0; i < fields->count; i++)
        if (fields->items[i].name.text == name)
            return type_instantiate(lang, signature->params[i], type->args);
    return NULL;
}

// The generics of an impl block, as a signature of their own.
Signature *impl_signature(Lang *lang, const Impl *impl)
{
    Signature *signature = arena_new(lang->arena, Signature, 1);
    int64_t count = count_generics(&impl->item->generics);
    Decl *decl = arena_new(lang->arena, Decl, 1);
    *decl = (Decl){.kind = DECL_TRAIT, .name = "impl", .scope = impl->scope, .item = impl->item};
    signature->decl = decl;
    signature->generics = arena_new(lang->arena, const AstGeneric *, (size_t)max_i64(1, count));
    signature->kinds = arena_new(lang->arena, GenericKind, (size_t)max_i64(1, count));
    add_generics(signature, &impl->item->generics);
    return signature;
}
