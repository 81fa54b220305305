#include "base/utf8.h"

#include <stdbool.h>
#include <string.h>

int64_t utf8_length(Str text, int64_t at)
{
    const unsigned char *s = (const unsigned char *)text.data + at;
    int64_t room = text.len - at, length = s[0] < 0x80 ? 1 : s[0] < 0xE0 ? 2 : s[0] < 0xF0 ? 3 : 4;
    if (s[0] >= 0x80 && (s[0] < 0xC2 || s[0] > 0xF4))
        return 0;
    if (length > room)
        return 0;
    for (int64_t i = 1; i < length; i++)
        if ((s[i] & 0xC0) != 0x80)
            return 0;
    bool overlong = (s[0] == 0xE0 && s[1] < 0xA0) || (s[0] == 0xF0 && s[1] < 0x90);
    bool surrogate = s[0] == 0xED && s[1] >= 0xA0, beyond = s[0] == 0xF4 && s[1] >= 0x90;
    return overlong || surrogate || beyond ? 0 : length;
}

int64_t utf8_fault(Str text)
{
    int64_t at = 0;
    while (at < text.len) {
        uint64_t eight;
        if (at + 8 <= text.len && (memcpy(&eight, text.data + at, 8), true) &&
            !(eight & 0x8080808080808080u)) {
            at += 8;
            continue;
        }
        int64_t length = utf8_length(text, at);
        if (!length)
            break;
        at += length;
    }
    return at;
}

// Requires: the character is well-formed.
static uint32_t character_at(Str text, int64_t at, int64_t length)
{
    uint32_t lead = (unsigned char)text.data[at];
    uint32_t character = length == 1 ? lead : lead & (0x7FU >> length);
    for (int64_t i = 1; i < length; i++)
        character = character << 6 | ((unsigned char)text.data[at + i] & 0x3F);
    return character;
}

// tools/terminal.c has the same ranges, for text that is not escaped here.
static bool is_hidden(uint32_t c)
{
    static const uint32_t ranges[][2] = {{0x00, 0x08},     {0x0B, 0x1F},     {0x7F, 0x9F},
                                         {0x061C, 0x061C}, {0x200E, 0x200F}, {0x2028, 0x202E},
                                         {0x2066, 0x2069}, {0xFEFF, 0xFEFF}};
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++)
        if (c >= ranges[i][0] && c <= ranges[i][1])
            return true;
    return false;
}

Str utf8_visible(Arena *arena, Str text)
{
    StrBuf out = {.arena = arena};
    int64_t kept = 0; // the text before it is in `out`
    for (int64_t at = 0; at < text.len;) {
        int64_t length = utf8_length(text, at);
        uint32_t character = length ? character_at(text, at, length) : 0;
        if (!length || is_hidden(character)) {
            buf_add(&out, str_slice(text, kept, at));
            if (length)
                buf_format(&out, "\\u{04x}", character);
            else
                buf_format(&out, "\\x{02x}", (unsigned char)text.data[at]);
            kept = at + (length ? length : 1);
        }
        at += length ? length : 1;
    }
    if (!kept)
        return text;
    buf_add(&out, str_slice(text, kept, text.len));
    return buf_str(&out);
}

Str utf8_shown(Arena *arena, Str text)
{
    enum { SHOWN_BYTES = 60, FIRST_SEEN = 0x20, DELETE = 0x7F };
    StrBuf out = {.arena = arena};
    int64_t at = 0;
    while (at < text.len && at < SHOWN_BYTES) {
        unsigned char c = (unsigned char)text.data[at];
        int64_t length = c < FIRST_SEEN || c == DELETE ? 0 : utf8_length(text, at);
        if (length)
            buf_add(&out, str_slice(text, at, at + length));
        else
            buf_format(&out, "\\x{02x}", c);
        at += length ? length : 1;
    }
    if (at < text.len)
        buf_add(&out, STR(".."));
    return buf_str(&out);
}
