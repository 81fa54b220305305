#include "lang/syntax/text.h"

#include "base/utf8.h"

enum { REPLACEMENT = 0xfffd, LAST_CHAR = 0x10ffff };

uint32_t text_decode(Str text, int64_t *at)
{
    uint8_t first = (uint8_t)text.data[*at];
    int64_t length = utf8_length(text, *at);
    if (length <= 1) {
        (*at)++;
        return length ? first : REPLACEMENT;
    }
    uint32_t c = first & (0x7fU >> length);
    for (int64_t i = 1; i < length; i++)
        c = c << 6 | ((uint8_t)text.data[*at + i] & 0x3f);
    *at += length;
    return c;
}

void text_encode(StrBuf *out, uint32_t c)
{
    bool surrogate = c >= 0xd800 && c <= 0xdfff;
    if (c > LAST_CHAR || surrogate)
        c = REPLACEMENT;
    if (c < 0x80) {
        buf_add_char(out, (char)c);
    } else if (c < 0x800) {
        buf_add_char(out, (char)(0xc0 | c >> 6));
        buf_add_char(out, (char)(0x80 | (c & 0x3f)));
    } else if (c < 0x10000) {
        buf_add_char(out, (char)(0xe0 | c >> 12));
        buf_add_char(out, (char)(0x80 | (c >> 6 & 0x3f)));
        buf_add_char(out, (char)(0x80 | (c & 0x3f)));
    } else {
        buf_add_char(out, (char)(0xf0 | c >> 18));
        buf_add_char(out, (char)(0x80 | (c >> 12 & 0x3f)));
        buf_add_char(out, (char)(0x80 | (c >> 6 & 0x3f)));
        buf_add_char(out, (char)(0x80 | (c & 0x3f)));
    }
}

int64_t text_count(Str text)
{
    int64_t count = 0;
    for (int64_t i = 0; i < text.len; i++)
        count += !text_is_inside(text.data[i]);
    return count;
}

bool text_is_valid(Str text, int64_t *valid)
{
    *valid = utf8_fault(text);
    return *valid == text.len;
}
