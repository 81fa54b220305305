// The functions of the standard library that are written in C. std.rs and prelude.rs declare them.
// `#[native(list_push)]` before a declaration names its function here; `#[native(iter_adapt,
// ADAPT_MAP)]` also gives the `op` that the function gets. The build makes a table of these marks
// (cmake/natives.cmake). It fails if a mark names no function (nothing to link) or a function has
// no mark (no prototype).
#ifndef CONTRA_LANG_STD_NATIVE_H
#define CONTRA_LANG_STD_NATIVE_H

#include "lang/std/std.h"
#include <natives.h> // made by the build

// False: it is not worked out.
#define NATIVE(name) bool native_##name(const StdCall *call, Value *result)

typedef struct StdNative {
    const char *mark; // the text in the brackets of `#[native(..)]`
    bool (*run)(const StdCall *call, Value *result);
    int32_t op; // which of several operations it does
} StdNative;

extern const StdNative std_natives[];
extern const int64_t std_native_count;

// ---- arguments and answers (call.c)

Type *std_arg_type(const StdCall *call, int64_t index);
// A generic of the function itself, by its number; NULL: there is none.
Type *std_generic(const StdCall *call, int32_t index);
Value std_arg(const StdCall *call, int64_t index); // without references
// Where the value of a chain of references lies; NULL: it is none.
Value *std_place(const StdCall *call, int64_t index);
bool std_int(const StdCall *call, int64_t index, int64_t *value);
// Of usize: what is more than there will ever be is cut to a number that no list is as long as.
bool std_count(const StdCall *call, int64_t index, int64_t *value);
bool std_text(const StdCall *call, int64_t index, Str *text);
// Returns (). Always true.
bool std_unit(Value *result);
// Returns Some(item) if there is one, or else None. Always true.
bool std_option(const StdCall *call, bool there, Value item, Value *result);
// The program panics. Always true.
bool(std_panic)(const StdCall *call, Value *result, Message message);
#define std_panic(call, result, ...) std_panic(call, result, MESSAGE(__VA_ARGS__))
// A closure or function that was handed over, with these arguments.
Value std_apply(const StdCall *call, Value function, const Value *args, int64_t count);
// The same for one that answers yes or no. False in *known: it does not say.
bool std_ask(const StdCall *call, Value function, const Value *args, int64_t count, bool *known);

// ---- iterators (iter.c), and their adapters (adapt.c)

// The iterator over an argument.
Iter *iter_arg(const StdCall *call, int64_t index);

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
    ADAPT_REV,
    ADAPT_CYCLE,
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

Iter *iter_repeat(Trace *trace, Value value, int64_t count); // -1: for ever
Iter *iter_from_fn(Trace *trace, Value function, bool endless, Span span);

// ---- lists (list.c)

void list_insert(Trace *trace, ValueList *list, int64_t at, Value item);
Value list_remove(ValueList *list, int64_t at);
// The type of the items of `self`; NULL: not known.
Type *list_item_type(const StdCall *call);

// ---- texts (text.c)

// Whether a place is between characters, and not beyond the end.
bool text_ends_at(Str text, uint64_t at);

// ---- values of `op`

enum { END_FIRST, END_LAST };

enum { CASE_UPPER, CASE_LOWER };

enum { STD_EQ, STD_NE, STD_CMP, STD_PARTIAL_CMP };

enum {
    CHAR_ALPHABETIC,
    CHAR_NUMERIC,
    CHAR_ALPHANUMERIC,
    CHAR_WHITESPACE,
    CHAR_UPPERCASE,
    CHAR_LOWERCASE,
    CHAR_CONTROL,
    CHAR_ASCII,
    CHAR_ASCII_ALPHABETIC,
    CHAR_ASCII_DIGIT,
    CHAR_ASCII_HEXDIGIT,
    CHAR_ASCII_ALPHANUMERIC,
    CHAR_ASCII_UPPERCASE,
    CHAR_ASCII_LOWERCASE,
    CHAR_ASCII_PUNCTUATION,
    CHAR_ASCII_WHITESPACE,
    CHAR_ASCII_CONTROL,
    CHAR_ASCII_GRAPHIC,
};

enum { READ_BYTES, READ_TEXT };

enum {
    FLOAT_POWF,
    FLOAT_MIN,
    FLOAT_MAX,
    FLOAT_COPYSIGN,
    FLOAT_HYPOT,
    FLOAT_ATAN2,
    FLOAT_MIDPOINT,
};

enum {
    ASK_NAN,
    ASK_FINITE,
    ASK_INFINITE,
    ASK_NORMAL,
    ASK_SUBNORMAL,
    ASK_NEGATIVE,
    ASK_POSITIVE,
};

enum {
    FORMATTER_ALTERNATE,
    FORMATTER_PLUS,
    FORMATTER_ZERO,
    FORMATTER_WIDTH,
    FORMATTER_PRECISION,
    FORMATTER_FILL
};

enum { EXTREME_LARGEST = 1, EXTREME_BY = 2, EXTREME_KEY = 4 };

enum { SEARCH_ALL, SEARCH_ANY, SEARCH_FIND, SEARCH_POSITION };

enum { GET_REF, GET_CONTAINS, GET_PAIR };

enum { MAP_REMOVE_ITEM, MAP_REMOVE_VALUE };

enum { PART_KEYS = 1, PART_VALUES = 2, PART_OWNED = 4 };

enum { RANGE_EMPTY, RANGE_START, RANGE_LAST, RANGE_LENGTH };

enum { DOWNCAST_IS, DOWNCAST_REF, DOWNCAST_TAKE };

typedef enum {
    NUMBER_ADD,
    NUMBER_SUB,
    NUMBER_MUL,
    NUMBER_DIV,
    NUMBER_REM,
    NUMBER_DIV_EUCLID,
    NUMBER_REM_EUCLID,
    NUMBER_NEG,
    NUMBER_ABS,
    NUMBER_POW,
    NUMBER_SHL,
    NUMBER_SHR,
    NUMBER_DIV_CEIL,
    NUMBER_MULTIPLE,
} NumberOp;

// How a result that does not fit its type is handled. Added to a NumberOp.
typedef enum {
    WAY_WRAPPING = 0,
    WAY_CHECKED = 32,
    WAY_SATURATING = 64,
    WAY_OVERFLOWING = 96,
    WAY_PLAIN = 128
} Way;

enum { ORDER_MIN, ORDER_MAX };

enum { ORDER_REVERSE, ORDER_THEN, ORDER_THEN_WITH };

enum { SORT_PLAIN, SORT_BY, SORT_KEY };

enum { COUNT_STRONG, COUNT_WEAK };

enum { BORROW_MUT = 1, BORROW_TRY = 2, BORROW_LOCK = 4 };

enum { CELL_REF, CELL_GET, CELL_SET, CELL_REPLACE, CELL_INTO };

enum {
    ATOMIC_ADD,
    ATOMIC_SUB,
    ATOMIC_AND,
    ATOMIC_OR,
    ATOMIC_XOR,
    ATOMIC_MAX,
    ATOMIC_MIN,
    ATOMIC_EXCHANGE,
    ATOMIC_UPDATE
};

enum { RANGE_DRAIN, RANGE_REPLACE };

enum { SPLIT_PLAIN, SPLIT_INDICES, SPLIT_WHITE, SPLIT_LINES };

enum { TRIM_START = 1, TRIM_END = 2, TRIM_BOTH = 3 };

enum { UTF8_CHECKED, UTF8_LOSSY };

#endif
