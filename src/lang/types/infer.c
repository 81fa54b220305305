#include "lang/types/infer_internal.h"

#include "base/checked.h"
#include "lang/eval/whole.h"

// Of a future it is that of its result: whoever runs a program waits.
Type *body_type(const Body *body, const AstExpr *expr)
{
    return awaited(body->types[expr->id - body->first_expr]);
}

const Use *body_use(const Body *body, const AstExpr *expr)
{
    return body->uses[expr->id - body->first_expr];
}

// ---- statements

// `let v: Vec<_> = ..` of something that is refused: nobody will say what is left open.
static void forgive_holes(Infer *infer, const AstExpr *value, Type *type)
{
    if (body_type(infer->body, value)->kind != TYPE_ERROR)
        return;
    for (Type *hole; (hole = type_hole(type));)
        hole->bound = type_poison(infer->lang);
}

static void infer_let(Infer *infer, const AstStatement *statement)
{
    Type *type = statement->type ? resolve_type(&infer->types, statement->type) : NULL;
    if (statement->value)
        type = type ? check_expr(infer, statement->value, type)
                    : infer_expr(infer, statement->value, NULL);
    if (statement->value)
        forgive_holes(infer, statement->value, type);
    if (!type)
        type = type_var(infer->lang, VAR_ANY, statement->span);
    if (statement->otherwise)
        infer_block(infer, statement->otherwise, NULL);
    infer_pattern(infer, statement->pattern, type);
    if (!statement->otherwise)
        must_take_all(infer, NULL, statement->pattern, type);
    if (!statement->value && infer->locals.count)
        infer->locals.items[infer->locals.count - 1].is_open = true;
}

static void infer_statement(Infer *infer, const AstStatement *statement)
{
    switch (statement->kind) {
    case STATEMENT_LET:
        infer_let(infer, statement);
        break;
    case STATEMENT_EXPR:
        infer_expr(infer, statement->value, NULL);
        check_future_is_used(infer, statement->value);
        break;
    case STATEMENT_ITEM: // declared with its block
        break;
    }
    settle_obligations(infer);
}

Type *infer_statements(Infer *infer, const AstBlock *block, Type *expected)
{
    bool diverges = false;
    for (int64_t i = 0; i < block->statements.count; i++) {
        const AstStatement *statement = &block->statements.items[i];
        infer_statement(infer, statement);
        if (statement->kind == STATEMENT_EXPR)
            diverges |= body_type(infer->body, statement->value)->kind == TYPE_NEVER;
    }
    if (block->tail)
        return infer_expr(infer, block->tail, expected);
    return diverges ? type_never(infer->lang) : type_unit(infer->lang);
}

Type *infer_block(Infer *infer, const AstBlock *block, Type *expected)
{
    Module *outer = infer->scope;
    int64_t locals = infer->locals.count;
    infer->scope = infer->types.scope = module_of_block(infer->lang, outer, block);
    Type *type = infer_statements(infer, block, expected);
    infer->scope = infer->types.scope = outer;
    infer->locals.count = locals;
    return type;
}

// ---- obligations

// What a collection of this type is made of: its items, pairs of a map.
static void collect_items(Infer *infer, Type *target, Type *source, Span span)
{
    static const char *const lists[] = {"Vec",      "VecDeque",   "HashSet",
                                        "BTreeSet", "BinaryHeap", "ArrayVec"};
    target = type_of(target);
    source = type_of(source);
    if (type_is_named(target, "Box") || type_is_named(target, "Rc") || type_is_named(target, "Arc"))
        target = type_of(target->args[0]);
    for (size_t i = 0; i < COUNT_OF(lists); i++)
        if (type_is_named(target, lists[i]))
            coerce(infer, target->args[0], source, span);
    if (target->kind == TYPE_SLICE)
        coerce(infer, target->args[0], source, span);
    if (type_is_named(target, "HashMap") || type_is_named(target, "BTreeMap"))
        coerce(infer, type_tuple(infer->lang, target->args, 2), source, span);
    bool tried = type_is_named(target, "Result") || type_is_named(target, "Option");
    if (!tried || source->kind != TYPE_NAMED || source->decl != target->decl)
        return;
    if (target->arg_count == 2)
        coerce(infer, target->args[1], source->args[1], span);
    collect_items(infer, target->args[0], source->args[0], span);
}

static bool settle_collect(Infer *infer, Obligation *obligation)
{
    Type *target = type_of(obligation->target), *source = type_of(obligation->source);
    if (target->kind == TYPE_VAR)
        return false;
    bool copies = obligation->kind == OBLIGATION_EXTENDS && target->kind == TYPE_NAMED &&
                  target->arg_count == 1 && source->kind == TYPE_REF &&
                  type_of(target->args[0])->kind == TYPE_NAMED;
    collect_items(infer, target, copies ? source->args[0] : source, obligation->span);
    return true;
}

static bool settle_sum(Infer *infer, Obligation *obligation, bool last)
{
    Type *target = type_of(obligation->target), *source = type_strip(obligation->source);
    if (target->kind == TYPE_VAR && !last)
        return false;
    type_unify(infer->lang, target, source, NULL, NULL);
    return true;
}

static bool settle_iterates(Infer *infer, Obligation *obligation)
{
    Type *item = iterated_type(infer, obligation->target);
    if (!item)
        return type_of(obligation->target)->kind == TYPE_ERROR;
    coerce(infer, obligation->source, item, obligation->span);
    return true;
}

// References are copied where the collection holds no references.
static bool settle_owned(Infer *infer, Obligation *obligation)
{
    Type *item = iterated_type(infer, obligation->target), *wanted = type_of(obligation->source);
    Type *text = type_strip(obligation->target);
    if (type_is_prim(text, PRIM_str) || type_is_named(text, "String"))
        item = type_prim(infer->lang, PRIM_u8);
    if (!item)
        return type_of(obligation->target)->kind == TYPE_ERROR;
    item = type_of(item);
    bool lends = type_of(obligation->target)->kind == TYPE_REF || wanted->kind == TYPE_NAMED;
    if (item->kind == TYPE_REF && wanted->kind != TYPE_REF && lends)
        item = item->args[0];
    coerce(infer, wanted, item, obligation->span);
    return true;
}

static bool settle_one(Infer *infer, Obligation *obligation, bool last)
{
    switch (obligation->kind) {
    case OBLIGATION_COLLECT:
    case OBLIGATION_EXTENDS:
        return settle_collect(infer, obligation);
    case OBLIGATION_SUM:
        return settle_sum(infer, obligation, last);
    case OBLIGATION_ITERATES:
        return settle_iterates(infer, obligation);
    case OBLIGATION_OWNED:
        return settle_owned(infer, obligation);
    case OBLIGATION_TRAIT:
        return settle_trait(infer, obligation);
    case OBLIGATION_INTO:
        return settle_into(infer, obligation);
    }
    return true;
}

static void settle(Infer *infer, bool last)
{
    for (int64_t i = 0; i < infer->obligations.count; i++) {
        Obligation obligation = infer->obligations.items[i]; // settling one may add others
        if (!obligation.done)
            infer->obligations.items[i].done = settle_one(infer, &obligation, last);
    }
    int64_t kept = 0;
    for (int64_t i = 0; i < infer->obligations.count; i++)
        if (!infer->obligations.items[i].done)
            infer->obligations.items[kept++] = infer->obligations.items[i];
    infer->obligations.count = kept;
}

void settle_obligations(Infer *infer)
{
    if (infer->obligations.count)
        settle(infer, false);
}

// ---- the end: what is still open

static void default_numbers(Infer *infer)
{
    for (int64_t i = 0; i < infer->numbers.count; i++) {
        Type *var = type_of(infer->numbers.items[i]);
        if (var->kind == TYPE_VAR)
            type_unify(infer->lang, var,
                       type_prim(infer->lang, var->class == VAR_FLOAT ? PRIM_f64 : PRIM_i32), NULL,
                       NULL);
    }
    for (int64_t i = 0; i < infer->nevers.count; i++)
        if (type_of(infer->nevers.items[i])->kind == TYPE_VAR)
            type_unify(infer->lang, infer->nevers.items[i], type_unit(infer->lang), NULL, NULL);
}

static Str open_name(Infer *infer, const Signature *signature, int32_t index)
{
    Str name = generic_name(signature, index);
    return signature->decl->is_builtin && str_equal(name, STR("D"))
               ? STR("the element type")
               : str_format(infer->lang->arena, "`{}`", name);
}

// The list of a call's own generics that nothing says anything about.
static int32_t open_generics(Infer *infer, const PendingCall *call, Str *names)
{
    StrBuf buf = {.arena = infer->lang->arena};
    int32_t count = 0, open = 0;
    for (int32_t i = 0; i < call->signature->generic_count; i++)
        open += type_of(call->generics[i])->kind == TYPE_VAR;
    for (int32_t i = 0; i < call->signature->generic_count; i++) {
        if (type_of(call->generics[i])->kind != TYPE_VAR)
            continue;
        const char *before = !count ? "" : count == open - 1 ? " and " : ", ";
        buf_format(&buf, "{}{}", before, open_name(infer, call->signature, i));
        count++;
    }
    *names = buf_str(&buf);
    return count;
}

static Str turbofish(Infer *infer, const PendingCall *call)
{
    StrBuf buf = {.arena = infer->lang->arena};
    const Signature *signature = call->signature;
    for (int32_t i = signature->own_start; i < signature->own_end; i++) {
        buf_format(&buf, "{}", i > signature->own_start ? ", " : "");
        bool open = type_of(call->generics[i])->kind == TYPE_VAR;
        if (open && signature->kinds[i] == GENERIC_MAPPING)
            buf_add(&buf, STR("m![..]"));
        else if (open)
            buf_add(&buf, STR(".."));
        else
            type_print(&buf, call->generics[i]);
    }
    return buf_str(&buf);
}

static void close_generics(Infer *infer, const PendingCall *call)
{
    for (int32_t i = 0; i < call->signature->generic_count; i++) {
        Type *type = type_of(call->generics[i]);
        if (type->kind == TYPE_VAR)
            type->bound = type_poison(infer->lang);
    }
}

static void report_open_calls(Infer *infer)
{
    bool silent = infer->lang->diags->error_count > infer->errors_before || infer->silenced;
    for (int64_t i = 0; i < infer->calls.count; i++) {
        const PendingCall *call = &infer->calls.items[i];
        Str names;
        int32_t open = open_generics(infer, call, &names);
        if (!open)
            continue;
        const Signature *signature = call->signature;
        if (!silent) {
            Diag *diag = diag_add(infer->lang->diags, DIAG_AMBIGUOUS, call->name,
                                  "nothing says what {} of `{}` {}", names, signature->decl->name,
                                  open == 1 ? "is" : "are");
            if (signature->own_start < signature->own_end)
                diag_help(diag, "write `{}::<{}>(..)`, or give the `let` its type",
                          signature->decl->name, turbofish(infer, call));
            else
                diag_help(diag, "give the `let` its type");
        }
        close_generics(infer, call);
    }
}

// ---- bodies

// The number of errors that make a body unsound. An error about a mapping counts only where the
// mapping is used.
static int64_t unmapped_errors(const Lang *lang)
{
    return lang->diags->error_count - lang->mapping_errors;
}

static Body *new_body(Lang *lang, Decl *decl, const Signature *signature, Type **generics)
{
    Body *body = arena_new(lang->arena, Body, 1);
    *body = (Body){.decl = decl,
                   .signature = signature,
                   .generics = generics,
                   .first_expr = decl->item->first_expr,
                   .expr_count = decl->item->end_expr - decl->item->first_expr,
                   .scope = decl->scope};
    body->slots.arena = body->patterns.arena = body->mappings.arena = body->adjusts.arena =
        body->faults.arena = lang->arena;
    if (!generics && body->signature->generic_count) { // of the impl block of a constant
        body->generics = arena_new(lang->arena, Type *, (size_t)body->signature->generic_count);
        for (int32_t i = 0; i < body->signature->generic_count; i++)
            body->generics[i] = type_poison(lang);
    }
    size_t count = (size_t)max_i64(1, body->expr_count);
    body->types = arena_new(lang->arena, Type *, count);
    body->uses = arena_new(lang->arena, Use *, count);
    return body;
}

static Infer new_infer(Lang *lang, Body *body)
{
    if (!body->scope->is_builtin) // the library sees what its caller does
        lang->crate = body->scope->crate ? body->scope->crate : body->scope;
    Decl *decl = body->decl;
    return (Infer){.lang = lang,
                   .body = body,
                   .scope = decl->scope,
                   .types = {.lang = lang,
                             .scope = decl->scope,
                             .signature = body->signature,
                             .generics = body->generics,
                             .self = decl->impl && decl->impl->self
                                         ? type_instantiate(lang, decl->impl->self, body->generics)
                                         : NULL,
                             .holes = true},
                   .negated = {.arena = lang->arena},
                   .errors_before = lang->diags->error_count,
                   .reports_before = lang->diags->count,
                   .unmapped_before = unmapped_errors(lang),
                   .pairs_before = lang->open_pairs.count};
}

// A literal fits in its type, with the minus before it. One that does not has no value.
static void check_literal(Infer *infer, const AstExpr *literal)
{
    Type *type = body_type(infer->body, literal);
    if (type->kind != TYPE_NAMED || type->decl->kind != DECL_PRIM)
        return;
    const PrimInfo *prim = &prims[type->decl->prim];
    Uint128 size = literal->literal.integer;
    Whole number = {.size = size, .negative = size && map_get(&infer->negated, literal)};
    if (prim_is_whole(prim) && !whole_fits(number, prim)) {
        whole_report(infer->lang->diags, literal->span, number, prim);
        infer->body->types[literal->id - infer->body->first_expr] = type_poison(infer->lang);
    }
}

// Whether something has no type because of what was said of a declaration.
static bool rests_on_fault(const Infer *infer)
{
    for (int32_t i = 0; i < infer->body->expr_count; i++)
        if (infer->body->types[i] && type_strip(infer->body->types[i])->kind == TYPE_ERROR &&
            !type_strip(infer->body->types[i])->faults)
            return true;
    return false;
}

// Keeps the errors of the body for body_recall, which reports them again when the body is run.
static void keep_faults(Infer *infer)
{
    const DiagList *diags = infer->lang->diags;
    for (int64_t i = infer->reports_before; !infer->body->sound && i < diags->count; i++)
        if (diags->items[i]->severity == SEVERITY_ERROR)
            diag_again(&infer->body->faults, diags->items[i]);
}

static void finish(Infer *infer)
{
    settle(infer, false);
    default_numbers(infer);
    for (int64_t i = 0; i < infer->literals.count; i++)
        check_literal(infer, infer->literals.items[i]);
    settle(infer, true);
    compare_open(infer);
    check_casts(infer);
    report_open_calls(infer);
    if (infer->lang->diags->error_count == infer->errors_before)
        check_coverage(infer);
    Type *unknown = type_poison(infer->lang);
    infer->body->sound =
        unmapped_errors(infer->lang) == infer->unmapped_before && !rests_on_fault(infer);
    keep_faults(infer);
    for (int32_t i = 0; i < infer->body->expr_count; i++)
        if (!infer->body->types[i])
            infer->body->types[i] = unknown; // of a nested item, or never reached
}

// A `;` behind the last expression throws the result away.
static void check_result(Infer *infer, const AstBlock *block, Type *type, Span span)
{
    int64_t count = block->statements.count;
    if (block->tail)
        keep_dyn(infer, block->tail, infer->result, type);
    const AstStatement *last = count ? &block->statements.items[count - 1] : NULL;
    Diag *diag = misfit(infer, infer->result, type, span, block->tail);
    infer->body->misses_result = diag != NULL;
    if (!diag || block->tail || !last || last->kind != STATEMENT_EXPR)
        return;
    Type *lost = body_type(infer->body, last->value);
    if (type_could_unify(infer->lang, infer->result, lost)) {
        Span end = {last->span.source, last->span.end - 1, last->span.end};
        bool there = str_equal(lang_text(infer->lang, end), STR(";"));
        diag_help(diag, "remove the `;` after the last expression");
        diag_edit(diag, there ? end : SPAN_NOWHERE, "{}", "");
    }
}

bool may_do(Infer *infer, Type *type)
{
    Decl *decl = infer->body->decl;
    bool clauses =
        decl->item->generics.has_clauses || (decl->impl && decl->impl->item->generics.has_clauses);
    bool open = type_strip(type)->kind == TYPE_PARAM && (clauses || type_is_opaque(type));
    infer->silenced |= open;
    return open;
}

static Body *infer_body(Lang *lang, Decl *decl, Type **generics, bool rigid)
{
    Body *body = new_body(lang, decl, signature_of(lang, decl), generics);
    const AstItem *item = decl->item;
    Infer infer = new_infer(lang, body);
    infer.rigid = rigid;
    infer.unsafe_depth = item->function.is_unsafe;
    infer.is_async = item->function.is_async;
    if (decl->impl && item->function.self != SELF_NONE) {
        Type *self = infer.types.self ? infer.types.self : type_poison(lang);
        if (item->function.self != SELF_VALUE)
            self = type_ref(lang, self, item->function.self == SELF_REF_MUT);
        add_local(&infer, NULL, lang_name(lang, "self"), self);
    }
    for (int32_t i = 0; i < body->signature->param_count; i++) {
        Type *type = type_instantiate(lang, body->signature->params[i], generics);
        infer_pattern(&infer, item->function.params.items[i].pattern, type);
        must_take_all(&infer, NULL, item->function.params.items[i].pattern, type);
    }
    check_repeated(&infer, 0);
    infer.result = body->result = type_instantiate(lang, body->signature->result, generics);
    Type *type = infer_block(&infer, item->function.body, infer.result);
    const AstExpr *tail = item->function.body->tail;
    Span span = tail ? tail->span : item->function.signature;
    if (item->function.body->statements.count || tail || type_of(body->result)->kind != TYPE_TUPLE)
        check_result(&infer, item->function.body, type, span);
    finish(&infer);
    return body;
}

Body *infer_function(Lang *lang, Decl *decl, Type **generics)
{
    return infer_body(lang, decl, generics, false);
}

// Generics that may be anything.
static Type **opaque_generics(Lang *lang, const Signature *signature)
{
    Type **generics = arena_new(lang->arena, Type *, (size_t)max_i64(1, signature->generic_count));
    for (int32_t i = 0; i < signature->generic_count; i++) {
        generics[i] = arena_new(lang->arena, Type, 1);
        *generics[i] = (Type){.kind = TYPE_PARAM,
                              .span = SPAN_NOWHERE,
                              .index = i,
                              .name = signature->generics[i]->name.text,
                              .generic = signature->generics[i]};
    }
    return generics;
}

Body *infer_uncalled(Lang *lang, Decl *decl, Type **known)
{
    const Signature *signature = signature_of(lang, decl);
    Type **generics = opaque_generics(lang, signature);
    for (int32_t i = 0; i < signature->generic_count; i++)
        if (known[i])
            generics[i] = known[i];
    return infer_body(lang, decl, generics, true);
}

Body *infer_constant(Lang *lang, Decl *decl, Type **generics)
{
    Body *body = new_body(lang, decl, signature_of(lang, decl), generics);
    Infer infer = new_infer(lang, body);
    body->result = resolve_type(&infer.types, decl->item->constant.type);
    check_expr(&infer, decl->item->constant.value, body->result);
    finish(&infer);
    return body;
}

Body *infer_written(const TypeScope *scope, Decl *decl, const AstExpr *value)
{
    static const Signature none = {0};
    Lang *lang = scope->lang;
    const Signature *signature = scope->signature ? scope->signature : &none;
    Type **generics = scope->generics ? scope->generics : opaque_generics(lang, signature);
    Body *body = new_body(lang, decl, signature, generics);
    Infer infer = new_infer(lang, body);
    infer.types.self = scope->self;
    infer.rigid = !scope->generics;
    body->result = infer_expr(&infer, value, NULL);
    type_unify(lang, body->result, type_prim(lang, PRIM_i64), NULL, NULL); // unless it is known
    finish(&infer);
    return body;
}
