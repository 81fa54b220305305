// The front end: crates, modules, and what names mean in them.
//
// A Lang holds everything that one request looks at: the prelude, the crates, their sources. Names
// live in modules; a block with items of its own is a module, too, whose `outer` is the one around
// it. Types and values have separate name spaces, as in Rust.
#ifndef CONTRA_LANG_TYPES_LANG_H
#define CONTRA_LANG_TYPES_LANG_H

#include "base/map.h"
#include "lang/syntax/ast.h"
#include "lang/syntax/parse.h"
#include "mapping/expr.h"

typedef struct Module Module;
typedef struct Decl Decl;
typedef struct Type Type;
typedef struct Signature Signature;
typedef struct Lang Lang;

typedef enum { SPACE_TYPE, SPACE_VALUE, SPACE_COUNT } Space;

typedef enum {
    DECL_MODULE,
    DECL_AXIS,
    DECL_ALIAS,
    DECL_FN,
    DECL_CONST,
    DECL_STRUCT,
    DECL_ENUM,
    DECL_VARIANT,
    DECL_TRAIT,
    DECL_PRIM,
} DeclKind;

typedef enum {
#define PRIM(name, class, bits, scalar) PRIM_##name,
#include "lang/types/prim.def"
#undef PRIM
    PRIM_COUNT
} Prim;

typedef enum { PRIM_INT, PRIM_UINT, PRIM_FLOAT, PRIM_ELEMENT, PRIM_OTHER } PrimClass;

enum { SCALAR_NONE = -1 };

typedef struct {
    const char *name;
    PrimClass class;
    int32_t bits;
    int32_t scalar; // Scalar, or SCALAR_NONE
} PrimInfo;

extern const PrimInfo prims[PRIM_COUNT];

typedef struct {
    ARRAY(Decl *);
} Decls;

// Types of the prelude that mean more than their fields (type.c).
enum {
    ROLE_POINTER = 1, // stands for what it holds: Box, Rc, guards
    ROLE_OWNER = 2,   // its values are dropped
    ROLE_FUTURE = 4,
};

// An impl block: functions and constants of a type.
typedef struct Impl {
    const AstItem *item;
    Module *scope;
    Type *self;          // with its generics as TYPE_PARAM
    Map members;         // name -> Decl: impl_member
    bool is_trait;       // impl Trait for
    struct Impl *closed; // of the library: itself, until its members are declared; NULL: they are
} Impl;

typedef struct {
    ARRAY(Impl *);
} Impls;

// Whatever a name can stand for.
struct Decl {
    DeclKind kind;
    const char *name;
    Span span;                       // of the name
    Module *scope;                   // where it is declared
    const AstItem *item;             // what it was declared with; NULL of prims
    bool is_builtin;                 // of the prelude
    uint8_t roles;                   // of a type of the prelude: what it is to the language
    const AstVisibility *visibility; // NULL: seen wherever what it belongs to is
    Module *module;                  // module: what is in it
    const Atom *atom;                // axis
    Prim prim;                       // prim
    Decl *parent;                    // variant: its enum
    int32_t index;                   // variant: its number
    const AstVariant *variant;
    Impl *impl; // function or constant: the impl block it stands in; trait: its functions, for any
                // type

    // found out when first asked for
    bool resolving;       // alias, const: to find cycles
    Type *type;           // alias; const: of its value
    Signature *signature; // function; struct and variant: of the constructor
    enum { DROPS_UNKNOWN, DROPS_NO, DROPS_YES } drops; // struct, enum: its values own something
    int32_t drops_depth;                               // while that is worked out: nesting depth
    int own_drop;                                      // it has an `impl Drop`: one of these
    Impls impls;                                       // struct, enum, prim: its impl blocks
    Map variants;                                      // enum: name -> Decl
    struct Body *running;        // generic function: the instance that was called last; NULL: none
    int32_t builtin;             // function of the prelude: its number (builtin.c)
    const void *host_row;        // the same for running programs (run.c)
    const struct StdNative *std; // function of the standard library: what C has for it
    struct Value *value;         // const: its value, once worked out
};

// Something that is there but not seen from where it is named.
typedef struct {
    Decl *decl; // NULL: nothing
    Span span;  // of its declaration, or of the `use` that brings it in
    Module *scope;
    const AstVisibility *visibility;
    int64_t at; // in a path: which of its names
} Private;

// A `use` that is resolved when somebody first looks for its name.
typedef struct Import {
    const AstUse *use;
    const AstVisibility *visibility;
    Private hidden; // what it names and must not
    bool resolving;
    bool resolved;
    int32_t tries;            // that ended in a circle
    Decl *decls[SPACE_COUNT]; // NULL: nothing in that name space
    bool failed;              // there is no such thing, which was said
    Module *glob;             // glob: of what
    Decl *glob_enum;          // glob: the variants of this
    struct Import *before;    // of the same name: a module and a function may share one
} Import;

typedef struct {
    ARRAY(Import *);
} Imports;

struct Module {
    const char *name;
    Module *outer; // the module around it; NULL of a crate
    Module *crate; // the root
    bool is_block; // the items of a block
    bool unread;   // its file is not there or no text, which was said: it may have any name
    bool is_builtin;
    bool is_library; // of a crate: others use it
    // of a crate: the library beside it, whose name its tests and programs use
    bool library_known;
    const char *library_name; // NULL: none
    Str manifest, folder;     // its Cargo.toml, and where that lies
    int32_t source;           // of its text
    Map names[SPACE_COUNT];   // name -> Decl
    Map imports;              // name -> Import
    Imports uses;             // the same in the order of the text
    Imports globs;
    int64_t stamp; // of the lookup that was here last
    Decls types;   // structs and enums, in the order of the text
    const AstItems *items;
    Decls constants;
    Decl *decl;                // of the module itself
    const AstItem *first_axes; // its first `axes!`
    Str directory;             // where its child modules lie
    Map unknown;               // names already reported
};

typedef struct {
    ARRAY(Module *);
} Modules;

typedef struct {
    ARRAY(Str);
} NameList;

// The variants that the standard library makes most.
typedef enum {
    STD_NONE,
    STD_SOME,
    STD_OK,
    STD_ERR,
    STD_LESS,
    STD_EQUAL,
    STD_GREATER,
    STD_VARIANT_COUNT
} StdVariant;
// Two mappings that must be the same, one of which holds generics that are not known yet.
typedef struct {
    Type *left, *right;
    Span span;
} OpenPair;

// How files come in: from disk, or from an editor's memory.
typedef struct {
    bool (*read)(void *own, Arena *arena, Str path, Str *text); // false: there is no such file
    void *own;
} FileReader;

struct Lang {
    Arena *arena;
    Interner names;
    SourceList *sources;
    DiagList *diags;
    FileReader files;
    int32_t next_expr;
    bool warns_of_mappings; // what is wrong with a mapping is reported even if nothing uses it
    bool is_running;        // a host program: see type_fault
    int64_t mapping_errors; // number of errors about mappings that may never be used
    int64_t most_steps;     // for tracing one function; 0: the default limit
    Module *builtin; // the root of what the language brings along: furiosa_visa_std, std, rand, ..
    Module *prelude; // furiosa_visa_std::prelude
    Module *std_prelude; // what is in scope without a `use`: Vec, Option, ..
    Decl *prims[PRIM_COUNT];
    Decl *std_variants[STD_VARIANT_COUNT]; // found when first asked for
    Type *poison, *never;                  // there is one of each
    Decls functions;                       // of the crates, in the order of the text
    Impls unsorted;                        // impl blocks whose type is not resolved yet
    Impls blanket_int, blanket_float, blanket_scalar, blanket_any, of_mapping, of_slice, of_array,
        of_other;      // impl blocks without a named type
    Map mapping_types; // AstMapping -> Type
    MacroList rules;   // macro_rules!, as far as they were read
    Map macros;        // name -> AstItem: all of them
    Map macro_rows;    // name -> number of the row of a macro of the library (macro.c), from 1
    Map item_scopes;   // AstBlock -> Module, of blocks with items
    Map sorted_names;  // Map -> NameList: its keys in their order
    Modules modules;   // of the crates, in the order of reading
    Map bodies;        // Decl -> Body, of functions without generics
    DiagList faults;   // errors of syntax and of declarations
    Map called;        // Decl: functions that another one called
    // Who wants to know which functions the one that is looked at rests on; NULL: nobody.
    void (*rests_on)(void *own, Decl *decl, bool is_called);
    void *rests_own;
    int64_t checked_modules, checked_functions, checked_diags; // what a check has behind it
    int64_t stamp, stamps;                                     // of the lookup at hand; of all
    struct {
        ARRAY(OpenPair);
    } open_pairs;          // of the body at hand
    int64_t cuts;          // lookups that met an import which was being resolved
    bool heavy_type;       // a type had too many parts, which was said
    int32_t depth;         // of declarations that need each other
    int32_t aliases;       // that are being resolved
    const Module *crate;   // whose body is looked at; NULL: none
    Private hidden;        // what the lookup at hand passed by
    int64_t request_start; // modules before it belong to earlier requests
    bool sorting;
    struct {
        ARRAY(AstSpans);
    } unfinished;          // statements with a mistake of syntax, of each source
    bool has_unfinished;   // there are any
    bool reads_unfinished; // what was not written to its end is typed, too: for editors
};

const char *lang_name(Lang *lang, const char *text); // interned

// What stands there.
static inline Str lang_text(const Lang *lang, Span span)
{
    Str none = {"", 0};
    return span.source < 0
               ? none
               : str_slice(lang->sources->items[span.source].text, span.start, span.end);
}

// ---- names (module.c)

Module *module_new(Lang *lang, Module *outer, const char *name, int32_t source);

// Declares the items in a module.
void module_declare(Lang *lang, Module *module, const AstItems *items);

// Says that something of this name was declared before.
void report_repeated(Lang *lang, const AstName *name, Span first, const char *where);

// Names a child module in its parent.
void module_add(Lang *lang, Module *module, Module *child, const AstItem *item);

// Reports a function without a body, and a test or `main` with parameters. True: it has neither.
bool check_function_form(Lang *lang, Decl *decl);

// Reports every `use` of something that is not there.
void module_check_uses(Lang *lang, Module *module);

// The items of a block as a module of its own; `outer` itself if it has none.
Module *module_of_block(Lang *lang, Module *outer, const AstBlock *block);

// What a map of names has; NULL: nothing. All look there this way: what the library declares is
// parsed when somebody first comes upon it.
Decl *decl_in(Lang *lang, const Map *names, const char *name);

// A declaration, which may come from walking such a map, with its item read.
Decl *decl_read(Lang *lang, Decl *decl);

// The same of an impl block: a member by its name, and all that is in it, of which some may not be
// read yet.
Decl *impl_member(Lang *lang, const Impl *impl, const char *name);
const AstItems *impl_items(Lang *lang, const Impl *impl);

// A variable of a function, or a parameter.
typedef struct {
    const char *name;
    Type *type;
    int32_t slot;
    bool is_mut;
    bool is_open; // declared without a value: the first assignment gives it one
    Span span;
} Local;

typedef struct {
    ARRAY(Local);
} Locals;

// The names that a function adds to those of its module.
typedef struct {
    const Locals *locals;       // NULL: none
    const Signature *signature; // with generics; NULL: none
} OwnNames;

// ---- what names mean (names.c)

// A name as it is seen from a module; NULL: nobody knows it. Reports nothing.
Decl *module_lookup(Lang *lang, Module *scope, const char *name, Space space);

// Follows `names` as far as they lead through modules and enums; *used is how many were used. What
// is unknown is reported once, with the name that may be meant, which may be one of `own`. NULL:
// nothing was found.
Decl *module_resolve(Lang *lang, Module *scope, bool global, const AstName *names, int64_t count,
                     Space space, OwnNames own, int64_t *used);

// The same for a whole path, and in silence. NULL: it does not lead to anything.
Decl *module_find(Lang *lang, Module *scope, const AstPath *path, Space space);

// The path to bring in what the language has of that name ("rand::rngs::SmallRng"); NULL: nothing.
const char *known_path(Lang *lang, const char *name, Space space);

// Reports that `before` has no such name, once for each.
void module_report(Lang *lang, Module *scope, Decl *before, const AstName *name, Space space);

// An attribute of a function that is most likely meant to be `#[device(..)]`; reported where the
// function is declared. NULL: there is none.
const AstAttribute *misspelled_device(const AstItem *item);

// Notes where `#[cfg(..)]` leaves out something of this name. False: nowhere.
bool note_left_out(const Lang *lang, Diag *diag, const char *name);

// Is what is declared in `scope` seen from `from`?
bool module_sees(const Module *from, Module *scope, const AstVisibility *visibility);

void report_private(Lang *lang, const AstName *name, const Private *found);

Decl *enum_variant(Decl *decl, const char *name);

extern const char *const decl_words[]; // "a module"

// The module path of a declaration: "a::b::c", without the crate.
Str decl_path(Arena *arena, Decl *decl);

// ---- crates (load.c)

// The module of a `mod` item: inline, or in a file of its own.
void lang_declare_module(Lang *lang, Module *module, const AstItem *item);

// The library beside a test or a program, by the name its Cargo.toml gives it; NULL: none.
Decl *lang_find_crate(Lang *lang, Module *crate, const char *name);

// Reads the prelude. Once, before anything else.
void lang_load_prelude(Lang *lang);

// Reads a file and the modules it names as a crate of its own.
Module *lang_load_file(Lang *lang, Str path);

// Reads a file that a program names, which must be an ordinary one. False: it cannot be read.
bool lang_read_named(Lang *lang, Str path, Str *text);

// The same for a text that is at hand.
Module *lang_load_text(Lang *lang, Str path, Str text);

#endif
