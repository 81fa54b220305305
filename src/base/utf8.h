// Which bytes are text.
#ifndef CONTRA_BASE_UTF8_H
#define CONTRA_BASE_UTF8_H

#include "base/str.h"

// Bytes of the well-formed UTF-8 character at `at`; 0: there is none.
// Requires: `at` is inside of the text.
int64_t utf8_length(Str text, int64_t at);

// The first byte that is part of no character; the length of the text where all are.
int64_t utf8_fault(Str text);

// The text with each invisible character that changes how others look written as `\u001b`: controls
// other than tabs and newlines, and characters that set the direction of text. Bytes that are not
// UTF-8 become `\xff`. Without any of these, it is the text itself.
Str utf8_visible(Arena *arena, Str text);

// As a message can show it: bytes that are not characters to look at as `\x00`, and of a long text
// what it begins with.
Str utf8_shown(Arena *arena, Str text);

#endif
