// What the parts of completion share: where the cursor is, and the list under construction.
#ifndef CONTRA_LSP_COMPLETE_COMPLETE_H
#define CONTRA_LSP_COMPLETE_COMPLETE_H

#include "engine/engine.h"
#include "lsp/answer/describe.h"
#include "lsp/server/internal.h"

#include "lang/syntax/lex.h"

// ---- where the cursor is (cursor.c)

// The tokens from the start of the item around up to the cursor. What is half typed there does not
// parse, but reads as tokens all the same.
typedef struct {
    Str text;     // that was read
    int64_t from; // where it begins in the source
    TokenList tokens;
    int64_t before; // tokens before the word that is being typed
    int64_t start;  // of the word in the source; the cursor: there is none yet
    Str word;
    bool is_text; // in a comment, a string or a number: nothing is named there
    struct {
        ARRAY(int64_t);
    } open; // opening brackets around the cursor, the innermost last
} Cursor;

Cursor cursor_at(Query *query, const Trail *trail);
// The kind of a token before the cursor: 1 is the last one before the word. TOKEN_END: there is
// none.
TokenKind cursor_kind(const Cursor *cursor, int64_t back);
// The kind of a token by its number; TOKEN_END: there is none.
TokenKind cursor_token(const Cursor *cursor, int64_t token);
// An opening bracket around the cursor, 0 the innermost; -1: there is none.
int64_t cursor_open(const Cursor *cursor, int64_t outwards);
// The text and the place in the source of a token by its number.
Str cursor_text(const Cursor *cursor, int64_t token);
int64_t cursor_offset(const Cursor *cursor, int64_t token);
// The macro whose brackets are around the cursor: "m", "i", "axes"; "": none.
Str cursor_macro(const Cursor *cursor);
// The `<` that opens the generic arguments around a token, inside of the same bracket; -1: there is
// none. *commas: how many arguments stand before the token.
int64_t cursor_angle(const Cursor *cursor, int64_t token, int64_t *commas);
// The name that generic arguments are of, if a token ends some; else the token. -1: there is none.
int64_t cursor_named(const Cursor *cursor, int64_t token);
// The first token in `<..>` that a token ends, if the brackets are of no name; -1: it ends none.
int64_t cursor_qualified(const Cursor *cursor, int64_t token);
// The number of commas between a token and the cursor, those in brackets left out.
int64_t cursor_commas(const Cursor *cursor, int64_t from);

// The call around the cursor.
typedef struct {
    int64_t name;   // the token that names it
    int64_t active; // the argument the cursor is at
    bool is_types;  // in ::<..>
} Callee;

// False: there is none.
bool cursor_callee(const Cursor *cursor, Callee *callee);

// ---- the list

typedef enum {
    KIND_METHOD = 2,
    KIND_FUNCTION = 3,
    KIND_FIELD = 5,
    KIND_VARIABLE = 6,
    KIND_CLASS = 7,
    KIND_INTERFACE = 8,
    KIND_MODULE = 9,
    KIND_UNIT = 11,
    KIND_ENUM = 13,
    KIND_KEYWORD = 14,
    KIND_MEMBER = 20,
    KIND_CONSTANT = 21,
    KIND_STRUCT = 22,
    KIND_OPERATOR = 24,
    KIND_GENERIC = 25,
} ItemKind; // as the protocol numbers them

typedef struct {
    Query *query;
    Arena *arena;
    Lang *lang;
    Trail trail;
    Cursor cursor;
    Module *scope;
    Decl *function;          // around the cursor; NULL: none
    const Body *body;        // of it; NULL: none
    bool has_arguments;      // they are written behind the cursor already
    const AstExpr *receiver; // before the dot; NULL: none
    bool is_value;           // a value is wanted: an axis is its size
    bool is_plain;           // what is written has no places to fill in
    uint32_t taken;          // ALUs that the stream before the cursor uses already, as a set
    Map seen;                // names that are in the list
    json_t *items;
} Completion;

typedef struct {
    const char *label;
    ItemKind kind;
    int rank;    // 0 comes first
    Str detail;  // "": none
    Str docs;    // "": none
    Str snippet; // what is written instead of the label, as a snippet; "": the label
} Item;

// With an empty list.
Completion completion_at(Query *query);

// A name that is in the list is not added again.
void complete_add(Completion *completion, const Item *item);
// The same for a declaration.
void complete_decl(Completion *completion, const char *name, Decl *decl, int rank);

// Everything in scope here (scope.c). Patterns that bind names come as locals.
typedef void LocalVisit(void *own, const char *name, Type *type);
void each_local(Completion *completion, LocalVisit *visit, void *own);
void complete_names(Completion *completion, bool types_only);
void complete_mapping(Completion *completion);
void complete_axes(Completion *completion);
// The names of a module.
void complete_module(Completion *completion, Module *module, int rank);

// The type of an expression of the function around the cursor, a future as that; NULL: not known.
Type *type_in_body(const Completion *completion, const AstExpr *expr);

// Patterns, parameters, the word after `async`, and attributes (pattern.c). False: the cursor is
// somewhere else.
bool complete_pattern(Completion *completion);
bool complete_parameter(Completion *completion);
bool complete_prefixed(Completion *completion);
bool complete_attribute(Completion *completion);
// What the attribute, or the word in one, that ends at the cursor is for. "": it is none.
Str attribute_docs(const Cursor *cursor);

// After a dot, and after a type and `::` (member.c).
void complete_members(Completion *completion);
void complete_associated(Completion *completion, Decl *decl);
void complete_of_mapping(Completion *completion); // after a mapping and `::`
// Variants; of the operators of the Vector Engine those whose ALU is free.
void complete_variants(Completion *completion, Decl *decl);

// The ALUs that a stream has used since it entered the intra-slice block.
uint32_t taken_alus(const Completion *completion, const AstExpr *stream);
// Whether a variant is an operator whose ALU is taken.
bool is_taken(const Completion *completion, Decl *variant);

// What a stream comes from: the receiver of its last call, or the value of the variable it is in;
// NULL: not known.
const AstExpr *before_in_chain(const Completion *completion, const AstExpr *expr);

// ---- mappings that follow (mapping.c)

// What a call is of.
typedef struct {
    Completion *completion;
    const AstExpr *receiver; // NULL: none
    Shape in;                // of the receiver, {0} with SCALAR_NONE: it has none
} CallSource;

CallSource call_source(Completion *completion, const AstExpr *receiver, Type *type);
Arena *source_arena(const CallSource *source);
const Machine *source_machine(const CallSource *source);
// The mapping that a dimension is. False: it is not known.
bool mapping_of_dim(Arena *arena, const Type *dim, Mapping *mapping);
bool source_mapping(const CallSource *source, Level level, Mapping *mapping);
// The dimension `level` behind a stage, for its type parameter `name`. False: it does not follow.
bool stage_mapping(const CallSource *source, StageKind kind, const char *name, Level level,
                   Mapping *mapping);
// Whether any mapping makes the stage one that the rules take here.
bool stage_is_possible(const CallSource *source, StageKind kind);
// What most casts are to. Requires: the type of the stream is known.
int32_t cast_target(const CallSource *source);
// A topology of the Switch Engine with its sizes, and the Slice and Time it makes. False: it makes
// nothing of this stream.
bool switch_proposal(const CallSource *source, SwitchKind kind, Proposal *proposal);
// The axis that a stage works along; `name`, if none is.
Str axis_argument(const CallSource *source, StageKind kind, const char *name);
// ---- the same (move.c)

// Whether a method is a tile along a dimension that has nothing to tile.
bool tile_is_empty(const CallSource *source, const char *method);
// A mapping of a tile of one position. False: the method makes none, or none follows.
bool tile_argument(const CallSource *source, const char *method, const char *name, Str *text);
// A dimension of the tensor that a tensor is moved to.
bool move_mapping(const CallSource *source, Type *result, Level level, Mapping *mapping);

// ---- what to write for a call (call.c)

// The nearest variable of a type of the library by its name, with elements of `scalar`
// (SCALAR_NONE: any); *name is how it is called (NULL: not asked for).
Type *local_of_type(Completion *completion, const char *type, int32_t scalar, const char **name);
// An axis of that size that the module declares; NULL: there is none.
const char *axis_of_size(Completion *completion, int64_t size);
// The mapping that stands under a name in scope.
bool alias_mapping(Completion *completion, const char *name, Mapping *mapping);

// Adds what fits the argument at the cursor, the likeliest first.
void complete_expected(Completion *completion);
// Types of elements, if the type argument that the cursor is at is one.
void complete_scalars(Completion *completion);

// The name with its type arguments and arguments as a snippet. `source`: NULL: it is of none.
Str call_snippet(Completion *completion, Decl *decl, const CallSource *source);
// The call as it would be written, and its type arguments alone. "": something in it is not known.
Str call_text(Completion *completion, Decl *decl, const CallSource *source);
Str type_arguments_text(Completion *completion, Decl *decl, const CallSource *source);
// A call of switch with a topology and what it makes. "": it makes nothing of this stream.
Str switch_snippet(Completion *completion, const CallSource *source, SwitchKind kind);

#endif
