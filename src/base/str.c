#include "base/str.h"

#include "base/checked.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

Str str_from(const char *terminated)
{
    return (Str){terminated, (int64_t)strlen(terminated)};
}

bool str_equal(Str a, Str b)
{
    if (a.len != b.len || a.len == 0)
        return a.len == b.len;
    assert(a.data && b.data); // only an empty one may be nowhere
    return memcmp(a.data, b.data, (size_t)a.len) == 0;
}

int str_compare(Str a, Str b)
{
    int64_t shorter = a.len < b.len ? a.len : b.len;
    int order = shorter ? memcmp(a.data, b.data, (size_t)shorter) : 0;
    return order ? order : (a.len > b.len) - (a.len < b.len);
}

bool str_starts_with(Str text, Str prefix)
{
    return text.len >= prefix.len && str_equal(str_slice(text, 0, prefix.len), prefix);
}

bool str_ends_with(Str text, Str ending)
{
    return text.len >= ending.len &&
           str_equal(str_slice(text, text.len - ending.len, text.len), ending);
}

const char *str_article(Str word)
{
    bool is_vowel = word.len && memchr("AEIOaeio", word.data[0], 8); // a u8 is "a you-eight"
    return is_vowel || str_starts_with(word, STR("Hbm")) ? "an" : "a";
}

Str str_slice(Str text, int64_t start, int64_t end)
{
    return (Str){text.data ? text.data + start : NULL, end - start};
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

int64_t str_find(Str text, Str part)
{
    for (int64_t i = 0; i + part.len <= text.len; i++)
        if (!part.len || memcmp(text.data + i, part.data, (size_t)part.len) == 0)
            return i;
    return -1;
}

Str str_trim(Str text)
{
    int64_t start = 0, end = text.len;
    while (start < end && is_blank(text.data[start]))
        start++;
    while (end > start && is_blank(text.data[end - 1]))
        end--;
    return str_slice(text, start, end);
}

Str str_unquoted(Str text)
{
    text = str_trim(text);
    bool quoted = text.len >= 2 && text.data[0] == '"' && text.data[text.len - 1] == '"';
    return quoted ? str_slice(text, 1, text.len - 1) : text;
}

Str str_copy(Arena *arena, Str text)
{
    return (Str){str_terminated(arena, text), text.len};
}

const char *str_terminated(Arena *arena, Str text)
{
    char *copy = arena_alloc(arena, 1, 1, (size_t)text.len + 1);
    if (text.len)
        memcpy(copy, text.data, (size_t)text.len);
    return copy;
}

bool str_to_i64(Str text, int64_t *value)
{
    int64_t result = 0;
    if (text.len == 0)
        return false;
    for (int64_t i = 0; i < text.len; i++) {
        char c = text.data[i];
        if (c < '0' || c > '9' || __builtin_mul_overflow(result, 10, &result) ||
            __builtin_add_overflow(result, c - '0', &result))
            return false;
    }
    *value = result;
    return true;
}

// Room for `more` bytes and a terminator.
static void reserve(StrBuf *buf, int64_t more)
{
    if (buf->capacity - buf->len > more)
        return;
    int64_t capacity = buf->capacity ? buf->capacity * 2 : 64;
    while (capacity - buf->len <= more)
        capacity *= 2;
    char *data = arena_alloc(buf->arena, 1, 1, (size_t)capacity);
    if (buf->len)
        memcpy(data, buf->data, (size_t)buf->len);
    buf->data = data;
    buf->capacity = capacity;
}

void buf_add(StrBuf *buf, Str text)
{
    reserve(buf, text.len);
    if (text.len)
        memcpy(buf->data + buf->len, text.data, (size_t)text.len);
    buf->len += text.len;
    buf->data[buf->len] = 0;
}

void buf_add_char(StrBuf *buf, char c)
{
    buf_add(buf, (Str){&c, 1});
}

void buf_repeat(StrBuf *buf, Str text, int64_t times)
{
    for (int64_t i = 0; i < times; i++)
        buf_add(buf, text);
}

Str buf_str(const StrBuf *buf)
{
    return (Str){buf->len ? buf->data : "", buf->len};
}

// ---- messages

// Where a message is written. `length` also counts characters that do not fit.
typedef struct {
    char *text;
    int64_t size, length;
} MessageOut;

static void put_text(MessageOut *out, const char *text, int64_t len)
{
    int64_t room = max_i64(out->size - 1 - out->length, 0);
    if (room && len)
        memcpy(out->text + out->length, text, (size_t)min_i64(len, room));
    out->length += len;
}

static void put_char(MessageOut *out, char c, int64_t times)
{
    for (int64_t i = 0; i < times; i++)
        put_text(out, &c, 1);
}

// How a value is written: the text between the braces.
typedef struct {
    bool left, zeros;
    int64_t width, precision; // a precision of -1 is the default
    char conversion;          // 0: the default for its kind
} MessageStyle;

static int write_real(char *text, size_t size, double real, const MessageStyle *style)
{
    int precision = (int)style->precision;
    assert(precision <= 1000);
    switch (style->conversion) {
    case 'f':
        return snprintf(text, size, "%.*f", precision, real);
    case 'e':
        return snprintf(text, size, "%.*e", precision, real);
    case 'a':
        return snprintf(text, size, "%.*a", precision, real);
    default:
        return snprintf(text, size, "%.*g", precision, real);
    }
}

// The longest is a double with 309 digits before its point and up to 1000 after it, as a program
// may print.
enum { LONGEST_NUMBER = 1400 };

// The text of a number or a character, at the end of or in `text`.
static Str number_text(char *text, const MessageValue *value, const MessageStyle *style)
{
    if (value->kind == MESSAGE_REAL)
        return (Str){text, write_real(text, LONGEST_NUMBER, value->real, style)};
    if (value->kind == MESSAGE_CHAR || style->conversion == 'c') {
        text[0] = (char)value->number;
        return (Str){text, 1};
    }
    bool negative = value->kind == MESSAGE_SIGNED && value->number < 0 && style->conversion != 'x';
    uint64_t rest = negative ? -(uint64_t)value->number : (uint64_t)value->number;
    uint64_t base = style->conversion == 'x' ? 16 : 10;
    char *start = text + LONGEST_NUMBER;
    do
        *--start = "0123456789abcdef"[rest % base];
    while (rest /= base);
    if (negative)
        *--start = '-';
    return (Str){start, text + LONGEST_NUMBER - start};
}

static void put_value(MessageOut *out, const MessageValue *value, const MessageStyle *style)
{
    char number[LONGEST_NUMBER];
    Str text = value->text;
    if (value->kind != MESSAGE_TEXT)
        text = number_text(number, value, style);
    else if (style->precision >= 0)
        text.len = min_i64(text.len, style->precision);
    int64_t padding = max_i64(style->width - text.len, 0);
    put_char(out, style->zeros ? '0' : ' ', style->left ? 0 : padding);
    put_text(out, text.data, text.len);
    put_char(out, ' ', style->left ? padding : 0);
}

// number = digit* | "*"
static int64_t style_number(const char **at, const Message *message, int64_t *next)
{
    int64_t number = 0;
    if (**at == '*') {
        *at += 1;
        assert(*next < message->count);
        return message->values[(*next)++].number;
    }
    for (; **at >= '0' && **at <= '9'; *at += 1)
        number = number * 10 + (**at - '0');
    return number;
}

// Writes the value of the place whose text begins at `at`, after the brace. Returns the end of the
// place.
static const char *put_place(MessageOut *out, const char *at, const Message *message, int64_t *next)
{
    MessageStyle style = {.precision = -1};
    style.left = *at == '-';
    at += style.left;
    style.zeros = *at == '0';
    at += style.zeros;
    style.width = style_number(&at, message, next);
    if (*at == '.') {
        at++;
        style.precision = style_number(&at, message, next);
    }
    if (*at != '}')
        style.conversion = *at++;
    assert(*at == '}' && *next < message->count);
    put_value(out, &message->values[(*next)++], &style);
    return at + 1;
}

int64_t message_write(Message message, char *text, int64_t size)
{
    MessageOut out = {text, size, 0};
    int64_t next = 1;
    for (const char *at = message.values[0].text.data; *at;) {
        size_t plain = strcspn(at, "{");
        put_text(&out, at, (int64_t)plain);
        at += plain;
        if (at[0] == '{' && at[1] == '{') {
            put_char(&out, '{', 1);
            at += 2;
        } else if (*at) {
            at = put_place(&out, at + 1, &message, &next);
        }
    }
    assert(next == message.count);
    if (size)
        text[min_i64(out.length, size - 1)] = 0;
    return out.length;
}

void(buf_format)(StrBuf *buf, Message message)
{
    reserve(buf, 0);
    int64_t length = message_write(message, buf->data + buf->len, buf->capacity - buf->len);
    if (length >= buf->capacity - buf->len) {
        reserve(buf, length);
        message_write(message, buf->data + buf->len, buf->capacity - buf->len);
    }
    buf->len += length;
}

Str(str_format)(Arena *arena, Message message)
{
    StrBuf buf = {.arena = arena};
    (buf_format)(&buf, message);
    return buf_str(&buf);
}

struct InternSlot {
    const char *text; // NULL: free
    int64_t len;
    uint64_t hash;
};

// FNV-1a; order of insertion, not of hashes, is what anybody ever sees.
static uint64_t hash_bytes(Str text)
{
    uint64_t hash = 14695981039346656037u;
    for (int64_t i = 0; i < text.len; i++)
        hash = (hash ^ (uint8_t)text.data[i]) * 1099511628211u;
    return hash;
}

static InternSlot *find_slot(InternSlot *slots, int64_t capacity, Str text, uint64_t hash)
{
    uint64_t mask = (uint64_t)capacity - 1;
    for (uint64_t i = hash & mask;; i = (i + 1) & mask) {
        InternSlot *slot = &slots[i];
        if (!slot->text || (slot->hash == hash && str_equal((Str){slot->text, slot->len}, text)))
            return slot;
    }
}

static void grow_interner(Interner *names)
{
    int64_t capacity = names->capacity ? names->capacity * 2 : 64;
    InternSlot *slots = arena_new(names->arena, InternSlot, (size_t)capacity);
    for (int64_t i = 0; i < names->capacity; i++) {
        InternSlot *old = &names->slots[i];
        if (old->text)
            *find_slot(slots, capacity, (Str){old->text, old->len}, old->hash) = *old;
    }
    names->slots = slots;
    names->capacity = capacity;
}

const char *intern(Interner *names, Str text)
{
    if (names->count * 2 >= names->capacity)
        grow_interner(names);
    uint64_t hash = hash_bytes(text);
    InternSlot *slot = find_slot(names->slots, names->capacity, text, hash);
    if (!slot->text) {
        *slot = (InternSlot){str_terminated(names->arena, text), text.len, hash};
        names->count++;
    }
    return slot->text;
}
