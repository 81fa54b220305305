// Every number of every record against its range, by a table, and then the relations between the
// fields of a record. Records inside a record come first.
#include "device/verify_internal.h"

#include "base/checked.h"
#include "command/form.h"
#include "device/data.h"
#include "device/nest.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MOST_ELEMENTS_BITS = 32, MOST_STEPS_BITS = 40 };

const VerifyLimits verify_limits = {.steps = INT64_C(1) << MOST_STEPS_BITS,
                                    .elements = INT64_C(1) << MOST_ELEMENTS_BITS};
const VerifyLimits verify_any_work = {.steps = INT64_MAX,
                                      .elements = INT64_C(1) << MOST_ELEMENTS_BITS};

// ---- ranges

// What a number, or each of a list of numbers, may be; `of_count`: how long a list may be.
typedef struct {
    const Record *record;
    size_t offset;
    bool of_count;
    int64_t least, most;
} Range;

enum { MOST_LANES = 512, MOST_MAC_LANES = 256, MOST_DIGITS = 64, MOST_OPERANDS = 8 };
enum { MOST_TENSORS = 1 << 24 };

#define MOST_SIZE (INT64_C(1) << 32)
#define NUMBER(owner, field, least, most) \
    {&record_of_##owner, offsetof(Hw##owner, field), false, least, most},
#define LENGTH(owner, field, least, most) \
    {&record_of_##owner, offsetof(Hw##owner, field), true, least, most},

static const Range ranges[] = {
#include "device/verify.def"
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
    {&record_of_CommitMask, verify_commit_mask},
    {&record_of_Fetch, verify_fetch},
    {&record_of_Reduce, verify_reduce},
    {&record_of_VrfStore, verify_vrf_store},
    {&record_of_SliceReduce, verify_slice_reduce},
    {&record_of_VectorStep, verify_vector_step},
    {&record_of_Vector, verify_vector},
    {&record_of_Commit, verify_commit},
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

static int64_t operation_of(const VerifyPath *path)
{
    while (path && path->up)
        path = path->up;
    return path && strcmp(path->name, "operations") == 0 ? path->index : -1;
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
    Str file = verify->file.len
                   ? str_format(where.arena, "`%.*s` cannot be executed: ", STR_ARG(verify->file))
                   : STR("");
    diag_add(verify->diags, DIAG_OBJECT_MALFORMED, SPAN_NOWHERE, "%.*s%.*s %s", STR_ARG(file),
             STR_ARG(buf_str(&where)), words);
    verify->operation = operation_of(verify->path);
    return false;
}

bool verify_equal(Verify *verify, const char *field, int64_t value, int64_t wanted)
{
    return value == wanted ||
           verify_wrong(verify, field, "is %lld, not %lld", (long long)value, (long long)wanted);
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
    verify->steps = min_i64(verify->steps, INT64_MAX - VERIFY_MOST) + min_i64(steps, VERIFY_MOST);
    if (verify->steps <= verify->limits->steps)
        return true;
    Diag *diag = diag_add(verify->diags, DIAG_OBJECT_WORK, SPAN_NOWHERE,
                          "`%.*s` is too much work: its commands together take more than %lld "
                          "steps",
                          STR_ARG(verify->file), (long long)verify->limits->steps);
    diag_help(diag, "run it from its source, which is executed however long that takes");
    diag_help_typed(diag, "`contra run` executes its source, however long that takes");
    return false;
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
    case FIELD_BITS:
        return walk_count(verify, record, field, ((const BitList *)at)->count);
    case FIELD_INTS:
        return walk_count(verify, record, field, ((const IntList *)at)->count) &&
               walk_numbers(verify, record, field, at);
    case FIELD_BOOL:
    case FIELD_TEXT:
    case FIELD_ENUM:
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

bool object_verify_each(Str name, const HwObject *object, const Machine *machine,
                        const VerifyLimits *limits, DiagList *diags, int64_t *operation)
{
    Verify verify = {.file = name,
                     .machine = machine,
                     .limits = limits,
                     .diags = diags,
                     .chips = object_chips(object),
                     .operation = -1};
    bool ok = walk_record(&verify, &record_of_Object, object);
    *operation = verify.operation;
    return ok;
}

// Where the source has it, by the source map of the file.
static void note_operation(const HwObject *object, int64_t number, Diag *diag)
{
    const HwOperation *operation = &object->operations.items[number];
    diag_note(diag, SPAN_NOWHERE, "operation %lld is `%.*s`", (long long)number,
              STR_ARG(operation->method));
    if (operation->line)
        diag_note(diag, SPAN_NOWHERE, "the operation is at %.*s:%lld", STR_ARG(operation->file),
                  (long long)operation->line);
}

bool object_verify(Str name, const HwObject *object, const Machine *machine,
                   const VerifyLimits *limits, DiagList *diags)
{
    int64_t operation;
    bool ok = object_verify_each(name, object, machine, limits, diags, &operation);
    if (!ok && operation >= 0)
        note_operation(object, operation, diags->items[diags->count - 1]);
    return ok;
}
