#include "mapping/expr.h"

#include <ctype.h>

Scope scope_new(Arena *arena)
{
    return (Scope){.arena = arena, .names = {.arena = arena}, .entries = {.arena = arena}};
}

ScopeEntry *scope_find(Scope *scope, Str name)
{
    return map_get(&scope->entries, intern(&scope->names, name));
}

ScopeEntry *scope_add(Scope *scope, Span span, Str name)
{
    ScopeEntry *entry = arena_new(scope->arena, ScopeEntry, 1);
    *entry = (ScopeEntry){.name = intern(&scope->names, name), .span = span};
    *array_push(scope->arena, scope, ScopeEntry *) = entry;
    map_put(&scope->entries, entry->name, entry);
    return entry;
}

// name = upper (letter | digit | "_")*; definitions and skewed axes may end in primes
static bool is_name(Str name, bool primes)
{
    int64_t end = name.len;
    while (primes && end > 1 && name.data[end - 1] == '\'')
        end--;
    if (end == 0 || !(name.data[0] >= 'A' && name.data[0] <= 'Z'))
        return false;
    for (int64_t i = 1; i < end; i++) {
        unsigned char c = (unsigned char)name.data[i];
        if (c >= 0x80 || !(isalnum(c) || c == '_'))
            return false;
    }
    return true;
}

static bool check_name(Scope *scope, DiagList *diags, Span span, Str name, bool primes)
{
    if (!is_name(name, primes)) {
        diag_add(diags, DIAG_AXIS_NAME, span,
                 "`{}` is not a name: it must start with an upper-case letter, followed by "
                 "letters, digits or `_`",
                 name);
        return false;
    }
    const ScopeEntry *before = scope_find(scope, name);
    if (!before)
        return true;
    Diag *diag = diag_add(diags, DIAG_AXIS_REPEATED, span, "`{}` is declared twice", name);
    diag_note(diag, before->span, "first here");
    return false;
}

bool scope_add_axis(Scope *scope, DiagList *diags, Span span, Str name, int64_t size)
{
    if (!check_name(scope, diags, span, name, false))
        return false;
    if (size < 1) {
        diag_add(diags, DIAG_AXIS_SIZE, span,
                 "axis `{}` has size {}; an axis has at least one index", name, size);
        return false;
    }
    ScopeEntry *entry = scope_add(scope, span, name);
    entry->atom = atom_axis_declared(scope->arena, entry->name, size, span);
    return true;
}

bool scope_add_definition(Scope *scope, DiagList *diags, Span span, Str name, Str text,
                          int64_t start)
{
    if (!check_name(scope, diags, span, name, true))
        return false;
    ScopeEntry *entry = scope_add(scope, span, name);
    entry->text = text;
    entry->text_start = start;
    return true;
}

bool scope_add_skew(Scope *scope, DiagList *diags, Span span, Str name, const Atom *skew)
{
    if (!check_name(scope, diags, span, name, true))
        return false;
    scope_add(scope, span, name)->atom = skew;
    return true;
}
