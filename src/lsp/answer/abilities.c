// What the server says it can do.
#include "lsp/answer/answers.h"

static json_t *yes(void)
{
    return json_true();
}

static json_t *actions(void)
{
    return json_pack("{s:[s]}", "codeActionKinds", "quickfix");
}

static json_t *commands(void)
{
    return json_pack("{s:o, s:b}", "commands", command_names(), "workDoneProgress", 1);
}

static json_t *lenses(void)
{
    return json_pack("{s:b}", "resolveProvider", 1);
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

static json_t *type_formatting(void)
{
    return json_pack("{s:s}", "firstTriggerCharacter", "]");
}

static json_t *workspace(void)
{
    return json_pack("{s:{s:b, s:b}}", "workspaceFolders", "supported", 1, "changeNotifications",
                     1);
}

static json_t *tokens(void)
{
    return json_pack("{s:o, s:b, s:{s:b}}", "legend", token_legend(), "range", 1, "full", "delta",
                     1);
}

// clang-format off: a row a line
const Ability abilities[] = {
    {"callHierarchyProvider", yes},
    {"codeActionProvider", actions},
    {"codeLensProvider", lenses},
    {"completionProvider", completes},
    {"definitionProvider", yes},
    {"documentFormattingProvider", yes},
    {"documentHighlightProvider", yes},
    {"documentOnTypeFormattingProvider", type_formatting},
    {"documentRangeFormattingProvider", yes},
    {"documentSymbolProvider", yes},
    {"executeCommandProvider", commands},
    {"foldingRangeProvider", yes},
    {"hoverProvider", yes},
    {"inlayHintProvider", yes},
    {"referencesProvider", yes},
    {"renameProvider", renames},
    {"selectionRangeProvider", yes},
    {"semanticTokensProvider", tokens},
    {"signatureHelpProvider", helps},
    {"typeDefinitionProvider", yes},
    {"workspace", workspace},
    {"workspaceSymbolProvider", yes},
    {NULL, NULL},
};
// clang-format on
