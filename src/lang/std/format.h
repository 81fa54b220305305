// Formatted text: what stands between the braces of a format, and what it makes of values.
#ifndef CONTRA_LANG_STD_FORMAT_H
#define CONTRA_LANG_STD_FORMAT_H

#include "lang/eval/trace_internal.h"
#include "lang/syntax/format_text.h"

// What `fmt` of a program's own type gets: where the text goes, and how it is wanted.
typedef struct Formatter {
    StrBuf *out;
    FormatSpec spec;
    // of debug_struct and the like: what is between the items so far
    enum {
        BUILDS_NOTHING,
        BUILDS_STRUCT,
        BUILDS_TUPLE,
        BUILDS_LIST,
        BUILDS_SET,
        BUILDS_MAP
    } builds;
    int64_t count; // items so far
    bool nameless; // a tuple without a name
} Formatter;

// Adds a value. `type`: NULL where it is not at hand.
void format_value(Trace *trace, StrBuf *out, Value value, Type *type, const FormatSpec *spec);

// First and last of each run of characters that Debug writes by their number (escaped.txt).
extern const uint32_t format_escaped[][2];
extern const int64_t format_escaped_count;

void format_char_debug(StrBuf *out, uint32_t c, uint32_t quote);

#endif
