// The standard library, as the evaluator calls it.
//
// One evaluator serves tracing and running. A function that cannot compute its result because an
// argument is unknown returns false.
#ifndef CONTRA_LANG_STD_STD_H
#define CONTRA_LANG_STD_STD_H

#include "lang/eval/iter.h"
#include "lang/eval/trace_internal.h"
#include "lang/std/format.h"

typedef struct {
    Trace *trace;
    const AstExpr *expr; // the call; NULL: the function was handed over as a value
    const Use *use;
    const char *name;
    const Value *args; // of a method: itself first
    int64_t count;
    Type *type; // of the result
    Type *self; // the type whose function it is; NULL: none
    Span span;
    int32_t op; // which of several operations its function does
} StdCall;

// False: it is not worked out.
bool std_call(StdCall *call, Value *result);

// ---- values of the library (option.c)

Value some_value(Trace *trace, Value field);
Value none_value(Trace *trace);
Value ok_value(Trace *trace, Value field);
Value err_value(Trace *trace, Value field);
Value ordering_value(Trace *trace, int order);
// -1, 0, 1. False: it is no Ordering.
bool ordering_of(Value value, int *order);
// Is it the variant of this name?
bool is_variant(Value value, const char *name);
// An error of the library: what Display and Debug write of it.
Value error_value(Trace *trace, const char *display, const char *debug);

static inline Value value_real(double real)
{
    return (Value){.kind = VALUE_FLOAT, .real = real};
}

static inline Value value_text(Str text)
{
    return (Value){.kind = VALUE_STRING, .text = text};
}

static inline Value value_ref(Value *place)
{
    return (Value){.kind = VALUE_REF, .place = place};
}

static inline Value value_iter(Iter *iter)
{
    return (Value){.kind = VALUE_ITER, .iter = iter};
}

// A place for a value that has none.
Value ref_to_value(Trace *trace, Value value);

// ---- compare.c

enum { UNORDERED = 2 };

// -1, 0, 1 or UNORDERED, by the type's own `cmp` or `partial_cmp` where a program wrote one. False:
// something in it is not known. `type`: NULL where it is not at hand.
bool value_compare(Trace *trace, Value a, Value b, Type *type, int *order);
bool value_equals(Trace *trace, Value a, Value b, Type *type, bool *known);
// The type of item `index` of a value of this type; NULL: not known.
Type *value_item_type(Trace *trace, Type *type, Value value, int64_t index);
// Through references and what stands for its content: Box, Rc, Arc.
Type *value_inner_type(Type *type);
// A copy, by the type's own `clone` where a program wrote one.
Value value_clone(Trace *trace, Value value, Type *type);
// What Default gives of a type. False: it has none.
bool value_default(Trace *trace, Type *type, Value *result);
// A method of a type of the program, not of the library; NULL: it has none.
Decl *user_method(Trace *trace, Type *type, const char *name);
// The same of one trait: Display and Debug both have `fmt`.
Decl *user_trait_method(Trace *trace, Type *type, const char *trait, const char *name);
// The same of a trait that is written for several items: `Sum<T>` and `Sum<&T>`.
Decl *user_collector(Trace *trace, Type *type, const char *trait, const char *name, Type *item);
// The generics of a method that is called on this type.
Type **method_generics(Trace *trace, Decl *decl, Type *self);
Value call_method(Trace *trace, Decl *decl, Type *self, const Value *args, int64_t count);
// from_iter, sum, product of a type of the program, with the items that the impl block says.
Value call_with_items(Trace *trace, Decl *decl, Type *self, Iter *iter);

// ---- elements: bf16, f8 and the like (number.c)

double element_to_real(Value value);
// The element of a type nearest to a number. False: it is no such type.
bool element_of_real(Type *type, double real, Value *result);
// What an operator makes of two elements.
Value element_binary(AstBinaryOp op, Value left, Value right);

// ---- memory (system.c)

// Can there be so many values of a type at once? NULL: bytes. False: the program ended there.
bool room_for(Trace *trace, Int128 count, Type *item, Span span);
// Is it worth working out, of a program that does not run?
bool room_to_look(const Trace *trace, Int128 count);
// How many items an iterator gives: more than there is room for, if it never ends; 0: not known.
Int128 iter_expected(const Iter *iter);

// ---- whole numbers (number.c)

// Ok with a whole number or a character in another type, or the error. False: it is none.
bool whole_try_into(Trace *trace, Value value, Type *from, Type *to, Value *result);

// ---- texts (text.c)

// Makes a String longer. The text of others stays as it is.
void text_append(Trace *trace, Value *string, Str more);

// ---- lists (list.c)

// list[range], text[range]: a part of it. False: it is none of these, or the program ended.
bool slice_value(Trace *trace, Value whole, Value range, Span span, Value *result);
// Puts an item into a BinaryHeap of this type.
void heap_push(Trace *trace, ValueList *list, Value item, Type *type);
// map[key], for reading; NULL: it is not there
Value *map_find(Trace *trace, ValueMap *map, Value key);

// ---- iterators (iter.c)

// A collection of this type, made of what an iterator gives. False: it is not known.
bool collect_into(Trace *trace, Iter *iter, Type *type, Value *result);

// ---- maps (map.c)

// The same for maps and sets. False: the type is none.
bool map_collect(Trace *trace, Iter *iter, Type *type, Value *result);
ValueList *map_list(ValueMap *map, bool keys);
Value map_copy(Trace *trace, const ValueMap *map);

// ---- adapters (adapt.c)

// Does it give what another gives from its end?
bool iter_is_reversed(const Iter *iter);

#endif
