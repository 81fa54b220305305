// Source text to syntax tree. Recovers after an error at the next statement or item, so that a file
// reports all that is wrong with it.
#ifndef CONTRA_LANG_SYNTAX_PARSE_H
#define CONTRA_LANG_SYNTAX_PARSE_H

#include "lang/syntax/ast.h"
#include "lang/syntax/cfg.h"
#include "lang/syntax/lex.h"

// Macros of a program, in the order of their declarations.
typedef struct MacroRules MacroRules;

// A declaration that `#[cfg(..)]` leaves out.
typedef struct {
    const char *name;
    Span span; // the attribute
} LeftOut;

typedef struct {
    ARRAY(MacroRules *);
    struct {
        ARRAY(LeftOut);
    } left_out;
    int64_t expanded;   // how many calls were, in the file at hand
    int64_t text_bytes; // that they became
    Cfg cfg;            // decides what is left out of the tree
} MacroList;

// Reads text number `source` of `sources`. Calls of `macros`, to which those of the text are added,
// are carried out: what they become is a text more in `sources`. Never NULL; what is wrong is in
// `diags`. Expressions are numbered from *next_id on, which is moved past them.
//
// The documentation wrapper (`fn main() {` with inner attributes, or `extern crate`, at the start
// of its body) is taken off: its items are items of the file, and if statements are left they stay
// in `main`. A text that is no list of items but a bare list of statements, as documentation shows
// fragments, becomes the body of a function named `fragment`; items among them are items of the
// file.
AstFile *parse_file(Arena *arena, Interner *names, SourceList *sources, int32_t source,
                    int32_t *next_id, MacroList *macros, DiagList *diags);

// Reads the one item in a part of a text of the library, which is right and calls no macro of a
// program.
AstItem *parse_part(Arena *arena, Interner *names, SourceList *sources, int32_t source,
                    TextPart part, int32_t *next_id, DiagList *diags);

// Reads a text that is nothing but a path, with its arguments as in an expression: `gemm::<2>`.
AstPath parse_path_text(Arena *arena, Interner *names, SourceList *sources, int32_t source,
                        int32_t *next_id, DiagList *diags);

// The value of `key = value` or the bare text in the brackets of an attribute; NULL: there is none.
const AstAttribute *attribute_find(const AstAttributes *attributes, const char *name);

// The file that `#[path = ".."]` gives a module, from `beside` on; empty: there is no such
// attribute.
Str module_named_path(Arena *arena, Str beside, const AstItem *item);

#endif
