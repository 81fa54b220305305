// The names in scope at the cursor: variables, generics, and what modules declare and bring in.
#include "lsp/answer/answers.h"
#include "lsp/complete/complete.h"

#include "base/checked.h"
#include "lang/types/signature.h"

// Ranks: what is nearer comes first.
enum { RANK_LOCAL = 1, RANK_OWN = 2, RANK_BROUGHT = 4, RANK_STD = 5, RANK_PRIM = 6 };

// ---- variables

typedef struct {
    Completion *completion;
    LocalVisit *visit;
    void *own;
} Binder;

static void bind_name(const Binder *binder, const AstPattern *pattern)
{
    const Body *body = binder->completion->body;
    intptr_t slot = body ? (intptr_t)map_get(&body->slots, pattern) : 0;
    Type *type =
        slot > 0 && slot <= body->slot_types.count ? body->slot_types.items[slot - 1] : NULL;
    binder->visit(binder->own, pattern->name.text, type);
}

static void bind_pattern(void *own, AstNode node)
{
    const Binder *binder = own;
    if (node.kind != NODE_PATTERN)
        return;
    if (node.pattern->kind == PATTERN_BIND && *node.pattern->name.text)
        bind_name(binder, node.pattern);
    ast_children(node, bind_pattern, own);
}

static void bind(const Binder *binder, const AstPattern *pattern)
{
    if (pattern)
        bind_pattern((void *)(uintptr_t)binder,
                     (AstNode){.kind = NODE_PATTERN, .span = pattern->span, .pattern = pattern});
}

// What an `if let` or `while let` binds, also of several joined by &&.
static void bind_condition(const Binder *binder, const AstExpr *condition)
{
    while (condition && condition->kind == AST_BINARY && condition->binary.op == BINARY_LAND) {
        bind_condition(binder, condition->binary.right);
        condition = condition->binary.left;
    }
    if (condition && condition->kind == AST_LET)
        bind(binder, condition->loop.pattern);
}

static void bind_expr(const Binder *binder, const AstExpr *expr)
{
    if (expr->kind == AST_CLOSURE)
        for (int64_t i = 0; i < expr->closure.params.count; i++)
            bind(binder, expr->closure.params.items[i].pattern);
    if (expr->kind == AST_FOR)
        bind(binder, expr->loop.pattern);
    if (expr->kind == AST_IF)
        bind_condition(binder, expr->branch.condition);
    if (expr->kind == AST_WHILE)
        bind_condition(binder, expr->loop.inner);
}

// The cursor is behind its brace, and not that of something in it.
static bool is_closed(const Completion *completion, Span span)
{
    const Cursor *cursor = &completion->cursor;
    Str text = completion->query->analysis->contra->sources.items[span.source].text;
    for (int64_t i = 0; i < cursor->open.count; i++) {
        int64_t open = cursor_offset(cursor, cursor->open.items[i]);
        if (open >= span.start && open < span.end)
            return false;
    }
    return span.end > span.start && span.end <= completion->query->offset &&
           text.data[span.end - 1] == '}';
}

// The statements before the cursor; one that is being written does not see what it binds.
static void bind_block(const Binder *binder, const AstBlock *block)
{
    const Cursor *cursor = &binder->completion->cursor;
    if (is_closed(binder->completion, block->span))
        return;
    const Token *last = cursor->before ? &cursor->tokens.items[cursor->before - 1] : NULL;
    int64_t end = last ? cursor->from + token_end(last) : 0;
    bool ended = last && (last->kind == TOKEN_SEMICOLON || last->kind == TOKEN_CLOSE_BRACE);
    for (int64_t i = block->statements.count - 1; i >= 0; i--) {
        const AstStatement *statement = &block->statements.items[i];
        bool before = statement->span.end < end || (statement->span.end == end && ended);
        if (before && statement->kind == STATEMENT_LET)
            bind(binder, statement->pattern);
    }
}

static void bind_function(const Binder *binder, const AstItem *item)
{
    const Completion *completion = binder->completion;
    Decl *decl = completion->function;
    for (int64_t i = 0; i < item->function.params.count; i++)
        bind(binder, item->function.params.items[i].pattern);
    if (item->function.self != SELF_NONE && decl && decl->item == item && decl->impl)
        binder->visit(binder->own, "self", decl->impl->self);
}

// From the inside out: an inner name hides an outer one.
void each_local(Completion *completion, LocalVisit *visit, void *own)
{
    Binder binder = {completion, visit, own};
    for (int64_t i = completion->trail.count - 1; i >= 0; i--) {
        const AstNode *node = &completion->trail.items[i];
        if (node->kind == NODE_BLOCK)
            bind_block(&binder, node->block);
        if (node->kind == NODE_ARM && !is_closed(completion, node->span))
            bind(&binder, node->arm->pattern);
        if (node->kind == NODE_EXPR && !is_closed(completion, node->span))
            bind_expr(&binder, node->expr);
        if (node->kind == NODE_ITEM && node->item->kind == ITEM_FN) {
            bind_function(&binder, node->item);
            return; // a function in another one does not see its variables
        }
    }
}

static void add_local(void *own, const char *name, Type *type)
{
    Completion *completion = own;
    bool known = type && type_of(type)->kind != TYPE_ERROR;
    complete_add(completion,
                 &(Item){.label = name,
                         .kind = KIND_VARIABLE,
                         .rank = RANK_LOCAL,
                         .detail = known ? type_text(completion->arena, type) : STR("")});
}

// ---- generics

typedef enum { ALL_GENERICS, MAPPING_GENERICS, TYPE_GENERICS } GenericChoice;

static bool is_mapping_bound(const Lang *lang, const AstGeneric *generic)
{
    for (int64_t i = 0; i < generic->bounds.count; i++) {
        Str bound = lang_text(lang, generic->bounds.items[i]->span);
        if (str_equal(bound, STR("M")) || str_equal(bound, STR("AxisName")))
            return true;
    }
    return false;
}

static void add_generics(Completion *completion, const AstGenerics *generics, GenericChoice choice)
{
    for (int64_t i = 0; i < generics->count; i++) {
        const AstGeneric *generic = &generics->items[i];
        bool mapping = is_mapping_bound(completion->lang, generic);
        bool fits = choice == ALL_GENERICS || (choice == MAPPING_GENERICS && mapping) ||
                    (choice == TYPE_GENERICS && generic->kind == PARAM_TYPE);
        if (fits && generic->kind != PARAM_LIFETIME)
            complete_add(completion, &(Item){.label = generic->name.text,
                                             .kind = KIND_GENERIC,
                                             .rank = RANK_LOCAL,
                                             .detail = STR("a generic parameter")});
    }
}

static void complete_generics(Completion *completion, GenericChoice choice)
{
    for (int64_t i = completion->trail.count - 1; i >= 0; i--)
        if (completion->trail.items[i].kind == NODE_ITEM)
            add_generics(completion, &completion->trail.items[i].item->generics, choice);
}

// ---- modules

// Kinds of declarations, as sets. Macros and attributes are traits of the prelude, to be brought in
// by name.
static const uint32_t takes_axes = 1U << DECL_AXIS;
static const uint32_t takes_mappings = 1U << DECL_AXIS | 1U << DECL_ALIAS;
static const uint32_t takes_values = ~(1U << DECL_TRAIT);
static const uint32_t takes_types = ~(1U << DECL_FN | 1U << DECL_CONST | 1U << DECL_VARIANT);
static const uint32_t takes_all = ~0U;

enum { MOST_GLOBS = 8 }; // globs of globs

typedef struct {
    Completion *completion;
    uint32_t kinds;
    const Module *from;
} Gatherer;

// Of aliases beside axes only names of mappings are taken.
static bool takes(const Gatherer *gatherer, Decl *decl)
{
    if (!(gatherer->kinds & 1U << decl->kind))
        return false;
    if (gatherer->kinds != takes_mappings || decl->kind == DECL_AXIS)
        return true;
    const Type *type = decl->is_builtin ? NULL : alias_type(gatherer->completion->lang, decl);
    return type && (type->kind == TYPE_MAPPING || type->kind == TYPE_OPEN);
}

// What the library does not show is only for itself.
static bool is_shown(const Gatherer *gatherer, Module *module, Decl *decl)
{
    if (decl->is_builtin && decl->visibility && decl->visibility->kind != VISIBLE_ALL)
        return false;
    return module_sees(gatherer->from, module, decl->visibility);
}

static void gather_map(const Gatherer *gatherer, Module *module, const Map *names, int rank)
{
    for (int64_t i = 0; i < names->capacity; i++) {
        const char *name = names->slots[i].key;
        Decl *decl = names->slots[i].value;
        if (name)
            decl_read(gatherer->completion->lang, decl);
        if (name && takes(gatherer, decl) && is_shown(gatherer, module, decl))
            complete_decl(gatherer->completion, name, decl, rank);
    }
}

static void gather_import(const Gatherer *gatherer, Module *module, const char *name, int rank)
{
    for (Space space = 0; space < SPACE_COUNT; space++) {
        Decl *decl = module_lookup(gatherer->completion->lang, module, name, space);
        if (decl && takes(gatherer, decl)) {
            complete_decl(gatherer->completion, name, decl, rank + (decl->is_builtin ? 1 : 0));
            return;
        }
    }
}

static void gather(const Gatherer *gatherer, Module *module, int rank, int depth)
{
    for (Space space = 0; space < SPACE_COUNT; space++)
        gather_map(gatherer, module, &module->names[space], rank);
    for (int64_t i = 0; i < module->imports.capacity; i++)
        if (module->imports.slots[i].key)
            gather_import(gatherer, module, module->imports.slots[i].key, rank);
    for (int64_t i = 0; i < module->globs.count && depth < MOST_GLOBS; i++) {
        const Import *import = module->globs.items[i];
        if (import->resolved && import->glob && import->glob != module)
            gather(gatherer, import->glob, rank < RANK_BROUGHT ? RANK_BROUGHT : rank, depth + 1);
        if (import->resolved && import->glob_enum)
            gather_map(gatherer, module, &import->glob_enum->variants, rank);
    }
}

// What globs bring is found out when somebody asks for a name that nothing else has.
static void resolve_globs(const Completion *completion, Module *module)
{
    module_lookup(completion->lang, module, lang_name(completion->lang, ""), SPACE_TYPE);
}

static void gather_scope(Completion *completion, uint32_t kinds)
{
    Lang *lang = completion->lang;
    Gatherer gatherer = {completion, kinds, completion->scope};
    int rank = RANK_OWN;
    if (completion->scope)
        resolve_globs(completion, completion->scope);
    for (Module *module = completion->scope; module;
         module = module->is_block ? module->outer : NULL, rank++)
        gather(&gatherer, module, rank > RANK_BROUGHT - 1 ? RANK_BROUGHT - 1 : rank, 0);
    if (lang->std_prelude)
        gather(&gatherer, lang->std_prelude, RANK_STD, 0);
    for (Prim prim = 0; prim < PRIM_COUNT; prim++)
        if (lang->prims[prim] && takes(&gatherer, lang->prims[prim]))
            complete_decl(completion, prims[prim].name, lang->prims[prim], RANK_PRIM);
    const Map *names = lang->builtin ? &lang->builtin->names[SPACE_TYPE] : &(Map){0};
    for (int64_t i = 0; i < names->capacity; i++) {
        Decl *decl = names->slots[i].value;
        if (names->slots[i].key && decl->kind == DECL_MODULE && takes(&gatherer, decl))
            complete_decl(completion, names->slots[i].key, decl, RANK_PRIM);
    }
}

const char *axis_of_size(Completion *completion, int64_t size)
{
    for (const Module *module = completion->scope; module;
         module = module->is_block ? module->outer : NULL)
        for (int64_t i = 0; i < module->names[SPACE_TYPE].capacity; i++) {
            Decl *decl = module->names[SPACE_TYPE].slots[i].value;
            if (decl && decl->kind == DECL_AXIS && decl->atom && decl->atom->size == size)
                return decl->name;
        }
    return NULL;
}

bool alias_mapping(Completion *completion, const char *name, Mapping *mapping)
{
    Decl *decl = completion->scope ? module_lookup(completion->lang, completion->scope,
                                                   lang_name(completion->lang, name), SPACE_TYPE)
                                   : NULL;
    const Type *type = decl && decl->kind == DECL_ALIAS ? alias_type(completion->lang, decl) : NULL;
    if (!type || type->kind != TYPE_MAPPING || type->expr->kind == EXPR_POISON)
        return false;
    *mapping = mapping_of_expr(completion->arena, type->expr);
    return true;
}

void complete_axes(Completion *completion)
{
    gather_scope(completion, takes_axes);
}

// ---- all of it

void complete_names(Completion *completion, bool types_only)
{
    if (!types_only)
        each_local(completion, add_local, completion);
    complete_generics(completion, types_only ? TYPE_GENERICS : ALL_GENERICS);
    completion->is_value = !types_only;
    gather_scope(completion, types_only ? takes_types : takes_values);
}

// What may stand behind a term.
static void complete_operators(Completion *completion)
{
    static const struct {
        const char *sign, *detail;
    } operators[] = {
        {"/", "the number of the block of n positions"},
        {"%", "the position within blocks of n"},
        {"#", "padded to n positions"},
        {"=", "the first n positions"},
    };
    for (size_t i = 0; i < COUNT_OF(operators); i++)
        complete_add(completion, &(Item){.label = operators[i].sign,
                                         .kind = KIND_OPERATOR,
                                         .rank = 0,
                                         .detail = str_from(operators[i].detail)});
}

// A number stands behind an operator. In braces there are types that are mappings.
void complete_mapping(Completion *completion)
{
    switch ((int)cursor_kind(&completion->cursor, 1)) {
    case TOKEN_SLASH:
    case TOKEN_PERCENT:
    case TOKEN_HASH:
    case TOKEN_EQUAL:
        return;
    case TOKEN_COLON: // of i![..]: a value
        complete_names(completion, false);
        return;
    case TOKEN_NAME:
    case TOKEN_INT:
    case TOKEN_CLOSE_SQUARE:
    case TOKEN_CLOSE_BRACE:
    case TOKEN_GREATER:
        complete_operators(completion);
        return;
    }
    complete_generics(completion, MAPPING_GENERICS);
    gather_scope(completion, takes_mappings);
}

void complete_module(Completion *completion, Module *module, int rank)
{
    Gatherer gatherer = {completion, takes_all, completion->scope};
    resolve_globs(completion, module);
    gather(&gatherer, module, rank, 0);
}
