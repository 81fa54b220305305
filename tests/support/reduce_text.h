// Program texts made smaller while something still holds of them.
#ifndef CONTRA_TEST_REDUCE_TEXT_H
#define CONTRA_TEST_REDUCE_TEXT_H

#include "base/str.h"

// The smallest text that is found. Requires: it holds of `text`.
Str reduce_text(Arena *arena, Str text, bool (*holds)(void *own, Str text), void *own);

#endif
