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

Str str_format(Arena *arena, const char *format, ...)
{
    StrBuf buf = {.arena = arena};
    va_list args;
    va_start(args, format);
    buf_vprintf(&buf, format, args);
    va_end(args);
    return buf_str(&buf);
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

void buf_printf(StrBuf *buf, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    buf_vprintf(buf, format, args);
    va_end(args);
}

void buf_vprintf(StrBuf *buf, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    if (length < 0) // more than an int counts: more than anybody has room for
        arena_exhausted(buf->arena);
    reserve(buf, length);
    vsnprintf(buf->data + buf->len, (size_t)length + 1, format, again);
    va_end(again);
    buf->len += length;
}

Str buf_str(const StrBuf *buf)
{
    return (Str){buf->len ? buf->data : "", buf->len};
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

int64_t str_distance(Str a, Str b, int64_t limit)
{
    enum { LONGEST = 64 };
    // distances of the prefixes of b to a prefix of a: the one so far, and those one and two
    // shorter
    int64_t rows[3][LONGEST + 1] = {0};
    int64_t longer = a.len > b.len ? a.len - b.len : b.len - a.len;
    if (a.len > LONGEST || b.len > LONGEST || longer > limit)
        return limit + 1;
    for (int64_t j = 0; j <= b.len; j++)
        rows[0][j] = j;
    for (int64_t i = 1; i <= a.len; i++) {
        int64_t *row = rows[i % 3];
        const int64_t *one = rows[(i + 2) % 3], *two = rows[(i + 1) % 3];
        row[0] = i;
        for (int64_t j = 1; j <= b.len; j++) {
            int64_t replaced = one[j - 1] + (a.data[i - 1] != b.data[j - 1]);
            row[j] = min_i64(replaced, min_i64(one[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && a.data[i - 1] == b.data[j - 2] && a.data[i - 2] == b.data[j - 1])
                row[j] = min_i64(row[j], two[j - 2] + 1);
        }
    }
    return min_i64(rows[a.len % 3][b.len], limit + 1);
}
