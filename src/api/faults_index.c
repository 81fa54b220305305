// Entries of an index that name no row.
#include "api/faults_internal.h"

#include "engine/dma/scatter.h"

#include <inttypes.h>

// The operation, and what is known of its table.
typedef struct {
    Arena *arena;
    const DeviceFault *fault;
    FaultActor actor;
    FaultElement entry;
    const HwTensor *table; // NULL: not known
    IndexRange range;      // of an object file without table and axis
} Lookup;

static const HwTensor *table_of(const Execution *execution, const DeviceFault *fault)
{
    const HwOperation *record = &execution->object->operations.items[fault->operation];
    if (fault->writes)
        return fault_record(execution, record->writes);
    return record->reads.count ? fault_record(execution, record->reads.items[0]) : NULL;
}

static Lookup lookup_of(const Execution *execution, const DeviceFault *fault)
{
    Lookup lookup = {.arena = execution->scratch, .fault = fault};
    lookup.actor = fault_actor(execution, fault->operation);
    lookup.entry = fault_element(execution, fault, &lookup.actor);
    lookup.table = table_of(execution, fault);
    lookup.range = (IndexRange){.rows = fault->rows, .unit = fault->unit};
    if (lookup.actor.op)
        index_range(lookup.arena, lookup.actor.op, &lookup.range);
    return lookup;
}

static Str table_name(const Lookup *lookup)
{
    const Tensor *table = lookup->range.table;
    Str name = table && table->name ? str_from(table->name)
               : lookup->table      ? lookup->table->name
                                    : STR("");
    return name.len ? str_format(lookup->arena, "`%.*s`", STR_ARG(name)) : STR("the table");
}

static Str index_name(const Lookup *lookup)
{
    const Tensor *tensor = lookup->entry.tensor;
    const HwTensor *record = lookup->entry.record;
    if (tensor && tensor->name)
        return str_format(lookup->arena, "`%s`", tensor->name);
    return record && record->name.len ? str_format(lookup->arena, "`%.*s`", STR_ARG(record->name))
                                      : STR("the index");
}

static void note_range(const Lookup *lookup, Diag *diag, Str table)
{
    const IndexRange *range = &lookup->range;
    if (range->axis.len)
        diag_note(diag, SPAN_NOWHERE, "rows of %.*s are counted along `%.*s`, from 0 to %" PRId64,
                  STR_ARG(table), STR_ARG(range->axis), range->rows - 1);
    if (range->unit > 1)
        diag_note(diag, SPAN_NOWHERE, "entries are scaled: %" PRId64 " bytes a row", range->unit);
}

static bool has_others(const DeviceFaults *faults, const DeviceFault *fault)
{
    const DeviceFault *last = &faults->items[faults->count - 1];
    return last != fault && last->kind == fault->kind;
}

static void help(const Lookup *lookup, Diag *diag, Str table)
{
    const IndexRange *range = &lookup->range;
    Str name = index_name(lookup);
    int64_t last = (range->rows - 1) * range->unit;
    if (range->unit > 1)
        diag_help(diag, "give %.*s multiples of %" PRId64 " from 0 to %" PRId64, STR_ARG(name),
                  range->unit, last);
    else
        diag_help(diag, "give %.*s values from 0 to %" PRId64, STR_ARG(name), last);
    diag_help(diag, "entries that mean nothing need a row, too: let %.*s have one more for them",
              STR_ARG(table));
}

void fault_report_index(const Execution *execution, const DeviceFaults *faults,
                        const DeviceFault *fault)
{
    Lookup lookup = lookup_of(execution, fault);
    Arena *arena = lookup.arena;
    Str table = table_name(&lookup);
    Diag *diag = diag_add(
        execution->diags, DIAG_SANITIZE_INDEX, fault_actor_span(&lookup.actor, fault->tier, false),
        "%.*s looks for a row by %.*s, which is %" PRId64 ": %.*s has %" PRId64 " rows",
        STR_ARG(fault_actor_text(arena, &lookup.actor)),
        STR_ARG(fault_element_text(arena, fault, &lookup.entry)), fault->entry, STR_ARG(table),
        fault->rows);
    fault_note_line(diag, &lookup.actor, fault->tier, false, "the operation is");
    fault_note_calls(diag, &lookup.actor, "called from here");
    note_range(&lookup, diag, table);
    if (lookup.entry.tensor)
        diag_note(diag, SPAN_NOWHERE, "%.*s", STR_ARG(fault_place_text(arena, fault)));
    if (has_others(faults, fault))
        diag_note(diag, SPAN_NOWHERE, "other entries name no row, either");
    help(&lookup, diag, table);
}
