// Every request the server answers, and what it says it can do.
#include "lsp/answers.h"

const Method methods[] = {
#define METHOD(name, kind, answer) {name, kind, answer},
#include "lsp/methods.def"
#undef METHOD
    {NULL, QUERY_ANY, NULL},
};

json_t *server_capabilities(const Server *server)
{
    json_t *can = json_pack("{s:s, s:{s:b, s:i, s:{s:b}}}", "positionEncoding",
                            encoding_names[server->encoding], "textDocumentSync", "openClose", 1,
                            "change", 2, "save", "includeText", 0);
    for (const Ability *ability = abilities; ability->name; ability++)
        json_object_set_new(can, ability->name, ability->make());
    return can;
}
