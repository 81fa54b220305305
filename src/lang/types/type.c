#include "lang/types/type.h"

#include "base/checked.h"

#include "lang/types/signature.h"

#include <string.h>

// ---- making

static Type *new_type(Lang *lang, TypeKind kind)
{
    Type *type = arena_new(lang->arena, Type, 1);
    type->kind = kind;
    type->span = SPAN_NOWHERE;
    return type;
}

enum { HEAVIEST = 20000 }; // parts of a type; nobody writes so many, but aliases of aliases can

// Counts the parts of a type, and stops as soon as there are too many.
static int32_t count_parts(Type *type, int32_t so_far)
{
    type = type_of(type);
    so_far++;
    for (int32_t i = 0; i < type->arg_count && so_far <= HEAVIEST; i++)
        so_far = count_parts(type->args[i], so_far);
    return so_far;
}

bool type_is_heavy(Type *type)
{
    return count_parts(type, 0) > HEAVIEST;
}

static Type *new_with_args(Lang *lang, TypeKind kind, Type **args, int32_t count)
{
    Type *type = new_type(lang, kind);
    type->args = args;
    type->arg_count = count;
    for (int32_t i = 0; i < count; i++) {
        type->has_params |= args[i]->has_params;
        type->weight += 1 + args[i]->weight;
    }
    if (type->weight <= HEAVIEST)
        return type;
    if (!lang->heavy_type)
        diag_add(lang->diags, DIAG_ALIAS_CYCLE, SPAN_NOWHERE, "a type has more than {} parts",
                 HEAVIEST);
    lang->heavy_type = true;
    return type_poison(lang);
}

static Type **one_arg(Lang *lang, Type *arg)
{
    Type **args = arena_new(lang->arena, Type *, 1);
    args[0] = arg;
    return args;
}

Type *type_poison(Lang *lang)
{
    if (!lang->poison)
        lang->poison = new_type(lang, TYPE_ERROR);
    return lang->poison;
}

Type *type_fault(Lang *lang, int64_t first)
{
    const DiagList *diags = lang->diags;
    Type *type = new_type(lang, TYPE_ERROR);
    type->faults = arena_new(lang->arena, Diag *, (size_t)(diags->count - first) + 1);
    for (int64_t i = first; i < diags->count; i++)
        if (diags->items[i]->severity == SEVERITY_ERROR)
            type->faults[type->fault_count++] = diags->items[i];
    if (!type->fault_count) // a part of it was reported
        return type_poison(lang);
    if (lang->is_running)
        diag_forget(lang->diags, first);
    else
        lang->mapping_errors += type->fault_count;
    return type;
}

bool type_recall(Lang *lang, Type *type)
{
    type = type_of(type);
    if (type->kind != TYPE_ERROR || !type->faults)
        return false;
    for (int64_t i = 0; i < type->fault_count; i++)
        if (lang->is_running || !diag_is_listed(lang->diags, type->faults[i]))
            diag_again(lang->diags, type->faults[i]);
    return true;
}

Type *type_never(Lang *lang)
{
    if (!lang->never)
        lang->never = new_type(lang, TYPE_NEVER);
    return lang->never;
}

Type *type_unit(Lang *lang)
{
    return new_type(lang, TYPE_TUPLE);
}

Type *type_prim(Lang *lang, Prim prim)
{
    Decl *decl = lang->prims[prim];
    if (!decl->type) {
        decl->type = new_type(lang, TYPE_NAMED);
        decl->type->decl = decl;
    }
    return decl->type;
}

Type *type_var(Lang *lang, VarClass class, Span span)
{
    Type *type = new_type(lang, TYPE_VAR);
    type->class = class;
    type->span = span;
    return type;
}

Type *type_named(Lang *lang, Decl *decl, Type **args, int32_t count)
{
    Type *type = new_with_args(lang, TYPE_NAMED, args, count);
    if (type->kind == TYPE_NAMED)
        type->decl = decl;
    return type;
}

Type *type_ref(Lang *lang, Type *inner, bool is_mut)
{
    Type *type = new_with_args(lang, TYPE_REF, one_arg(lang, inner), 1);
    if (type->kind == TYPE_REF)
        type->is_mut = is_mut;
    return type;
}

Type *type_tuple(Lang *lang, Type **items, int32_t count)
{
    return new_with_args(lang, TYPE_TUPLE, items, count);
}

Type *type_array(Lang *lang, Type *item, Type *length)
{
    Type **args = arena_new(lang->arena, Type *, 2);
    args[0] = item;
    args[1] = length;
    return new_with_args(lang, TYPE_ARRAY, args, 2);
}

Type *type_slice(Lang *lang, Type *item)
{
    return new_with_args(lang, TYPE_SLICE, one_arg(lang, item), 1);
}

Type *type_mapping(Lang *lang, const Expr *expr, Span span)
{
    Type *type = new_type(lang, TYPE_MAPPING);
    type->expr = expr;
    type->span = span;
    return type;
}

Type *type_number(Lang *lang, int64_t value, Span span)
{
    Type *type = new_type(lang, TYPE_CONST);
    type->value = value;
    type->span = span;
    return type;
}

Type *type_variant(Lang *lang, Decl *variant, Span span)
{
    Type *type = type_number(lang, variant->index, span);
    type->decl = variant->parent;
    return type;
}

// ---- looking

Type *type_of(Type *type)
{
    while (type->kind == TYPE_VAR && type->bound)
        type = type->bound;
    return type;
}

bool type_is_prim(Type *type, Prim prim)
{
    type = type_of(type);
    return type->kind == TYPE_NAMED && type->decl->kind == DECL_PRIM && type->decl->prim == prim;
}

bool type_is_named(Type *type, const char *name)
{
    type = type_of(type);
    return type->kind == TYPE_NAMED && type->decl->is_builtin &&
           strcmp(type->decl->name, name) == 0;
}

bool type_is_opaque(Type *type)
{
    type = type_strip(type);
    return type->kind == TYPE_PARAM && type->generic && type->generic->bounds.count;
}

Type *type_strip(Type *type)
{
    for (type = type_of(type); type->kind == TYPE_REF;)
        type = type_of(type->args[0]);
    return type;
}

static const struct {
    const char *name;
    uint8_t roles;
} roles[] = {
    {"Box", ROLE_POINTER},
    {"Rc", ROLE_POINTER | ROLE_OWNER},
    {"Arc", ROLE_POINTER | ROLE_OWNER},
    {"Weak", ROLE_OWNER},
    {"Ref", ROLE_POINTER | ROLE_OWNER},
    {"RefMut", ROLE_POINTER | ROLE_OWNER},
    {"MutexGuard", ROLE_POINTER | ROLE_OWNER},
    {"RwLockReadGuard", ROLE_POINTER | ROLE_OWNER},
    {"RwLockWriteGuard", ROLE_POINTER | ROLE_OWNER},
    {"LazyCell", ROLE_POINTER},
    {"LazyLock", ROLE_POINTER},
    {"Context", ROLE_OWNER},
    {"HostTensor", ROLE_OWNER},
    {"HbmTensor", ROLE_OWNER},
    {"Future", ROLE_OWNER | ROLE_FUTURE},
    {"JoinHandle", ROLE_OWNER},
};

uint8_t type_roles(const char *name)
{
    for (size_t i = 0; i < COUNT_OF(roles); i++)
        if (strcmp(roles[i].name, name) == 0)
            return roles[i].roles;
    return 0;
}

bool type_has_role(Type *type, uint8_t role)
{
    type = type_of(type);
    return type->kind == TYPE_NAMED && type->decl->roles & role;
}

bool type_is_pointer(Type *type)
{
    return type_has_role(type, ROLE_POINTER) && type_of(type)->arg_count > 0;
}

Type *type_unboxed(Type *type)
{
    type = type_strip(type);
    while (type_is_pointer(type))
        type = type_strip(type->args[0]);
    return type;
}

// Streams carry a mark for their position in the pipeline, and have a name for each.
static const struct {
    const char *mark;
    Position position;
} marks[] = {
    {"PositionBegin", POSITION_BEGIN},
    {"PositionFetch", POSITION_FETCH},
    {"PositionSwitch", POSITION_SWITCH},
    {"PositionCollect", POSITION_COLLECT},
    {"PositionContraction", POSITION_ACCUMULATE},
    {"PositionVectorFinal", POSITION_VECTOR_FINAL},
    {"PositionCast", POSITION_CAST},
    {"PositionTranspose", POSITION_TRANSPOSE},
};

Position type_position(Type *mark)
{
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++)
        if (type_is_named(mark, marks[i].mark))
            return marks[i].position;
    return POSITION_COUNT;
}

static const char *stream_name(Type *type)
{
    bool stream = type_is_named(type, "StreamTensor");
    Position position = stream ? type_position(type->args[1]) : POSITION_COUNT;
    return position == POSITION_COUNT ? NULL : position_types[position];
}

const char *type_head_name(Type *type)
{
    type = type_of(type);
    switch (type->kind) {
    case TYPE_NAMED:
        return stream_name(type) ? stream_name(type) : type->decl->name;
    case TYPE_MAPPING:
    case TYPE_OPEN:
        return "a mapping";
    case TYPE_CONST:
        return "a constant";
    case TYPE_TUPLE:
        return "a tuple";
    case TYPE_REF:
        return "a reference";
    case TYPE_ARRAY:
        return "an array";
    case TYPE_SLICE:
        return "a slice";
    case TYPE_FN:
        return "a function";
    case TYPE_IMPL:
    case TYPE_ASSOC:
        return type->name ? type->name : "?";
    case TYPE_CLOSURE:
        return "a closure";
    case TYPE_VAR:
        return type->class == VAR_INT     ? "an integer"
               : type->class == VAR_FLOAT ? "a float"
                                          : "a type that is not known yet";
    case TYPE_PARAM:
        return type->name;
    case TYPE_NEVER:
        return "!";
    case TYPE_ERROR:
        return "?";
    }
    return "?";
}

Type *type_hole(Type *type)
{
    type = type_of(type);
    if (type->kind == TYPE_VAR)
        return type;
    for (int32_t i = 0; i < type->arg_count; i++) {
        Type *hole = type_hole(type->args[i]);
        if (hole)
            return hole;
    }
    return NULL;
}

static void print_list(StrBuf *out, Type **types, int32_t count)
{
    for (int32_t i = 0; i < count; i++) {
        if (i)
            buf_add(out, STR(", "));
        type_print(out, types[i]);
    }
}

static void print_const(StrBuf *out, const Type *type)
{
    if (type->decl && type->decl->kind == DECL_PRIM && type->decl->prim == PRIM_bool) {
        buf_add(out, type->value ? STR("true") : STR("false"));
        return;
    }
    if (!type->decl || type->decl->kind == DECL_PRIM) {
        buf_format(out, "{}", type->value);
        return;
    }
    buf_format(out, "{{ {}::{} }", type->decl->name,
               type->decl->item->variants.items[type->value].name.text);
}

static void print_function(StrBuf *out, const Type *type)
{
    buf_add(out, STR("fn("));
    print_list(out, type->args, type->arg_count - 1);
    buf_add(out, STR(") -> "));
    type_print(out, type->args[type->arg_count - 1]);
}

static void print_named(StrBuf *out, Type *type)
{
    const char *stream = stream_name(type);
    buf_format(out, "{}", stream ? stream : type->decl->name);
    if (!type->arg_count)
        return;
    buf_add_char(out, '<');
    if (stream) {
        type_print(out, type->args[0]);
        buf_add(out, STR(", "));
        print_list(out, type->args + 2, type->arg_count - 2);
    } else {
        print_list(out, type->args, type->arg_count);
    }
    buf_add_char(out, '>');
}

void type_print(StrBuf *out, Type *type)
{
    type = type_of(type);
    switch (type->kind) {
    case TYPE_NAMED:
        print_named(out, type);
        break;
    case TYPE_MAPPING:
        buf_add(out, STR("m!["));
        expr_print(out, type->expr);
        buf_add_char(out, ']');
        break;
    case TYPE_CONST:
        print_const(out, type);
        break;
    case TYPE_TUPLE:
        buf_add_char(out, '(');
        print_list(out, type->args, type->arg_count);
        buf_add(out, type->arg_count == 1 ? STR(",)") : STR(")"));
        break;
    case TYPE_REF:
        buf_add(out, type->is_mut ? STR("&mut ") : STR("&"));
        type_print(out, type->args[0]);
        break;
    case TYPE_ARRAY:
        buf_add_char(out, '[');
        type_print(out, type->args[0]);
        buf_add(out, STR("; "));
        type_print(out, type->args[1]);
        buf_add_char(out, ']');
        break;
    case TYPE_SLICE:
        buf_add_char(out, '[');
        type_print(out, type->args[0]);
        buf_add_char(out, ']');
        break;
    case TYPE_FN:
    case TYPE_CLOSURE:
        print_function(out, type);
        break;
    case TYPE_IMPL:
        buf_format(out, "impl {}", type->name ? type->name : "?");
        break;
    case TYPE_ASSOC:
        type_print(out, type->args[0]);
        buf_format(out, "::{}", type->name);
        break;
    case TYPE_VAR:
        buf_add(out, type->class == VAR_INT     ? STR("{integer}")
                     : type->class == VAR_FLOAT ? STR("{float}")
                                                : STR("_"));
        break;
    case TYPE_PARAM:
        buf_format(out, "{}", type->name);
        break;
    case TYPE_OPEN:
        buf_add(out, STR("m![..]"));
        break;
    case TYPE_NEVER:
        buf_add_char(out, '!');
        break;
    case TYPE_ERROR:
        buf_add_char(out, '?');
        break;
    }
}

Str type_text(Arena *arena, Type *type)
{
    StrBuf buf = {.arena = arena};
    type_print(&buf, type);
    return buf_str(&buf);
}

// ---- joining

// What was bound, for a unification that only asks.
typedef struct {
    Type *items[64];
    int32_t count;
} Trail;

typedef struct {
    Lang *lang;
    Trail *trail; // NULL: for good
    Mismatch *why, *renamed;
} Unifier;

static bool occurs(const Type *var, Type *type)
{
    type = type_of(type);
    if (type == var)
        return true;
    for (int32_t i = 0; i < type->arg_count; i++)
        if (occurs(var, type->args[i]))
            return true;
    return false;
}

static bool class_takes(VarClass class, Type *type)
{
    if (class == VAR_ANY || type->kind == TYPE_ERROR)
        return true;
    if (type->kind == TYPE_VAR)
        return type->class == VAR_ANY || type->class == class;
    if (type->kind != TYPE_NAMED || type->decl->kind != DECL_PRIM)
        return false;
    PrimClass prim = prims[type->decl->prim].class;
    return class == VAR_INT ? prim == PRIM_INT || prim == PRIM_UINT : prim == PRIM_FLOAT;
}

static bool bind(Unifier *unifier, Type *var, Type *type)
{
    if (type->kind == TYPE_VAR && var->class != VAR_ANY && type->class == VAR_ANY) {
        Type *other = var; // the one that knows less points to the other
        var = type;
        type = other;
    }
    if (!class_takes(var->class, type) || occurs(var, type))
        return false;
    if (unifier->trail) {
        if (unifier->trail->count == 64)
            return true; // too deep to tell: not excluded
        unifier->trail->items[unifier->trail->count++] = var;
    }
    if (type->kind == TYPE_VAR && !type->name) { // what a message can call it
        type->name = var->name;
        type->of = var->of;
    }
    var->bound = type;
    return true;
}

static bool same_expr(const Expr *a, const Expr *b)
{
    if (a == b)
        return true;
    if (a->kind != b->kind || a->size != b->size || a->number != b->number || a->count != b->count)
        return false;
    if (a->kind == EXPR_ATOM)
        return atom_equal(a->atom, b->atom);
    if (a->inner && !same_expr(a->inner, b->inner))
        return false;
    for (int64_t i = 0; a->items && i < a->count; i++)
        if (!same_expr(a->items[i], b->items[i]))
            return false;
    return true;
}

static bool unify_mappings(Unifier *unifier, Type *left, Type *right)
{
    if (same_expr(left->expr, right->expr))
        return true;
    Arena *arena = unifier->lang->arena;
    Mapping a = mapping_of_expr(arena, left->expr), b = mapping_of_expr(arena, right->expr);
    if (mapping_equal(arena, &a, &b) != MAPPINGS_EQUAL)
        return false;
    if (unifier->renamed)
        *unifier->renamed = (Mismatch){.left = left, .right = right};
    return true;
}

static bool unify(Unifier *unifier, Type *left, Type *right);

static bool unify_args(Unifier *unifier, const Type *left, const Type *right)
{
    bool ok = left->arg_count == right->arg_count;
    for (int32_t i = 0; ok && i < left->arg_count; i++) {
        ok = unify(unifier, left->args[i], right->args[i]);
        bool named = !ok && left->kind == TYPE_NAMED && left->decl->kind != DECL_PRIM;
        if (named && unifier->why && !unifier->why->param)
            unifier->why->param = signature_of(unifier->lang, left->decl)->generics[i]->name.text;
    }
    return ok;
}

// Two heads that are both known.
static bool unify_heads(Unifier *unifier, Type *left, Type *right)
{
    bool closure = left->kind == TYPE_CLOSURE || right->kind == TYPE_CLOSURE;
    bool callable = (left->kind == TYPE_FN || left->kind == TYPE_CLOSURE) &&
                    (right->kind == TYPE_FN || right->kind == TYPE_CLOSURE);
    if (left->kind != right->kind && !(closure && callable))
        return false;
    switch (left->kind) {
    case TYPE_MAPPING:
        return unify_mappings(unifier, left, right);
    case TYPE_CONST:
        return left->decl == right->decl && left->value == right->value;
    case TYPE_NAMED:
        return left->decl == right->decl && unify_args(unifier, left, right);
    case TYPE_PARAM:
        return left->index == right->index;
    case TYPE_REF:
        return (left->is_mut == right->is_mut || right->is_mut) && unify_args(unifier, left, right);
    default:
        return unify_args(unifier, left, right);
    }
}

static Type *settled(Unifier *unifier, Type *type)
{
    type = type_of(type);
    Type *known = type->kind == TYPE_OPEN    ? settle_mapping(unifier->lang, type)
                  : type->kind == TYPE_ASSOC ? settle_associated(unifier->lang, type)
                                             : NULL;
    return known ? type_of(known) : type;
}

// A mapping whose generics are not known yet: to be compared when they are.
static bool unify_later(const Unifier *unifier, Type *left, Type *right)
{
    if (!unifier->trail)
        *array_push(unifier->lang->arena, &unifier->lang->open_pairs, OpenPair) =
            (OpenPair){left, right, SPAN_NOWHERE};
    return true;
}

static bool unify(Unifier *unifier, Type *left, Type *right)
{
    left = settled(unifier, left);
    right = settled(unifier, right);
    if (left->kind == TYPE_VAR && right->kind == TYPE_ERROR)
        return bind(unifier, left, right); // so that nobody asks what it is
    if (right->kind == TYPE_VAR && left->kind == TYPE_ERROR)
        return bind(unifier, right, left);
    if (left == right || left->kind == TYPE_ERROR || right->kind == TYPE_ERROR ||
        left->kind == TYPE_NEVER || right->kind == TYPE_NEVER)
        return true;
    bool is_var = (left->kind == TYPE_VAR && left->class == VAR_ANY) ||
                  (right->kind == TYPE_VAR && right->class == VAR_ANY);
    if (!is_var && (left->kind == TYPE_IMPL || right->kind == TYPE_IMPL))
        return true;
    bool ok;
    if (left->kind == TYPE_VAR)
        ok = bind(unifier, left, right);
    else if (right->kind == TYPE_VAR)
        ok = bind(unifier, right, left);
    else if (left->kind == TYPE_ASSOC || right->kind == TYPE_ASSOC)
        ok = true; // decided when its generics are known
    else if (left->kind == TYPE_OPEN || right->kind == TYPE_OPEN)
        ok = unify_later(unifier, left, right);
    else
        ok = unify_heads(unifier, left, right);
    if (!ok && unifier->why && !unifier->why->left)
        *unifier->why = (Mismatch){.left = left, .right = right};
    return ok;
}

bool type_unify(Lang *lang, Type *left, Type *right, Mismatch *why, Mismatch *renamed)
{
    Unifier unifier = {.lang = lang, .why = why, .renamed = renamed};
    return unify(&unifier, left, right);
}

bool type_could_unify(Lang *lang, Type *left, Type *right)
{
    Trail trail = {.count = 0};
    Unifier unifier = {.lang = lang, .trail = &trail};
    bool ok = unify(&unifier, left, right);
    while (trail.count)
        trail.items[--trail.count]->bound = NULL;
    return ok;
}

// ContractionOutput<D> is a function of D: what the Contraction Engine sums in.
static Type *contraction_output(Lang *lang, Type *type)
{
    Type *element = type_of(type->args[0]);
    if (element->kind != TYPE_NAMED || element->decl->kind != DECL_PRIM)
        return element->kind == TYPE_VAR ? type : type_poison(lang);
    int32_t scalar = prims[element->decl->prim].scalar;
    Scalar result;
    if (scalar == SCALAR_NONE || !scalar_contraction_result((Scalar)scalar, &result))
        return type_poison(lang);
    return type_prim(lang, result == SCALAR_F32 ? PRIM_f32 : PRIM_i32);
}

// ErrorOf<F> is F::Err.
static Type *error_of(Lang *lang, Type *type)
{
    Type *open = type_associated(lang, type->args[0], lang_name(lang, "Err"), type->span);
    Type *known = settle_associated(lang, open);
    return known ? known : open;
}

// ---- types that are functions of others

static Type *std_named(Lang *lang, const char *name, Type *arg)
{
    Decl *decl = decl_in(lang, &lang->std_prelude->names[SPACE_TYPE], lang_name(lang, name));
    Type **args = arena_new(lang->arena, Type *, 1);
    args[0] = arg;
    return type_named(lang, decl, args, arg != NULL);
}

// i32 and u32, i64 and u64, ..; NULL: it is no whole number.
static Type *with_sign(Lang *lang, const Type *number, bool no_sign)
{
    static const Prim pairs[][2] = {{PRIM_i8, PRIM_u8},     {PRIM_i16, PRIM_u16},
                                    {PRIM_i32, PRIM_u32},   {PRIM_i64, PRIM_u64},
                                    {PRIM_i128, PRIM_u128}, {PRIM_isize, PRIM_usize}};
    for (size_t i = 0; i < COUNT_OF(pairs); i++)
        if (number->decl->prim == pairs[i][0] || number->decl->prim == pairs[i][1])
            return type_prim(lang, pairs[i][no_sign]);
    return NULL;
}

static Type *unsigned_of(Lang *lang, Type *type)
{
    bool prim = type->kind == TYPE_NAMED && type->decl->kind == DECL_PRIM;
    return prim ? with_sign(lang, type, true) : NULL;
}

static Type *signed_of(Lang *lang, Type *type)
{
    bool prim = type->kind == TYPE_NAMED && type->decl->kind == DECL_PRIM;
    return prim ? with_sign(lang, type, false) : NULL;
}

static Type *bytes_of(Lang *lang, Type *type)
{
    if (type->kind != TYPE_NAMED || type->decl->kind != DECL_PRIM)
        return NULL;
    return type_array(lang, type_prim(lang, PRIM_u8),
                      type_number(lang, prims[type->decl->prim].bits / 8, SPAN_NOWHERE));
}

static Type *cloned_of(Lang *lang, Type *type)
{
    (void)lang;
    return type->kind == TYPE_REF ? type->args[0] : NULL;
}

static Type *clone_of(Lang *lang, Type *type)
{
    bool unsized = type_is_prim(type, PRIM_str) || type->kind == TYPE_SLICE;
    return unsized ? type_ref(lang, type, false) : type;
}

static Type *derefed_of(Lang *lang, Type *type)
{
    if (type_is_named(type, "String"))
        return type_prim(lang, PRIM_str);
    if (type_is_named(type, "Vec"))
        return type_slice(lang, type->args[0]);
    return type_is_named(type, "Box") || type->kind == TYPE_REF ? type->args[0] : NULL;
}

static Type *concat_of(Lang *lang, Type *type)
{
    type = type_strip(type);
    if (type_is_named(type, "String") || type_is_prim(type, PRIM_str))
        return std_named(lang, "String", NULL);
    bool list = type->kind == TYPE_ARRAY || type->kind == TYPE_SLICE || type_is_named(type, "Vec");
    return list ? std_named(lang, "Vec", type->args[0]) : NULL;
}

static const struct {
    const char *name;
    Type *(*of)(Lang *lang, Type *type); // NULL: not known yet
} type_functions[] = {
    {"Cloned", cloned_of},       {"CloneOf", clone_of},   {"DerefedOf", derefed_of},
    {"UnsignedOf", unsigned_of}, {"SignedOf", signed_of}, {"NumberBytes", bytes_of},
    {"Concatenated", concat_of},
};

// IndexedItem<I, T>: a T, or a slice of them where I is a range.
static Type *indexed_of(Lang *lang, Type *type)
{
    Type *index = type_of(type->args[0]);
    if (index->kind == TYPE_VAR && index->class == VAR_ANY)
        return type;
    bool range = index->kind == TYPE_NAMED && strncmp(index->decl->name, "Range", 5) == 0;
    if (!range)
        type_unify(lang, index, type_prim(lang, PRIM_usize), NULL, NULL);
    else if (index->arg_count)
        type_unify(lang, index->args[0], type_prim(lang, PRIM_usize), NULL, NULL);
    return range ? type_slice(lang, type->args[1]) : type->args[1];
}

static Type *apply_type(Lang *lang, Type *type)
{
    if (type->kind != TYPE_NAMED || !type->decl->is_builtin || !type->arg_count)
        return type;
    if (type_is_named(type, "ContractionOutput"))
        return contraction_output(lang, type);
    if (type_is_named(type, "ErrorOf"))
        return error_of(lang, type);
    if (type_is_named(type, "IndexedItem"))
        return indexed_of(lang, type);
    for (size_t i = 0; i < COUNT_OF(type_functions); i++) {
        Type *made = type_is_named(type, type_functions[i].name)
                         ? type_functions[i].of(lang, type_of(type->args[0]))
                         : NULL;
        if (made)
            return made;
    }
    return type;
}

Type *type_instantiate(Lang *lang, Type *type, Type **generics)
{
    if (!type->has_params)
        return type;
    if (type->kind == TYPE_PARAM)
        return generics[type->index];
    Type *copy = new_type(lang, type->kind);
    *copy = *type;
    copy->has_params = false;
    copy->args = arena_new(lang->arena, Type *, (size_t)type->arg_count);
    for (int32_t i = 0; i < type->arg_count; i++) {
        copy->args[i] = type_instantiate(lang, type->args[i], generics);
        copy->has_params |= copy->args[i]->has_params; // those of the signature it is used in
    }
    if (copy->kind == TYPE_OPEN) {
        Type *mapping = settle_mapping(lang, copy);
        return mapping ? mapping : copy;
    }
    if (copy->kind == TYPE_ASSOC) {
        Type *known = settle_associated(lang, copy);
        return known ? known : copy;
    }
    return apply_type(lang, copy);
}
