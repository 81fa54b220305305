// What the files of the parser share: the place in the text, mistakes, and the rules by name.
//
// After a mistake the parser sees TOKEN_BROKEN: nothing is accepted, every loop ends and nothing
// more is reported, until somebody who knows where to go on (the end of a bracket, the next
// statement) calls parser_resume. Since brackets balance, that place is always known.
#ifndef CONTRA_LANG_SYNTAX_PARSE_INTERNAL_H
#define CONTRA_LANG_SYNTAX_PARSE_INTERNAL_H

#include "lang/syntax/ast.h"
#include "lang/syntax/lex.h"
#include "lang/syntax/parse.h"

enum {
    MOST_DEPTH = 256,    // of brackets and everything else that makes the parser call itself
    MOST_HEIGHT = 10000, // of the tree: chains of operators and calls make it higher, not deeper
};

// A function `main` that documentation wraps its text in.
typedef struct {
    AstItem *item;
    AstAttributes inner;
} Wrapper;

// A token as it was.
typedef struct {
    int64_t at;
    Token token;
} SplitToken;

typedef struct Parser Parser;

struct Parser {
    Arena *arena;
    Interner *names;
    Mistakes *mistakes;
    SourceList *sources;
    Str text;
    int32_t source;
    MacroList *macros;    // declared so far
    const Parser *caller; // of the text that has the call of a macro which this text stands for
    int32_t expansions;   // how many calls of macros this text stands in
    bool is_trial;        // only where it ends is asked: calls of macros are passed over
    struct {
        ARRAY(SplitToken);
    } split; // of a trial: tokens that a part was taken off

    Token *tokens;
    int64_t at;       // index of the present token
    TokenKind kind;   // its kind, or TOKEN_BROKEN
    int64_t last_end; // where the token before it ends
    const DocComment *docs;
    int64_t doc_count;

    int32_t depth;
    int32_t height;  // of what was read in the present expression
    int32_t next_id; // of an expression

    bool no_struct;    // `{` opens a block: in the head of if, while, for, match
    bool in_condition; // `let` may stand here
    bool in_trait;     // types and constants need no value
    bool unclosed;     // we are in `( )` or `[ ]` whose end is not in the text

    int64_t unclosed_count; // of those in the present statement
    bool lacks_semicolon;   // the statement at hand, behind its end
    AstSpans unfinished;    // statements that were not read to their end, in order, none in another

    struct { // lists under construction, the innermost last
        uint8_t *data;
        int64_t len, capacity;
    } stack;

    struct {
        ARRAY(Wrapper);
    } wrappers;
};

// ---- where we are (recover.c)

static inline bool parser_at(const Parser *parser, TokenKind kind)
{
    return parser->kind == kind;
}

static inline const Token *parser_token(const Parser *parser)
{
    return &parser->tokens[parser->at];
}

static inline int64_t parser_start(const Parser *parser)
{
    return parser_token(parser)->start;
}

// The kind of a token after the present one. Requires 0 <= distance <= TOKEN_AHEAD.
static inline TokenKind parser_ahead(const Parser *parser, int64_t distance)
{
    return parser->tokens[parser->at + distance].kind;
}

static inline bool parser_broken(const Parser *parser)
{
    return parser->kind == TOKEN_BROKEN;
}

// Goes to a token.
static inline void parser_resume(Parser *parser, int64_t at)
{
    parser->at = at;
    parser->kind = parser->tokens[at].kind;
}

// Requires: not broken, not at the end.
static inline void parser_next(Parser *parser)
{
    parser->last_end = token_end(&parser->tokens[parser->at]);
    parser_resume(parser, parser->at + 1);
}

static inline bool parser_accept(Parser *parser, TokenKind kind)
{
    if (parser->kind != kind)
        return false;
    parser_next(parser);
    return true;
}

static inline Span parser_span(const Parser *parser, int64_t start)
{
    return (Span){parser->source, start, parser->last_end > start ? parser->last_end : start};
}

// Of the present token.
static inline Span parser_here(const Parser *parser)
{
    const Token *token = parser_token(parser);
    return (Span){parser->source, token->start, token_end(token)};
}

static inline bool parser_at_literal(const Parser *parser)
{
    TokenKind kind = parser->kind;
    return (kind >= TOKEN_INT && kind <= TOKEN_BYTE) || kind == TOKEN_TRUE || kind == TOKEN_FALSE;
}

Str parser_text(const Parser *parser, int64_t token);
bool parser_at_word(const Parser *parser, const char *word); // a name spelt so
bool parser_on_new_line(const Parser *parser);

// The next token of `kind`: takes off the first character where the present token only starts with
// it (`>` of `>>`). False: it does not.
bool parser_accept_part(Parser *parser, TokenKind kind);
bool parser_at_part(const Parser *parser, TokenKind kind);

// ---- mistakes

// Reports and goes on. NULL where nothing is reported, as after a mistake not recovered from.
Diag *(parser_report)(Parser *parser, DiagCode code, Span span, Message message);
#define parser_report(parser, code, span, ...) \
    parser_report(parser, code, span, MESSAGE(__VA_ARGS__))

// "found `x` where `expected` should stand"; broken from then on.
Diag *parser_unexpected(Parser *parser, const char *expected);
Diag *parser_unexpected_as(Parser *parser, DiagCode code, const char *expected);
void parser_unsupported(Parser *parser, Span span, const char *construct);
void parser_break(Parser *parser);

bool parser_expect(Parser *parser, TokenKind kind);
void parser_expect_semicolon(Parser *parser);

// If the present name is nearly one of the keywords that start a statement or item, reports it and
// makes it that.
bool parser_mend_keyword(Parser *parser);

// Skips to where the next statement or item probably starts, but not past token number `limit`, and
// at least one token from `start` on.
void parser_recover(Parser *parser, int64_t start, int64_t limit);

// ---- nesting

// The text from token number `first` up to token number `end`, with blanks in place of comments.
Str parser_plain_text(Parser *parser, int64_t first, int64_t end);
// Keeps in mind that `#[cfg(..)]` leaves out what has this name.
void parser_leave_out(Parser *parser, const AstAttributes *attributes, const char *name);
// Whether a predicate of `cfg` holds. Reports what is wrong with it.
bool parser_cfg_holds(Parser *parser, Str predicate, Span span);
bool parser_enter(Parser *parser); // false: too deep, reported
void parser_leave(Parser *parser);
bool parser_link(Parser *parser); // the tree gets one higher; false: too high, reported

// ---- brackets and lists

typedef struct {
    int64_t token; // the opening bracket
    bool no_struct, in_condition, in_trait, unclosed;
} Group;

// Takes an opening bracket, in which other rules hold than outside. Requires: at one.
Group parser_open(Parser *parser);

// Takes its closing bracket, whatever stands before it.
void parser_close(Parser *parser, Group group);
bool parser_in_group(const Parser *parser, Group group); // more follows before the closing bracket

// After an element: takes the comma, skips what is wrong. True: another element follows.
bool parser_comma(Parser *parser, Group group);

// Passes over a bracket and all in it. Requires: at one.
void parser_skip_group(Parser *parser);

// A list under construction: push to the stack, then take from `mark` (= stack.len before the first
// push) on. Elements may be parsed between pushes.
void *stack_push_bytes(Parser *parser, size_t size);
void stack_take_bytes(Parser *parser, int64_t mark, void *array, size_t size);

#define stack_push(parser, type) ((type *)stack_push_bytes((parser), sizeof(type)))
#define stack_take(parser, mark, array, type) \
    stack_take_bytes((parser), (mark), (array), sizeof(type))

// ---- names and paths (parse_path.c)

typedef enum {
    PATH_EXPR, // generic arguments stand after ::
    PATH_TYPE, // with or without it
} PathStyle;

AstName parse_name(Parser *parser, const char *what);
AstName parser_take_name(Parser *parser); // the present token, whatever it is
bool parser_at_path(const Parser *parser);
AstPath parse_path(Parser *parser, PathStyle style);
void parse_generic_args(Parser *parser, AstSegment *segment); // at `<`

// ---- types (parse_type.c), patterns (parse_pattern.c), mappings (parse_mapping.c)

AstType *parse_type(Parser *parser);
AstType *parse_result_type(Parser *parser); // -> T; NULL: none is written
AstTypes parse_bounds(Parser *parser);      // after `:`
AstGenerics parse_generics(Parser *parser); // <..>; may be missing
void parse_where(Parser *parser, AstGenerics *generics);
AstType *type_error(Parser *parser);

AstPattern *parse_pattern(Parser *parser); // with alternatives
AstPattern *parse_single_pattern(Parser *parser);

bool parser_at_macro(const Parser *parser, const char *name); // name ! bracket
AstType *parse_mapping_type(Parser *parser);                  // m![..]
AstExpr *parse_index_macro(Parser *parser);                   // i![..]
void parse_axes(Parser *parser, AstItem *item);               // axes![..]

// ---- expressions (parse_expr.c, parse_primary.c, parse_literal.c, parse_macro.c)

AstExpr *parse_expr(Parser *parser);
AstExpr *parse_scrutinee(Parser *parser); // binds tighter than && and ||
AstExpr *parse_unary(Parser *parser);
AstExpr *parse_primary(Parser *parser);
AstExpr *parse_literal(Parser *parser);
// Where a part of the text that a string says is written.
Span literal_part(Parser *parser, const AstExpr *string, int64_t from, int64_t to);
AstExpr *parse_closure(Parser *parser);
AstExpr *parse_macro(Parser *parser, AstPath path, int64_t start);

// ---- calls of macros of the program (macro_expand.c)

const MacroRules *macro_find(const Parser *parser, const char *name); // NULL: there is none
void macro_declare(Parser *parser, AstName name, int64_t group);
AstExpr *macro_expr(Parser *parser, const MacroRules *rules, int64_t start); // at its bracket
// A call that is a statement of its own, or stands where an item should; NULL: it is none.
const MacroRules *macro_at(const Parser *parser, int64_t limit);
void macro_statements(Parser *parser, const MacroRules *rules, int64_t limit, AstExpr **tail);
void macro_items(Parser *parser, const MacroRules *rules);

AstExpr *parse_block_expr(Parser *parser); // { }
AstBlock *parse_block(Parser *parser);
AstBlock *parse_block_with(Parser *parser, AstAttributes *inner); // and its attributes #![..]
AstExprs parse_expr_list(Parser *parser, Group group);            // up to the end of the group

// if, match, loop, while, for, { }, unsafe { }, async { }, 'label: of these: expressions that end a
// statement by themselves.
bool parser_at_block_like(const Parser *parser);
AstExpr *parse_block_like(Parser *parser);

// An expression that starts a statement or an arm of a match. *ends: it needs nothing after it.
AstExpr *parse_statement_expr(Parser *parser, bool *ends);

AstExpr *expr_new(Parser *parser, AstExprKind kind, int64_t start); // ends where the text does
AstExpr *expr_error(Parser *parser);
bool parser_at_expr(const Parser *parser);

// ---- statements (parse_block.c), items (parse_item.c), attributes (parse_attribute.c)

typedef struct {
    struct {
        ARRAY(AstStatement);
    } statements;
    AstExpr *tail;
} StatementList;

// Statements up to token number `limit`.
StatementList parse_statements(Parser *parser, int64_t limit);

bool parser_at_item(const Parser *parser); // after attributes
AstItem *parse_item(Parser *parser, AstAttributes attributes, Str docs, int64_t start);
AstItems parse_items(Parser *parser, int64_t limit);
AstAttributes parse_attributes(Parser *parser, Str *docs); // outer; docs may be NULL
AstAttributes parse_inner_attributes(Parser *parser);

#endif
