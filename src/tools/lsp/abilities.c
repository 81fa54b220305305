// What the server says it can do.
#include "features.h"

static json_t *yes(void)
{
    return json_true();
}

static json_t *actions(void)
{
    return json_pack("{s:[s]}", "codeActionKinds", "quickfix");
}

static json_t *completes(void)
{
    return json_pack("{s:[s, s]}", "triggerCharacters", ".", ":");
}

static json_t *renames(void)
{
    return json_pack("{s:b}", "prepareProvider", 1);
}

static json_t *helps(void)
{
    return json_pack("{s:[s, s, s]}", "triggerCharacters", "(", "<", ",");
}

const Ability abilities[] = {
    {"codeActionProvider", actions},
    {"completionProvider", completes},
    {"definitionProvider", yes},
    {"documentHighlightProvider", yes},
    {"hoverProvider", yes},
    {"referencesProvider", yes},
    {"renameProvider", renames},
    {"signatureHelpProvider", helps},
    {"typeDefinitionProvider", yes},
    {NULL, NULL},
};
