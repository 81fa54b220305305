// Strings with a length, text under construction, and interned names.
#ifndef CONTRA_BASE_STR_H
#define CONTRA_BASE_STR_H

#include "base/arena.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>

// printf's checking for our own functions: `text` and `first` are argument positions.
#define PRINTF_LIKE(text, first) __attribute__((format(printf, text, first)))

// Bytes that somebody else owns; not terminated.
typedef struct {
    const char *data;
    int64_t len;
} Str;

#define STR(literal) ((Str){(literal), (int64_t)sizeof(literal) - 1})
#define STR_ARG(str) (int)(str).len, (str).data // for "%.*s"

Str str_from(const char *terminated);
bool str_equal(Str a, Str b);
// By bytes, as qsort asks: below 0, 0 or above 0.
int str_compare(Str a, Str b);
bool str_starts_with(Str text, Str prefix);
bool str_ends_with(Str text, Str ending);
// "a" or "an", as one says before this word: "a DmTensor", "an AlignedPair", "an HbmTensor".
const char *str_article(Str word);
Str str_slice(Str text, int64_t start, int64_t end);
// Where `part` first stands in the text; -1: nowhere.
int64_t str_find(Str text, Str part);

Str str_trim(Str text); // without white space at both ends
// Without the blanks around it, and without the quotes inside of them.
Str str_unquoted(Str text);
Str str_copy(Arena *arena, Str text);
const char *str_terminated(Arena *arena, Str text);
Str str_format(Arena *arena, const char *format, ...) PRINTF_LIKE(2, 3);

// Reads a decimal number that fills `text` and fits; nothing else (no sign, no blanks).
bool str_to_i64(Str text, int64_t *value);

// Text under construction in an arena. {.arena = a} is empty.
typedef struct {
    Arena *arena;
    char *data;
    int64_t len;
    int64_t capacity;
} StrBuf;

void buf_add(StrBuf *buf, Str text);
void buf_add_char(StrBuf *buf, char c);
void buf_repeat(StrBuf *buf, Str text, int64_t times);
void buf_printf(StrBuf *buf, const char *format, ...) PRINTF_LIKE(2, 3);
void buf_vprintf(StrBuf *buf, const char *format, va_list args) PRINTF_LIKE(2, 0);
Str buf_str(const StrBuf *buf);

// Names: equal text has one address, so that equality is ==. {.arena = a} is empty.
typedef struct InternSlot InternSlot;

typedef struct {
    Arena *arena;
    InternSlot *slots;
    int64_t count;
    int64_t capacity;
} Interner;

// The one copy of `text`; terminated, too.
const char *intern(Interner *names, Str text);

// Insertions, deletions, replacements and swaps of neighbors that make one of the other: the slips
// of somebody who types. More than `limit` is `limit` + 1, and so are those of long texts.
int64_t str_distance(Str a, Str b, int64_t limit);

#endif
