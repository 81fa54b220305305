// A tree as source text, to compare trees and to parse what was printed.
#ifndef CONTRA_TESTS_AST_PRINT_H
#define CONTRA_TESTS_AST_PRINT_H

#include "lang/syntax/ast.h"

// The tree as text, for tests: the source again with uniform blanks, one item or statement per
// line.
void ast_print(StrBuf *out, const AstFile *file);

#endif
