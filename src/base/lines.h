// Places in sources: the line and column of an offset.
#ifndef CONTRA_BASE_LINES_H
#define CONTRA_BASE_LINES_H

#include "base/diag.h"

typedef struct {
    int64_t line;   // 1-based
    int64_t column; // 1-based, in characters
    Str text;       // the line without its end
    int64_t start;  // offset of the line in the source
} Place;

typedef struct {
    ARRAY(int64_t);
} LineStarts;

// The sources with the starts of their lines, each found when first asked for: a file may have a
// million lines and as many diagnostics.
typedef struct {
    const SourceList *sources;
    LineStarts *lines; // one a source
    Arena *arena;
} Texts;

Texts texts_of(Arena *arena, const SourceList *sources);

// Finds the lines of a source, if nobody did before.
const LineStarts *lines_of(const Texts *texts, int32_t source);

// Requires: the source is there. An offset beyond its end counts as the end.
Place place_of(const Texts *texts, int32_t source, int64_t offset);

// A byte of UTF-8 that begins no character.
static inline bool is_continuation(char c)
{
    return ((unsigned char)c & 0xC0) == 0x80;
}

// Characters of a piece of UTF-8 (or bytes, where it is not).
int64_t width_of(Str text);

#endif
