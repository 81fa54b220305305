// Where the language has something of a name that is not in scope.
#include "base/str.h"
#include "lang/types/lang.h"

#include <string.h>

enum { DEEPEST = 4 };

typedef struct {
    Lang *lang;
    const char *name;
    Space space;
    const char *path; // the best so far: the fewest steps, of those the first of the alphabet
    int steps;
} Search;

static void found(Search *search, const char *before, int steps)
{
    const char *path = str_terminated(
        search->lang->arena, str_format(search->lang->arena, "{}{}", before, search->name));
    if (search->path &&
        (search->steps < steps || (search->steps == steps && strcmp(search->path, path) <= 0)))
        return;
    search->path = path;
    search->steps = steps;
}

// What a prelude has is there without a `use`.
static void search_module(Search *search, const Module *module, const char *before, int steps)
{
    if (steps > 0 && map_get(&module->names[search->space], search->name))
        found(search, before, steps);
    const Map *names = &module->names[SPACE_TYPE];
    for (int64_t i = 0; i < names->capacity && steps < DEEPEST; i++) {
        Decl *decl = names->slots[i].key ? names->slots[i].value : NULL;
        if (!decl || decl->kind != DECL_MODULE || decl->module->outer != module ||
            strcmp(decl->name, "prelude") == 0)
            continue;
        Str inside = str_format(search->lang->arena, "{}{}::", before, decl->name);
        search_module(search, decl->module, str_terminated(search->lang->arena, inside), steps + 1);
    }
}

const char *known_path(Lang *lang, const char *name, Space space)
{
    Search search = {.lang = lang, .name = name, .space = space};
    if (lang->builtin)
        search_module(&search, lang->builtin, "", 0);
    return search.path;
}
