// The adapters of iterators.
#ifndef CONTRA_LANG_STD_ADAPT_H
#define CONTRA_LANG_STD_ADAPT_H

#include "lang/std/std.h"

typedef enum {
    ADAPT_MAP,
    ADAPT_FILTER,
    ADAPT_FILTER_MAP,
    ADAPT_FLAT_MAP,
    ADAPT_FLATTEN,
    ADAPT_ENUMERATE,
    ADAPT_ZIP,
    ADAPT_CHAIN,
    ADAPT_TAKE,
    ADAPT_SKIP,
    ADAPT_STEP_BY,
    ADAPT_TAKE_WHILE,
    ADAPT_SKIP_WHILE,
    ADAPT_MAP_WHILE,
    ADAPT_REV,
    ADAPT_CYCLE,
    ADAPT_INSPECT,
    ADAPT_PEEKABLE,
    ADAPT_COPIED,
    ADAPT_SCAN,
    ADAPT_COUNT
} Adapter;

// What is particular to one (its function, its count) is filled in by the caller.
Iter *iter_adapt(Trace *trace, Adapter kind, Iter *inner);

// The next item of a peekable iterator, which stays; NULL: there is none.
Value *iter_peek(Trace *trace, Iter *iter);

typedef enum { CHUNK_ALL, CHUNK_EXACT, CHUNK_WINDOWS } ChunkKind;

// Slices of a list. Requires: size > 0.
Iter *iter_chunks(Trace *trace, ValueList *list, int64_t size, ChunkKind kind);
Iter *iter_rchunks(Trace *trace, ValueList *list, int64_t size);

Iter *iter_repeat(Trace *trace, Value value, int64_t count); // -1: for ever
Iter *iter_from_fn(Trace *trace, Value function, bool endless, Span span);
Iter *iter_successors(Trace *trace, Value first, Value function, Span span);

// Does it give what another gives from its end?
bool iter_is_reversed(const Iter *iter);

#endif
