// Strings with a length, text under construction, and interned names.
#ifndef CONTRA_BASE_STR_H
#define CONTRA_BASE_STR_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>

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
Str buf_str(const StrBuf *buf);

// ---- messages

typedef enum {
    MESSAGE_TEXT,
    MESSAGE_CHAR,
    MESSAGE_SIGNED,
    MESSAGE_UNSIGNED,
    MESSAGE_REAL
} MessageKind;

typedef struct {
    MessageKind kind;
    union {
        Str text;
        int64_t number; // MESSAGE_CHAR, _SIGNED, and the bits of _UNSIGNED
        double real;
    };
} MessageValue;

// A text and the values for its places: MESSAGE("`{}` has {} bytes", name, bytes). A place is
//     "{" ["-"] ["0"] [width] ["." precision] ["c" | "x" | "f" | "g" | "e" | "a"] "}"
// with printf's meaning of each part; a width or precision of `*` is a value of its own. `{{` is a
// brace. Functions that take a message are macros of the same name, so that callers write the text
// and the values as for printf. The compiler finds the kind of each value, and
// scripts/check-messages counts them.
typedef struct {
    const MessageValue *values; // the text comes first
    int64_t count;
} Message;

// Writes the text with its values, cut off at `size` - 1 bytes and terminated. Returns its full
// length.
int64_t message_write(Message message, char *text, int64_t size);
void(buf_format)(StrBuf *buf, Message message);
Str(str_format)(Arena *arena, Message message);
#define buf_format(buf, ...)   buf_format(buf, MESSAGE(__VA_ARGS__))
#define str_format(arena, ...) str_format(arena, MESSAGE(__VA_ARGS__))

static inline MessageValue message_text(Str text)
{
    return (MessageValue){MESSAGE_TEXT, {.text = text}};
}

static inline MessageValue message_chars(const char *text)
{
    return message_text(str_from(text));
}

static inline MessageValue message_char(char c)
{
    return (MessageValue){MESSAGE_CHAR, {.number = c}};
}

static inline MessageValue message_signed(int64_t number)
{
    return (MessageValue){MESSAGE_SIGNED, {.number = number}};
}

static inline MessageValue message_unsigned(uint64_t number)
{
    return (MessageValue){MESSAGE_UNSIGNED, {.number = (int64_t)number}};
}

static inline MessageValue message_real(double real)
{
    return (MessageValue){MESSAGE_REAL, {.real = real}};
}

// clang-format off
#define MESSAGE_VALUE(value) _Generic((value), \
    Str: message_text, char *: message_chars, const char *: message_chars, char: message_char, \
    float: message_real, double: message_real, \
    unsigned long: message_unsigned, unsigned long long: message_unsigned, \
    default: message_signed)(value)

// A text and up to 11 values.
#define MESSAGE(...) ((Message){ \
    (const MessageValue[]){MESSAGE_PICK(__VA_ARGS__, MESSAGE_12, MESSAGE_11, MESSAGE_10, MESSAGE_9, \
                                        MESSAGE_8, MESSAGE_7, MESSAGE_6, MESSAGE_5, MESSAGE_4, \
                                        MESSAGE_3, MESSAGE_2, MESSAGE_1, 0)(__VA_ARGS__)}, \
    MESSAGE_PICK(__VA_ARGS__, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)})
#define MESSAGE_PICK(a, b, c, d, e, f, g, h, i, j, k, l, picked, ...) picked
#define MESSAGE_1(a) MESSAGE_VALUE(a)
#define MESSAGE_2(a, ...) MESSAGE_VALUE(a), MESSAGE_1(__VA_ARGS__)
#define MESSAGE_3(a, ...) MESSAGE_VALUE(a), MESSAGE_2(__VA_ARGS__)
#define MESSAGE_4(a, ...) MESSAGE_VALUE(a), MESSAGE_3(__VA_ARGS__)
#define MESSAGE_5(a, ...) MESSAGE_VALUE(a), MESSAGE_4(__VA_ARGS__)
#define MESSAGE_6(a, ...) MESSAGE_VALUE(a), MESSAGE_5(__VA_ARGS__)
#define MESSAGE_7(a, ...) MESSAGE_VALUE(a), MESSAGE_6(__VA_ARGS__)
#define MESSAGE_8(a, ...) MESSAGE_VALUE(a), MESSAGE_7(__VA_ARGS__)
#define MESSAGE_9(a, ...) MESSAGE_VALUE(a), MESSAGE_8(__VA_ARGS__)
#define MESSAGE_10(a, ...) MESSAGE_VALUE(a), MESSAGE_9(__VA_ARGS__)
#define MESSAGE_11(a, ...) MESSAGE_VALUE(a), MESSAGE_10(__VA_ARGS__)
#define MESSAGE_12(a, ...) MESSAGE_VALUE(a), MESSAGE_11(__VA_ARGS__)
// clang-format on

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

#endif
