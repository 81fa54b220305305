// Every number of every record against its range, by a table, and then the relations between the
// fields of a record. Records inside a record come first.
#include "device/verify_internal.h"

#include "base/checked.h"
#include "command/form.h"
#include "device/data.h"
#include "device/nest.h"

#include <stdarg.h>
#include <stdio.h>

const VerifyLimits verify_limits = {.steps = INT64_C(1) << 40, .elements = INT64_C(1) << 32};

// ---- ranges

// What a number, or each of a list of numbers, may be; `of_count`: how long a list may be.
typedef struct {
    const Record *record;
    size_t offset;
    bool of_count;
    int64_t least, most;
} Range;

enum { MOST_LANES = 512, MOST_MAC_LANES = 256, MOST_DIGITS = 64, MOST_OPERANDS = 8 };

#define MOST_SIZE (INT64_C(1) << 32)
#define NUMBER(owner, field, least, most) \
    {&record_of_##owner, offsetof(Hw##owner, field), false, least, most},
#define LENGTH(owner, field, least, most) \
    {&record_of_##owner, offsetof(Hw##owner, field), true, least, most},

static const Range ranges[] = {
    NUMBER(Object, machine_hash, INT64_MIN, INT64_MAX)
    NUMBER(Object, chips, 0, 4096)
    NUMBER(Loop, size, 1, MOST_SIZE)
    LENGTH(Nest, loops, 0, NEST_MOST_LOOPS)
    NUMBER(Nest, element_bits, 1, 64)
    NUMBER(Nest, access_bytes, 0, MOST_SIZE)
    NUMBER(CheckTerm, of, -1, DATA_MOST_CHECKS)
    NUMBER(CheckTerm, modulo, 1, VERIFY_MOST)
    NUMBER(CheckTerm, place, 1, VERIFY_MOST)
    LENGTH(CheckTerm, table, 0, 1 << 20)
    LENGTH(Check, terms, 0, MOST_DIGITS)
    NUMBER(Check, modulo, 0, VERIFY_MOST)
    LENGTH(Mask, checks, 0, DATA_MOST_CHECKS)
    NUMBER(Table, entries, INT32_MIN, UINT32_MAX)
    LENGTH(Table, entries, 0, 1 << 16)
    LENGTH(Fetch, bases, 1, 2)
    NUMBER(Fetch, time, 1, MOST_SIZE)
    NUMBER(Fetch, packet_elements, 1, 1 << 20)
    NUMBER(Fetch, pad_value, INT32_MIN, UINT32_MAX)
    NUMBER(RouteTerm, place, 1, MOST_SIZE)
    NUMBER(RouteTerm, extent, 1, MOST_SIZE)
    NUMBER(RouteTerm, size, 0, MOST_SIZE)
    LENGTH(SwitchRoute, terms, 0, MOST_DIGITS)
    NUMBER(SwitchRoute, out_time, 1, MOST_SIZE)
    NUMBER(Collect, flits_per_packet, 1, 1 << 20)
    NUMBER(RowLoop, size, 1, MOST_SIZE)
    NUMBER(TrfLayout, rows, 1, 256)
    NUMBER(TrfLayout, bank_rows_per_row, 1, 256)
    NUMBER(TrfLayout, bank_columns, 1, 64)
    NUMBER(TrfLayout, bank_row_bytes, 1, 4096)
    NUMBER(TrfLayout, first_row, 0, 1 << 20)
    NUMBER(TrfLayout, rows_in_bank, 1, 1 << 20)
    NUMBER(TrfLayout, slots_per_bank_row, 1, 8192)
    LENGTH(TrfStore, loops, 0, MOST_DIGITS)
    NUMBER(VrfStore, packet_elements, 1, MOST_LANES)
    LENGTH(VrfStore, data, 0, DATA_MOST_CHECKS)
    NUMBER(StreamAdapt, collect_flits, 1, MOST_MAC_LANES)
    LENGTH(StreamAdapt, loops, 0, NEST_MOST_LOOPS)
    NUMBER(SlotLoop, size, 1, MOST_SIZE)
    NUMBER(Reduce, packet_elements, 1, MOST_MAC_LANES)
    LENGTH(Reduce, data, 0, DATA_MOST_CHECKS)
    NUMBER(Reduce, tree_depth, 0, 8)
    NUMBER(Reduce, columns, 1, MOST_MAC_LANES)
    NUMBER(Reduce, rows, 1, 256)
    LENGTH(Reduce, loops, 0, MOST_DIGITS)
    NUMBER(Reduce, places, 1, MOST_SIZE)
    NUMBER(Reduce, in_time, 1, MOST_SIZE)
    NUMBER(Reduce, out_elements, 1, MOST_LANES)
    NUMBER(VcgCounter, limit, 1, MOST_SIZE)
    NUMBER(VcgCounter, dim, -1, 3)
    LENGTH(Vcg, counters, 0, MOST_DIGITS)
    LENGTH(Vcg, gates, 0, 3)
    NUMBER(VectorOperand, bits, INT32_MIN, UINT32_MAX)
    NUMBER(VectorOperand, second_bits, INT32_MIN, UINT32_MAX)
    NUMBER(Compare, bits, INT32_MIN, UINT32_MAX)
    NUMBER(ToggleDigit, place, 1, MOST_SIZE)
    NUMBER(ToggleDigit, size, 1, MOST_SIZE)
    LENGTH(Branch, compares, 0, 4)
    LENGTH(Branch, toggles, 0, MOST_DIGITS)
    NUMBER(PairSplit, inside, 1, MOST_SIZE)
    NUMBER(ReduceLoop, size, 1, MOST_SIZE)
    LENGTH(LaneReduce, loops, 0, MOST_DIGITS)
    NUMBER(LaneReduce, out_time, 1, MOST_SIZE)
    NUMBER(SliceDigit, place, 1, MOST_SIZE)
    NUMBER(SliceDigit, size, 1, MOST_SIZE)
    NUMBER(SliceDigit, data, 1, MOST_SIZE)
    NUMBER(TimeDigit, place, 0, MOST_SIZE)
    NUMBER(TimeDigit, size, 1, MOST_SIZE)
    NUMBER(TimeDigit, slice_place, 0, MOST_SIZE)
    LENGTH(SliceReduce, slices, 0, MOST_DIGITS)
    LENGTH(SliceReduce, time, 0, MOST_DIGITS)
    NUMBER(SliceReduce, out_time, 1, MOST_SIZE)
    NUMBER(VectorStep, op_code, -1, VECTOR_OP_COUNT - 1)
    NUMBER(VectorStep, groups, 0, 3)
    NUMBER(VectorStep, int_width, 0, 31)
    NUMBER(VectorStep, time, 0, MOST_SIZE)
    NUMBER(VectorStep, packet_elements, 0, MOST_LANES)
    LENGTH(VectorStep, operands, 0, MOST_OPERANDS)
    NUMBER(Cast, bytes, 1, 4096)
    NUMBER(Cast, pad_bytes, 0, 4096)
    NUMBER(Transpose, in_rows, 1, MOST_SIZE)
    NUMBER(Transpose, packets_per_col, 1, MOST_SIZE)
    NUMBER(Transpose, kept_per_packet, 1, MOST_SIZE)
    NUMBER(Transpose, output_alignment, 1, MOST_LANES)
    NUMBER(Transpose, iterations, 1, MOST_SIZE)
    NUMBER(Transpose, in_flits, 1, MOST_SIZE)
    NUMBER(Transpose, out_flits, 1, MOST_SIZE)
    NUMBER(Commit, commit_in_size, 1, 4096)
    NUMBER(DmaLoopEntry, limit, 1, MOST_SIZE)
    LENGTH(Descriptor, loops, 0, NEST_MOST_LOOPS)
    NUMBER(DmaIndirect, divisor, 1, VERIFY_MOST)
    NUMBER(DmaIndirect, limit, 0, VERIFY_MOST)
    NUMBER(Descriptor, packet_bytes, 1, MOST_SIZE)
    NUMBER(Descriptor, padding_bits, 0, 63)
    NUMBER(ImmediateWrite, value, INT32_MIN, UINT32_MAX)
    NUMBER(Pipeline, chips, 1, 4096)
    NUMBER(Pipeline, clusters, 1, 64)
    NUMBER(Pipeline, slices, 1, 65536)
    NUMBER(Pipeline, first_chip, 0, 4096)
    NUMBER(Pipeline, first_cluster, 0, 64)
    NUMBER(Pipeline, first_slice, 0, 65536)
    NUMBER(ArrayAxis, size, 1, MOST_SIZE)
    NUMBER(DataLoop, size, 1, MOST_SIZE)
    NUMBER(DataLoop, stride, 0, MOST_SIZE)
    NUMBER(Argument, chips, 1, 4096)
    NUMBER(Argument, clusters, 1, 64)
    NUMBER(Argument, slices, 1, 65536)
    NUMBER(Argument, rows, 1, 256)
    NUMBER(Argument, elements, 1, VERIFY_MOST)
    LENGTH(Argument, loops, 0, MOST_DIGITS)
    LENGTH(Argument, forms, 0, 3)
};

static Range range_of(const Record *record, const Field *field, bool of_count)
{
    for (size_t i = 0; i < COUNT_OF(ranges); i++)
        if (ranges[i].record == record && ranges[i].offset == field->offset &&
            ranges[i].of_count == of_count)
            return ranges[i];
    return (Range){record, field->offset, of_count, -VERIFY_MOST, VERIFY_MOST};
}

// ---- relations

typedef struct {
    const Record *record;
    bool (*holds)(Verify *verify, const void *record);
} Relation;

static const Relation relations[] = {
    {&record_of_Loop, verify_loop},
    {&record_of_Nest, verify_nest},
    {&record_of_TrfLayout, verify_layout},
    {&record_of_Mask, verify_mask},
    {&record_of_Reduce, verify_reduce},
    {&record_of_VrfStore, verify_vrf_store},
    {&record_of_Vector, verify_vector},
    {&record_of_Pipeline, verify_pass},
    {&record_of_Command, verify_command},
    {&record_of_Descriptor, verify_descriptor},
    {&record_of_ImmediateWrite, verify_immediate},
    {&record_of_Argument, verify_argument},
};

// ---- what is wrong

static void print_path(StrBuf *out, const VerifyPath *path)
{
    if (!path)
        return;
    print_path(out, path->up);
    buf_printf(out, "%s%s", out->len ? "." : "", path->name);
    if (path->index >= 0)
        buf_printf(out, "[%lld]", (long long)path->index);
}

bool verify_wrong(Verify *verify, const char *field, const char *format, ...)
{
    char words[256];
    StrBuf where = {.arena = verify->diags->arena};
    va_list args;
    va_start(args, format);
    vsnprintf(words, sizeof words, format, args);
    va_end(args);
    print_path(&where, verify->path);
    buf_printf(&where, "%s%s", where.len ? "." : "", field);
    diag_add(verify->diags, DIAG_OBJECT_MALFORMED, SPAN_NOWHERE, "`%.*s` has no meaning: %.*s %s",
             STR_ARG(verify->file), STR_ARG(buf_str(&where)), words);
    return false;
}

bool verify_equal(Verify *verify, const char *field, int64_t value, int64_t wanted)
{
    return value == wanted || verify_wrong(verify, field, "is %lld, not %lld", (long long)value,
                                           (long long)wanted);
}

bool verify_range(Verify *verify, const char *field, int64_t value, int64_t least, int64_t most)
{
    if (value < least)
        return verify_wrong(verify, field, "is %lld; the least is %lld", (long long)value,
                            (long long)least);
    return value <= most || verify_wrong(verify, field, "is %lld; the most is %lld",
                                         (long long)value, (long long)most);
}

bool verify_spend(Verify *verify, int64_t steps)
{
    verify->steps += min_i64(steps, VERIFY_MOST);
    return verify->steps <= verify->limits->steps ||
           verify_wrong(verify, "work", "is too much: all commands together take more than %lld steps",
                        (long long)verify->limits->steps);
}

// ---- the walk

static bool walk_record(Verify *verify, const Record *record, const void *data);

static bool walk_inside(Verify *verify, const Field *field, int64_t index, const void *data)
{
    VerifyPath path = {verify->path, field->name, index};
    verify->path = &path;
    bool ok = walk_record(verify, field->record, data);
    verify->path = path.up;
    return ok;
}

static bool walk_count(Verify *verify, const Record *record, const Field *field, int64_t count)
{
    Range range = range_of(record, field, true);
    if (count >= range.least && count <= range.most)
        return true;
    return verify_wrong(verify, field->name, "has %lld entries; there may be %lld to %lld",
                        (long long)count, (long long)range.least, (long long)range.most);
}

static bool walk_numbers(Verify *verify, const Record *record, const Field *field,
                         const IntList *list)
{
    Range range = range_of(record, field, false);
    for (int64_t i = 0; i < list->count; i++) {
        char name[64];
        if (list->items[i] >= range.least && list->items[i] <= range.most)
            continue;
        snprintf(name, sizeof name, "%s[%lld]", field->name, (long long)i);
        return verify_range(verify, name, list->items[i], range.least, range.most);
    }
    return true;
}

static bool walk_list(Verify *verify, const Field *field, const AnyArray *list)
{
    bool ok = true;
    for (int64_t i = 0; i < list->count && ok; i++)
        ok = walk_inside(verify, field, i,
                         (const char *)list->items + (size_t)i * field->record->size);
    return ok;
}

static bool walk_field(Verify *verify, const Record *record, const Field *field, const void *at)
{
    const void *inside;
    Range range;
    switch (field->kind) {
    case FIELD_INT:
        range = range_of(record, field, false);
        return verify_range(verify, field->name, *(const int64_t *)at, range.least, range.most);
    case FIELD_PART:
        return walk_inside(verify, field, -1, at);
    case FIELD_MAYBE:
        inside = *(const void *const *)at;
        return !inside || walk_inside(verify, field, -1, inside);
    case FIELD_LIST:
        return walk_count(verify, record, field, ((const AnyArray *)at)->count) &&
               walk_list(verify, field, at);
    case FIELD_INTS:
        return walk_count(verify, record, field, ((const IntList *)at)->count) &&
               walk_numbers(verify, record, field, at);
    case FIELD_BOOL:
    case FIELD_TEXT:
    case FIELD_ENUM:
    case FIELD_BITS:
        return true;
    }
    return true;
}

static bool walk_record(Verify *verify, const Record *record, const void *data)
{
    bool ok = true;
    for (int64_t i = 0; i < record->count && ok; i++)
        ok = walk_field(verify, record, &record->fields[i], field_at(&record->fields[i], data));
    for (size_t i = 0; i < COUNT_OF(relations) && ok; i++)
        ok = relations[i].record != record || relations[i].holds(verify, data);
    return ok;
}

int64_t object_chips(const HwObject *object)
{
    int64_t chips = max_i64(1, object->chips);
    for (int64_t i = 0; i < object->arguments.count; i++)
        chips = max_i64(chips, object->arguments.items[i].chips);
    for (int64_t i = 0; i < object->results.count; i++)
        chips = max_i64(chips, object->results.items[i].chips);
    return chips;
}

bool object_verify(Str name, const HwObject *object, const Machine *machine,
                   const VerifyLimits *limits, DiagList *diags)
{
    Verify verify = {.file = name,
                     .machine = machine,
                     .limits = limits,
                     .diags = diags,
                     .chips = object_chips(object)};
    return walk_record(&verify, &record_of_Object, object);
}
