// Text to tokens. A token is where it stands and what kind it is; what a literal means is worked
// out by who needs it, so that lexing allocates nothing for each token.
//
// Whatever the text, the brackets of the tokens balance: a bracket that is missing is put in (and
// reported), one too many is left out. Whoever reads the tokens may jump from an opening bracket to
// its end, which is what finding the way again after a mistake rests on.
#ifndef CONTRA_LANG_SYNTAX_LEX_H
#define CONTRA_LANG_SYNTAX_LEX_H

#include "base/array.h"
#include "base/diag.h"
#include "base/str.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum {
#define TOKEN(name, text)   TOKEN_##name,
#define KEYWORD(name, text) TOKEN_##name,
#include "lang/syntax/tokens.def"
#undef TOKEN
#undef KEYWORD
    TOKEN_KIND_COUNT
} TokenKind;

// How messages call each kind: "`fn`", "a name".
extern const char *const token_names[TOKEN_KIND_COUNT];

enum {
    TOKEN_FIRST = 1,    // nothing but blanks and comments before it on its line
    TOKEN_DOCS = 2,     // doc comments stand directly before it
    TOKEN_DOUBTFUL = 4, // it or what stands before it is reported already
};

// Small, since there are many.
typedef struct {
    uint32_t start; // byte of the text
    union {
        uint32_t end;   // one past its last byte; use token_end
        uint32_t match; // of an opening bracket: the index of the token that closes it
    };
    uint8_t kind; // TokenKind
    uint8_t flags;
} Token;

// `/// ..` or `/** .. */`, slashes included.
typedef struct {
    uint32_t token; // index of the token after it
    uint32_t start, end;
} DocComment;

typedef struct {
    ARRAY(Token); // ends in TOKEN_AHEAD + 1 tokens END, only the first of them counted
    struct {
        ARRAY(DocComment);
    } docs;
} TokenList;

enum { TOKEN_AHEAD = 3 }; // how far beyond the end a reader may look

// Where the mistakes of one text go: the first hundred of them.
typedef struct {
    DiagList *diags;
    int32_t source;
    int32_t count;
    bool bracket_missing; // what follows may stand in the wrong place
} Mistakes;

enum { MISTAKES_MAX = 100 };

// NULL where there were too many already.
Diag *(mistake_add)(Mistakes *mistakes, DiagCode code, int64_t start, int64_t end, Message message);
#define mistake_add(mistakes, code, start, end, ...) \
    mistake_add(mistakes, code, start, end, MESSAGE(__VA_ARGS__))

TokenList lex_text(Arena *arena, Str text, Mistakes *mistakes);

// A part of a text, of which the bytes from hollow_start to hollow_end are passed over; both are
// equal if there are none.
typedef struct {
    int64_t start, hollow_start, hollow_end, end;
} TextPart;

// The tokens of a part of a text, which must be UTF-8. Requires: end < 4 GiB.
TokenList lex_part(Arena *arena, Str text, TextPart part, Mistakes *mistakes);

// The kind of a word: TOKEN_NAME, unless it is a keyword.
TokenKind lex_keyword(Str word);

static inline bool token_opens(TokenKind kind)
{
    return kind >= TOKEN_OPEN_PAREN && kind <= TOKEN_OPEN_BRACE;
}

static inline bool token_closes(TokenKind kind)
{
    return kind >= TOKEN_CLOSE_PAREN && kind <= TOKEN_CLOSE_BRACE;
}

static inline uint32_t token_end(const Token *token)
{
    return token_opens(token->kind) ? token->start + 1 : token->end;
}

// The kind that closes `open`.
static inline TokenKind token_closing(TokenKind open)
{
    return open + (TOKEN_CLOSE_PAREN - TOKEN_OPEN_PAREN);
}

#endif
