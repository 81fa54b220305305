// What the server knows: the texts that an editor has open, the programs that they belong to, and
// what stands at a place of a source.
#ifndef CONTRA_LSP_PROGRAM_ANALYSIS_H
#define CONTRA_LSP_PROGRAM_ANALYSIS_H

#include "api/state.h"
#include "base/array.h"
#include "base/diag.h"
#include "lang/syntax/ast_visit.h"
#include "lang/syntax/lex.h"
#include "lang/types/infer.h"
#include "program/program.h"

#include <jansson.h>

// ---- positions: lines, and characters as the client counts them (documents.c)

typedef enum { ENCODING_UTF8, ENCODING_UTF16, ENCODING_COUNT } Encoding;

extern const char *const encoding_names[ENCODING_COUNT]; // as the protocol calls them

typedef struct {
    int64_t line, character; // both from 0
} TextPosition;

enum { MARK_BYTES = 128 };

// A text with the offsets at which its lines start. Lines end in \n, \r\n or \r.
typedef struct LinedText {
    Str text;
    struct {
        ARRAY(int64_t);
    } starts;
    struct {
        ARRAY(int64_t);
    } marks; // units of UTF-16 before every MARK_BYTES-th byte, since a line may be very long
} LinedText;

LinedText lined_text(Arena *arena, Str text);

// Beyond the end of a line or the text counts as the end; inside of a character as its start.
int64_t position_offset(const LinedText *text, Encoding encoding, TextPosition position);
TextPosition offset_position(const LinedText *text, Encoding encoding, int64_t offset);
int64_t offset_line(const LinedText *text, int64_t offset);

// ---- the texts that an editor has open, and the names of files (documents.c)

typedef struct Document {
    struct Document *next;
    Str uri, path; // of what is no file, the path is the URI
    int64_t version;
    bool is_new; // opened since the server last worked
    Arena arena; // of the text
    LinedText text;
    Arena names; // of the rest
    Arena answers;
    const uint32_t *tokens; // the semantic tokens that the client has; NULL: none
    int64_t token_count, tokens_id;
    struct Crate *crate;       // that it belongs to; NULL: nobody looked since something changed
    const struct Crate *shown; // the one at the last check; NULL: none, or it is given up
} Document;

// The path of a `file:` URI; others stay as they are.
Str path_of_uri(Arena *arena, Str uri);
Str uri_of_path(Arena *arena, Str path);

bool json_position(const json_t *value, TextPosition *position);

typedef struct {
    int64_t start, end;
    bool is_line; // from two slashes to the end of the line
} Comment;

typedef struct {
    ARRAY(Comment);
} Comments;

// The comments from `start` up to `end`, between which no token stands.
void comments_between(Arena *arena, Str text, int64_t start, int64_t end, Comments *comments);

// ---- programs (analysis.c)

// What the server knows of a program: a root file with all the files it names, read, typed as far
// as somebody asked, and checked. An edit makes a new analysis; what was found right before and
// rests on nothing that changed is not looked at again.

struct LinedText;
struct Paths; // api/folder.h
typedef struct Server Server;
typedef struct Memory Memory; // which functions are right (memory.c)

// A file as it was when somebody asked for it.
typedef struct {
    Str path;
    int64_t changed_ns, bytes; // of the one on disk; bytes are -1: there is none
} FileState;

typedef struct {
    ARRAY(FileState);
} FileStates;

// A text of a file, in place of the one that there is.
typedef struct {
    Str path, text;
} OtherText;

typedef struct {
    ARRAY(OtherText);
} OtherTexts;

typedef struct {
    Server *server;
    const OtherTexts *others; // NULL: none
    Contra *contra;
    Lang *lang;
    Module *module; // of the root; NULL: it could not be read, or is a program text
    Check check;
    CheckResult result;
    bool is_checked;
    Map bodies;    // Decl -> Body, of those that somebody asked for
    Map functions; // AstItem -> Decl, of so many
    int64_t function_count;
    Map times;          // Decl -> KernelTime, of those kernels that somebody asked for (kernels.h)
    Map launches;       // Decl -> Launches, likewise
    Map function_times; // Decl -> KernelTimes, likewise
    Map fixes;          // Diag -> DiagHelps: those that hold, likewise (answer/actions.c)
    struct {
        ARRAY(struct LinedText *);
    } texts;          // by source, as far as somebody asked; NULL: nobody did
    FileStates asked; // files that were asked for, whether they are there or not
} Analysis;

typedef struct Crate {
    struct Crate *next;
    const char *name; // its path
    Str path;
    Arena arena;        // of the path
    Analysis *analysis; // that is checked; NULL: something changed since
    Analysis *asked;    // while that is not done: one to answer questions, so that neither disturbs
                        // what the other one says; NULL: nobody asked
    bool is_used;       // it is the root of a file that is open
    bool is_told;       // the client has the diagnostics of the analysis
    Memory *memory;
    struct PublishedFile *published; // what the client was told of each file (answer/diagnostics.c)
} Crate;

// Reads the root. `memory`: what is known of it, if it is to be checked. NULL: reading it failed
// before because of a bug in Contra, and nothing that it depends on has changed since; or there is
// no memory for other texts.
// `others` may be NULL, and live as long as the analysis.
Analysis *analysis_new(Server *server, const Crate *crate, Memory *memory,
                       const OtherTexts *others);
void analysis_free(Analysis *analysis); // NULL is allowed
// From here on, memory that ends while something is asked of it ends the message at hand.
void analysis_enter(Analysis *analysis);
// Checks another function of the root's analysis. False: it is done.
bool analysis_step(Crate *crate);
// Checks the whole of an analysis of a crate's that is not its own, from which nothing is learnt.
// False: no memory.
bool analysis_check(Analysis *analysis);
// The analysis to ask. NULL: as above.
Analysis *crate_analysis(Server *server, Crate *crate);
// The file that a source is the text of.
Str analysis_path(const Analysis *analysis, int64_t source);
// The number of a source; -1: the analysis did not read it.
int32_t analysis_source(const Analysis *analysis, Str path);
// Whether it is of the program, and not of what the language brings along.
bool analysis_wrote(const Analysis *analysis, int64_t source);

// ---- roots (analysis.c)

// The root of the program that a file belongs to.
Crate *crate_of_path(Server *server, Str path);
// The one that an open file belongs to, or that reads the file; NULL: nobody can read it.
Crate *crate_reading(Server *server, Str path);
// The files that may be the root of one without a crate: those beside it and, in the folder of a
// module, above it.
void roots_around(Arena *arena, Str path, struct Paths *roots);
// Has the root read, to be checked. False: as above.
bool crate_read(Server *server, Crate *crate);
void crate_free(Crate *crate);
// A file changed: what rests on it is not known any more.
void crates_forget(Server *server, Str path);
// It is known which files it reads: documents may belong to other roots.
void crate_notice_files(Server *server, const Crate *crate);
// Files came or went: documents may belong to other roots.
void documents_unsettle(Server *server);
// Finds the roots of documents that were opened or closed since the server last worked.
void crates_follow(Server *server);
// Crates that no open file belongs to are given up, and those it does are there.
void crates_settle(Server *server);

// ---- files on disk (server/workspace.c)

FileState file_state(Arena *arena, Str path);
// Whether a path is the other one, or below it.
bool path_is_at(Str path, Str other);

// ---- what was right before (memory.c)

Memory *memory_new(void); // NULL: no memory
void memory_free(Memory *memory);
// Before a check: which functions are as they were.
void memory_open(Memory *memory, Analysis *analysis);
bool memory_is_known(void *memory, Decl *decl);
void memory_learn(void *memory, Decl *decl, int64_t first_diag);
// After it.
void memory_close(Memory *memory);
// A file changed. True: something that is known rests on it beside the texts, and is known no more.
bool memory_forgets(Memory *memory, Str path);
// Those files.
const FileStates *memory_files(const Memory *memory);

// ---- the tree (trail.c)

// The module that a source is the text of; NULL: none.
Module *analysis_module(const Analysis *analysis, int32_t source);
// Visits its items. False: there is no module.
bool analysis_items(const Analysis *analysis, int32_t source, AstVisit *visit, void *own);

// Lexes a text; what is wrong with it, the check says.
TokenList lex_silently(Arena *arena, Str text);

// From an item down to the innermost node at an offset.
typedef struct {
    ARRAY(AstNode);
    Analysis *analysis;
    int32_t source;
} Trail;

Trail trail_at(Arena *arena, Analysis *analysis, int32_t source, int64_t offset);
Trail trail_copy(Arena *arena, const Trail *trail);
// Its first nodes.
Trail trail_above(const Trail *trail, int64_t count);
// The item that one of its nodes is; NULL: it is none.
const AstItem *trail_item(const Trail *trail, int64_t at);
// The expression that one is; NULL: it is none.
const AstExpr *trail_expr(const Trail *trail, int64_t at);
// The innermost item of a set of kinds; -1: there is none.
int64_t trail_around(const Trail *trail, uint32_t kinds);
// The innermost module or block with items around an offset.
Module *trail_scope(const Trail *trail);
// The innermost function around it that has a declaration; NULL: none.
Decl *trail_function(const Trail *trail);
// The same, or else the type: whose generics are seen there.
Decl *trail_generic(const Trail *trail);
// The type or trait that item `at` declares; NULL: none.
Decl *trail_type(const Trail *trail, int64_t at);
// What item `at` declares under a name, perhaps as a member of a trait or an impl block; NULL:
// nothing.
Decl *trail_declared(const Trail *trail, int64_t at, const char *name);
// The function that an item declares; NULL: none.
Decl *analysis_function(Analysis *analysis, const AstItem *item);
// The body of a function or the value of a constant, typed. NULL: it has none.
const Body *analysis_body(Analysis *analysis, Decl *decl);
// That of the function around.
const Body *trail_body(const Trail *trail);
// Whether an expression is of a body.
bool body_has(const Body *body, const AstExpr *expr);

// ---- what names mean: the tables of the front end, asked by place (meaning.c)

typedef enum {
    MEANS_NOTHING,
    MEANS_DECL,    // a function, type, axis, constant, module, ..
    MEANS_LOCAL,   // a variable
    MEANS_SELF,    // the `self` of a function
    MEANS_FIELD,   // of a struct
    MEANS_GENERIC, // a generic parameter
} MeaningKind;

typedef struct Meaning {
    MeaningKind kind;
    Span span;               // of the name that was asked about
    Decl *decl;              // decl; self: the function; field: the type
    Decl *also;              // of a `use` that brings a type or module: the value of the same name
    const AstPattern *local; // local: where it is bound
    const AstField *field;
    const AstGeneric *generic;
    Type *type;         // of the value, where it is one and known; else NULL
    const AstExpr *use; // method, path: the expression; else NULL
} Meaning;

// The generic parameter that a name is there; NULL: none.
const AstGeneric *generic_named(const Trail *trail, const char *name);

// Of the innermost name of a trail.
Meaning meaning_of(const Trail *trail);
Meaning meaning_at(Arena *arena, Analysis *analysis, int32_t source, int64_t offset);
// Where that is declared; nowhere: in the prelude.
Span meaning_declared(const Meaning *meaning);
// The fields of a struct or variant; NULL: it has none.
const AstFields *decl_fields(Decl *decl);
Meaning meaning_of_field(Decl *decl, const char *name);
// As it is spelt where it is declared.
const char *meaning_name(const Meaning *meaning);

// What is looked for in several programs, and in all modules that one file is the text of: it is
// the same if it is declared at the same place.
typedef struct {
    const Analysis *analysis; // that its meaning is of; NULL: of one that may be gone
    Meaning meaning;          // its kind alone, if that is gone
    const char *name;
    Str path; // of the file that declares it
    int64_t start;
    bool is_shared; // other programs may name it
} Target;

Target target_of(const Analysis *analysis, const Meaning *meaning);
// One that outlives the analysis.
Target target_kept(Arena *arena, const Target *target);
bool target_is(const Target *target, const Analysis *analysis, const Meaning *meaning);

// Whether it is of the language of kernels, and not of the standard library or the program.
bool decl_is_of_device(const Lang *lang, Decl *decl);
// The stage that a function of the language is; STAGE_COUNT: none.
StageKind decl_stage(const Lang *lang, Decl *decl);

// A name where it was come by.
typedef struct {
    Span span;
    Trail trail;
} NamePlace;

typedef struct {
    ARRAY(NamePlace);
} NamePlaces;

// Calls `visit` for every name in a source, with its trail.
typedef void NameVisit(void *own, const Trail *trail);
void each_name(Arena *arena, Analysis *analysis, int32_t source, NameVisit *visit, void *own);
// The same for all that the program wrote.
void each_name_of_program(Arena *arena, Analysis *analysis, NameVisit *visit, void *own);

// The text of the name that a node is; NULL: it is none.
const char *node_name(const AstNode *node, Span *span);

#endif
