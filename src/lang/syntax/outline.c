// The outline of the library: its items are known by kind, name and place before anything in them
// is read. A program names few of the library's 2,000 items, and reading them all takes longer than
// checking a small program. So one pass over the bytes finds where each item ends, and an item is
// parsed when somebody asks for it.
//
// The texts are our own, which keeps this simple: no raw strings, no block comments, no visibility
// but `pub`, and each attribute on a line of its own. A test compares the outline with what the
// parser finds (outline_test.c).
#include "lang/syntax/outline.h"

#include "lang/syntax/lex.h"
#include "lang/syntax/parse.h"

#include <string.h>

typedef struct {
    Arena *arena;
    Interner *names;
    SourceList *sources;
    int32_t source;
    int32_t *next_id;
    DiagList *diags;
    Str text;
    int64_t at, end;
} Outline;

// An item as far as its outside shows.
typedef struct {
    AstItemKind kind;
    bool is_public;
    int64_t name, name_end;
    AstFieldsKind fields; // of a structure
    AstItems items;       // of a module
    TextPart part;        // from the comments before it on, hollow in a module or impl block
} Found;

static AstItems outline_items(Outline *outline, bool in_impl);

// ---- bytes

static bool is_mark(char c)
{
    static const bool marks[256] = {
        ['('] = true, [')'] = true, ['['] = true, [']'] = true,  ['{'] = true, ['}'] = true,
        [';'] = true, ['"'] = true, ['/'] = true, ['\''] = true, ['#'] = true};
    return marks[(unsigned char)c];
}

static int64_t next_mark(const Outline *outline, int64_t at)
{
    while (at < outline->end && !is_mark(outline->text.data[at]))
        at++;
    return at;
}

static int64_t line_end(const Outline *outline, int64_t at)
{
    const char *end = memchr(outline->text.data + at, '\n', (size_t)(outline->end - at));
    return end ? end - outline->text.data : outline->end;
}

static int64_t string_end(const Outline *outline, int64_t at)
{
    for (at++; at < outline->end && outline->text.data[at] != '"'; at++)
        at += outline->text.data[at] == '\\';
    return at + 1;
}

// 'x', '\n', 'é'; of a lifetime only the quote.
static int64_t quote_end(const Outline *outline, int64_t at)
{
    const char *c = outline->text.data + at;
    if (at + 2 < outline->end && c[1] != '\\' && (unsigned char)c[1] < 0x80)
        return c[2] == '\'' ? at + 3 : at + 1;
    for (at += 3; at < outline->end && outline->text.data[at] != '\'';)
        at++;
    return at + 1;
}

// The end of what starts at a mark: a bracketed group, a string, a comment or an attribute; for
// anything else, one byte.
static int64_t skip_mark(const Outline *outline, int64_t at)
{
    char c = outline->text.data[at];
    if (c == '"')
        return string_end(outline, at);
    if (c == '\'')
        return quote_end(outline, at);
    if (c == '#' || (c == '/' && at + 1 < outline->end && outline->text.data[at + 1] == '/'))
        return line_end(outline, at);
    if (c != '(' && c != '[' && c != '{')
        return at + 1;
    for (at = next_mark(outline, at + 1);
         at < outline->end && !strchr(")]}", outline->text.data[at]);)
        at = next_mark(outline, skip_mark(outline, at));
    return at + 1;
}

// ---- where an item starts and ends

static bool is_blank(char c)
{
    return c == ' ' || c == '\n';
}

// After blanks, comments and attributes.
static int64_t skip_before(const Outline *outline, int64_t at)
{
    while (at < outline->end) {
        char c = outline->text.data[at];
        if (is_blank(c))
            at++;
        else if (c == '#' || c == '/')
            at = line_end(outline, at);
        else
            break;
    }
    return at;
}

static bool is_word(char c)
{
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

static AstItemKind kind_of(TokenKind word)
{
    static const uint8_t kinds[TOKEN_KIND_COUNT] = {
        [TOKEN_USE] = ITEM_USE,      [TOKEN_MOD] = ITEM_MOD,     [TOKEN_FN] = ITEM_FN,
        [TOKEN_TYPE] = ITEM_TYPE,    [TOKEN_CONST] = ITEM_CONST, [TOKEN_STRUCT] = ITEM_STRUCT,
        [TOKEN_ENUM] = ITEM_ENUM,    [TOKEN_TRAIT] = ITEM_TRAIT, [TOKEN_IMPL] = ITEM_IMPL,
        [TOKEN_STATIC] = ITEM_CONST,
    };
    return kinds[word];
}

// Words up to the name: the last that means a kind counts, as in `pub const fn f`.
static void read_head(Outline *outline, Found *found)
{
    bool nameless = false;
    while (!nameless) {
        while (outline->at < outline->end && is_blank(outline->text.data[outline->at]))
            outline->at++;
        int64_t start = outline->at;
        while (outline->at < outline->end && is_word(outline->text.data[outline->at]))
            outline->at++;
        TokenKind word = lex_keyword(str_slice(outline->text, start, outline->at));
        AstItemKind kind = kind_of(word);
        found->is_public |= word == TOKEN_PUB;
        if (kind != ITEM_ERROR)
            found->kind = kind;
        nameless = kind == ITEM_IMPL || kind == ITEM_USE || start == outline->at;
        if (word != TOKEN_NAME)
            continue;
        found->name = start;
        found->name_end = outline->at;
        break;
    }
}

// `{` of a body, not that of an argument or of its default: `Tensor<{ Tu::Main }>`.
static bool opens_body(const Outline *outline, const Found *found, int64_t at)
{
    bool ends_so = found->kind == ITEM_FN || found->kind == ITEM_MOD ||
                   found->kind == ITEM_STRUCT || found->kind == ITEM_ENUM ||
                   found->kind == ITEM_TRAIT || found->kind == ITEM_IMPL;
    while (is_blank(outline->text.data[at - 1]))
        at--;
    return ends_so && !strchr("<,=", outline->text.data[at - 1]);
}

// Takes the body that opens at `at`. Items of a module are outlined on the way.
static void take_body(Outline *outline, Found *found, int64_t at)
{
    found->fields = FIELDS_NAMED;
    if (found->kind == ITEM_MOD) {
        outline->at = at + 1;
        found->items = outline_items(outline, false);
        outline->at++;
    } else {
        outline->at = skip_mark(outline, at);
    }
    if (found->kind == ITEM_MOD || found->kind == ITEM_IMPL) {
        found->part.hollow_start = at + 1;
        found->part.hollow_end = outline->at - 1;
    }
}

// Goes to the end of an item: after its `;` or its body.
static void find_end(Outline *outline, Found *found)
{
    for (bool ends = false; !ends;) {
        int64_t at = next_mark(outline, outline->at);
        char c = at < outline->end ? outline->text.data[at] : ';';
        bool is_body = c == '{' && opens_body(outline, found, at);
        ends = is_body || c == ';';
        if (c == '(' && found->kind == ITEM_STRUCT)
            found->fields = FIELDS_TUPLE;
        if (is_body)
            take_body(outline, found, at);
        else
            outline->at = skip_mark(outline, at);
    }
    found->part.end = outline->at;
    if (!found->part.hollow_end)
        found->part.hollow_start = found->part.hollow_end = found->part.end;
}

// False: there is nothing more.
static bool find_next(Outline *outline, Found *found)
{
    *found = (Found){.part.start = outline->at};
    outline->at = skip_before(outline, outline->at);
    if (outline->at >= outline->end || outline->text.data[outline->at] == '}')
        return false;
    read_head(outline, found);
    find_end(outline, found);
    return true;
}

// ---- items

static void leave_unread(const Outline *outline, AstItem *item, int64_t start, int64_t end)
{
    item->unread = arena_new(outline->arena, AstUnread, 1);
    *item->unread = (AstUnread){item, {outline->source, start, end}};
}

static AstItem *unread_item(const Outline *outline, const Found *found)
{
    AstItem *item = arena_new(outline->arena, AstItem, 1);
    const Span name = {outline->source, found->name, found->name_end};
    item->kind = found->kind;
    item->span = (Span){outline->source, found->part.start, found->part.end};
    item->name = (AstName){
        intern(outline->names, str_slice(outline->text, found->name, found->name_end)), name};
    item->visibility.kind = found->is_public ? VISIBLE_ALL : VISIBLE_HERE;
    if (item->kind == ITEM_STRUCT)
        item->structure.kind = found->fields;
    leave_unread(outline, item, found->part.start, found->part.end);
    return item;
}

static AstItem *read_item(const Outline *outline, const Found *found)
{
    AstItem *item = parse_part(outline->arena, outline->names, outline->sources, outline->source,
                               found->part, outline->next_id, outline->diags);
    if (item->kind == ITEM_MOD)
        item->module.items = found->items;
    if (item->kind == ITEM_IMPL)
        leave_unread(outline, item, found->part.hollow_start, found->part.hollow_end);
    return item;
}

// Up to the end of the text or of the body that they stand in.
static AstItems outline_items(Outline *outline, bool in_impl)
{
    AstItems items = {0};
    Found found;
    while (find_next(outline, &found)) {
        bool is_read = found.kind == ITEM_USE || found.kind == ITEM_MOD ||
                       found.kind == ITEM_IMPL || (found.kind == ITEM_TYPE && in_impl);
        *array_push(outline->arena, &items, AstItem *) =
            is_read ? read_item(outline, &found) : unread_item(outline, &found);
    }
    return items;
}

static Outline outline_of(Arena *arena, Interner *names, SourceList *sources, int32_t source,
                          int32_t *next_id, DiagList *diags)
{
    return (Outline){.arena = arena,
                     .names = names,
                     .sources = sources,
                     .source = source,
                     .next_id = next_id,
                     .diags = diags,
                     .text = sources->items[source].text,
                     .end = sources->items[source].text.len};
}

AstItems outline_text(Arena *arena, Interner *names, SourceList *sources, int32_t source,
                      int32_t *next_id, DiagList *diags)
{
    Outline outline = outline_of(arena, names, sources, source, next_id, diags);
    return outline_items(&outline, false);
}

void outline_read(Arena *arena, Interner *names, SourceList *sources, AstUnread *unread,
                  int32_t *next_id, DiagList *diags)
{
    Span text = unread->text;
    AstItem *item = unread->item;
    Outline outline = outline_of(arena, names, sources, text.source, next_id, diags);
    if (item->kind == ITEM_IMPL) {
        outline.at = text.start;
        outline.end = text.end;
        item->impl.items = outline_items(&outline, true);
        item->unread = NULL;
    } else {
        const Found found = {.part = {text.start, text.end, text.end, text.end}};
        *item = *read_item(&outline, &found);
    }
}
