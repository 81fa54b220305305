// Values of a running function. While a kernel is traced, tensors and streams are handles into the
// program being built, and what only the host could know is `unknown`. While a host program runs
// nothing is unknown, and tensors are arrays.
//
// A list is changed in place; who binds it by value owns it, as in the language, and what is
// copied (a type that is Copy, clone) is a list of its own.
#ifndef CONTRA_LANG_EVAL_VALUE_H
#define CONTRA_LANG_EVAL_VALUE_H

#include "base/wide.h"
#include "lang/types/infer.h"
#include "mapping/cell.h"
#include "program/build.h"

typedef struct Value Value;

typedef enum {
    VALUE_UNKNOWN, // not computed here
    VALUE_POISON,  // comes from something that was refused: silent from here on
    VALUE_MOVED,   // given away
    VALUE_BOOL,
    VALUE_INT,    // of the width that its type says, sign- or zero-extended; char
    VALUE_WIDE,   // i128 and u128
    VALUE_FLOAT,  // f32 and f64
    VALUE_SCALAR, // a type of elements that is no number of the language: bf16, f8e4m3, i4
    VALUE_STRING,
    VALUE_LIST,    // tuple, array, Vec, slice, struct; the fields of a variant
    VALUE_VARIANT, // of an enum; a struct without fields
    VALUE_SMALL,   // Init, Some, Ok, Err of a number, a reference or a bare variant: needs no list
    VALUE_REF,     // to a place
    VALUE_FN,
    VALUE_CLOSURE,
    VALUE_RANGE,
    VALUE_TENSOR,
    VALUE_VIEW,
    VALUE_STREAM,
    VALUE_CONTEXT,   // all contexts, or one of them
    VALUE_OPERAND,   // of the Vector Engine
    VALUE_DIVISION,  // FpDivOp: a variant with a mode
    VALUE_TABLE,     // of a fetch
    VALUE_IDENT,     // the name of an axis
    VALUE_ITER,      // an iterator
    VALUE_MAP,       // HashMap, BTreeMap, HashSet, BTreeSet
    VALUE_RNG,       // SmallRng
    VALUE_ARRAY,     // Tensor while a program runs
    VALUE_INDEX,     // what a position of a mapping means
    VALUE_MAPPING,   // a mapping as a value
    VALUE_FACTORS,   // FMapping: its factor form
    VALUE_WEAK,      // of an Rc or Arc
    VALUE_FUTURE,    // a call or block that was not awaited yet
    VALUE_FORMATTER, // of formatted text, and what debug_struct and the like give
} ValueKind;

// What is followed of a list while a program runs.
typedef struct {
    Type *drops; // of a type with an `impl Drop`: that type
    bool dropped;
    int32_t borrows; // of a cell: how many read it; BORROWED_MUT: one changes it
} ListOwner;

typedef struct {
    Value *items;
    int64_t count;
    int64_t capacity; // of a list that grows; 0: exactly as many as there are
    ListOwner *owner; // NULL: nothing of it is followed
} ValueList;

enum { BORROWED_MUT = -1 };

typedef struct Iter Iter;
typedef struct ValueMap ValueMap;
typedef struct HostArray HostArray;

typedef struct {
    Index index;
    bool is_valid;
} HostIndex;

typedef struct {
    const AstExpr *expr;
    struct Frame *frame; // whose variables it sees
} Closure;

typedef struct {
    Uint128 low, high;
} RangeEnds;

struct Value {
    ValueKind kind;
    union {
        bool boolean;
        Span where; // moved
        int64_t integer;
        uint64_t wide[2]; // the low half, the high half: as one they would ask for more alignment
        double real;
        struct {
            Scalar type;
            uint32_t bits;
        } scalar;
        struct {
            Str text;
            int64_t capacity; // of a String that grows; 0: the text is not its own
        };
        ValueList *list;
        struct {
            Decl *decl;
            ValueList *fields; // NULL: none
        } variant;
        struct {
            Decl *decl;
            ValueKind kind; // of the field: BOOL, INT, FLOAT, SCALAR, REF, VARIANT
            union {
                bool boolean;
                int64_t integer;
                double real;
                Value *place;
                Decl *variant; // without fields
                struct {
                    Scalar type;
                    uint32_t bits;
                } scalar;
            };
        } small;
        struct {
            Value *place;
            Type *dyn; // what a `dyn Trait` stands for; NULL: it is none
            // what it owns: Rc, Box<dyn>, guards, the context; NULL: it only refers
            struct Shared *shared;
        };
        const Use *function;
        Closure closure;
        struct {
            union {
                int64_t low;
                double real_low;
                const RangeEnds *ends; // of i128 and u128, both
            };
            union {
                int64_t high;
                double real_high;
            };
            bool no_start;  // ..high
            bool open;      // low..
            bool inclusive; // the end belongs to it
            bool is_real;   // of floats
            uint8_t prim;   // the type of its ends
        } range;
        const Tensor *tensor;
        const View *view;
        struct {
            Pass *pass;
            const Stage *stage;
        } stream;
        const Operand *operand;
        struct {
            Decl *decl;
            ArgMode mode;
        } division;
        const FetchAdapter *table;
        struct {
            const Atom *atom; // NULL: only its name is known
            const char *name; // interned
        } ident;
        Iter *iter;
        ValueMap *map;
        SmallRng *rng;
        HostArray *array;
        HostIndex *index;
        const Expr *mapping;
        const Mapping *factors;
        struct Formatter *formatter;
        struct Future *future;
    };
};

static inline Type *list_drops(const ValueList *list)
{
    return list->owner ? list->owner->drops : NULL;
}

static inline int32_t list_borrows(const ValueList *list)
{
    return list->owner ? list->owner->borrows : 0;
}

#define VALUE_NOTHING ((Value){.kind = VALUE_UNKNOWN})

static inline Value value_int(int64_t integer)
{
    return (Value){.kind = VALUE_INT, .integer = integer};
}

static inline Value value_wide(Uint128 bits)
{
    return (Value){.kind = VALUE_WIDE, .wide = {(uint64_t)bits, (uint64_t)(bits >> 64)}};
}

static inline Uint128 value_wide_bits(Value value)
{
    return (Uint128)value.wide[1] << 64 | value.wide[0];
}

static inline Value value_bool(bool boolean)
{
    return (Value){.kind = VALUE_BOOL, .boolean = boolean};
}

// What a chain of references ends at, where it lies. What was just written is better looked at
// there than copied.
static inline const Value *value_target(const Value *value)
{
    enum { LONGEST_CHAIN = 64 }; // a circle of references ends as unknown
    static const Value unknown = {.kind = VALUE_UNKNOWN};
    for (int i = 0; i < LONGEST_CHAIN && value->kind == VALUE_REF; i++)
        value = value->place;
    return value->kind == VALUE_REF ? &unknown : value;
}

// The same as far as an Rc, a guard or a Box of a `dyn`, which are values of their own.
static inline Value value_unlent(Value value)
{
    enum { LONGEST_CHAIN = 64 };
    for (int i = 0; i < LONGEST_CHAIN && value.kind == VALUE_REF && !value.shared; i++)
        value = *value.place;
    return value;
}

static inline Value value_strip(Value value)
{
    return *value_target(&value);
}

#endif
