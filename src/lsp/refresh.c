// Hints, lenses and tokens of other open documents than the one that changes: the client has old
// ones, and is told to ask again.
#include "lsp/internal.h"

#include "base/checked.h"

// What a client shows, and how it is told.
static const struct {
    const char *ability, *method; // the first: of `workspace` in its capabilities
} shown[] = {
    {"codeLens", "workspace/codeLens/refresh"},
    {"inlayHint", "workspace/inlayHint/refresh"},
    {"semanticTokens", "workspace/semanticTokens/refresh"},
};

uint32_t refreshes_of(const json_t *capabilities)
{
    const json_t *workspace = json_object_get(capabilities, "workspace");
    uint32_t can = 0;
    for (size_t i = 0; i < COUNT_OF(shown); i++) {
        const json_t *ability = json_object_get(workspace, shown[i].ability);
        if (json_is_true(json_object_get(ability, "refreshSupport")))
            can |= 1U << i;
    }
    return can;
}

// A file is opened as it was read already.
static bool is_as_read(const Server *server, const Analysis *analysis, Str path)
{
    const Document *document = server_document_at(server, path);
    int32_t source = document && analysis ? analysis_source(analysis, path) : -1;
    return source >= 0 &&
           str_equal(analysis->contra->sources.items[source].text, document->text.text);
}

void refresh_note(Server *server, const Crate *crate, Str path)
{
    const Analysis *analysis = crate->analysis ? crate->analysis : crate->asked;
    if (is_as_read(server, analysis, path))
        return;
    for (const Document *document = server->documents; document; document = document->next)
        server->is_stale |= (document->crate == crate || document->shown == crate) &&
                            !str_equal(document->path, path);
}

void refresh_tell(Server *server)
{
    for (Document *document = server->documents; document; document = document->next) {
        server->is_stale |= document->shown && document->shown != document->crate;
        document->shown = document->crate;
    }
    for (size_t i = 0; i < COUNT_OF(shown) && server->is_stale; i++)
        if (server->client.refreshes & 1U << i)
            server_ask(server, shown[i].method, NULL);
    server->is_stale = false;
}
