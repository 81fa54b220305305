// Walking the tree of a source without knowing its shape: the children of any node, in the order of
// the text.
#ifndef CONTRA_LANG_SYNTAX_AST_VISIT_H
#define CONTRA_LANG_SYNTAX_AST_VISIT_H

#include "lang/syntax/ast.h"

typedef enum {
    NODE_ITEM,
    NODE_GENERIC, // a generic parameter of an item
    NODE_FIELD,
    NODE_VARIANT,
    NODE_USE,
    NODE_BLOCK,
    NODE_STATEMENT,
    NODE_EXPR,
    NODE_ARM,
    NODE_PATTERN,
    NODE_TYPE,
    NODE_PATH,
    NODE_SEGMENT, // a name of a path, with its generic arguments
    NODE_MAPPING,
    NODE_NAME, // any other name: of a parameter, a field, an axis
} AstNodeKind;

typedef struct {
    AstNodeKind kind;
    Span span;
    union {
        const void *any;
        const AstItem *item;
        const AstGeneric *generic;
        const AstField *field;
        const AstVariant *variant;
        const AstUse *use;
        const AstBlock *block;
        const AstStatement *statement;
        const AstExpr *expr;
        const AstArm *arm;
        const AstPattern *pattern;
        const AstType *type;
        const AstPath *path;
        const AstSegment *segment;
        const AstMapping *mapping;
        const AstName *name;
    };
} AstNode;

typedef void AstVisit(void *own, AstNode node);

// Calls `visit` for each child that the program wrote. Nodes without text are passed by, not what
// is in them.
void ast_children(AstNode node, AstVisit *visit, void *own);

AstNode ast_node_of_item(const AstItem *item);
AstNode ast_node_of_expr(const AstExpr *expr);

#endif
