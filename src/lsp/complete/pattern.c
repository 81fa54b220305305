// Places where no expression stands: patterns, parameters and attributes.
#include "lsp/complete/complete.h"

#include "base/checked.h"

#include <string.h>

// ---- attributes

typedef struct {
    const char *name, *docs, *snippet;
} Word;

static const Word attributes[] = {
    {"device", "A kernel, for so many chips.", "device(chip = ${1:1})"},
    {"tokio::main", "A host program that waits for futures.", ""},
    {"tokio::test", "A test that waits for futures.", ""},
    {"test", "A test.", ""},
    {"should_panic", "A test that is to fail.", ""},
    {"ignore", "A test that is left out.", ""},
    {"derive", "Traits of a type that follow from its parts.", "derive(${1:Clone, Copy})"},
    {"cfg", "Only in some builds.", "cfg(${1:test})"},
    {"path", "The file of a module.", "path = \"${1:file.rs}\""},
    {"feature", "Switches on a part of Rust that is still being tried out.", ""},
    {"allow", "Lints that are left out.", "allow(${1:dead_code})"},
    {NULL, NULL, NULL},
};
static const Word device_words[] = {{"chip", "How many chips run it.", "chip = ${1:1}"},
                                    {NULL, NULL, NULL}};
static const Word cfg_words[] = {{"test", "Tests only.", ""}, {NULL, NULL, NULL}};
static const Word derived[] = {
    {"Clone", "Copies with `.clone()`.", ""},
    {"Copy", "Copied where it is used, not moved.", ""},
    {"Debug", "Written with `{:?}`.", ""},
    {"Default", "Has a value with `default()`.", ""},
    {"Eq", "Equal to itself, always.", ""},
    {"Hash", "A key of maps.", ""},
    {"Ord", "One of two is always the greater, or they are equal.", ""},
    {"PartialEq", "Compared with `==`.", ""},
    {"PartialOrd", "Compared with `<`.", ""},
    {NULL, NULL, NULL},
};
static const struct {
    const char *attribute;
    const Word *words;
} arguments[] = {{"device", device_words}, {"derive", derived}, {"cfg", cfg_words}};

static void add_word_list(Completion *completion, const Word *words)
{
    for (; words->name; words++)
        complete_add(completion, &(Item){.label = words->name,
                                         .kind = KIND_KEYWORD,
                                         .docs = str_from(words->docs),
                                         .snippet = str_from(words->snippet)});
}

// Behind `tokio::`: the rest of those words.
static void add_path_words(Completion *completion, Str first)
{
    Str start = str_format(completion->arena, "{}::", first);
    for (const Word *word = attributes; word->name; word++)
        if (str_starts_with(str_from(word->name), start))
            complete_add(completion, &(Item){.label = word->name + start.len,
                                             .kind = KIND_KEYWORD,
                                             .docs = str_from(word->docs)});
}

// `#[` or `#![`
static bool opens_attribute(const Cursor *cursor, int64_t open)
{
    if (cursor_token(cursor, open) != TOKEN_OPEN_SQUARE)
        return false;
    bool inner = cursor_token(cursor, open - 1) == TOKEN_NOT;
    return cursor_token(cursor, open - (inner ? 2 : 1)) == TOKEN_HASH;
}

static void complete_attribute_words(Completion *completion, Str name)
{
    TokenKind before = cursor_kind(&completion->cursor, 1);
    for (size_t i = 0; i < COUNT_OF(arguments); i++)
        if (str_equal(name, str_from(arguments[i].attribute)) && before != TOKEN_EQUAL)
            add_word_list(completion, arguments[i].words);
}

static Str docs_of(const Word *words, Str name)
{
    for (; words->name; words++)
        if (str_equal(str_from(words->name), name))
            return str_from(words->docs);
    return STR("");
}

// `tokio::test` is one name.
static Str attribute_name(const Cursor *cursor)
{
    int64_t at = cursor->before - 2;
    bool path = cursor_kind(cursor, 1) == TOKEN_COLON_COLON && at >= 0;
    if (!path)
        return cursor->word;
    int64_t start = cursor->tokens.items[at].start;
    return str_slice(cursor->text, start, cursor->text.len);
}

Str attribute_docs(const Cursor *cursor)
{
    int64_t open = cursor_open(cursor, 0);
    if (opens_attribute(cursor, open)) {
        Str name = attribute_name(cursor);
        return str_equal(name, STR("tokio")) ? STR("Runs what is `async`.")
                                             : docs_of(attributes, name);
    }
    if (open < 1 || !opens_attribute(cursor, cursor_open(cursor, 1)))
        return STR("");
    Str name = cursor_text(cursor, open - 1);
    for (size_t i = 0; i < COUNT_OF(arguments); i++)
        if (str_equal(name, str_from(arguments[i].attribute)))
            return docs_of(arguments[i].words, cursor->word);
    return STR("");
}

bool complete_attribute(Completion *completion)
{
    const Cursor *cursor = &completion->cursor;
    int64_t open = cursor_open(cursor, 0);
    if (opens_attribute(cursor, open)) {
        if (open == cursor->before - 1)
            add_word_list(completion, attributes);
        else if (open == cursor->before - 3 && cursor_kind(cursor, 1) == TOKEN_COLON_COLON)
            add_path_words(completion, cursor_text(cursor, open + 1));
        return true;
    }
    if (!opens_attribute(cursor, cursor_open(cursor, 1)) || open < 1)
        return false;
    complete_attribute_words(completion, cursor_text(cursor, open - 1));
    return true;
}

// ---- functions that are being declared

static const Word function_word[] = {{"fn", "A function.", ""}, {NULL, NULL, NULL}};
static const Word block_word[] = {{"move", "A block that owns what it uses.", ""},
                                  {NULL, NULL, NULL}};
static const Word selves[] = {{"&self", "The value, to be read.", ""},
                              {"&mut self", "The value, to be changed.", ""},
                              {"self", "The value itself.", ""},
                              {NULL, NULL, NULL}};

// `fn f(`, `fn f<T>(a: T, `: the name of a parameter, which nobody knows but for `self`.
bool complete_parameter(Completion *completion)
{
    const Cursor *cursor = &completion->cursor;
    TokenKind before = cursor_kind(cursor, 1);
    int64_t commas, open = cursor_open(cursor, 0);
    int64_t name = open > 0 && cursor_token(cursor, open) == TOKEN_OPEN_PAREN
                       ? cursor_named(cursor, open - 1)
                       : -1;
    if (cursor_token(cursor, name - 1) != TOKEN_FN ||
        (before != TOKEN_OPEN_PAREN && before != TOKEN_COMMA) ||
        cursor_angle(cursor, cursor->before, &commas) >= 0)
        return false;
    if (before == TOKEN_OPEN_PAREN &&
        trail_around(&completion->trail, 1U << ITEM_IMPL | 1U << ITEM_TRAIT) >= 0)
        add_word_list(completion, selves);
    return true;
}

// `async ` and `unsafe ` begin a function, or in one a block.
bool complete_prefixed(Completion *completion)
{
    TokenKind before = cursor_kind(&completion->cursor, 1);
    if (before != TOKEN_ASYNC && before != TOKEN_UNSAFE)
        return false;
    add_word_list(completion, function_word);
    if (before == TOKEN_ASYNC && completion->function && completion->cursor.open.count)
        add_word_list(completion, block_word);
    return true;
}

// ---- patterns

// How an enum is called here: by its name alone if that is in scope, else by all of its path.
static Str enum_path(const Completion *completion, Decl *decl)
{
    Lang *lang = completion->lang;
    if (completion->scope && module_lookup(lang, completion->scope, decl->name, SPACE_TYPE) == decl)
        return str_from(decl->name);
    Str path = str_from(decl->name);
    const Module *module = decl->scope;
    for (; module && module->outer; module = module->outer)
        if (!module->is_block)
            path = str_format(completion->arena, "{}::{}", module->name, path);
    bool own = module && completion->scope && module == completion->scope->crate;
    return own ? str_format(completion->arena, "crate::{}", path) : path;
}

// What a variant binds: `(${1:_})`, ` { ${1:height} }`.
static Str bindings(Completion *completion, const AstVariant *variant)
{
    StrBuf out = {.arena = completion->arena};
    bool named = variant->kind == FIELDS_NAMED;
    if (!variant->fields.count)
        return STR("");
    buf_add(&out, named ? STR(" { ") : STR("("));
    for (int64_t i = 0; i < variant->fields.count; i++)
        buf_format(&out, "{}${{{}:{}}", i ? ", " : "", (int)i + 1,
                   named ? variant->fields.items[i].name.text : "_");
    buf_add(&out, named ? STR(" }") : STR(")"));
    return buf_str(&out);
}

static const char *last_name(const AstPattern *pattern)
{
    if (pattern->kind == PATTERN_BIND)
        return pattern->name.text;
    bool path = pattern->kind == PATTERN_PATH && pattern->path.segments.count;
    return path ? pattern->path.segments.items[pattern->path.segments.count - 1].name.text : "";
}

// A variant that an arm before the cursor takes in any case.
static bool is_done(const Completion *completion, const AstExpr *match, const char *variant)
{
    for (int64_t i = 0; match->kind == AST_MATCH && i < match->match.arms.count; i++) {
        const AstArm *arm = &match->match.arms.items[i];
        bool before = arm->span.end <= completion->cursor.start && !arm->guard && arm->pattern;
        bool either = before && arm->pattern->kind == PATTERN_OR;
        if (before && strcmp(last_name(arm->pattern), variant) == 0)
            return true;
        for (int64_t k = 0; either && k < arm->pattern->items.count; k++)
            if (strcmp(last_name(arm->pattern->items.items[k]), variant) == 0)
                return true;
    }
    return false;
}

static void add_variants(Completion *completion, const AstExpr *around, Decl *decl)
{
    bool plain = decl->scope == completion->lang->std_prelude;
    plain |=
        completion->scope && decl->item->variants.count &&
        module_lookup(completion->lang, completion->scope, decl->item->variants.items[0].name.text,
                      SPACE_VALUE) == enum_variant(decl, decl->item->variants.items[0].name.text);
    Str path = enum_path(completion, decl);
    for (int64_t i = 0; i < decl->item->variants.count; i++) {
        const AstVariant *variant = &decl->item->variants.items[i];
        const char *name = variant->name.text;
        if (is_done(completion, around, name))
            continue;
        Str label = plain ? str_from(name) : str_format(completion->arena, "{}::{}", path, name);
        Str bound = bindings(completion, variant);
        Item item = {.label = str_terminated(completion->arena, label), .kind = KIND_MEMBER};
        if (bound.len)
            item.snippet = str_format(completion->arena, "{}{}", label, bound);
        complete_add(completion, &item);
    }
}

static void add_patterns(Completion *completion, const AstExpr *around, const AstExpr *matched)
{
    static const char *const words[] = {"true", "false", NULL};
    Type *type = type_in_body(completion, matched);
    type = type ? type_strip(type) : NULL;
    bool named = type && type->kind == TYPE_NAMED;
    if (named && type->decl->kind == DECL_ENUM && type->decl->item)
        add_variants(completion, around, type->decl);
    for (int i = 0; named && type->decl == completion->lang->prims[PRIM_bool] && words[i]; i++)
        complete_add(completion, &(Item){.label = words[i], .kind = KIND_KEYWORD});
    if (around->kind == AST_MATCH)
        complete_add(completion, &(Item){.label = "_", .kind = KIND_KEYWORD, .rank = 1});
    complete_names(completion, true);
}

// The match whose arms the innermost brace opens; NULL: it is no such brace.
static const AstExpr *match_around(const Completion *completion)
{
    const Cursor *cursor = &completion->cursor;
    int64_t open = cursor_open(cursor, 0);
    if (cursor_token(cursor, open) != TOKEN_OPEN_BRACE)
        return NULL;
    int64_t before = cursor->from + token_end(&cursor->tokens.items[open - 1]);
    for (int64_t i = completion->trail.count - 1; i >= 0; i--) {
        const AstExpr *expr = trail_expr(&completion->trail, i);
        if (expr && expr->kind == AST_MATCH && expr->match.inner &&
            expr->match.inner->span.end == before)
            return expr;
    }
    return NULL;
}

// Behind the last `,`, `{`, `}` or `|` of the match, and not behind `=>`.
static bool begins_pattern(const Cursor *cursor)
{
    TokenKind before = cursor_kind(cursor, 1);
    if (before == TOKEN_COMMA || before == TOKEN_OPEN_BRACE)
        return true;
    int64_t at = cursor->before - 1, open = cursor_open(cursor, 0);
    if (before == TOKEN_CLOSE_BRACE || before == TOKEN_OR)
        for (; at > open; at--) {
            TokenKind kind = cursor_token(cursor, at);
            if (kind == TOKEN_FAT_ARROW)
                return before == TOKEN_CLOSE_BRACE;
            if (kind == TOKEN_COMMA)
                return before == TOKEN_OR;
        }
    return before == TOKEN_OR && at == open;
}

// `if let`, `while let`: the condition around the cursor.
static const AstExpr *condition_around(const Completion *completion)
{
    const Cursor *cursor = &completion->cursor;
    TokenKind earlier = cursor_kind(cursor, 2);
    bool condition = cursor_kind(cursor, 1) == TOKEN_LET &&
                     (earlier == TOKEN_IF || earlier == TOKEN_WHILE || earlier == TOKEN_AND_AND);
    for (int64_t i = completion->trail.count - 1; condition && i >= 0; i--) {
        const AstExpr *expr = trail_expr(&completion->trail, i);
        if (expr && expr->kind == AST_LET && expr->loop.inner)
            return expr;
    }
    return NULL;
}

bool complete_pattern(Completion *completion)
{
    const AstExpr *condition = condition_around(completion);
    if (condition) {
        add_patterns(completion, condition, condition->loop.inner);
        return true;
    }
    const AstExpr *match = match_around(completion);
    if (!match || !begins_pattern(&completion->cursor))
        return false;
    add_patterns(completion, match, match->match.inner);
    return true;
}
