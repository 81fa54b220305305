// Pieces of drawings that all of them share.
#ifndef CONTRA_BASE_SVG_H
#define CONTRA_BASE_SVG_H

#include "base/str.h"

// The head of a page of its own, white, with a pattern named `padding` that hatches; ends with
// "</svg>\n".
void svg_begin(StrBuf *out, int64_t width, int64_t height, const char *anchor);

// Text of others, whatever characters are in it.
void svg_add_text(StrBuf *out, Str text);

// A hue for number `at` of `count`, round the wheel; neighbours differ however many there are.
int svg_hue(int64_t at, int64_t count);

#endif
