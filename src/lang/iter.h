// Iterators: whatever gives one value after another. They are lazy, as in the language: an adapter
// asks the iterator it stands on when it is asked itself.
#ifndef CONTRA_LANG_ITER_H
#define CONTRA_LANG_ITER_H

#include "lang/trace_internal.h"

// The next item, from the front or from the back. False: there is none any more, or the program
// stopped (trace->flow says so).
typedef bool (*IterNext)(Trace *trace, Iter *iter, Value *item);

struct Iter {
    IterNext next;
    IterNext next_back; // NULL: it has no end to start from
    Iter *inner;        // what it stands on
    Iter *other;        // zip, chain: the second; flat_map: the one at hand
    Value function;     // map, filter, ..
    Value state;        // scan, repeat, peekable: what is kept
    ValueList *list;    // of a list
    int64_t at, end;    // of a list or range: what is left
    int64_t step;
    bool by_ref;  // of a list: gives references
    bool is_open; // of a range: without an end
    bool done;
};

// An iterator over a value: a range, a list (references, if it is one), an iterator itself, a map,
// an Option. NULL: it cannot be iterated over here, or is not known.
Iter *iter_of(Trace *trace, Value value);

Iter *iter_over_list(Trace *trace, ValueList *list, bool by_ref);

bool iter_next(Trace *trace, Iter *iter, Value *item);

#endif
