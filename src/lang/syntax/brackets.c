// Makes brackets match. A text whose brackets match passes through one loop. Of any other a new
// list of tokens is made, in which missing closing brackets stand where they most likely belong:
//
// - `(` and `[` end before a `;`, a `}` or the start of an item in a new line;
// - while the text has more `{` than `}`, a `}` or an item at the start of a line closes every
// block
//   that is indented deeper than it, and an item also one that is indented as deep.
#include "lang/syntax/lex.h"

typedef struct {
    uint32_t token; // of the old list
    int64_t indent; // of the line it stands in
    bool indents;   // what follows it is indented deeper
} Open;

typedef struct {
    Arena *arena;
    Str text;
    Mistakes *mistakes;
    const TokenList *old;
    TokenList new;
    struct {
        ARRAY(Open);
    } open;
    int64_t open_braces;
    int64_t surplus; // `{` without `}` in the whole text, less those found already
    int64_t indent;  // of the present line
} Mender;

// Fills in Token.match. False: not all brackets match.
static bool match_brackets(Arena *arena, TokenList *tokens)
{
    struct {
        ARRAY(uint32_t);
    } open = {0};
    for (int64_t i = 0; i < tokens->count; i++) {
        TokenKind kind = tokens->items[i].kind;
        if (token_opens(kind)) {
            *array_push(arena, &open, uint32_t) = (uint32_t)i;
        } else if (token_closes(kind)) {
            Token *top = open.count ? &tokens->items[open.items[--open.count]] : NULL;
            if (!top || token_closing(top->kind) != kind)
                return false;
            top->match = (uint32_t)i;
        }
    }
    return open.count == 0;
}

static const Token *top_of(const Mender *mender)
{
    int64_t count = mender->open.count;
    return count ? &mender->old->items[mender->open.items[count - 1].token] : NULL;
}

static bool top_is(const Mender *mender, TokenKind kind)
{
    const Token *top = top_of(mender);
    return top && top->kind == kind;
}

static int64_t indent_of(Str text, const Token *token)
{
    int64_t start = token->start;
    while (start > 0 && (text.data[start - 1] == ' ' || text.data[start - 1] == '\t'))
        start--;
    return token->start - start;
}

static void push_open(Mender *mender, int64_t i)
{
    const Token *next = &mender->old->items[i + 1];
    bool deeper = next->flags & TOKEN_FIRST && indent_of(mender->text, next) > mender->indent;
    *array_push(mender->arena, &mender->open, Open) = (Open){(uint32_t)i, mender->indent, deeper};
    mender->open_braces += mender->old->items[i].kind == TOKEN_OPEN_BRACE;
}

static void pop_open(Mender *mender)
{
    mender->open_braces -= top_of(mender)->kind == TOKEN_OPEN_BRACE;
    mender->open.count--;
}

static Diag *report(Mender *mender, const Token *where, const char *first, const char *verb,
                    const char *second)
{
    mender->mistakes->bracket_missing = true;
    return mistake_add(mender->mistakes, DIAG_BRACKET, where->start, token_end(where), "{} {}{}{}",
                       first, verb, *second ? " " : "", second);
}

static void note_opening(const Mender *mender, Diag *diag, const Token *opening)
{
    if (diag)
        diag_note(diag, ((Span){mender->mistakes->source, opening->start, token_end(opening)}),
                  "opened here");
}

// Puts in what closes the innermost bracket, before `where`.
static void close_top(Mender *mender, const Token *where)
{
    const Token *top = top_of(mender);
    const Token *last = mender->new.count ? &mender->new.items[mender->new.count - 1] : top;
    uint32_t end = token_end(last);
    Token closing = {.start = end,
                     .end = end,
                     .kind = (uint8_t)token_closing(top->kind),
                     .flags = TOKEN_DOUBTFUL};
    const char *opened = token_names[top->kind];
    Diag *diag = where->kind == TOKEN_END ? report(mender, &closing, opened, "is never closed", "")
                                          : report(mender, where, opened, "is not closed before",
                                                   token_names[where->kind]);
    note_opening(mender, diag, top);
    *array_push(mender->arena, &mender->new, Token) = closing;
    mender->surplus -= top->kind == TOKEN_OPEN_BRACE;
    pop_open(mender);
}

static bool starts_item(const Token *token)
{
    switch ((int)token->kind) {
    case TOKEN_ASYNC: // also starts blocks
    case TOKEN_UNSAFE:
        return token[1].kind == TOKEN_FN;
    case TOKEN_FN:
    case TOKEN_PUB:
    case TOKEN_USE:
    case TOKEN_MOD:
    case TOKEN_STRUCT:
    case TOKEN_ENUM:
    case TOKEN_TRAIT:
    case TOKEN_IMPL:
    case TOKEN_TYPE:
    case TOKEN_CONST:
    case TOKEN_STATIC:
    case TOKEN_HASH:
        return true;
    }
    return false;
}

// Nothing of the kind stands in `( )` or `[ ]`; but for the `;` of `[x; n]`.
static bool ends_list(const Mender *mender, const Token *token)
{
    if (token->kind == TOKEN_SEMICOLON)
        return top_is(mender, TOKEN_OPEN_PAREN) || token[1].flags & TOKEN_FIRST;
    bool statement = token->kind == TOKEN_LET || starts_item(token);
    return statement && token->flags & TOKEN_FIRST && token->kind != TOKEN_HASH;
}

// What stands at the start of a line closes what is indented deeper.
static void close_by_indent(Mender *mender, const Token *token)
{
    bool item = starts_item(token);
    if (!(token->flags & TOKEN_FIRST) || !(item || token->kind == TOKEN_CLOSE_BRACE))
        return;
    while (mender->surplus > 0 && top_is(mender, TOKEN_OPEN_BRACE)) {
        const Open *top = &mender->open.items[mender->open.count - 1];
        if (!top->indents || (item ? top->indent < mender->indent : top->indent <= mender->indent))
            return;
        close_top(mender, token);
    }
}

// Whether the bracket around the innermost is one that `kind` closes.
static bool closes_second(const Mender *mender, TokenKind kind)
{
    int64_t count = mender->open.count;
    if (count < 2)
        return false;
    const Token *second = &mender->old->items[mender->open.items[count - 2].token];
    return token_closing(second->kind) == kind;
}

static void push_closing(Mender *mender, Token token)
{
    const Token *top = top_of(mender);
    if (token.kind == TOKEN_CLOSE_BRACE && mender->open_braces)
        while (top_of(mender)->kind != TOKEN_OPEN_BRACE)
            close_top(mender, &token);
    else if (top && token_closing(top->kind) != token.kind && closes_second(mender, token.kind) &&
             (top->kind != TOKEN_OPEN_BRACE || mender->surplus > 0))
        close_top(mender, &token);
    top = top_of(mender);
    bool brace = token.kind == TOKEN_CLOSE_BRACE || (top && top->kind == TOKEN_OPEN_BRACE);
    if (!top || (brace && token_closing(top->kind) != token.kind)) {
        report(mender, &token, token_names[token.kind], "closes nothing", "");
        return;
    }
    if (token_closing(top->kind) != token.kind) {
        Diag *diag =
            report(mender, &token, token_names[top->kind], "is closed by", token_names[token.kind]);
        note_opening(mender, diag, top);
        token.kind = (uint8_t)token_closing(top->kind);
        if (diag) // the names of tokens stand in quotes
            diag_replace(diag, diag->span, "{c}", token_names[token.kind][1]);
    }
    *array_push(mender->arena, &mender->new, Token) = token;
    pop_open(mender);
}

static void mend_token(Mender *mender, int64_t i)
{
    const Token *token = &mender->old->items[i];
    if (token->flags & TOKEN_FIRST)
        mender->indent = indent_of(mender->text, token);
    while ((top_is(mender, TOKEN_OPEN_PAREN) || top_is(mender, TOKEN_OPEN_SQUARE)) &&
           ends_list(mender, token))
        close_top(mender, token);
    close_by_indent(mender, token);
    while (token->kind == TOKEN_END && mender->open.count)
        close_top(mender, token);
    if (token_closes(token->kind)) {
        push_closing(mender, *token);
        return;
    }
    if (token_opens(token->kind))
        push_open(mender, i);
    *array_push(mender->arena, &mender->new, Token) = *token;
}

void lex_balance(Arena *arena, TokenList *tokens, Str text, Mistakes *mistakes)
{
    if (match_brackets(arena, tokens))
        return;
    Mender mender = {.arena = arena, .text = text, .mistakes = mistakes, .old = tokens};
    for (int64_t i = 0; i < tokens->count; i++) {
        mender.surplus += tokens->items[i].kind == TOKEN_OPEN_BRACE;
        mender.surplus -= tokens->items[i].kind == TOKEN_CLOSE_BRACE;
    }
    int64_t doc = 0;
    for (int64_t i = 0; i < tokens->count; i++) {
        mend_token(&mender, i);
        for (; doc < tokens->docs.count && tokens->docs.items[doc].token == i; doc++)
            tokens->docs.items[doc].token = mender.new.count ? (uint32_t)mender.new.count - 1 : 0;
    }
    for (int i = 0; i < TOKEN_AHEAD; i++)
        *array_push(arena, &mender.new, Token) = tokens->items[tokens->count - 1];
    mender.new.count -= TOKEN_AHEAD;
    tokens->items = mender.new.items;
    tokens->count = mender.new.count;
    tokens->capacity = mender.new.capacity;
    match_brackets(arena, tokens);
}
