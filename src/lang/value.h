// Values of a running function. While a kernel is traced, tensors and streams are handles into the
// program being built, and what only the host could know is `unknown`.
#ifndef CONTRA_LANG_VALUE_H
#define CONTRA_LANG_VALUE_H

#include "lang/infer.h"
#include "program/build.h"

typedef struct Value Value;

typedef enum {
    VALUE_UNKNOWN, // not computed here
    VALUE_POISON,  // comes from something that was refused: silent from here on
    VALUE_MOVED,   // given away
    VALUE_BOOL,
    VALUE_INT,   // of the width that its type says, sign- or zero-extended
    VALUE_FLOAT, // f32 and f64
    VALUE_STRING,
    VALUE_LIST,    // tuple, array, struct; the fields of a variant
    VALUE_VARIANT, // of an enum; a struct without fields
    VALUE_REF,     // to a place
    VALUE_FN,
    VALUE_CLOSURE,
    VALUE_RANGE,
    VALUE_TENSOR,
    VALUE_VIEW,
    VALUE_STREAM,
    VALUE_CONTEXT,  // all contexts, or one of them
    VALUE_OPERAND,  // of the Vector Engine
    VALUE_DIVISION, // FpDivOp: a variant with a mode
    VALUE_TABLE,    // of a fetch
    VALUE_IDENT,    // the name of an axis
    VALUE_ITEMS,    // an iterator over the items of a list
} ValueKind;

typedef struct {
    Value *items;
    int64_t count;
} ValueList;

typedef struct {
    const AstExpr *expr;
    struct Frame *frame; // whose variables it sees
} Closure;

struct Value {
    ValueKind kind;
    union {
        bool boolean;
        Span where; // moved
        int64_t integer;
        double real;
        Str text;
        const ValueList *list;
        struct {
            const Decl *decl;
            const ValueList *fields; // NULL: none
        } variant;
        Value *place;
        const Use *function;
        Closure closure;
        struct {
            int64_t low, high; // high is excluded
            bool open;         // without an end
        } range;
        const Tensor *tensor;
        const View *view;
        struct {
            Pass *pass;
            const Stage *stage;
        } stream;
        const Operand *operand;
        struct {
            const Decl *decl;
            ArgMode mode;
        } division;
        const FetchAdapter *table;
        struct {
            const Atom *atom; // NULL: only its name is known
            const char *name; // interned
        } ident;
        struct {
            const ValueList *list;
            bool by_ref;    // gives references
            bool enumerate; // gives (index, item)
        } items;
    };
};

#define VALUE_NOTHING ((Value){.kind = VALUE_UNKNOWN})

static inline Value value_int(int64_t integer)
{
    return (Value){.kind = VALUE_INT, .integer = integer};
}

static inline Value value_bool(bool boolean)
{
    return (Value){.kind = VALUE_BOOL, .boolean = boolean};
}

// What a chain of references ends at.
static inline Value value_strip(Value value)
{
    enum { LONGEST_CHAIN = 64 }; // a circle of references ends as unknown
    for (int i = 0; i < LONGEST_CHAIN && value.kind == VALUE_REF; i++)
        value = *value.place;
    return value.kind == VALUE_REF ? VALUE_NOTHING : value;
}

#endif
