// Declarations, types and mappings as people read them: for hovers, completion and help with calls.
#ifndef CONTRA_LSP_ANSWER_DESCRIBE_H
#define CONTRA_LSP_ANSWER_DESCRIBE_H

#include "lsp/program/analysis.h"

// As it is declared, in one line: "fn f(a: i32) -> i32", "type Slice = m![A / 4]", "struct S<T>".
Str decl_text(Arena *arena, const Lang *lang, Decl *decl);
Str decl_docs(Decl *decl);
// "const N: usize", "T: Scalar"
Str generic_text(Arena *arena, const Lang *lang, const AstGeneric *generic);
// A piece of a source with every run of blanks and lines made one blank.
Str one_line(Arena *arena, Str text);

// A type that has mappings: what each of its dimensions is.
typedef struct {
    int32_t scalar;          // SCALAR_NONE: it is not known
    Type *dims[LEVEL_COUNT]; // NULL: it has none, or no mapping of it is known
} Shape;

// What an alias stands for; NULL: that is not known. What is wrong with it, the check says.
Type *alias_type(Lang *lang, Decl *decl);

// False: it is no tensor and no stream.
bool shape_of_type(Type *type, Shape *shape);
// Positions of one dimension, 1 where there is none.
int64_t shape_positions(const Shape *shape, Level level);
// Bytes of so many elements. False: not known, or not whole.
bool shape_bytes(const Shape *shape, int64_t elements, int64_t *bytes);

// "m![A / 4]"; of what stands there under another name "Slice = m![A / 4]".
Str describe_dim(Arena *arena, const Lang *lang, Type *dim);

// The type of a mapping that is written at the end of a trail; NULL: it is wrong.
Type *mapping_type_at(const Trail *trail, const AstMapping *mapping);

// A picture of the first positions, as `contra map` draws it.
void describe_picture(StrBuf *out, Arena *arena, const Expr *expr);

#endif
