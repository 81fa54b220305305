#include "api/state.h"

#include "base/file.h"

#include <stdlib.h>
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
    return (ContraText){terminated, (int64_t)strlen(terminated)};
}

ContraText text_of(Str str)
{
    return (ContraText){str.data, str.len};
}

Str str_of(ContraText text)
{
    return (Str){text.data, text.data ? text.length : 0};
}

Contra *contra_new(void)
{
    Contra *contra = calloc(1, sizeof *contra);
    if (!contra)
        return NULL;
    contra->arena.on_oom = contra->scratch.on_oom = &contra->on_oom;
    contra_clear_diagnostics(contra);
    contra->scope = scope_new(&contra->arena);
    contra->machine = machine_rngd;
    return contra;
}

void contra_free(Contra *contra)
{
    if (!contra)
        return;
    if (contra->builder)
        builder_free(contra->builder);
    run_release(contra);
    for (int64_t i = 0; i < contra->mapped.count; i++)
        file_unmap(contra->mapped.items[i]);
    arena_release(&contra->arena);
    arena_release(&contra->scratch);
    free(contra);
}

ContraStatus refuse_argument(Contra *contra, const char *function, const char *needed)
{
    diag_add(&contra->diags, DIAG_ARGUMENT_UNFIT, SPAN_NOWHERE, "%s was called without `%s`",
             function, needed);
    return CONTRA_INVALID;
}

int32_t add_source(Contra *contra, ContraText name, ContraText text)
{
    Source *source = array_push(&contra->arena, &contra->sources, Source);
    source->name = str_copy(&contra->arena, str_of(name));
    source->text = str_copy(&contra->arena, str_of(text));
    return (int32_t)contra->sources.count - 1;
}

int64_t contra_error_count(const Contra *contra)
{
    return contra->diags.error_count;
}

static ContraText render(Contra *contra, const DiagList *diags, ContraDiagnosticStyle style)
{
    if (setjmp(contra->on_oom))
        return contra_text(style == CONTRA_DIAGNOSTICS_JSON
                               ? "[{\"code\":\"E0003\",\"message\":\"memory is exhausted\"}]"
                               : "error[E0003]: memory is exhausted\n");
    arena_clear(&contra->scratch);
    StrBuf buf = {.arena = &contra->scratch};
    if (style == CONTRA_DIAGNOSTICS_JSON)
        diag_render_json(&buf, &contra->sources, diags);
    else
        diag_render_text(&buf, &contra->sources, diags,
                         style == CONTRA_COLOUR ? DIAG_COLOUR : DIAG_PLAIN);
    return text_of(buf_str(&buf));
}

ContraText contra_diagnostics(Contra *contra, ContraDiagnosticStyle style)
{
    return render(contra, &contra->diags, style);
}

ContraText contra_diagnostic(Contra *contra, int64_t index, ContraDiagnosticStyle style)
{
    if (index < 0 || index >= contra->diags.count)
        return (ContraText){0};
    DiagList one = {.arena = &contra->arena, .items = contra->diags.items + index, .count = 1};
    return render(contra, &one, style);
}

void contra_clear_diagnostics(Contra *contra)
{
    contra->diags = (DiagList){.arena = &contra->arena, .treatments = contra->treatments};
    if (contra->lang)
        contra->lang->checked_diags = 0;
}

ContraStatus contra_explain(Contra *contra, ContraText code, ContraText *text)
{
    CONTRA_ENTER(contra);
    DiagCode found = diag_code_parse(str_of(code));
    if (found == DIAG_CODE_COUNT)
        return CONTRA_INVALID;
    StrBuf buf = {.arena = &contra->arena};
    diag_explain(&buf, found);
    *text = text_of(buf_str(&buf));
    return CONTRA_OK;
}

const char *contra_code(int64_t index, const char **title)
{
    if (index < 0 || index >= DIAG_CODE_COUNT)
        return NULL;
    *title = diag_infos[index].title;
    return diag_infos[index].code;
}

ContraStatus contra_use_machine(Contra *contra, ContraText name)
{
    CONTRA_ENTER(contra);
    const Machine *known = machine_find(str_of(name));
    if (known) {
        contra->machine = *known;
        return CONTRA_OK;
    }
    Str path = str_of(name);
    bool file = path.len && (memchr(path.data, '.', (size_t)path.len) ||
                             memchr(path.data, '/', (size_t)path.len));
    if (!file) {
        Diag *diag = diag_add(&contra->diags, DIAG_MACHINE_UNKNOWN, SPAN_NOWHERE,
                              "no machine is called `%.*s`", STR_ARG(path));
        diag_help(diag, "use rngd, rngd-s, or the path of a JSON file (with its ending)");
        return CONTRA_INVALID;
    }
    Machine machine;
    if (!machine_load(&contra->arena, &contra->sources, path, &contra->diags, &machine))
        return CONTRA_INVALID;
    contra->machine = machine;
    return CONTRA_OK;
}

ContraStatus contra_machine_table(Contra *contra, ContraFormat format, ContraText *text)
{
    CONTRA_ENTER(contra);
    StrBuf buf = {.arena = &contra->arena};
    if (format == CONTRA_JSON)
        machine_print_json(&buf, &contra->machine);
    else
        machine_print(&buf, &contra->machine);
    *text = text_of(buf_str(&buf));
    return CONTRA_OK;
}
