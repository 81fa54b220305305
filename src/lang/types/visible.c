// Who sees a name: the module it is declared in and all modules inside of that, unless `pub` says
// more. What the language brings along is seen by all.
#include "lang/types/lang.h"

#include <string.h>

static Module *module_around(Module *module)
{
    while (module->is_block)
        module = module->outer;
    return module;
}

// The module that `pub(in path)` names; NULL: there is none.
static const Module *follow_path(Module *scope, const AstNames *path)
{
    Module *module = module_around(scope);
    for (int64_t i = 0; module && i < path->count; i++) {
        const char *name = path->items[i].text;
        Decl *child = map_get(&module->names[SPACE_TYPE], name);
        if (strcmp(name, "crate") == 0)
            module = module->crate;
        else if (strcmp(name, "super") == 0)
            module = module->outer ? module_around(module->outer) : NULL;
        else if (strcmp(name, "self") != 0)
            module = child ? child->module : NULL;
    }
    return module;
}

// Where something that is declared in `scope` is seen; NULL: everywhere.
static const Module *seen_in(Module *scope, const AstVisibility *visibility)
{
    Module *module = module_around(scope);
    switch (visibility->kind) {
    case VISIBLE_HERE:
        return module;
    case VISIBLE_SUPER:
        return module->outer ? module_around(module->outer) : module;
    case VISIBLE_CRATE:
        return module->crate;
    case VISIBLE_IN:
        return follow_path(scope, &visibility->path);
    case VISIBLE_ALL:
        break;
    }
    return NULL;
}

bool module_sees(const Module *from, Module *scope, const AstVisibility *visibility)
{
    const Module *around = scope->is_builtin || !visibility ? NULL : seen_in(scope, visibility);
    while (around && from && from != around)
        from = from->outer;
    return !around || from;
}

void report_private(Lang *lang, const AstName *name, const Private *found)
{
    const Module *around = seen_in(found->scope, found->visibility);
    bool crate = !around || !around->outer;
    Diag *diag =
        diag_add(lang->diags, DIAG_PRIVATE, name->span, "`{}` is private to {}{}{}", name->text,
                 crate ? "its crate" : "module `", crate ? "" : around->name, crate ? "" : "`");
    diag_note(diag, found->span, "declared here");
    diag_help(diag, "write `pub` there");
}
