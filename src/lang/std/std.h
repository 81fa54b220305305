// The standard library while a function runs: tables of what each of its functions does, by the
// type that it belongs to and its name. `std.rs` declares the same functions.
//
// One evaluator serves tracing and running: a function that is asked for something it does not know
// (an argument is unknown) says so by returning false.
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
    int32_t op; // of its row
} StdCall;

// False: it is not worked out.
typedef bool (*StdRun)(const StdCall *call, Value *result);

typedef struct StdRow {
    // the type; Integer, Float, Any of those that are for all such; slice, array; of a function
    // without a type its module
    const char *owner;
    const char *name; // NULL: all others of the owner
    StdRun run;
    int32_t op; // what of several things `run` does
} StdRow;

// Each ends with a row of zeros.
extern const StdRow std_number_rows[], std_float_rows[], std_iter_rows[], std_list_rows[],
    std_vec_rows[], std_order_rows[], std_heap_rows[], std_option_rows[], std_text_rows[],
    std_char_rows[], std_string_rows[], std_parse_rows[], std_map_rows[], std_rand_rows[],
    std_misc_rows[], std_env_rows[], std_format_rows[], std_element_rows[], std_shared_rows[],
    std_future_rows[];

// std_call.c
bool std_call(StdCall *call, Value *result);
Type *std_arg_type(const StdCall *call, int64_t index);
// A generic of the function itself, by its number; NULL: there is none.
Type *std_generic(const StdCall *call, int32_t index);
Value std_arg(const StdCall *call, int64_t index); // without references
bool std_int(const StdCall *call, int64_t index, int64_t *value);
// Of usize: what is more than there will ever be is cut to a number that no list is as long as.
bool std_count(const StdCall *call, int64_t index, int64_t *value);
bool std_text(const StdCall *call, int64_t index, Str *text);
// Always true: the program ends here.
bool(std_panic)(const StdCall *call, Value *result, Message message);
#define std_panic(call, result, ...) std_panic(call, result, MESSAGE(__VA_ARGS__))
// A closure or function that was handed over, with these arguments.
Value std_apply(const StdCall *call, Value function, const Value *args, int64_t count);
// The same for one that answers yes or no. False in *known: it does not say.
bool std_ask(const StdCall *call, Value function, const Value *args, int64_t count, bool *known);

// ---- values of the library (std_option.c)

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
// The same for types of the library (std_misc.c).
bool std_default(Trace *trace, Type *type, Value *result);
// A method of a type of the program, not of the library; NULL: it has none.
const Decl *user_method(Trace *trace, Type *type, const char *name);
// The same of one trait: Display and Debug both have `fmt`.
const Decl *user_trait_method(Trace *trace, Type *type, const char *trait, const char *name);
// The same of a trait that is written for several items: `Sum<T>` and `Sum<&T>`.
const Decl *user_collector(Trace *trace, Type *type, const char *trait, const char *name,
                           Type *item);
// The generics of a method that is called on this type.
Type **method_generics(Trace *trace, const Decl *decl, Type *self);
Value call_method(Trace *trace, const Decl *decl, Type *self, const Value *args, int64_t count);
// from_iter, sum, product of a type of the program, with the items that the impl block says.
Value call_with_items(Trace *trace, const Decl *decl, Type *self, Iter *iter);

// The functions of PartialEq, PartialOrd and Ord.
enum {
    STD_EQ,
    STD_NE,
    STD_LT,
    STD_LE,
    STD_GT,
    STD_GE,
    STD_CMP,
    STD_PARTIAL_CMP,
    STD_MIN,
    STD_MAX,
    STD_CLAMP
};
bool std_compare(const StdCall *call, Value *result);

// ---- elements: bf16, f8 and the like (std_element.c)

double element_to_real(Value value);
// The element of a type nearest to a number. False: it is no such type.
bool element_of_real(Type *type, double real, Value *result);
// What an operator makes of two elements.
Value element_binary(AstBinaryOp op, Value left, Value right);

// ---- assertions (std_assert.c)

// ---- memory (std_room.c)

// Can there be so many values of a type at once? NULL: bytes. False: the program ended there.
bool room_for(Trace *trace, Int128 count, Type *item, Span span);
// Is it worth working out, of a program that does not run?
bool room_to_look(const Trace *trace, Int128 count);
// How many items an iterator gives: more than there is room for, if it never ends; 0: not known.
Int128 iter_expected(const Iter *iter);
// Bytes that a value takes in Rust, as far as that is said. False: it is not.
bool size_of_type(Trace *trace, Type *type, int64_t *size, int64_t *align);

// ---- whole numbers (std_number.c)

// Ok with a whole number or a character in another type, or the error. False: it is none.
bool whole_try_into(Trace *trace, Value value, Type *from, Type *to, Value *result);

// PI and the like; unknown, if it is none (std_float.c).
Value real_constant(const char *name, bool single);

// ---- texts (std_string.c)

// Makes a String longer. The text of others stays as it is.
void text_append(Trace *trace, Value *string, Str more);

// ---- lists (std_list.c)

// list[range], text[range]: a part of it. False: it is none of these, or the program ended.
bool slice_value(Trace *trace, Value whole, Value range, Span span, Value *result);
// Puts an item into a BinaryHeap of this type.
void heap_push(Trace *trace, ValueList *list, Value item, Type *type);
// map[key], for reading; NULL: it is not there
Value *map_find(Trace *trace, ValueMap *map, Value key);

// ---- iterators (std_iter.c)

// The iterator over an argument.
Iter *iter_arg(const StdCall *call, int64_t index);
// A collection of this type, made of what an iterator gives. False: it is not known.
bool collect_into(Trace *trace, Iter *iter, Type *type, Value *result);

// ---- maps (std_map.c)

// The same for maps and sets. False: the type is none.
bool map_collect(Trace *trace, Iter *iter, Type *type, Value *result);
ValueList *map_list(ValueMap *map, bool keys);
Value map_copy(Trace *trace, const ValueMap *map);

#endif
