// Iterators: whatever gives one value after another. They are lazy, as in the language: an adapter
// asks the iterator it stands on when it is asked itself.
#ifndef CONTRA_LANG_EVAL_ITER_H
#define CONTRA_LANG_EVAL_ITER_H

#include "lang/eval/trace_internal.h"

// The next item, from the front or from the back. False: there is none any more, or the program
// stopped (trace->flow says so).
typedef bool (*IterNext)(Trace *trace, Iter *iter, Value *item);

// How many items are left; -1: nobody knows before they are asked for.
typedef Int128 (*IterSize)(const Iter *iter);

struct Iter {
    IterNext next;
    IterNext next_back;  // NULL: it has no end to start from
    IterSize size;       // NULL: not known
    Iter *inner;         // what it stands on
    Iter *other;         // zip, chain: the second; flat_map: the one at hand; cycle: from the start
    Iter *back;          // flat_map: the one at hand behind
    Value function;      // map, filter, ..
    Value state;         // scan, repeat, peekable: what is kept; chars: the text
    ValueList *list;     // of a list
    Decl *method;        // of a type of the program: its `next`
    Decl *method_back;   // its `next_back`
    Type *type;          // of that
    int64_t at, end;     // of a list or text: what is left
    Uint128 first, last; // of a range: the same, as bits of its type
    Prim prim;           // that type
    int64_t step;        // chunks, windows: items of each
    Int128 count; // take: still to give; skip: still to leave out; step_by: from one to the next
    Span span;    // of the call that made it
    bool by_ref;  // of a list: gives references; of a text: gives pairs
    bool is_open; // of a range: without an end
    bool is_wide; // of a range: of numbers of 128 bits
    bool done;    // nothing is left
    bool owns;    // of a list: its items are dropped with it
};

// An iterator over a value: a range, a list (references, if it is one), an iterator itself, a map,
// an Option. NULL: it cannot be iterated over here, or is not known.
Iter *iter_of(Trace *trace, Value value);

Iter *iter_over_list(Trace *trace, ValueList *list, bool by_ref);

Iter *iter_over_items(Trace *trace, ValueList *list, bool by_ref);

// The characters of a text, or its bytes; `indexed`: as pairs with where each stands.
Iter *iter_over_text(Trace *trace, Str text, bool bytes, bool indexed);

// What a type of the program gives by its own `next` or `into_iter`; any other value as above.
Iter *iter_of_type(Trace *trace, Value value, Type *type);

bool iter_next(Trace *trace, Iter *iter, Value *item);
bool iter_next_back(Trace *trace, Iter *iter, Value *item);
Int128 iter_size(const Iter *iter); // -1: not known
// Passes over as many items, from the front or from the back. False: there were fewer.
bool iter_skip(Trace *trace, Iter *iter, Int128 count);
bool iter_skip_back(Trace *trace, Iter *iter, Int128 count);
// Is it the numbers of a range, of which the last is known as soon as the first?
bool iter_is_range(const Iter *iter);
Iter *iter_clone(Trace *trace, const Iter *iter);
Iter *iter_new(Trace *trace, Iter iter);

// map.c
Iter *iter_over_map(Trace *trace, const ValueMap *map, bool by_ref);

#endif
