// What can be written at the cursor. Which kind of thing that is, the tokens before it say; which
// things there are, the tables of the front end.
#include "lsp/complete/complete.h"
#include "lsp/answer/answers.h"

#include "base/checked.h"
#include "lang/eval/kernel.h"

#include <ctype.h>
#include <string.h>

// ---- the list

static void set_text(json_t *object, const char *key, Str text)
{
    if (text.len)
        json_object_set_new(object, key, json_of_str(text));
}

void complete_add(Completion *completion, const Item *item)
{
    const char *name = lang_name(completion->lang, item->label);
    if (map_get(&completion->seen, name))
        return;
    map_put(&completion->seen, name, completion);
    json_t *object = json_pack("{s:s, s:i}", "label", item->label, "kind", (int)item->kind);
    set_text(object, "sortText", str_format(completion->arena, "{}{}", item->rank, item->label));
    set_text(object, "detail", item->detail);
    if (item->docs.len)
        json_object_set_new(
            object, "documentation",
            json_of_markup(completion->query, MARKUP_COMPLETION, str_trim(item->docs)));
    bool has_places = str_find(item->snippet, STR("$")) >= 0;
    if (!completion->is_plain && item->snippet.len)
        json_object_set_new(object, "insertTextFormat", json_integer(2));
    if (!completion->is_plain || !has_places)
        set_text(object, "insertText", item->snippet);
    json_array_append_new(completion->items, object);
}

static const ItemKind kinds[] = {
    [DECL_MODULE] = KIND_MODULE, [DECL_AXIS] = KIND_UNIT,      [DECL_ALIAS] = KIND_CLASS,
    [DECL_FN] = KIND_FUNCTION,   [DECL_CONST] = KIND_CONSTANT, [DECL_STRUCT] = KIND_STRUCT,
    [DECL_ENUM] = KIND_ENUM,     [DECL_VARIANT] = KIND_MEMBER, [DECL_TRAIT] = KIND_INTERFACE,
    [DECL_PRIM] = KIND_STRUCT,
};

// What an axis is where a value stands: its size.
static void complete_size(Completion *completion, const char *name, Decl *axis, int rank)
{
    Str label = str_format(completion->arena, "{}::SIZE", name);
    complete_add(completion, &(Item){.label = str_terminated(completion->arena, label),
                                     .kind = KIND_CONSTANT,
                                     .rank = rank,
                                     .detail = decl_text(completion->arena, completion->lang, axis),
                                     .docs = decl_docs(axis)});
}

void complete_decl(Completion *completion, const char *name, Decl *decl, int rank)
{
    if (decl->kind == DECL_AXIS && completion->is_value) {
        complete_size(completion, name, decl, rank);
        return;
    }
    Item item = {.label = name,
                 .kind = kinds[decl->kind],
                 .rank = rank,
                 .detail = decl_text(completion->arena, completion->lang, decl),
                 .docs = decl_docs(decl)};
    if (decl->kind == DECL_FN || decl->kind == DECL_VARIANT)
        item.snippet = call_snippet(completion, decl, NULL);
    complete_add(completion, &item);
}

// ---- paths

// The names before the last `::`, as far as they go back; the first is the first of the path.
static AstPath path_before(Completion *completion, int64_t at)
{
    const Cursor *cursor = &completion->cursor;
    int64_t first = at;
    while (first >= 2 && cursor_token(cursor, first - 1) == TOKEN_COLON_COLON)
        first -= 2;
    AstPath path = {.span = SPAN_NOWHERE};
    for (int64_t i = first; i <= at; i += 2) {
        const char *name =
            lang_name(completion->lang, str_terminated(completion->arena, cursor_text(cursor, i)));
        *array_push(completion->arena, &path.segments, AstSegment) =
            (AstSegment){.name = {name, SPAN_NOWHERE}};
    }
    return path;
}

static bool is_path_word(TokenKind kind)
{
    return kind == TOKEN_NAME || kind == TOKEN_SELF_TYPE || kind == TOKEN_SELF_VALUE ||
           kind == TOKEN_CRATE || kind == TOKEN_SUPER;
}

// `a::{b, ` goes on with what is in a: the number of the last name before it, -1: it does not.
static int64_t group_path(const Cursor *cursor)
{
    TokenKind before = cursor_kind(cursor, 1);
    int64_t open = cursor_open(cursor, 0);
    bool grouped = open >= 2 && cursor_token(cursor, open) == TOKEN_OPEN_BRACE &&
                   cursor_token(cursor, open - 1) == TOKEN_COLON_COLON;
    return grouped && (before == TOKEN_COMMA || before == TOKEN_OPEN_BRACE) ? open - 2 : -1;
}

static Decl *self_decl(const Completion *completion)
{
    const Impl *impl = completion->function ? completion->function->impl : NULL;
    return impl && impl->self && impl->self->kind == TYPE_NAMED ? impl->self->decl : NULL;
}

static Decl *decl_of_path(Completion *completion, const AstPath *path)
{
    if (!completion->scope || !path->segments.count)
        return NULL;
    if (path->segments.count == 1 && strcmp(path->segments.items[0].name.text, "Self") == 0)
        return self_decl(completion);
    Decl *decl = module_find(completion->lang, completion->scope, path, SPACE_TYPE);
    return decl ? decl : module_find(completion->lang, completion->scope, path, SPACE_VALUE);
}

static void complete_in(Completion *completion, Decl *decl)
{
    if (!decl)
        return;
    if (decl->is_builtin && strcmp(decl->name, "Ident") == 0)
        complete_axes(completion);
    if (decl->kind == DECL_MODULE && decl->module)
        complete_module(completion, decl->module, 2);
    if (decl->kind == DECL_ENUM)
        complete_variants(completion, decl);
    complete_associated(completion, decl);
}

// Behind `<m![K]>::` or `<Vec<i32>>::`. `at`: its first token.
static void complete_qualified(Completion *completion, int64_t at)
{
    const Cursor *cursor = &completion->cursor;
    const Token *tokens = cursor->tokens.items;
    if (tokens[at].kind == TOKEN_NAME && tokens[at + 1].kind == TOKEN_NOT &&
        str_equal(cursor_text(cursor, at), STR("m"))) {
        complete_of_mapping(completion);
        return;
    }
    while (is_path_word(tokens[at].kind) && tokens[at + 1].kind == TOKEN_COLON_COLON &&
           is_path_word(tokens[at + 2].kind))
        at += 2;
    if (!is_path_word(tokens[at].kind))
        return;
    AstPath path = path_before(completion, at);
    complete_in(completion, decl_of_path(completion, &path));
}

// Behind `::`. False: it is not there.
static bool complete_path(Completion *completion)
{
    const Cursor *cursor = &completion->cursor;
    int64_t at = cursor->before - 2;
    int64_t inside =
        cursor_kind(cursor, 1) == TOKEN_COLON_COLON ? cursor_qualified(cursor, at) : -1;
    if (inside >= 0) {
        complete_qualified(completion, inside);
        return true;
    }
    if (cursor_kind(cursor, 1) != TOKEN_COLON_COLON)
        at = group_path(cursor);
    if (at >= 0)
        at = cursor_named(cursor, at);
    if (at < 0)
        return cursor_kind(cursor, 1) == TOKEN_COLON_COLON;
    if (!is_path_word(cursor_token(cursor, at)))
        return true;
    AstPath path = path_before(completion, at);
    complete_in(completion, decl_of_path(completion, &path));
    return true;
}

// ---- fields of a struct that is being written

// What a brace behind these opens is no value.
static bool declares(TokenKind kind)
{
    switch ((int)kind) {
    case TOKEN_STRUCT:
    case TOKEN_ENUM:
    case TOKEN_TRAIT:
    case TOKEN_IMPL:
    case TOKEN_FOR:
    case TOKEN_MOD:
    case TOKEN_ARROW:
    case TOKEN_COLON:
        return true;
    }
    return false;
}

// The struct or variant of `S { a: 1, `; NULL: the cursor is not in one.
static Decl *literal_around(Completion *completion)
{
    const Cursor *cursor = &completion->cursor;
    int64_t open = cursor->open.count ? cursor->open.items[cursor->open.count - 1] : 0;
    bool fits = open > 0 && cursor_token(cursor, open) == TOKEN_OPEN_BRACE &&
                is_path_word(cursor_token(cursor, open - 1));
    if (!fits)
        return NULL;
    AstPath path = path_before(completion, open - 1);
    int64_t first = open + 1 - 2 * path.segments.count;
    if (first > 0 && declares(cursor_token(cursor, first - 1)))
        return NULL;
    return decl_of_path(completion, &path);
}

static const AstFields *named_fields(Decl *decl)
{
    const AstFields *fields = decl ? decl_fields(decl) : NULL;
    AstFieldsKind kind = !fields         ? FIELDS_NONE
                         : decl->variant ? decl->variant->kind
                                         : decl->item->structure.kind;
    return kind == FIELDS_NAMED ? fields : NULL;
}

// False: there are none to be written here.
static bool complete_fields(Completion *completion)
{
    TokenKind before = cursor_kind(&completion->cursor, 1);
    bool names = before == TOKEN_COMMA || before == TOKEN_OPEN_BRACE;
    Decl *decl = names ? literal_around(completion) : NULL;
    const AstFields *fields = named_fields(decl);
    if (!decl || !fields)
        return false;
    for (int64_t i = 0; i < fields->count; i++) {
        const AstField *field = &fields->items[i];
        if (decl->kind == DECL_VARIANT ||
            module_sees(completion->scope, decl->scope, &field->visibility))
            complete_add(completion,
                         &(Item){.label = field->name.text,
                                 .kind = KIND_FIELD,
                                 .detail = one_line(completion->arena,
                                                    lang_text(completion->lang, field->type->span)),
                                 .snippet = str_format(completion->arena, "{}: ${{1:{}}",
                                                       field->name.text, field->name.text)});
    }
    return true;
}

// `S { a: `
static bool is_field_value(Completion *completion)
{
    return cursor_kind(&completion->cursor, 1) == TOKEN_COLON &&
           named_fields(literal_around(completion)) != NULL;
}

// ---- places

static void add_words(Completion *completion, const char *const *words, int rank)
{
    for (; *words; words++)
        complete_add(completion, &(Item){.label = *words, .kind = KIND_KEYWORD, .rank = rank});
}

static bool is_in_use(const Cursor *cursor)
{
    for (int64_t i = cursor->before - 1; i >= 0; i--) {
        TokenKind kind = cursor_token(cursor, i);
        if (kind == TOKEN_USE)
            return true;
        if (kind == TOKEN_SEMICOLON || token_closes(kind))
            return false;
    }
    return false;
}

// `type X = `, `type X<T> = `
static bool is_alias_value(const Cursor *cursor)
{
    if (cursor_kind(cursor, 1) != TOKEN_EQUAL)
        return false;
    int64_t name = cursor->before >= 2 ? cursor_named(cursor, cursor->before - 2) : -1;
    return name >= 1 && cursor_token(cursor, name - 1) == TOKEN_TYPE;
}

static bool is_type_place(const Cursor *cursor)
{
    int64_t commas;
    TokenKind before = cursor_kind(cursor, 1);
    bool refers = before == TOKEN_AND || before == TOKEN_MUT;
    TokenKind earlier = cursor_kind(cursor, refers ? 2 : 1);
    if (refers && earlier == TOKEN_AND)
        earlier = cursor_kind(cursor, 3);
    return is_alias_value(cursor) || earlier == TOKEN_COLON || earlier == TOKEN_ARROW ||
           earlier == TOKEN_AS || cursor_angle(cursor, cursor->before, &commas) >= 0;
}

// Names of axes, parameters, fields and variables that are being declared: nobody knows them yet.
static bool is_declared(const Cursor *cursor)
{
    switch ((int)cursor_kind(cursor, 1)) {
    case TOKEN_LET:
    case TOKEN_FN:
    case TOKEN_STRUCT:
    case TOKEN_ENUM:
    case TOKEN_MOD:
    case TOKEN_TYPE:
    case TOKEN_TRAIT:
    case TOKEN_CONST:
    case TOKEN_STATIC:
        return true;
    case TOKEN_MUT:
        return cursor_kind(cursor, 2) == TOKEN_LET;
    }
    return false;
}

// In a module, impl block or trait, and in none of its functions.
static bool is_among_items(const Completion *completion)
{
    const Cursor *cursor = &completion->cursor;
    int64_t open = cursor_open(cursor, 0);
    for (int64_t i = open - 1; i >= 0; i--) {
        TokenKind kind = cursor_token(cursor, i);
        if (kind == TOKEN_IMPL || kind == TOKEN_MOD || kind == TOKEN_TRAIT)
            return true;
        if (kind == TOKEN_FN || kind == TOKEN_SEMICOLON || kind == TOKEN_OPEN_BRACE ||
            kind == TOKEN_CLOSE_BRACE || kind == TOKEN_EQUAL)
            return false;
    }
    return open < 0;
}

static bool is_item_place(const Completion *completion)
{
    TokenKind before = cursor_kind(&completion->cursor, 1);
    bool starts = before == TOKEN_END || before == TOKEN_SEMICOLON || before == TOKEN_OPEN_BRACE ||
                  before == TOKEN_CLOSE_BRACE || before == TOKEN_PUB ||
                  before == TOKEN_CLOSE_SQUARE;
    return starts && is_among_items(completion);
}

static void complete_items(Completion *completion)
{
    static const char *const words[] = {"async",  "const",  "enum",  "fn",   "impl",   "mod", "pub",
                                        "static", "struct", "trait", "type", "unsafe", "use", NULL};
    static const Item whole[] = {
        {"axes!", KIND_KEYWORD, 0, {0}, {0}, {0}},
        {"#[device]", KIND_KEYWORD, 0, {0}, {0}, {0}},
    };
    Item axes = whole[0], device = whole[1];
    axes.docs = STR("Declares axes with their sizes.");
    axes.snippet = STR("axes![${1:A} = ${2:8}];");
    device.docs = STR("A kernel.");
    device.snippet =
        STR("#[device(chip = 1)]\nfn ${1:kernel}(ctx: &mut Context, ${2:x}: &HbmTensor<"
            "${3:bf16}, ${4:m![1]}, ${5:m![A]}>) -> HbmTensor<$3, $4, $5> {\n\t$0\n}");
    complete_add(completion, &axes);
    if (!completion->is_plain)
        complete_add(completion, &device);
    add_words(completion, words, 2);
}

// The stream that the stage around the cursor is called on; NULL: none.
static const AstExpr *stream_around(const Completion *completion)
{
    for (int64_t i = completion->trail.count - 1; i >= 0; i--) {
        const AstExpr *expr = trail_expr(&completion->trail, i);
        if (expr && expr->kind == AST_METHOD &&
            stage_of_method(expr->method.name.name.text) != STAGE_COUNT)
            return expr->method.receiver;
    }
    return NULL;
}

// Macros of host programs, in which there is text and there are lists.
static void complete_macros(Completion *completion)
{
    static const struct {
        const char *label, *snippet;
    } macros[] = {
        {"assert!", "assert!($1)"},
        {"assert_eq!", "assert_eq!($1, $2)"},
        {"assert_ne!", "assert_ne!($1, $2)"},
        {"eprintln!", "eprintln!(\"$1\")"},
        {"format!", "format!(\"$1\")"},
        {"panic!", "panic!(\"$1\")"},
        {"print!", "print!(\"$1\")"},
        {"println!", "println!(\"$1\")"},
        {"vec!", "vec![$1]"},
    };
    for (size_t i = 0; i < COUNT_OF(macros); i++)
        complete_add(completion, &(Item){.label = macros[i].label,
                                         .kind = KIND_KEYWORD,
                                         .rank = 6,
                                         .snippet = str_from(macros[i].snippet)});
}

static void complete_expression(Completion *completion)
{
    static const char *const words[] = {"break", "continue", "else",  "false", "for", "if",
                                        "let",   "loop",     "match", "move",  "mut", "return",
                                        "true",  "unsafe",   "while", NULL};
    complete_expected(completion);
    complete_names(completion, false);
    complete_add(completion,
                 &(Item){.label = "m!", .kind = KIND_KEYWORD, .rank = 6, .snippet = STR("m![$1]")});
    if (completion->function && !is_kernel(completion->function))
        complete_macros(completion);
    add_words(completion, words, 7);
}

static void complete_here(Completion *completion)
{
    static const char *const crates[] = {"crate", "self", "super", NULL};
    const Cursor *cursor = &completion->cursor;
    Str macro = cursor_macro(cursor);
    if (cursor->is_text || complete_attribute(completion))
        return;
    if (cursor_kind(cursor, 1) == TOKEN_DOT)
        complete_members(completion);
    else if (complete_path(completion) || complete_pattern(completion) || is_declared(cursor) ||
             complete_parameter(completion) || complete_prefixed(completion))
        return;
    else if (str_equal(macro, STR("m")) || str_equal(macro, STR("i")))
        complete_mapping(completion);
    else if (str_equal(macro, STR("axes")))
        return;
    else if (is_in_use(cursor)) {
        complete_names(completion, true);
        add_words(completion, crates, 7);
    } else if (is_item_place(completion))
        complete_items(completion);
    else if (complete_fields(completion))
        return;
    else if (is_type_place(cursor) && !is_field_value(completion)) {
        if (cursor_kind(cursor, 1) == TOKEN_AND)
            complete_add(completion, &(Item){.label = "mut", .kind = KIND_KEYWORD, .rank = 0});
        complete_scalars(completion);
        complete_names(completion, true);
        complete_add(completion, &(Item){.label = "m!",
                                         .kind = KIND_KEYWORD,
                                         .rank = 0,
                                         .detail = STR("a mapping"),
                                         .snippet = STR("m![$1]")});
    } else
        complete_expression(completion);
}

// A call that has its brackets gets no others.
static bool has_arguments(const Query *query)
{
    Str text = query->analysis->contra->sources.items[query->source].text;
    int64_t at = query->offset;
    while (at < text.len && (isalnum((unsigned char)text.data[at]) || text.data[at] == '_'))
        at++;
    return at < text.len && (text.data[at] == '(' || text.data[at] == ':' || text.data[at] == '!');
}

// Of two places the one that is deeper in the tree: behind what is written last, a name is a part
// of that as often as not.
static Trail deeper(const Query *query, Trail trail, const Cursor *cursor)
{
    if (!cursor->before)
        return trail;
    int64_t end = cursor->from + token_end(&cursor->tokens.items[cursor->before - 1]);
    Trail behind = trail_at(query->arena, query->analysis, query->source, end);
    return behind.count > trail.count ? behind : trail;
}

Completion completion_at(Query *query)
{
    Completion completion = {.query = query,
                             .arena = query->arena,
                             .lang = query->analysis->lang,
                             .has_arguments = has_arguments(query),
                             .is_plain = !query->server->client.snippets,
                             .seen = {.arena = query->arena},
                             .items = json_array()};
    Trail trail = query_trail(query);
    completion.cursor = cursor_at(query, &trail);
    completion.trail = deeper(query, trail, &completion.cursor);
    completion.function = trail_function(&completion.trail);
    completion.body = trail_body(&completion.trail);
    completion.taken = taken_alus(&completion, stream_around(&completion));
    completion.scope = trail_scope(&completion.trail);
    return completion;
}

json_t *answer_completion(Query *query)
{
    Completion completion = completion_at(query);
    if (query->analysis->module) // program texts are no Rust
        complete_here(&completion);
    return json_pack("{s:b, s:o}", "isIncomplete", 0, "items", completion.items);
}
