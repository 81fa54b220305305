// The source as it is written: items, types, expressions, patterns, each with its span. Nothing is
// resolved here; names are interned, so that equal names have one address.
//
// What the parser could not read is a node of kind ERROR, reported once; whoever meets one goes on
// silently. Children are never NULL unless a comment says so.
#ifndef CONTRA_LANG_SYNTAX_AST_H
#define CONTRA_LANG_SYNTAX_AST_H

#include "base/array.h"
#include "base/diag.h"
#include "base/str.h"
#include "base/wide.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct AstType AstType;
typedef struct AstExpr AstExpr;
typedef struct AstPattern AstPattern;
typedef struct AstItem AstItem;
typedef struct AstMapping AstMapping;

typedef struct {
    ARRAY(AstType *);
} AstTypes;

typedef struct {
    ARRAY(AstExpr *);
} AstExprs;

typedef struct {
    ARRAY(AstPattern *);
} AstPatterns;

typedef struct {
    ARRAY(AstItem *);
} AstItems;

// A name where it stands.
typedef struct {
    const char *text; // interned
    Span span;
} AstName;

typedef struct {
    ARRAY(AstName);
} AstNames;

// ---- paths

typedef enum {
    GENERIC_TYPE,     // a type, or a path that may turn out to name a constant
    GENERIC_CONST,    // a literal, with or without a sign, or `{ expression }`: an AST_BLOCK
    GENERIC_LIFETIME, // 'l
    GENERIC_BINDING,  // Item = Type
} AstGenericArgKind;

typedef struct {
    AstGenericArgKind kind;
    Span span;
    AstType *type;    // type, binding
    AstExpr *value;   // const
    const char *name; // lifetime, binding
} AstGenericArg;

typedef struct {
    ARRAY(AstGenericArg);
} AstGenericArgs;

typedef struct {
    AstName name;
    bool has_args;       // `<..>` or `::<..>` was written
    Span args_span;      // of it, brackets included
    AstGenericArgs args; // outermost first, as written
} AstSegment;

typedef struct {
    ARRAY(AstSegment);
} AstSegments;

// a::b::<X>::c, ::a::b, <T>::X, <T as Trait>::X, m![..]::X is written <m![..]>::X
typedef struct {
    Span span;
    bool global;       // starts with ::
    AstType *self;     // <T>::; NULL otherwise
    AstType *as_trait; // <T as Trait>::; NULL otherwise
    AstSegments segments;
} AstPath;

// ---- mappings: what stands inside m![..]

typedef enum {
    AST_MAPPING_ERROR,
    AST_MAPPING_SYMBOL, // a name
    AST_MAPPING_NUMBER, // 1, or a number that is refused later
    AST_MAPPING_ESCAPE, // { type }
    AST_MAPPING_PAIR,   // X, Y, ..: outermost first, at least two
    AST_MAPPING_OP,     // X / n, X % n, X = n, X # n
} AstMappingKind;

struct AstMapping {
    AstMappingKind kind;
    Span span;
    AstName name;      // symbol
    int64_t number;    // number, op: n
    Span number_span;  // op
    char op;           // op: one of / % = #
    AstMapping *inner; // op
    AstType *type;     // escape
    struct {
        ARRAY(AstMapping *);
    } items; // pair
};

// ---- types

typedef enum {
    AST_TYPE_ERROR,
    AST_TYPE_PATH,
    AST_TYPE_REF,     // &T, &mut T, with any lifetime
    AST_TYPE_TUPLE,   // (), (T,), (T, U)
    AST_TYPE_ARRAY,   // [T; n]
    AST_TYPE_SLICE,   // [T]
    AST_TYPE_INFER,   // _
    AST_TYPE_NEVER,   // !
    AST_TYPE_MAPPING, // m![..]
    AST_TYPE_FN,      // fn(A) -> B, impl Fn(A) -> B, dyn Fn(A) -> B
    AST_TYPE_IMPL,    // impl Trait + .., dyn Trait + ..
} AstTypeKind;

struct AstType {
    AstTypeKind kind;
    Span span;
    AstPath path;        // path; impl: the first bound; fn: Fn, FnMut, FnOnce, or no segment
    bool is_mut;         // ref
    bool is_dyn;         // impl: written with `dyn`
    AstType *inner;      // ref, array, slice
    AstExpr *length;     // array
    AstTypes items;      // tuple; fn: the parameters
    AstType *result;     // fn: NULL is ()
    AstMapping *mapping; // mapping
};

// ---- patterns

typedef enum {
    PATTERN_ERROR,
    PATTERN_WILDCARD, // _
    PATTERN_BIND,  // [ref] [mut] name [@ pattern]; a name may turn out to be a constant or variant
    PATTERN_TUPLE, // (a, b)
    PATTERN_SLICE, // [a, b]
    PATTERN_PATH,  // a::B
    PATTERN_VARIANT, // a::B(x, y)
    PATTERN_STRUCT,  // a::B { x, y: p, .. }
    PATTERN_REF,     // &p, &mut p
    PATTERN_LITERAL, // 1, -1, "x", true, 1..=5 with `high`
    PATTERN_OR,      // a | b
    PATTERN_REST,    // ..
} AstPatternKind;

struct AstPattern {
    AstPatternKind kind;
    Span span;
    AstName name; // bind
    bool is_mut, by_ref;
    AstPattern *inner; // bind: after @, may be NULL; ref
    AstPath path;      // path, variant, struct
    AstPatterns items; // tuple, slice, variant, or; struct: one per field
    AstNames fields;   // struct
    AstExpr *low;      // literal; range: may be NULL
    AstExpr *high;     // range: may be NULL; else NULL
    bool is_range;     // literal: low..=high, low.., ..=high
    bool inclusive;    // range
    bool is_open;      // range without a high end
    bool has_rest;     // struct: ends in ..
};

// ---- expressions

typedef enum {
    LITERAL_INT,
    LITERAL_FLOAT,
    LITERAL_BOOL,
    LITERAL_STRING, // decoded
    LITERAL_BYTES,  // b"..", decoded
    LITERAL_CHAR,
    LITERAL_BYTE, // b'x'
} AstLiteralKind;

typedef enum { UNARY_NEGATE, UNARY_NOT, UNARY_DEREF, UNARY_REF, UNARY_REF_MUT } AstUnaryOp;

typedef enum {
    BINARY_ADD,
    BINARY_SUB,
    BINARY_MUL,
    BINARY_DIV,
    BINARY_REM,
    BINARY_AND,
    BINARY_OR,
    BINARY_XOR,
    BINARY_SHL,
    BINARY_SHR,
    BINARY_LAND,
    BINARY_LOR,
    BINARY_EQ,
    BINARY_NE,
    BINARY_LT,
    BINARY_LE,
    BINARY_GT,
    BINARY_GE,
    BINARY_COUNT
} AstBinaryOp;

typedef enum {
    AST_ERROR,
    AST_LITERAL,
    AST_PATH,
    AST_UNARY,
    AST_BINARY,
    AST_ASSIGN, // left = right, left op= right
    AST_CAST,   // inner as type
    AST_CALL,   // callee(args)
    AST_METHOD, // receiver.name::<..>(args)
    AST_FIELD,  // inner.name, inner.0
    AST_INDEX,  // inner[index]
    AST_RANGE,  // low..high, low..=high, ends may be NULL
    AST_TUPLE,  // (), (a,), (a, b)
    AST_ARRAY,  // [a, b]
    AST_REPEAT, // [a; n]
    AST_PAREN,  // (a)
    AST_BLOCK,  // { .. }, unsafe { .. }, async { .. }, 'label: { .. }
    AST_IF,     // if cond { } else ..
    AST_LET,    // let pattern = inner, as a condition
    AST_MATCH,
    AST_WHILE,
    AST_LOOP,
    AST_FOR,     // for pattern in inner { body }
    AST_CLOSURE, // |a, b: T| body
    AST_STRUCT,  // path { field: value, ..base }
    AST_RETURN,  // inner may be NULL
    AST_BREAK,   // inner may be NULL
    AST_CONTINUE,
    AST_AWAIT,       // inner.await
    AST_TRY,         // inner?
    AST_MACRO,       // name!(args)
    AST_INDEX_MACRO, // i![mapping: value, ..]
} AstExprKind;

typedef enum {
    STATEMENT_LET,
    STATEMENT_EXPR, // with `;`, or an expression that needs none
    STATEMENT_ITEM,
} AstStatementKind;

typedef struct {
    AstStatementKind kind;
    Span span;
    AstPattern *pattern;        // let
    AstType *type;              // let: may be NULL
    AstExpr *value;             // let: may be NULL; expr
    struct AstBlock *otherwise; // let .. else { }: may be NULL
    AstItem *item;              // item
} AstStatement;

typedef struct AstBlock {
    Span span;
    struct {
        ARRAY(AstStatement);
    } statements;
    AstExpr *tail; // the value of the block; NULL: ()
} AstBlock;

typedef struct {
    Span span;
    AstPattern *pattern;
    AstExpr *guard; // may be NULL
    AstExpr *body;
} AstArm;

typedef struct {
    AstPattern *pattern;
    AstType *type; // of a closure: may be NULL
} AstParam;

typedef struct {
    ARRAY(AstParam);
} AstParams;

struct AstExpr {
    AstExprKind kind;
    int32_t id; // counts up within one parse: the number of the node, for tables beside the tree
    Span span;
    union {
        struct {
            AstLiteralKind kind;
            Uint128 integer;    // int, bool, char, byte
            double real;        // float; int, too
            Str text;           // string, bytes
            const char *suffix; // interned: "u64", "f32"; NULL: none
        } literal;
        AstPath path;
        struct {
            AstUnaryOp op;
            AstExpr *inner;
        } unary;
        struct { // binary; assign, where op counts only if `compound`
            AstBinaryOp op;
            bool compound;
            Span op_span;
            AstExpr *left, *right;
        } binary;
        struct {
            AstExpr *inner;
            AstType *type;
        } cast;
        struct {
            AstExpr *callee;
            AstExprs args;
        } call;
        struct {
            AstExpr *receiver;
            AstSegment name; // with its turbofish
            AstExprs args;
            Span args_span; // brackets included
        } method;
        struct {
            AstExpr *inner;
            AstName name; // "0", "1" for a tuple
        } field;
        struct {
            AstExpr *inner, *index;
        } index;
        struct {
            AstExpr *low, *high; // may be NULL
            bool inclusive;
        } range;
        AstExprs items; // tuple, array
        struct {
            AstExpr *value, *count;
        } repeat;
        AstExpr *inner; // paren, return, break, await, try; error: what was read, may be NULL
        struct {
            AstExpr *inner;    // break: as above
            const char *label; // 'a; NULL: the innermost loop
        } jump;                // break, continue
        struct {
            AstBlock *body;
            bool is_unsafe, is_async, is_move;
            int32_t first_id, end_id; // async: of the expressions in it
            const char *label;        // 'a; NULL: none
        } block;
        struct {
            AstExpr *condition;
            AstBlock *then;
            AstExpr *otherwise; // a block or another `if`; may be NULL
        } branch;
        struct {                 // let (as a condition), for, while, loop
            AstPattern *pattern; // let, for
            AstExpr *inner;      // let, for: what is matched or walked; while: the condition
            AstBlock *body;      // for, while, loop
            const char *label;   // 'a; NULL: none
        } loop;
        struct {
            AstExpr *inner;
            struct {
                ARRAY(AstArm);
            } arms;
        } match;
        struct {
            AstParams params;
            AstType *result; // may be NULL
            AstExpr *body;
            bool is_async, is_move;
            int32_t end_id; // the ids of what is in it are below, and above its own
        } closure;
        struct {
            AstPath path;
            AstNames names;
            AstExprs values;
            AstExpr *base; // may be NULL
        } structure;
        struct {
            AstName name;                    // the last segment: "assert_eq"
            AstExprs args;                   // `name = value` is an AST_ASSIGN
            bool repeats;                    // vec![x; n]: two args
            bool readable;                   // false: what stands in it is no list of expressions
            const struct FormatText *format; // of a macro with a format; NULL: none
            AstExprs captured; // the variables that the format names, each an AST_PATH
        } macro;
        struct {
            struct {
                ARRAY(AstMapping *);
            } keys;
            AstExprs values; // one a key
        } indices;
    };
};

// ---- items

typedef struct {
    const char *name; // path as written without blanks: "device", "tokio::test", "should_panic"
    Span span;
    Str args;           // the text inside its brackets, or after `=`; empty
    int64_t args_start; // where that begins in its source
} AstAttribute;

typedef struct {
    ARRAY(AstAttribute);
    bool is_off; // one of them is a `#[cfg(..)]` that does not hold
} AstAttributes;

typedef enum { PARAM_LIFETIME, PARAM_TYPE, PARAM_CONST } AstGenericKind;

typedef struct {
    AstGenericKind kind;
    AstName name;
    AstTypes bounds;   // type: each an AST_TYPE_PATH, or AST_TYPE_FN for `F: Fn(A) -> B`
    AstType *type;     // const: of the value
    AstType *fallback; // type: = default; may be NULL
    AstExpr *value;    // const: = default; may be NULL
} AstGeneric;

typedef struct {
    ARRAY(AstGeneric);
    bool has_clauses; // a `where` says something of others than these
} AstGenerics;

typedef enum { SELF_NONE, SELF_VALUE, SELF_REF, SELF_REF_MUT } AstSelfKind;

typedef enum {
    VISIBLE_HERE,  // nothing, pub(self)
    VISIBLE_SUPER, // pub(super)
    VISIBLE_CRATE, // pub(crate)
    VISIBLE_IN,    // pub(in path)
    VISIBLE_ALL,   // pub
} AstVisibilityKind;

typedef struct {
    AstVisibilityKind kind;
    AstNames path; // in
} AstVisibility;

typedef struct {
    AstName name;
    AstType *type;
    AstVisibility visibility;
    AstAttributes attributes;
} AstField;

typedef struct {
    ARRAY(AstField);
} AstFields;

typedef enum { FIELDS_NONE, FIELDS_TUPLE, FIELDS_NAMED } AstFieldsKind;

typedef struct {
    AstName name;
    Str docs;
    AstFieldsKind kind;
    AstFields fields;
    AstExpr *value;  // = discriminant; may be NULL
    bool is_default; // #[default]
} AstVariant;

// One name that a `use` brings in: a::b::c as d, or a::b::*
typedef struct {
    AstNames path; // may start with crate, self, super
    bool global;   // ::a
    bool glob;
    const char *name; // under which; interned; "_" brings in nothing
    Span span;
} AstUse;

typedef enum {
    ITEM_ERROR,
    ITEM_USE,
    ITEM_MOD,
    ITEM_FN,
    ITEM_TYPE,
    ITEM_AXES,
    ITEM_CONST, // and static
    ITEM_STRUCT,
    ITEM_ENUM,
    ITEM_IMPL,
    ITEM_TRAIT,
    ITEM_EXTERN_CRATE,
    ITEM_MACRO_RULES, // named, its rules are not read
} AstItemKind;

// Where the rest of an item of the library stands: outline.h.
typedef struct {
    AstItem *item;
    Span text; // with the comments before it; of an impl block: between its braces
} AstUnread;

struct AstItem {
    AstItemKind kind;
    Span span;    // the whole item, from its attributes on
    AstName name; // of impl: empty
    Str docs;     // its /// lines, without the slashes, joined by newlines
    AstVisibility visibility;
    AstAttributes attributes;
    AstGenerics generics;
    int32_t first_expr, end_expr; // its expressions have ids first_expr .. end_expr - 1
    AstUnread *unread;            // of the library: what of it is not read yet; NULL: nothing
    union {
        struct {
            ARRAY(AstUse);
        } uses;
        struct {
            bool is_inline;      // mod x { .. }
            AstItems items;      // inline
            AstAttributes inner; // #![..]
        } module;
        struct {
            AstSelfKind self;
            Span self_span;
            AstParams params; // without self
            AstType *result;  // NULL: ()
            AstBlock *body;   // NULL: only a signature
            bool is_async, is_unsafe, is_const;
            bool has_semicolon; // instead of a body
            Span signature;     // from `fn` to before the body
        } function;
        struct {
            AstType *type; // NULL in a trait
        } alias;
        struct {
            AstNames names;
            struct {
                ARRAY(AstExpr *);
            } sizes; // one a name: a literal, if it is right
        } axes;
        struct {
            AstType *type;
            AstExpr *value; // NULL in a trait
        } constant;
        struct {
            AstFieldsKind kind;
            AstFields fields;
        } structure;
        struct {
            ARRAY(AstVariant);
        } variants;
        struct {             // impl, trait
            AstType *type;   // impl: for which
            AstType *trait;  // impl Trait for; may be NULL
            AstItems items;  // functions, types, constants
            AstTypes bounds; // trait: those it needs besides
        } impl;
    };
};

typedef struct {
    ARRAY(Span);
} AstSpans;

// One source text.
typedef struct {
    int32_t source;
    AstAttributes inner; // #![..] at the top
    AstItems items;
    int32_t expr_count;
    AstSpans unfinished; // statements with a mistake of syntax
} AstFile;

#endif
