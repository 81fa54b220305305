// The texts that an editor has open, and the names of files.
#ifndef CONTRA_LSP_DOCUMENT_H
#define CONTRA_LSP_DOCUMENT_H

#include "lsp/position.h"

#include <jansson.h>

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

// Takes one of the changes of `textDocument/didChange`. False: it is none.
bool document_change(Document *document, Encoding encoding, const json_t *change);
// All of the text at once.
void document_set_text(Document *document, Str text);

// The path of a `file:` URI; others stay as they are.
Str path_of_uri(Arena *arena, Str uri);
Str uri_of_path(Arena *arena, Str path);

bool json_position(const json_t *value, TextPosition *position);

#endif
