// Types, with holes in them while they are being inferred.
//
// A mapping is a type, and so is a constant in a list of type arguments. An axis and the mapping
// that is nothing but this axis are one type here; which of the two a place wants says the bound of
// its parameter. A variable stands for a type not known yet; once known, it points to it.
#ifndef CONTRA_LANG_TYPES_TYPE_H
#define CONTRA_LANG_TYPES_TYPE_H

#include "lang/types/lang.h"
#include "program/build.h"

typedef enum {
    TYPE_ERROR, // already reported: fits everything
    TYPE_NEVER, // !
    TYPE_VAR,
    TYPE_PARAM, // a generic of the signature it stands in, or of a body that is looked at for all
                // of them
    TYPE_NAMED, // a struct, enum or primitive with its arguments
    TYPE_MAPPING,
    TYPE_OPEN, // a mapping that holds generics: m![{ X } # 8]
    TYPE_CONST,
    TYPE_TUPLE,
    TYPE_REF,
    TYPE_ARRAY, // [T; n]: two arguments
    TYPE_SLICE,
    TYPE_FN,      // a function or constructor by its name, or `impl Fn(A) -> B`
    TYPE_CLOSURE, // one of its own for each closure
    TYPE_IMPL,    // impl Trait<..>: whatever the trait says
    TYPE_ASSOC,   // T::Item of a T that is not known yet: one argument
} TypeKind;

typedef enum { VAR_ANY, VAR_INT, VAR_FLOAT } VarClass;

struct Type {
    TypeKind kind;
    int32_t arg_count;
    Span span;        // where it was written, if it was
    Decl *decl;       // named; fn: the function; const: the enum of the value; impl: the trait
    Type **args;      // named, tuple, ref, array, slice, impl; fn, closure: parameters, then result
    const char *name; // param; assoc: of the type; impl: the trait; var: the parameter that it
                      // stands for, NULL: none
    int32_t index;    // param
    bool is_mut;      // ref
    bool has_params;  // there is a TYPE_PARAM or TYPE_OPEN in it
    uint8_t drops;    // are its values dropped: DROPS_UNKNOWN before it was asked (drop.c)
    int32_t weight;   // types in it, itself left out
    union {
        struct {         // var
            Type *bound; // what it is, once known
            Decl *of;    // the function whose parameter it is
            VarClass class;
        };
        struct { // mapping
            const Expr *expr;
            const Dim *dim; // made when first needed
        };
        struct { // open
            const AstMapping *mapping;
            const Signature *signature; // whose generics it holds; args are their types
        };
        struct { // error: about a mapping; NULL: any other
            Diag **faults;
            int64_t fault_count;
        };
        const AstGeneric *generic; // param of a body; NULL otherwise
        int64_t value;             // const: the number, or the index of the variant
        const AstExpr *closure;    // closure
        Type **generics;           // fn by its name: the types of its generics
    };
};

// What may stand for a generic.
typedef enum {
    GENERIC_ANY,
    GENERIC_MAPPING,
    GENERIC_AXIS,
    GENERIC_SCALAR,
    GENERIC_POSITION, // of a stream in the Tensor Unit: a mark with an impl of its bound
    GENERIC_STAGE,    // of a stream in the Vector Engine
    GENERIC_NUMBER
} GenericKind;

// The generics of a function, struct or alias, and what is made of them.
struct Signature {
    Decl *decl;
    const AstGeneric **generics; // of the impl block first; without lifetimes
    GenericKind *kinds;
    int32_t generic_count;
    int32_t own_start; // where those of the function itself begin
    int32_t own_end;   // where those that it names end; each `impl Trait` argument is one more
    AstSelfKind self_kind;
    Type *self; // of a function of an impl block; NULL otherwise
    Type **params;
    int32_t param_count;
    Type *result;
    bool is_open;    // its types are being resolved, and unknown until then
    DiagList faults; // alias: errors in the sizes of its mappings, reported where it is used
};

// ---- making

Type *type_poison(Lang *lang);
// A type for a mapping without a meaning; the diagnostics from number `first` on give the reason. A
// running program is refused only where it needs such a mapping, and type_recall reports the reason
// there.
Type *type_fault(Lang *lang, int64_t first);
// Reports the errors of a type that came from type_fault again. False: it did not.
bool type_recall(Lang *lang, Type *type);
Type *type_never(Lang *lang);
Type *type_unit(Lang *lang);
Type *type_prim(Lang *lang, Prim prim);
Type *type_var(Lang *lang, VarClass class, Span span);
Type *type_named(Lang *lang, Decl *decl, Type **args, int32_t count);
Type *type_ref(Lang *lang, Type *inner, bool is_mut);
Type *type_tuple(Lang *lang, Type **items, int32_t count);
Type *type_array(Lang *lang, Type *item, Type *length);
Type *type_slice(Lang *lang, Type *item);
Type *type_mapping(Lang *lang, const Expr *expr, Span span);
Type *type_number(Lang *lang, int64_t value, Span span);
Type *type_variant(Lang *lang, Decl *variant, Span span);

// ---- looking

// A Box, Rc, Arc or guard: what derefs to its argument.
bool type_is_pointer(Type *type);
// What a type of the prelude is to the language, by its name, and whether a type is that.
uint8_t type_roles(const char *name);
bool type_has_role(Type *type, uint8_t role);

// Through variables that are known.
Type *type_of(Type *type);
bool type_is_prim(Type *type, Prim prim);
bool type_is_named(Type *type, const char *name);
// A generic of the body at hand, of which bounds may say what it can do.
bool type_is_opaque(Type *type);
// Without references.
Type *type_strip(Type *type);
// Without references and boxes: fields, items and calls are found through both.
Type *type_unboxed(Type *type);
// The head in words: "DmTensor", "i32", "a mapping".
const char *type_head_name(Type *type);
// The position that the mark of a stream stands for; POSITION_COUNT: it is no mark.
Position type_position(Type *mark);
// Something is still unknown in it; the first such variable.
Type *type_hole(Type *type);

// Whether it has more parts than any program needs. Unlike `weight`, this looks through variables.
bool type_is_heavy(Type *type);

// As people write it.
void type_print(StrBuf *out, Type *type);
Str type_text(Arena *arena, Type *type);

// ---- joining

// What the two sides of a unification disagree about.
typedef struct {
    Type *left, *right;
    const char *param; // the argument of a type in which they do: "Time"; NULL: none
} Mismatch;

// Makes both the same. False: they cannot be; *why says where. Mappings are the same when all their
// cells are, even if written in another way; *renamed is then set.
bool type_unify(Lang *lang, Type *left, Type *right, Mismatch *why, Mismatch *renamed);

// Would they unify? Changes nothing.
bool type_could_unify(Lang *lang, Type *left, Type *right);

// With the parameters of a signature replaced.
Type *type_instantiate(Lang *lang, Type *type, Type **generics);

#endif
