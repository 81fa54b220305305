// From written types to types: paths to declarations, `m![..]` to mappings, generics to parameters.
#ifndef CONTRA_LANG_TYPES_SIGNATURE_H
#define CONTRA_LANG_TYPES_SIGNATURE_H

#include "base/near.h"
#include "lang/types/type.h"

enum { MOST_DEPTH = 300 }; // of declarations that need each other

// Where a type stands: which names it sees, and what its generics are.
typedef struct {
    Lang *lang;
    Module *scope;
    const Signature *signature; // generics by name; NULL: none
    Type **generics;            // their types; NULL: they stay TYPE_PARAM
    Type *self;                 // `Self`; NULL: none
    bool holes;                 // `_` and left out arguments become variables
} TypeScope;

Type *resolve_type(const TypeScope *scope, const AstType *type);

// The type before the last `::` of a path, and whether that starts with a generic or `Self`.
Type *prefix_type(const TypeScope *scope, const AstPath *path);
bool is_generic_or_self(const TypeScope *scope, const AstPath *path);

// A mapping as a type: TYPE_MAPPING, TYPE_OPEN, or TYPE_ERROR where it is wrong.
Type *resolve_mapping(const TypeScope *scope, const AstMapping *mapping);

// The mapping of a TYPE_OPEN whose generics are known now; NULL: one is not yet.
Type *settle_mapping(Lang *lang, Type *open);

// The arguments of a path segment for generics start..end of a signature, into `types`. What is
// left out becomes a variable, or its default. `complete`: leaving out what has no default is an
// error.
void resolve_args(const TypeScope *scope, const AstSegment *segment, const Signature *target,
                  int32_t start, int32_t end, Type **types, bool complete);

// The signature of a function, of the constructor of a struct or variant, or of an alias (whose
// result is the type it stands for).
Signature *signature_of(Lang *lang, Decl *decl);
// What people call a generic: the library numbers those of what comes out (`Time2`).
Str generic_name(const Signature *signature, int32_t index);

// The generics of an impl block, as a signature of their own.
Signature *impl_signature(Lang *lang, const Impl *impl);

// The type of field `name` of a struct type; NULL: it has none.
Type *field_type(Lang *lang, Type *type, const char *name);

// ---- members (member.c)

// Puts every impl block that was read with the type it is for.
void sort_impls(Lang *lang);

// A function or constant of a type, by name: the impl block it stands in is for that type. NULL:
// none. *self becomes what of `type` it is for: the type, or what it derefs to.
Decl *find_member(Lang *lang, Type *type, const char *name, Type **self);
// What every number has by this name, besides what a program adds; NULL: none.
Decl *library_member(Lang *lang, Type *type, const char *name);

// The impl blocks of a type, by its head.
const Impls *type_impls(Lang *lang, Type *type);
bool impl_is_for(Lang *lang, const Impl *impl, Type *type);

enum { MOST_DEREFS = 16 }; // a type may deref to itself

// What a type lets its methods be called through; NULL: nothing more.
Type *type_deref(Lang *lang, Type *type);

// Any function of the prelude with that name, for saying where a method belongs; NULL: none.
Decl *find_anywhere(Lang *lang, const char *name, Decl *except);

// The known method nearest to a misspelt one.
Near near_member(Lang *lang, Type *type, const char *name);

// ---- traits (trait.c)

// The trait that an impl block is of: its last name, "" of none; its declaration, NULL: none.
const char *impl_trait_name(const Impl *impl);
Decl *impl_trait(Lang *lang, const Impl *impl);

// The impl block of a trait for a type; NULL: none.
const Impl *find_impl(Lang *lang, Type *type, const char *trait);
// The function of a trait that a type implements, or what it derefs to. *self: which of them.
Decl *find_trait_member(Lang *lang, Type *type, const char *trait, const char *name, Type **self);

// The functions and constants of a trait as an impl block for its first generic, `Self`.
Impl *trait_impl(Lang *lang, Decl *trait);

// A function or constant that the trait declares, or one that it needs; NULL: none.
Decl *trait_member(Lang *lang, Decl *trait, const char *name);
bool is_trait_member(Decl *decl);

// What the trait brings along, for an impl block that does not have its own.
void add_trait_defaults(Lang *lang, Impl *impl);

// What a generic of the trait is in an impl block; NULL: it has none of that name.
Type *trait_argument(Lang *lang, const Impl *impl, Type **generics, const char *name);

// `type Name = ..` of an impl block, as written; NULL: it has none.
const AstType *impl_written(Lang *lang, const Impl *impl, const char *name);
// The same for one of the types it is for.
Type *impl_type(Lang *lang, const Impl *impl, Type *self, const char *name);
Type *associated_type(Lang *lang, Type *type, const char *name);

// T::Name where T is not known; what it is, now; NULL: not known yet, or there is none.
Type *type_associated(Lang *lang, Type *of, const char *name, Span span);
Type *settle_associated(Lang *lang, Type *type);

Type *type_iter(Lang *lang, Type *item);
// What a loop over it gives; NULL: it cannot be looped over, or is not known yet.
Type *type_iterated(Lang *lang, Type *type);

// ---- constants in types (constant.c)

// The value of a constant expression in a type: an array length, a const argument. TYPE_ERROR where
// it has none.
Type *resolve_const(const TypeScope *scope, const AstExpr *value);

// ---- generics by name (signature.c): -1: none

int32_t find_generic(const Signature *signature, const char *name);
Type *generic_type(const TypeScope *scope, int32_t index, Span span);

#endif
