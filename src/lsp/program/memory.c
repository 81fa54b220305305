// Which functions were right before. A function is right as long as its text is what it was, the
// texts of all functions it rests on are, and everything outside of bodies says the same: blanks
// and comments do not count there.
//
// Only what is right is kept, so that nothing has to be said again at another place. What one
// function is told may be held back from the next one (an unknown name is reported once), so that
// nothing is learnt from a program with mistakes that could be such.
#include "lsp/program/analysis.h"
#include "lsp/server/internal.h"

#include "base/checked.h"
#include "lang/syntax/lex.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

// A text that is to be known again.
typedef struct {
    uint64_t hash;
    int64_t length;
} Print;

typedef struct {
    Str path;
    Print body;
    bool is_called;
} Rest;

typedef struct {
    ARRAY(Rest);
} Rests;

typedef struct {
    Arena arena; // of the rest
    Str path;
    Print body;
    Rests rests;
} Known;

struct Memory {
    Known **known; // by path
    int64_t count;
    Print frame; // everything outside of bodies
    Arena files_arena;
    FileStates files; // that were read for what is known, and are no texts of the frame

    // while an analysis is checked
    Analysis *analysis;
    int64_t source_count; // of the frame
    Arena arena;
    Interner names;
    Map functions; // path -> Decl
    Map paths;     // Decl -> path
    Map known_now; // path -> Known
    Print new_frame;
    Rests rests;       // of the function that is looked at
    int64_t looked_at; // its number, from 1 on
    Map marks;         // Decl -> when it was noted last
    struct {
        ARRAY(Known);
    } right;
    Map right_at; // path -> its place in `right`, from 1 on
    struct {
        ARRAY(const char *);
    } wrong;
};

Memory *memory_new(void)
{
    return calloc(1, sizeof(Memory));
}

static void known_free(Known *known)
{
    arena_release(&known->arena);
    free(known);
}

void memory_free(Memory *memory)
{
    if (!memory)
        return;
    for (int64_t i = 0; i < memory->count; i++)
        known_free(memory->known[i]);
    free(memory->known);
    arena_release(&memory->arena);
    arena_release(&memory->files_arena);
    free(memory);
}

// ---- prints

static void print_add(Print *print, Str text)
{
    uint64_t hash = print->hash;
    for (int64_t i = 0; i < text.len; i++) // FNV-1a
        hash = (hash ^ (unsigned char)text.data[i]) * UINT64_C(0x100000001b3);
    print->hash = (hash ^ 0xff) * UINT64_C(0x100000001b3); // where it ends
    print->length += text.len + 1;
}

static Print print_of(Str text)
{
    Print print = {.hash = UINT64_C(0xcbf29ce484222325)};
    print_add(&print, text);
    return print;
}

static bool same_print(Print a, Print b)
{
    return a.hash == b.hash && a.length == b.length;
}

// What a constant calls counts as outside.
static bool has_own_body(Decl *decl)
{
    return decl->item && decl->item->kind == ITEM_FN && decl->item->function.body &&
           !decl->item->function.is_const;
}

static Print body_print(const Lang *lang, Decl *decl)
{
    return print_of(lang_text(lang, decl->item->function.body->span));
}

static int by_start(const void *left, const void *right)
{
    const Span *a = left, *b = right;
    return compare_by(compare_i64(a->source, b->source), compare_i64(a->start, b->start));
}

static Spans bodies_of(Arena *arena, const Lang *lang)
{
    Spans bodies = {0};
    for (int64_t i = 0; i < lang->functions.count; i++)
        if (has_own_body(lang->functions.items[i]))
            *array_push(arena, &bodies, Span) = lang->functions.items[i]->item->function.body->span;
    if (bodies.count)
        qsort(bodies.items, (size_t)bodies.count, sizeof(Span), by_start);
    return bodies;
}

// The tokens of a source that are in no body. `next`: the first body from there on.
static void print_source(Memory *memory, int32_t source, const Spans *bodies, int64_t *next)
{
    const Source *text = &memory->analysis->contra->sources.items[source];
    TokenList tokens = lex_silently(&memory->arena, text->text);
    print_add(&memory->new_frame, text->name);
    for (int64_t i = 0; i < tokens.count; i++) {
        const Token *token = &tokens.items[i];
        while (*next < bodies->count && bodies->items[*next].source == source &&
               bodies->items[*next].end <= token->start)
            ++*next;
        const Span *body = *next < bodies->count ? &bodies->items[*next] : NULL;
        if (body && body->source == source && body->start <= token->start)
            continue;
        print_add(&memory->new_frame, str_slice(text->text, token->start, token_end(token)));
    }
    while (*next < bodies->count && bodies->items[*next].source <= source)
        ++*next;
}

static bool is_of_program(const Source *source) // not of the prelude
{
    return source->name.len && source->name.data[0] != '<';
}

static void print_frame(Memory *memory)
{
    const SourceList *sources = &memory->analysis->contra->sources;
    Spans bodies = bodies_of(&memory->arena, memory->analysis->lang);
    int64_t next = 0;
    memory->new_frame = print_of(STR(""));
    for (int64_t i = 0; i < sources->count; i++)
        if (is_of_program(&sources->items[i]))
            print_source(memory, (int32_t)i, &bodies, &next);
}

// ---- before a check

static void add_rest(Memory *memory, Rests *rests, const Rest *more)
{
    for (int64_t i = 0; i < rests->count; i++) {
        if (!str_equal(rests->items[i].path, more->path))
            continue;
        rests->items[i].is_called |= more->is_called;
        return;
    }
    *array_push(&memory->arena, rests, Rest) = *more;
}

// Loops call the same functions over and over: what was noted is marked with the function at hand.
static void note_rest(void *own, Decl *decl, bool is_called)
{
    Memory *memory = own;
    intptr_t mark = memory->looked_at * 2 + is_called;
    if ((intptr_t)map_get(&memory->marks, decl) >= mark)
        return;
    map_put(&memory->marks, decl, (void *)mark);
    const char *path = map_get(&memory->paths, decl);
    if (path) // else of the prelude, or inside of a body
        add_rest(memory, &memory->rests,
                 &(Rest){str_from(path), body_print(memory->analysis->lang, decl), is_called});
}

// Two of one name cannot be told apart: neither is known.
static void name_functions(Memory *memory)
{
    const Lang *lang = memory->analysis->lang;
    for (int64_t i = 0; i < lang->functions.count; i++) {
        Decl *decl = lang->functions.items[i];
        if (!has_own_body(decl) || decl->span.source < 0)
            continue;
        Str name = str_format(&memory->arena, "{}:{}", lang->sources->items[decl->span.source].name,
                              decl_path(&memory->arena, decl));
        const char *path = intern(&memory->names, name);
        bool is_first = !map_get(&memory->functions, path);
        map_put(&memory->functions, path, is_first ? (void *)decl : (void *)memory);
        if (is_first)
            map_put(&memory->paths, decl, (void *)(uintptr_t)path);
    }
}

static Decl *function_named(const Memory *memory, const char *path)
{
    void *found = map_get(&memory->functions, path);
    return found == memory ? NULL : found;
}

void memory_open(Memory *memory, Analysis *analysis)
{
    arena_release(&memory->arena);
    memory->arena.on_oom = &analysis->contra->on_oom;
    memory->analysis = analysis;
    memory->names = (Interner){.arena = &memory->arena};
    memory->functions = memory->paths = memory->known_now = memory->right_at = memory->marks =
        (Map){.arena = &memory->arena};
    memory->right.items = NULL, memory->right.count = memory->right.capacity = 0;
    memory->wrong.items = NULL, memory->wrong.count = memory->wrong.capacity = 0;
    memory->rests = (Rests){0};
    memory->looked_at = 0;
    memory->source_count = analysis->contra->sources.count;
    name_functions(memory);
    print_frame(memory);
    for (int64_t i = 0; i < memory->count; i++)
        map_put(&memory->known_now, intern(&memory->names, memory->known[i]->path),
                memory->known[i]);
    analysis->lang->rests_on = note_rest;
    analysis->lang->rests_own = memory;
}

// ---- while functions are looked at

static bool is_as_it_was(Memory *memory, const Rest *rest)
{
    Decl *decl = function_named(memory, intern(&memory->names, rest->path));
    return decl && same_print(rest->body, body_print(memory->analysis->lang, decl));
}

bool memory_is_known(void *own, Decl *decl)
{
    Memory *memory = own;
    const char *path = map_get(&memory->paths, decl);
    const Known *known = path ? map_get(&memory->known_now, path) : NULL;
    memory->rests.count = 0;
    memory->looked_at++;
    if (decl->span.source >= 0)
        note_function(memory->analysis->server, str_from(decl->name),
                      analysis_path(memory->analysis, decl->span.source), decl->span.start);
    if (!known || function_named(memory, path) != decl ||
        !same_print(memory->frame, memory->new_frame) ||
        !same_print(known->body, body_print(memory->analysis->lang, decl)))
        return false;
    for (int64_t i = 0; i < known->rests.count; i++)
        if (!is_as_it_was(memory, &known->rests.items[i]))
            return false;
    Lang *lang = memory->analysis->lang;
    for (int64_t i = 0; i < known->rests.count; i++)
        if (known->rests.items[i].is_called)
            map_put(&lang->called,
                    function_named(memory, intern(&memory->names, known->rests.items[i].path)),
                    lang);
    return true;
}

// A generic function is looked at twice: as it is called, and as it stands.
void memory_learn(void *own, Decl *decl, int64_t first_diag)
{
    assert(decl);
    Memory *memory = own;
    const Lang *lang = memory->analysis->lang;
    const char *path = map_get(&memory->paths, decl);
    if (!path || function_named(memory, path) != decl)
        return;
    if (lang->diags->count > first_diag) {
        *array_push(&memory->arena, &memory->wrong, const char *) = path;
        return;
    }
    int64_t at = (intptr_t)map_get(&memory->right_at, path) - 1;
    if (at < 0) {
        at = memory->right.count;
        Known *known = array_push(&memory->arena, &memory->right, Known);
        known->path = str_from(path);
        known->body = body_print(lang, decl);
        map_put(&memory->right_at, path, (void *)(intptr_t)(at + 1));
    }
    for (int64_t i = 0; i < memory->rests.count; i++)
        add_rest(memory, &memory->right.items[at].rests, &memory->rests.items[i]);
}

// ---- after a check

static Decl *function_around(const Lang *lang, Span span)
{
    for (int64_t i = 0; i < lang->functions.count; i++) {
        Decl *decl = lang->functions.items[i];
        if (!has_own_body(decl))
            continue;
        Span body = decl->item->function.body->span;
        if (body.source == span.source && body.start <= span.start && span.end <= body.end)
            return decl;
    }
    return NULL;
}

// Notes which functions have mistakes in them. False: some are outside, or such that others may not
// have been told because of them.
static bool find_mistakes(Memory *memory, Map *mistaken)
{
    const Lang *lang = memory->analysis->lang;
    for (int64_t i = 0; i < lang->diags->count; i++) {
        const Diag *diag = lang->diags->items[i];
        Decl *decl = function_around(lang, diag->span);
        const char *group = diag_infos[diag->code].group;
        const char *path = decl ? map_get(&memory->paths, decl) : NULL;
        if (!path || strcmp(group, "syntax") == 0 || strcmp(group, "name") == 0)
            return false;
        map_put(mistaken, path, memory);
    }
    return true;
}

static bool rests_on_mistake(Memory *memory, const Known *known, const Map *mistaken)
{
    for (int64_t i = 0; i < known->rests.count; i++)
        if (map_get(mistaken, intern(&memory->names, known->rests.items[i].path)))
            return true;
    return false;
}

static void forget(Memory *memory, const char *path)
{
    Known *known = map_get(&memory->known_now, path);
    for (int64_t i = 0; known && i < memory->count; i++) {
        if (memory->known[i] != known)
            continue;
        known_free(known);
        memory->known[i] = memory->known[--memory->count];
        map_put(&memory->known_now, path, NULL);
        return;
    }
}

// False: no memory.
static bool known_fill(Known *copy, const Known *known)
{
    jmp_buf no_memory;
    copy->arena.on_oom = &no_memory;
    if (setjmp(no_memory))
        return false;
    copy->path = str_copy(&copy->arena, known->path);
    copy->body = known->body;
    for (int64_t i = 0; i < known->rests.count; i++) {
        Rest *rest = array_push(&copy->arena, &copy->rests, Rest);
        *rest = known->rests.items[i];
        rest->path = str_copy(&copy->arena, rest->path);
    }
    copy->arena.on_oom = NULL;
    return true;
}

// What there is no memory for is not known.
static void keep(Memory *memory, const Known *known)
{
    Known **more = realloc(memory->known, sizeof(*more) * (size_t)(memory->count + 1));
    if (!more)
        return;
    memory->known = more;
    Known *copy = calloc(1, sizeof *copy);
    if (copy && known_fill(copy, known))
        memory->known[memory->count++] = copy;
    else if (copy)
        known_free(copy);
}

static void forget_all(Memory *memory)
{
    for (int64_t i = 0; i < memory->count; i++)
        known_free(memory->known[i]);
    memory->count = 0;
    arena_release(&memory->files_arena);
    memory->files = (FileStates){0};
}

static bool is_of_frame(const Memory *memory, Str path)
{
    for (int64_t i = 0; i < memory->source_count; i++)
        if (str_equal(analysis_path(memory->analysis, i), path))
            return true;
    return false;
}

static bool is_kept(const Memory *memory, Str path)
{
    for (int64_t i = 0; i < memory->files.count; i++)
        if (str_equal(memory->files.items[i].path, path))
            return true;
    return false;
}

// Libraries that only a body names, and whatever else is read while functions are looked at.
static void keep_files(Memory *memory)
{
    const FileStates *asked = &memory->analysis->asked;
    memory->files_arena.on_oom = &memory->analysis->contra->on_oom;
    for (int64_t i = 0; i < asked->count; i++) {
        const FileState *file = &asked->items[i];
        if (is_of_frame(memory, file->path) || is_kept(memory, file->path))
            continue;
        FileState *copy = array_push(&memory->files_arena, &memory->files, FileState);
        *copy = *file;
        copy->path = str_copy(&memory->files_arena, file->path);
    }
    memory->files_arena.on_oom = NULL;
}

bool memory_forgets(Memory *memory, Str path)
{
    bool rests = false;
    for (int64_t i = 0; i < memory->files.count && !rests; i++)
        rests = path_is_at(memory->files.items[i].path, path);
    if (rests)
        forget_all(memory);
    return rests;
}

const FileStates *memory_files(const Memory *memory)
{
    return &memory->files;
}

void memory_close(Memory *memory)
{
    enum { MOST_FILES = 1000 }; // names that somebody types leave others behind
    Map mistaken = {.arena = &memory->arena};
    memory->analysis->lang->rests_on = NULL;
    if (!find_mistakes(memory, &mistaken))
        return;
    if (!same_print(memory->frame, memory->new_frame) || memory->files.count > MOST_FILES) {
        forget_all(memory);
        memory->known_now = (Map){.arena = &memory->arena};
    }
    memory->frame = memory->new_frame;
    keep_files(memory);
    for (int64_t i = 0; i < memory->wrong.count; i++) {
        forget(memory, memory->wrong.items[i]);
        map_put(&mistaken, memory->wrong.items[i], memory);
    }
    for (int64_t i = 0; i < memory->right.count; i++) {
        const Known *known = &memory->right.items[i];
        const char *path = intern(&memory->names, known->path);
        forget(memory, path);
        if (!map_get(&mistaken, path) && !rests_on_mistake(memory, known, &mistaken))
            keep(memory, known);
    }
}
