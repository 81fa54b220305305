// Machine files from arbitrary bytes: refused with diagnostics that can be shown, or accepted as a
// machine that passes its own checks and prints as the text of itself.
#include "base/diag.h"
#include "law.h"
#include "machine/machine.h"

#include <jansson.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool same_machine(const Machine *a, const Machine *b)
{
    for (int i = 0; i < MACHINE_FIELD_COUNT; i++) {
        const MachineField *field = &machine_fields[i];
        if (!machine_field_is_list(field)) {
            if (machine_value(a, field) != machine_value(b, field))
                return false;
            continue;
        }
        const MachineList *left = machine_list(a, field), *right = machine_list(b, field);
        if (left->count != right->count ||
            memcmp(left->values, right->values, (size_t)left->count * sizeof left->values[0]) != 0)
            return false;
    }
    return strcmp(a->name, b->name) == 0;
}

static void check_diagnostics(Arena *arena, Str text, const DiagList *diags)
{
    SourceList sources = {0};
    StrBuf shown = {.arena = arena}, json = {.arena = arena};
    *array_push(arena, &sources, Source) = (Source){STR("machine.json"), text, NULL};
    for (int64_t i = 0; i < diags->count; i++) {
        Span span = diags->items[i]->span;
        law(span.source < 0 || (span.start >= 0 && span.start <= span.end && span.end <= text.len),
            "spans lie in the text");
    }
    diag_render_text(&shown, &sources, diags, DIAG_COLOUR);
    diag_render_json(&json, &sources, diags);
    json_error_t error;
    json_t *parsed = json_loadb(json.data, (size_t)json.len, 0, &error);
    law(parsed && (int64_t)json_array_size(parsed) == diags->count, "diagnostics are JSON");
    json_decref(parsed);
}

static void check_machine(Arena *arena, const Machine *machine)
{
    DiagList diags = {.arena = arena};
    Machine again;
    StrBuf table = {.arena = arena}, json = {.arena = arena};
    law(machine_check(machine, &diags) && !diags.count, "an accepted machine passes its checks");
    machine_print(&table, machine);
    machine_print_json(&json, machine);
    law(machine_parse_json(arena, buf_str(&json), 0, &diags, &again) && !diags.count,
        "a printed machine is read");
    law(same_machine(machine, &again), "and is the same machine");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Arena arena = {0};
    DiagList diags = {.arena = &arena};
    Machine machine;
    Str text = {(const char *)arena_copy(&arena, data, size), (int64_t)size};
    bool ok = machine_parse_json(&arena, text, 0, &diags, &machine);
    law(ok == !diags.error_count, "what is refused has a reason");
    check_diagnostics(&arena, text, &diags);
    if (ok)
        check_machine(&arena, &machine);
    arena_release(&arena);
    return 0;
}
