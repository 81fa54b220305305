// The life of a Contra: the way in and out of it, what a caller may put into it, machines.
#include "api/build.h"
#include "api/sized.h"

#include "base/checked.h"
#include "base/file.h"
#include "base/workers.h"

#include <string.h>

#ifndef CONTRA_BUILD_VERSION
#define CONTRA_BUILD_VERSION "unknown"
#endif

const char *contra_version(void)
{
    return CONTRA_BUILD_VERSION;
}

int64_t contra_version_number(void)
{
    return CONTRA_VERSION;
}

ContraText contra_text(const char *terminated)
{
    return (ContraText){terminated, terminated ? (int64_t)strlen(terminated) : 0};
}

ContraStatus give_text(Contra *contra, const StrBuf *buf, ContraText *text)
{
    *text = text_of(str_copy(&contra->arena, buf_str(buf)));
    arena_clear(&contra->request);
    return CONTRA_OK;
}

// ---- the way in and out

Outside enter_contra(Contra *contra)
{
    int threads = (int)contra->threads;
    Outside outside = {heap_source, workers_limit(threads)};
    // We may be in a callback of another Contra, which has a limit of its own.
    if (outside.threads && (!threads || outside.threads < threads))
        workers_limit(outside.threads);
    heap_source = contra->memory.allocate ? &contra->memory : NULL;
    atomic_store_explicit(&contra->refused, false, memory_order_relaxed);
    contra->cancel.seen = false;
    contra->cancel.request = (Canceller){0};
    return outside;
}

void leave_contra(Outside *outside)
{
    heap_source = outside->memory;
    workers_limit(outside->threads);
}

// ---- an end

void contra_set_cancel(Contra *contra, ContraCancelled *is_cancelled, void *own)
{
    if (contra)
        contra->cancel.always = (Canceller){is_cancelled, own};
}

// ---- a log

void contra_set_log(Contra *contra, ContraLog *log, void *own)
{
    if (!contra)
        return;
    contra->log = log;
    contra->log_own = own;
}

// ---- life

static ContraStatus open_contra(Contra *contra)
{
    CONTRA_ENTER(contra);
    Arena *arenas[] = {&contra->arena, &contra->scratch, &contra->request, &contra->said};
    for (size_t i = 0; i < COUNT_OF(arenas); i++)
        arenas[i]->on_oom = &contra->on_oom;
    contra->facts.arena = contra->outputs.arena = &contra->arena;
    contra_clear_diagnostics(contra);
    contra->scope = scope_new(&contra->arena);
    contra->machine = machine_rngd;
    return CONTRA_OK;
}

static bool is_whole(const ContraNewOptions *options)
{
    bool any = options->allocate || options->resize || options->release;
    bool all = options->allocate && options->resize && options->release;
    return any == all && options->threads >= 0 && options->threads <= INT32_MAX;
}

Contra *contra_new_with(const ContraNewOptions *given)
{
    ContraNewOptions options;
    if (!sized_take_quietly(SIZED_ContraNewOptions, given, &options) || !is_whole(&options))
        return NULL;
    HeapSource memory = {options.allocate, options.resize, options.release, options.own, NULL};
    Contra *contra = heap_raw(memory.allocate ? &memory : NULL, sizeof *contra);
    if (!contra)
        return NULL;
    memset(contra, 0, sizeof *contra);
    contra->memory = memory;
    contra->memory.refused = &contra->refused;
    contra->threads = options.threads;
    if (open_contra(contra) == CONTRA_OK)
        return contra;
    contra_free(contra);
    return NULL;
}

Contra *contra_new(void)
{
    return contra_new_with(NULL);
}

void contra_free(Contra *contra)
{
    if (!contra)
        return;
    if (contra->builder)
        builder_free(contra->builder);
    build_release(contra);
    run_release(contra);
    launch_release(contra);
    for (int64_t i = 0; i < contra->mapped.count; i++)
        file_unmap(contra->mapped.items[i]);
    arena_release(&contra->arena);
    arena_release(&contra->scratch);
    arena_release(&contra->said);
    arena_release(&contra->request);
    HeapSource memory = contra->memory;
    heap_raw_free(memory.allocate ? &memory : NULL, contra);
}

ContraStatus refuse_argument(Contra *contra, const char *function, const char *needed)
{
    return request_refuse(contra, DIAG_ARGUMENT_UNFIT, "{} was called without {}", function,
                          needed);
}

ContraStatus refuse_stranger(Contra *contra, const char *function, const char *what)
{
    Diag *diag = request_report(contra, DIAG_ARGUMENT_UNFIT,
                                "{} was called with {} of another Contra", function, what);
    diag_help(diag,
              "what one Contra made is of use with that one alone: make it anew with this one");
    return CONTRA_INVALID;
}

int32_t add_source(Contra *contra, ContraText name, ContraText text)
{
    Source *source = array_push(&contra->arena, &contra->sources, Source);
    source->name = str_copy(&contra->arena, str_of(name));
    source->text = str_copy(&contra->arena, str_of(text));
    return (int32_t)contra->sources.count - 1;
}

static void take_machine(Contra *contra, const Machine *machine)
{
    contra->settings++;
    contra->machine = *machine;
    contra->machine_kept = NULL;
}

const Machine *keep_machine(Contra *contra)
{
    if (!contra->machine_kept)
        contra->machine_kept = arena_copy(&contra->arena, &contra->machine, sizeof contra->machine);
    return contra->machine_kept;
}

ContraStatus contra_use_machine(Contra *contra, ContraText name)
{
    CONTRA_ENTER(contra);
    const Machine *known = machine_find(str_of(name));
    if (known) {
        take_machine(contra, known);
        return CONTRA_OK;
    }
    Str path = str_of(name);
    bool file = path.len && (memchr(path.data, '.', (size_t)path.len) ||
                             memchr(path.data, '/', (size_t)path.len));
    if (!file) {
        Diag *diag =
            request_report(contra, DIAG_MACHINE_UNKNOWN, "no machine is called `{}`", path);
        diag_help(diag, "use rngd, rngd-s, or the path of a JSON file (with its ending)");
        return CONTRA_INVALID;
    }
    Machine machine;
    if (!machine_load(&contra->arena, &contra->sources, path, &contra->diags, &machine))
        return CONTRA_INVALID;
    take_machine(contra, &machine);
    return CONTRA_OK;
}

ContraStatus contra_machine_table(Contra *contra, ContraFormat format, ContraText *text)
{
    CONTRA_WRITES(contra, text);
    StrBuf buf = {.arena = &contra->request};
    if (format == CONTRA_JSON)
        machine_print_json(&buf, &contra->machine);
    else
        machine_print(&buf, &contra->machine);
    return give_text(contra, &buf, text);
}
