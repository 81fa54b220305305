// What the two files of the printer share.
#ifndef CONTRA_TESTS_AST_PRINT_INTERNAL_H
#define CONTRA_TESTS_AST_PRINT_INTERNAL_H

#include "lang/syntax/ast.h"

typedef struct {
    StrBuf *out;
    int64_t indent;
} Printer;

static inline void put(Printer *printer, const char *text)
{
    buf_add(printer->out, str_from(text));
}

static inline void put_if(Printer *printer, bool condition, const char *text)
{
    if (condition)
        put(printer, text);
}

static inline void put_separator(Printer *printer, int64_t i)
{
    put_if(printer, i > 0, ", ");
}

void print_name(Printer *printer, const char *name);
void print_line(Printer *printer); // a new one
void print_type(Printer *printer, const AstType *type);
void print_bound(Printer *printer, const AstType *type);
void print_pattern(Printer *printer, const AstPattern *pattern);
void print_inner_pattern(Printer *printer, const AstPattern *pattern); // alternatives in brackets
void print_expr(Printer *printer, const AstExpr *expr);
void print_optional(Printer *printer, const char *before, const AstExpr *expr);
void print_block(Printer *printer, const AstBlock *block);

#endif
