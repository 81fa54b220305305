// Texts as sequences of characters, in UTF-8.
#ifndef CONTRA_LANG_SYNTAX_TEXT_H
#define CONTRA_LANG_SYNTAX_TEXT_H

#include "base/str.h"

// Is this byte not the first of its character?
static inline bool text_is_inside(char byte)
{
    return ((uint8_t)byte & 0xc0) == 0x80;
}

// The character that starts at *at, which moves behind it.
uint32_t text_decode(Str text, int64_t *at);

// Adds a character. What is none becomes U+FFFD.
void text_encode(StrBuf *out, uint32_t c);

int64_t text_count(Str text); // characters in it

// Is it UTF-8? *valid: how many bytes are, up to the first that is not.
bool text_is_valid(Str text, int64_t *valid);

#endif
