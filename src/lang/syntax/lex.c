// The scanner: one pass over the bytes of a text.
//
// A string or comment that is not closed ends at the end of its line, so that what follows is read.
// Whether it is closed is known only at the end of the text. To stay linear, the text is read again
// from there at most once; from then on no string goes over a line's end.
#include "lang/syntax/lex.h"

#include "base/checked.h"
#include "base/utf8.h"

#include <string.h>

typedef struct {
    Arena *arena;
    Mistakes *mistakes;
    const char *text;
    uint32_t len;
    uint32_t at;
    uint8_t flags;           // of the next token
    bool one_line;           // strings end with their line
    bool unnested;           // comments end at the next */
    bool unclosed;           // not even that exists any more
    int64_t suspect;         // the first string over several lines, an index of tokens; -1: none
    int32_t mistakes_before; // it
    TokenList tokens;
} Lexer;

const char *const token_names[TOKEN_KIND_COUNT] = {
#define TOKEN(name, text)   [TOKEN_##name] = text,
#define KEYWORD(name, text) [TOKEN_##name] = "`" text "`",
#include "lang/syntax/tokens.def"
#undef TOKEN
#undef KEYWORD
};

Diag *(mistake_add)(Mistakes *mistakes, DiagCode code, int64_t start, int64_t end, Message message)
{
    if (mistakes->count >= MISTAKES_MAX)
        return NULL;
    Span span = {mistakes->source, start, end};
    Diag *diag = (diag_add)(mistakes->diags, code, span, message);
    if (++mistakes->count == MISTAKES_MAX)
        diag_note(diag, SPAN_NOWHERE, "there are {} mistakes; no more of this file are shown",
                  MISTAKES_MAX);
    return diag;
}

// ---- characters

enum { BLANK = 1, LETTER = 2, DIGIT = 4, WORD = LETTER | DIGIT, OTHER = 8 };

#define LETTERS(first)                                                                        \
    [first] = LETTER, [(first) + 1] = LETTER, [(first) + 2] = LETTER, [(first) + 3] = LETTER, \
    [(first) + 4] = LETTER, [(first) + 5] = LETTER, [(first) + 6] = LETTER,                   \
    [(first) + 7] = LETTER, [(first) + 8] = LETTER, [(first) + 9] = LETTER,                   \
    [(first) + 10] = LETTER, [(first) + 11] = LETTER, [(first) + 12] = LETTER

static const uint8_t classes[256] = {
    [' '] = BLANK, ['\t'] = BLANK, ['\n'] = BLANK, ['\v'] = BLANK, ['\f'] = BLANK, ['\r'] = BLANK,
    LETTERS('a'),  LETTERS('n'),   LETTERS('A'),   LETTERS('N'),   ['_'] = LETTER, ['0'] = DIGIT,
    ['1'] = DIGIT, ['2'] = DIGIT,  ['3'] = DIGIT,  ['4'] = DIGIT,  ['5'] = DIGIT,  ['6'] = DIGIT,
    ['7'] = DIGIT, ['8'] = DIGIT,  ['9'] = DIGIT,
};

static inline unsigned char byte_at(const Lexer *lexer, uint32_t at)
{
    return at < lexer->len ? (unsigned char)lexer->text[at] : 0;
}

static inline bool is_non_ascii(unsigned char c)
{
    return c >= 0x80;
}

static inline bool is_class(const Lexer *lexer, uint32_t at, int class)
{
    return classes[byte_at(lexer, at)] & class;
}

static inline uint32_t skip_class(const Lexer *lexer, uint32_t at, int class)
{
    while (is_class(lexer, at, class))
        at++;
    return at;
}

static uint32_t line_end(const Lexer *lexer, uint32_t at)
{
    const char *end = memchr(lexer->text + at, '\n', lexer->len - at);
    return end ? (uint32_t)(end - lexer->text) : lexer->len;
}

// What is no text is no program: nothing but that is said of it.
static void check_utf8(Lexer *lexer)
{
    Str text = {lexer->text, lexer->len};
    int64_t at = utf8_fault(text);
    if (at == text.len)
        return;
    mistake_add(lexer->mistakes, DIAG_CHARACTER, at, at + 1,
                "the text is not UTF-8: the byte 0x{02x} is part of no character",
                (unsigned char)text.data[at]);
    lexer->len = 0;
}

// ---- characters that look like others

// What is meant by characters that look like those of programs.
static const struct {
    const char *character, *meant;
    TokenKind kind; // it is read as; BROKEN: it is passed over
} lookalikes[] = {
    {"\u201C", "\"", TOKEN_STRING},        {"\u201D", "\"", TOKEN_STRING},
    {"\u2018", "'", TOKEN_BROKEN},         {"\u2019", "'", TOKEN_BROKEN},
    {"\u2013", "-", TOKEN_MINUS},          {"\u2014", "-", TOKEN_MINUS},
    {"\u2212", "-", TOKEN_MINUS},          {"\u00D7", "*", TOKEN_STAR},
    {"\u00F7", "/", TOKEN_SLASH},          {"\u2192", "->", TOKEN_ARROW},
    {"\u21D2", "=>", TOKEN_FAT_ARROW},     {"\u2264", "<=", TOKEN_LESS_EQUAL},
    {"\u2265", ">=", TOKEN_GREATER_EQUAL}, {"\u2260", "!=", TOKEN_NOT_EQUAL},
    {"\uFF08", "(", TOKEN_BROKEN},         {"\uFF09", ")", TOKEN_BROKEN},
    {"\uFF0C", ",", TOKEN_COMMA},          {"\uFF1B", ";", TOKEN_SEMICOLON},
    {"\uFF1A", ":", TOKEN_COLON},          {"\u00A0", " ", TOKEN_BROKEN},
    {"\u3000", " ", TOKEN_BROKEN},         {"\uFEFF", " ", TOKEN_BROKEN},
};

// The row of the character at `at`; -1: it looks like nothing.
static int find_lookalike(const Lexer *lexer, uint32_t at)
{
    Str rest = {lexer->text + at, lexer->len - at};
    for (int i = 0; i < (int)COUNT_OF(lookalikes); i++)
        if (str_starts_with(rest, str_from(lookalikes[i].character)))
            return i;
    return -1;
}

// ---- tokens

// Room for as many tokens as the text will have, if it goes on as it began.
static void grow_tokens(Lexer *lexer)
{
    TokenList *tokens = &lexer->tokens;
    double share = lexer->at ? (double)lexer->len / lexer->at : 1;
    int64_t capacity = 48 + (int64_t)((double)tokens->count * share * 1.1);
    Token *items = arena_new(lexer->arena, Token, (size_t)capacity);
    if (tokens->count)
        memcpy(items, tokens->items, (size_t)tokens->count * sizeof(Token));
    tokens->items = items;
    tokens->capacity = capacity;
}

static void push_token(Lexer *lexer, TokenKind kind, uint32_t start, uint32_t end)
{
    TokenList *tokens = &lexer->tokens;
    if (tokens->count == tokens->capacity)
        grow_tokens(lexer);
    tokens->items[tokens->count++] =
        (Token){.start = start, .end = end, .kind = (uint8_t)kind, .flags = lexer->flags};
    lexer->flags = 0;
    lexer->at = end;
}

TokenKind lex_keyword(Str word)
{
    static const struct {
        char text[9];
        uint8_t kind;
    } words[] = {
#define TOKEN(name, text)
#define KEYWORD(name, text) {text, TOKEN_##name},
#include "lang/syntax/tokens.def"
#undef TOKEN
#undef KEYWORD
    };
    // where the words of each length start in the list
    static const uint8_t first[] = {0, 0, 0, 4, 12, 21, 32, 37, 37, 38};
    _Static_assert(COUNT_OF(words) == 38, "the words of each length have moved");
    if (word.len > 8)
        return TOKEN_NAME;
    for (int i = first[word.len]; i < first[word.len + 1]; i++)
        if (words[i].text[0] == word.data[0] &&
            memcmp(words[i].text, word.data, (size_t)word.len) == 0)
            return words[i].kind;
    return TOKEN_NAME;
}

// A name with other letters than ASCII's is reported, and one token nevertheless.
static uint32_t scan_foreign_name(Lexer *lexer, uint32_t start, uint32_t at)
{
    uint32_t end = at;
    while (is_class(lexer, end, WORD) ||
           (is_non_ascii(byte_at(lexer, end)) && find_lookalike(lexer, end) < 0))
        end++;
    mistake_add(lexer->mistakes, DIAG_CHARACTER, start, end,
                "the name `{}` has letters that are not ASCII",
                ((Str){lexer->text + start, (end - start)}));
    return end;
}

static void scan_word(Lexer *lexer)
{
    uint32_t start = lexer->at, end = skip_class(lexer, start + 1, WORD);
    TokenKind kind = lex_keyword((Str){lexer->text + start, end - start});
    if (end - start == 1 && lexer->text[start] == '_')
        kind = TOKEN_UNDERSCORE;
    if (is_non_ascii(byte_at(lexer, end)) && find_lookalike(lexer, end) < 0) {
        end = scan_foreign_name(lexer, start, end);
        kind = TOKEN_NAME;
    }
    push_token(lexer, kind, start, end);
}

// Only digits after a dot, so that `a.0.1` is two fields.
static bool is_field_number(const Lexer *lexer)
{
    int64_t count = lexer->tokens.count;
    return count && lexer->tokens.items[count - 1].kind == TOKEN_DOT;
}

static uint32_t skip_digits(const Lexer *lexer, uint32_t at)
{
    while (is_class(lexer, at, DIGIT) || byte_at(lexer, at) == '_')
        at++;
    return at;
}

static bool has_exponent(const Lexer *lexer, uint32_t at)
{
    if ((byte_at(lexer, at) | 0x20) != 'e')
        return false;
    unsigned char sign = byte_at(lexer, at + 1);
    return is_class(lexer, at + 1 + (sign == '+' || sign == '-'), DIGIT);
}

// Any letters and digits after a number belong to it: what they mean is looked at later.
static void scan_number(Lexer *lexer)
{
    uint32_t start = lexer->at, end = skip_digits(lexer, start);
    TokenKind kind = TOKEN_INT;
    bool decimal = lexer->text[start] != '0' || !strchr("xXoObB", byte_at(lexer, start + 1)) ||
                   !byte_at(lexer, start + 1);
    if (decimal && !is_field_number(lexer)) {
        bool fraction = byte_at(lexer, end) == '.' && byte_at(lexer, end + 1) != '.' &&
                        !is_class(lexer, end + 1, LETTER);
        if (fraction) {
            kind = TOKEN_FLOAT;
            end = skip_digits(lexer, end + 1);
        }
        if (has_exponent(lexer, end)) {
            kind = TOKEN_FLOAT;
            end = skip_digits(lexer, end + 2);
        }
        if (byte_at(lexer, end) == 'f')
            kind = TOKEN_FLOAT;
    }
    push_token(lexer, kind, start, skip_class(lexer, end, WORD));
}

// ---- strings and characters

// Where the string whose first quote is at `quote` ends; 0: nowhere.
static uint32_t string_end(const Lexer *lexer, uint32_t quote)
{
    uint32_t at = quote + 1;
    for (; at < lexer->len; at++) {
        char c = lexer->text[at];
        if (c == '"')
            return at + 1;
        if (c == '\n' && lexer->one_line)
            return 0;
        at += c == '\\';
    }
    return 0;
}

static uint32_t raw_string_end(const Lexer *lexer, uint32_t quote, uint32_t hashes)
{
    for (uint32_t at = quote + 1; at < lexer->len; at++) {
        uint32_t closing = 0;
        if (lexer->text[at] == '\n' && lexer->one_line)
            return 0;
        if (lexer->text[at] != '"')
            continue;
        while (closing < hashes && byte_at(lexer, at + 1 + closing) == '#')
            closing++;
        if (closing == hashes)
            return at + 1 + hashes;
    }
    return 0;
}

// Where a string without a second quote ends: with its line, but for what closes a statement.
static uint32_t unclosed_end(const Lexer *lexer, uint32_t quote)
{
    uint32_t end = line_end(lexer, quote);
    while (end > quote + 1 && memchr(" \t\r;,)]}", lexer->text[end - 1], 9))
        end--;
    return end;
}

// The string that is missing its end is most likely the first that goes over a line's end: reading
// starts again there, and so does the list of mistakes.
static bool go_back(Lexer *lexer)
{
    if (lexer->one_line || lexer->suspect < 0)
        return false;
    Token suspect = lexer->tokens.items[lexer->suspect];
    lexer->one_line = true;
    lexer->at = suspect.start;
    lexer->flags = suspect.flags;
    lexer->tokens.count = lexer->suspect;
    int32_t retracted = lexer->mistakes->count - lexer->mistakes_before;
    lexer->mistakes->count -= retracted;
    lexer->mistakes->diags->count -= retracted;
    lexer->mistakes->diags->error_count -= retracted;
    while (lexer->tokens.docs.count &&
           lexer->tokens.docs.items[lexer->tokens.docs.count - 1].token > lexer->suspect)
        lexer->tokens.docs.count--;
    return true;
}

static void push_string(Lexer *lexer, TokenKind kind, uint32_t quote, uint32_t end)
{
    uint32_t start = lexer->at;
    if (!end) {
        if (go_back(lexer))
            return;
        lexer->one_line = true;
        lexer->flags |= TOKEN_DOUBTFUL;
        end = unclosed_end(lexer, quote);
        Diag *diag = mistake_add(lexer->mistakes, DIAG_TEXT_UNCLOSED, start, quote + 1,
                                 "the string that starts here is not closed");
        if (diag)
            diag_help(diag, "end it with `\"`");
    } else if (lexer->suspect < 0 && memchr(lexer->text + start, '\n', end - start)) {
        lexer->suspect = lexer->tokens.count;
        lexer->mistakes_before = lexer->mistakes->count;
    }
    push_token(lexer, kind, start, end);
}

static void scan_string(Lexer *lexer, TokenKind kind, uint32_t quote)
{
    push_string(lexer, kind, quote, string_end(lexer, quote));
}

// r"..", r#".."#, br"..": the quote and the hashes start at `at`. False: it is something else.
static bool scan_raw_string(Lexer *lexer, TokenKind kind, uint32_t at)
{
    uint32_t hashes = 0;
    while (byte_at(lexer, at + hashes) == '#')
        hashes++;
    if (byte_at(lexer, at + hashes) != '"')
        return false;
    push_string(lexer, kind, at + hashes, raw_string_end(lexer, at + hashes, hashes));
    return true;
}

// The end of the character whose first quote is at `quote`; 0: it has none.
static uint32_t char_end(const Lexer *lexer, uint32_t quote)
{
    uint32_t at = quote + 1;
    if (byte_at(lexer, at) == '\\') {
        at += 2;
        while (at < lexer->len && lexer->text[at] != '\'' && lexer->text[at] != '\n')
            at++;
        return byte_at(lexer, at) == '\'' ? at + 1 : 0;
    }
    if (at >= lexer->len || lexer->text[at] == '\'' || lexer->text[at] == '\n')
        return 0;
    int64_t length = utf8_length((Str){lexer->text, lexer->len}, at);
    at += length ? (uint32_t)length : 1;
    return byte_at(lexer, at) == '\'' ? at + 1 : 0;
}

static void scan_char(Lexer *lexer, TokenKind kind, uint32_t quote)
{
    uint32_t start = lexer->at, end = char_end(lexer, quote);
    if (!end) {
        end = skip_class(lexer, quote + 1, WORD);
        end += byte_at(lexer, end) == '\'';
        Diag *diag = mistake_add(lexer->mistakes, DIAG_TEXT_UNCLOSED, start, end,
                                 "`{}` is not one character in quotes",
                                 ((Str){lexer->text + start, (end - start)}));
        lexer->flags |= TOKEN_DOUBTFUL;
        int length = (int)(skip_class(lexer, quote + 1, WORD) - quote - 1);
        if (diag && end - quote > 2) {
            diag_help(diag, "a text is written \"{}\"", ((Str){lexer->text + quote + 1, length}));
            diag_edit(diag, diag->span, "\"{}\"", ((Str){lexer->text + quote + 1, length}));
        }
    }
    push_token(lexer, kind, start, end);
}

// 'x' is a character, 'x without the second quote a lifetime.
static void scan_quote(Lexer *lexer)
{
    uint32_t start = lexer->at;
    if (!is_class(lexer, start + 1, LETTER) || byte_at(lexer, start + 2) == '\'') {
        scan_char(lexer, TOKEN_CHAR, start);
        return;
    }
    uint32_t end = skip_class(lexer, start + 1, WORD);
    if (byte_at(lexer, end) == '\'')
        scan_char(lexer, TOKEN_CHAR, start);
    else
        push_token(lexer, TOKEN_LIFETIME, start, end);
}

// r"", b"", b'', br"", r#name. False: a word like any other.
static bool scan_prefixed(Lexer *lexer)
{
    uint32_t at = lexer->at;
    char first = lexer->text[at];
    unsigned char second = byte_at(lexer, at + 1);
    if (first == 'b' && second == '\'') {
        scan_char(lexer, TOKEN_BYTE, at + 1);
        return true;
    }
    if (first == 'b' && second == '"') {
        scan_string(lexer, TOKEN_BYTES, at + 1);
        return true;
    }
    if (first == 'b' && second == 'r')
        return scan_raw_string(lexer, TOKEN_BYTES, at + 2);
    if (first != 'r' || (second != '"' && second != '#'))
        return false;
    if (scan_raw_string(lexer, TOKEN_STRING, at + 1))
        return true;
    if (second == '#' && is_class(lexer, at + 2, LETTER)) {
        push_token(lexer, TOKEN_NAME, at, skip_class(lexer, at + 2, WORD));
        return true;
    }
    return false;
}

// ---- comments

static void add_docs(Lexer *lexer, uint32_t start, uint32_t end)
{
    *array_push(lexer->arena, &lexer->tokens.docs, DocComment) =
        (DocComment){(uint32_t)lexer->tokens.count, start, end};
    lexer->flags |= TOKEN_DOCS;
}

static void scan_line_comment(Lexer *lexer)
{
    uint32_t start = lexer->at, end = line_end(lexer, start);
    if (byte_at(lexer, start + 2) == '/' && byte_at(lexer, start + 3) != '/')
        add_docs(lexer, start, end);
    lexer->at = end;
}

// Where the comment at `start` ends; 0: nowhere.
static uint32_t comment_end(const Lexer *lexer, uint32_t start)
{
    uint32_t depth = 1;
    if (lexer->unclosed)
        return 0;
    for (uint32_t at = start + 2; at + 1 < lexer->len; at++) {
        if (lexer->text[at] == '*' && lexer->text[at + 1] == '/') {
            at++;
            if (--depth == 0)
                return at + 1;
        } else if (!lexer->unnested && lexer->text[at] == '/' && lexer->text[at + 1] == '*') {
            at++;
            depth++;
        }
    }
    return 0;
}

static void scan_block_comment(Lexer *lexer)
{
    uint32_t start = lexer->at, end = comment_end(lexer, start);
    if (!end) {
        mistake_add(lexer->mistakes, DIAG_TEXT_UNCLOSED, start, start + 2,
                    "the comment that starts here is not closed");
        if (!lexer->unnested) { // the comments in it may not be meant as such
            lexer->unnested = true;
            end = comment_end(lexer, start);
        }
        lexer->unclosed |= !end;
        end = end ? end : line_end(lexer, start);
    }
    bool docs = end - start > 4 && lexer->text[start + 2] == '*' && lexer->text[start + 3] != '*';
    if (docs)
        add_docs(lexer, start, end);
    if (memchr(lexer->text + start, '\n', end - start))
        lexer->flags |= TOKEN_FIRST;
    lexer->at = end;
}

// ---- operators

// What follows a character: nothing that matters, `=`, `>`, itself, itself and `=`.
static const struct {
    uint8_t alone, equal, arrow, twice, twice_equal;
} operators[128] = {
    ['('] = {.alone = TOKEN_OPEN_PAREN},
    [')'] = {.alone = TOKEN_CLOSE_PAREN},
    ['['] = {.alone = TOKEN_OPEN_SQUARE},
    [']'] = {.alone = TOKEN_CLOSE_SQUARE},
    ['{'] = {.alone = TOKEN_OPEN_BRACE},
    ['}'] = {.alone = TOKEN_CLOSE_BRACE},
    [','] = {.alone = TOKEN_COMMA},
    [';'] = {.alone = TOKEN_SEMICOLON},
    ['#'] = {.alone = TOKEN_HASH},
    ['@'] = {.alone = TOKEN_AT},
    ['?'] = {.alone = TOKEN_QUESTION},
    ['$'] = {.alone = TOKEN_DOLLAR},
    ['~'] = {.alone = TOKEN_TILDE},
    [':'] = {.alone = TOKEN_COLON, .twice = TOKEN_COLON_COLON},
    ['.'] = {.alone = TOKEN_DOT, .twice = TOKEN_DOT_DOT, .twice_equal = TOKEN_DOT_DOT_EQUAL},
    ['='] = {.alone = TOKEN_EQUAL, .arrow = TOKEN_FAT_ARROW, .twice = TOKEN_EQUAL_EQUAL},
    ['!'] = {.alone = TOKEN_NOT, .equal = TOKEN_NOT_EQUAL},
    ['+'] = {.alone = TOKEN_PLUS, .equal = TOKEN_PLUS_EQUAL},
    ['-'] = {.alone = TOKEN_MINUS, .equal = TOKEN_MINUS_EQUAL, .arrow = TOKEN_ARROW},
    ['*'] = {.alone = TOKEN_STAR, .equal = TOKEN_STAR_EQUAL},
    ['/'] = {.alone = TOKEN_SLASH, .equal = TOKEN_SLASH_EQUAL},
    ['%'] = {.alone = TOKEN_PERCENT, .equal = TOKEN_PERCENT_EQUAL},
    ['^'] = {.alone = TOKEN_CARET, .equal = TOKEN_CARET_EQUAL},
    ['&'] = {.alone = TOKEN_AND, .equal = TOKEN_AND_EQUAL, .twice = TOKEN_AND_AND},
    ['|'] = {.alone = TOKEN_OR, .equal = TOKEN_OR_EQUAL, .twice = TOKEN_OR_OR},
    ['<'] = {.alone = TOKEN_LESS,
             .equal = TOKEN_LESS_EQUAL,
             .twice = TOKEN_SHIFT_LEFT,
             .twice_equal = TOKEN_SHIFT_LEFT_EQUAL},
    ['>'] = {.alone = TOKEN_GREATER,
             .equal = TOKEN_GREATER_EQUAL,
             .twice = TOKEN_SHIFT_RIGHT,
             .twice_equal = TOKEN_SHIFT_RIGHT_EQUAL},
};

// False: the character starts no operator.
static bool scan_operator(Lexer *lexer)
{
    uint32_t start = lexer->at;
    unsigned char c = (unsigned char)lexer->text[start], next = byte_at(lexer, start + 1);
    if (c >= 128 || !operators[c].alone)
        return false;
    unsigned char third = byte_at(lexer, start + 2);
    if (next == c && operators[c].twice) {
        if (c == '.' && third == '.')
            push_token(lexer, TOKEN_ELLIPSIS, start, start + 3);
        else if (third == '=' && operators[c].twice_equal)
            push_token(lexer, operators[c].twice_equal, start, start + 3);
        else
            push_token(lexer, operators[c].twice, start, start + 2);
    } else if (next == '=' && operators[c].equal) {
        push_token(lexer, operators[c].equal, start, start + 2);
    } else if (next == '>' && operators[c].arrow) {
        push_token(lexer, operators[c].arrow, start, start + 2);
    } else {
        push_token(lexer, operators[c].alone, start, start + 1);
    }
    return true;
}

// ---- what is none of these

// After the next quote, of whatever form, of the line.
static uint32_t lookalike_string_end(const Lexer *lexer, uint32_t at)
{
    uint32_t last = line_end(lexer, at);
    for (; at < last; at++) {
        Str rest = {lexer->text + at, last - at};
        if (rest.data[0] == '"')
            return at + 1;
        if (str_starts_with(rest, STR("\u201C")) || str_starts_with(rest, STR("\u201D")))
            return at + 3;
    }
    return last;
}

static bool scan_lookalike(Lexer *lexer)
{
    int row = find_lookalike(lexer, lexer->at);
    if (row < 0)
        return false;
    const char *character = lookalikes[row].character, *meant = lookalikes[row].meant;
    TokenKind kind = lookalikes[row].kind;
    uint32_t start = lexer->at, end = start + (uint32_t)strlen(character);
    Diag *diag = mistake_add(lexer->mistakes, DIAG_CHARACTER, start, end,
                             "`{}` is not the plain character `{}`", character, meant);
    uint32_t last = kind == TOKEN_STRING ? lookalike_string_end(lexer, end) : end;
    if (diag)
        diag_replace(diag, diag->span, "{}", meant);
    if (diag && last - end > 3 && find_lookalike(lexer, last - 3) >= 0) // of both ends
        diag_edit(diag, ((Span){diag->span.source, last - 3, last}), "{}", meant);
    lexer->flags |= TOKEN_DOUBTFUL;
    lexer->at = end;
    if (kind != TOKEN_BROKEN)
        push_token(lexer, kind, start, last);
    return true;
}

static bool is_stray(unsigned char c)
{
    return !is_non_ascii(c) && !classes[c] && !operators[c].alone && c != '"' && c != '\'';
}

// One mistake for each run of them.
static void skip_stray(Lexer *lexer)
{
    uint32_t start = lexer->at, end = start;
    unsigned char c = (unsigned char)lexer->text[start];
    if (is_non_ascii(c)) {
        if (!scan_lookalike(lexer))
            push_token(lexer, TOKEN_NAME, start, scan_foreign_name(lexer, start, start));
        return;
    }
    while (end < lexer->len && is_stray((unsigned char)lexer->text[end]))
        end++;
    if (c < 0x20 || c == 0x7F)
        mistake_add(lexer->mistakes, DIAG_CHARACTER, start, end,
                    "the byte 0x{02x} has no place in a program", c);
    else
        mistake_add(lexer->mistakes, DIAG_CHARACTER, start, end, "`{c}` has no place in a program",
                    c);
    lexer->flags |= TOKEN_DOUBTFUL;
    lexer->at = end;
}

// ---- the whole

static void scan_token(Lexer *lexer)
{
    char c = lexer->text[lexer->at];
    unsigned char next = byte_at(lexer, lexer->at + 1);
    int class = classes[(unsigned char)c];
    if (class & BLANK) {
        for (; is_class(lexer, lexer->at, BLANK); lexer->at++)
            if (lexer->text[lexer->at] == '\n')
                lexer->flags |= TOKEN_FIRST;
    } else if (class & LETTER) {
        if ((c != 'r' && c != 'b') || !scan_prefixed(lexer))
            scan_word(lexer);
    } else if (class & DIGIT) {
        scan_number(lexer);
    } else if (c == '/' && next == '/') {
        scan_line_comment(lexer);
    } else if (c == '/' && next == '*') {
        scan_block_comment(lexer);
    } else if (c == '"') {
        scan_string(lexer, TOKEN_STRING, lexer->at);
    } else if (c == '\'') {
        scan_quote(lexer);
    } else if (!scan_operator(lexer)) {
        skip_stray(lexer);
    }
}

// A byte order mark, and the line by which a shell finds an interpreter.
static void skip_start(Lexer *lexer)
{
    Str text = {lexer->text, lexer->len};
    if (str_starts_with(text, STR("\uFEFF")))
        lexer->at = 3;
    if (byte_at(lexer, lexer->at) == '#' && byte_at(lexer, lexer->at + 1) == '!' &&
        byte_at(lexer, skip_class(lexer, lexer->at + 2, BLANK)) != '[')
        lexer->at = line_end(lexer, lexer->at);
}

// ---- brackets

// A text whose brackets match passes through one loop. Of any other a new list of tokens is made,
// in which missing closing brackets stand where they most likely belong:
//
// - `(` and `[` end before a `;`, a `}` or the start of an item in a new line;
// - while the text has more `{` than `}`, a `}` or an item at the start of a line closes every
//   block that is indented deeper than it, and an item also one that is indented as deep.

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

// Makes brackets balance and fills in Token.match.
static void balance(Arena *arena, TokenList *tokens, Str text, Mistakes *mistakes)
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

// ---- whole texts

static TokenList take_tokens(Lexer *lexer)
{
    for (int i = 0; i <= TOKEN_AHEAD; i++)
        push_token(lexer, TOKEN_END, lexer->len, lexer->len);
    lexer->tokens.count -= TOKEN_AHEAD;
    balance(lexer->arena, &lexer->tokens, (Str){lexer->text, lexer->len}, lexer->mistakes);
    return lexer->tokens;
}

TokenList lex_text(Arena *arena, Str text, Mistakes *mistakes)
{
    Lexer lexer = {.arena = arena, .mistakes = mistakes, .text = text.data, .suspect = -1};
    if (text.len < UINT32_MAX - 16)
        lexer.len = (uint32_t)text.len;
    else
        mistake_add(mistakes, DIAG_NESTING, 0, 0, "the text is longer than 4 GiB");
    lexer.flags = TOKEN_FIRST;
    check_utf8(&lexer);
    skip_start(&lexer);
    while (lexer.at < lexer.len)
        scan_token(&lexer);
    return take_tokens(&lexer);
}

TokenList lex_part(Arena *arena, Str text, TextPart part, Mistakes *mistakes)
{
    Lexer lexer = {.arena = arena,
                   .mistakes = mistakes,
                   .text = text.data,
                   .at = (uint32_t)part.start,
                   .len = (uint32_t)part.hollow_start,
                   .flags = TOKEN_FIRST,
                   .suspect = -1};
    while (lexer.at < lexer.len)
        scan_token(&lexer);
    lexer.at = (uint32_t)part.hollow_end;
    lexer.len = (uint32_t)part.end;
    while (lexer.at < lexer.len)
        scan_token(&lexer);
    return take_tokens(&lexer);
}
