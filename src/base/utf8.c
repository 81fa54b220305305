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
            buf_printf(&out, "\\x%02x", c);
        at += length ? length : 1;
    }
    if (at < text.len)
        buf_add(&out, STR(".."));
    return buf_str(&out);
}
