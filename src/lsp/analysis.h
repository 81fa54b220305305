// What the server knows of a program: a root file with all the files it names, read, typed as far
// as somebody asked, and checked. An edit makes a new analysis; what was found right before and
// rests on nothing that changed is not looked at again.
#ifndef CONTRA_LSP_ANALYSIS_H
#define CONTRA_LSP_ANALYSIS_H

#include "api/state.h"
#include "lang/syntax/ast_visit.h"
#include "lang/types/infer.h"

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
    Map fixes;          // Diag -> DiagHelps: those that hold, likewise (trial.c)
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
    struct PublishedFile *published; // what the client was told of each file (diagnostics.c)
} Crate;

// Reads the root. `memory`: what is known of it, if it is to be checked. NULL: reading it failed
// before because of a bug in Contra, and nothing that it depends on has changed since; or there is
// no memory for other texts.
// `others` may be NULL, and live as long as the analysis.
Analysis *analysis_new(Server *server, const Crate *crate, Memory *memory,
                       const OtherTexts *others);
void analysis_free(Analysis *analysis); // NULL is allowed
// Checks another function of the root's analysis. False: it is done.
bool analysis_step(Crate *crate);
// Checks the whole of an analysis of a crate's that is not its own, from which nothing is learnt.
// False: no memory.
bool analysis_check(Analysis *analysis);
// The analysis to ask. NULL: as above.
Analysis *crate_analysis(Server *server, Crate *crate);
// The number of a source; -1: the analysis did not read it.
int32_t analysis_source(const Analysis *analysis, Str path);
// Whether it is of the program, and not of what the language brings along.
bool analysis_wrote(const Analysis *analysis, int64_t source);
// Whether it rests on what is at the path: a file, or one below a folder.
bool analysis_asked(const Analysis *analysis, Str path);

// ---- roots (roots.c)

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

// ---- files on disk (files.c)

FileState file_state(Arena *arena, Str path);
// Whether a path is the other one, or below it.
bool path_is_at(Str path, Str other);

// ---- what was right before (memory.c)

Memory *memory_new(void); // NULL: no memory
void memory_free(Memory *memory);
// Before a check: which functions are as they were.
void memory_open(Memory *memory, Analysis *analysis);
bool memory_is_known(void *memory, const Decl *decl);
void memory_learn(void *memory, const Decl *decl, int64_t first_diag);
// After it.
void memory_close(Memory *memory);
// A file changed. True: something that is known rests on it beside the texts, and is known no more.
bool memory_forgets(Memory *memory, Str path);
// Those files.
const FileStates *memory_files(const Memory *memory);

// ---- the tree

// From an item down to the innermost node at an offset.
typedef struct {
    ARRAY(AstNode);
} Trail;

Trail trail_at(Arena *arena, const Analysis *analysis, int32_t source, int64_t offset);
Trail trail_copy(Arena *arena, const Trail *trail);
// The module that a source is the text of; NULL: none.
Module *analysis_module(const Analysis *analysis, int32_t source);
// The innermost module or block with items around an offset.
Module *analysis_scope(Analysis *analysis, const Trail *trail, int32_t source);
// The innermost function around it that has a declaration; NULL: none.
const Decl *trail_function(Analysis *analysis, const Trail *trail);
// The same, or else the type: whose generics are seen there.
const Decl *trail_generic(Analysis *analysis, const Trail *trail);
// The function or constant that item `at` of a trail is, in a trait or an impl block; NULL: it is
// in none.
const Decl *trail_member(Analysis *analysis, const Trail *trail, int64_t at);
// The function that an item declares; NULL: none.
const Decl *analysis_function(Analysis *analysis, const AstItem *item);
// Its body, typed. NULL: it has none.
const Body *analysis_body(Analysis *analysis, const Decl *decl);
// Of a constant.
const Body *analysis_constant(Analysis *analysis, const Decl *decl);

#endif
