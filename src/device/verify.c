// Every number of every record against its range, by a table, and then the relations between the
// fields of a record. Records inside a record come first.
#include "base/checked.h"
#include "command/form.h"
#include "command/nest.h"
#include "device/data.h"
#include "device/dma_plan.h"
#include "device/verify_internal.h"

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

// Relations of what goes to and from memories: descriptors, arguments, values that are written.

enum { WRITE_BYTES = 4 };

// ---- places

static bool place_holds(Verify *verify, const char *field, const HwPlace *place)
{
    const VerifyPath path = {verify->path, field, -1};
    bool ok = true;
    verify->path = &path;
    if (place->media == MEDIA_SPM)
        ok = verify_wrong(verify, "media", "is SPM, which no descriptor reaches");
    if (ok && place->media == MEDIA_HOST)
        ok = verify_range(verify, "tensor", place->tensor, 0, VERIFY_MOST);
    else if (ok)
        ok = verify_range(verify, "chip", place->chip, 0, verify->chips - 1);
    if (ok && place->media == MEDIA_DM)
        ok = verify_range(verify, "cluster", place->cluster, 0,
                          verify->machine->clusters_per_chip - 1);
    verify->path = path.up;
    return ok;
}

// A walk over the addresses of one side of a descriptor, in bytes. In DM slices and what is inside
// them are told apart: a stride is the nearest number of slices, and a rest.
typedef struct {
    Interval slices, bytes;
    int64_t slice_stride; // 0: the memory has no slices
    int64_t unit;         // of an address, in bits
} Reach;

static void reach_add(Reach *reach, int64_t last, int64_t stride)
{
    int64_t whole = reach->slice_stride, slices = whole ? nearest_slices(stride, whole) : 0;
    interval_add(&reach->slices, last, slices);
    interval_add(&reach->bytes, last, stride - slices * whole);
}

static Reach reach_from(const Verify *verify, const HwPlace *place, int64_t base, int64_t unit)
{
    Reach reach = {.unit = unit};
    if (place->media == MEDIA_DM)
        reach.slice_stride = verify->machine->dm_virtual_slice_stride_bytes * BYTE_BITS / unit;
    int64_t slice = reach.slice_stride ? base / reach.slice_stride : 0;
    reach.slices = (Interval){slice, slice};
    base -= slice * reach.slice_stride;
    reach.bytes = (Interval){base, base};
    return reach;
}

static bool reach_holds(Verify *verify, const char *field, const HwPlace *place, const Reach *reach,
                        int64_t count)
{
    const Machine *machine = verify->machine;
    bool is_dm = place->media == MEDIA_DM;
    int64_t size = is_dm ? machine->dm_bytes_per_slice : machine->hbm_bytes_per_chip;
    if (is_dm && (reach->slices.least < 0 || reach->slices.most >= machine->slices_per_cluster))
        return verify_wrong(verify, field, "leads to slices {} to {}", reach->slices.least,
                            reach->slices.most);
    if (reach->bytes.least < 0 ||
        verify_times(reach->bytes.most + count, reach->unit) > verify_times(size, BYTE_BITS))
        return verify_wrong(verify, field, "leads to addresses {} to {}, out of the memory",
                            reach->bytes.least, reach->bytes.most);
    return true;
}

// ---- descriptors

static bool side_holds(Verify *verify, const HwDescriptor *descriptor, HwSide side)
{
    static const struct {
        const char *place, *base;
    } names[SIDE_COUNT] = {
        {"source", "source_base"}, {"dest", "dest_base"}, {"indirect.index", "indirect.base"}};
    const HwPlace *place = side_place(descriptor, side);
    if (!place)
        return true;
    Reach reach =
        reach_from(verify, place, side_base(descriptor, side), side_unit(descriptor, side));
    for (int64_t i = 0; i < descriptor->loops.count; i++) {
        const HwDmaLoopEntry *loop = &descriptor->loops.items[i];
        reach_add(&reach, loop->limit - 1, side_stride(loop, side));
    }
    if (side_is_indirect(descriptor, side) && descriptor->indirect->limit)
        reach_add(&reach, descriptor->indirect->limit - 1, descriptor->indirect->scale);
    return place_holds(verify, names[side].place, place) &&
           reach_holds(verify, names[side].base, place, &reach, side_packet(descriptor, side));
}

static bool verify_descriptor(Verify *verify, const void *record)
{
    const HwDescriptor *descriptor = record;
    int64_t steps = descriptor->packet_bytes;
    if (descriptor->unit_bits != BYTE_BITS && descriptor->unit_bits != BYTE_BITS / 2)
        return verify_wrong(verify, "unit_bits", "is {}: 4 or 8", descriptor->unit_bits);
    for (int64_t i = 0; i < descriptor->loops.count; i++)
        steps = verify_times(steps, descriptor->loops.items[i].limit);
    return verify_range(verify, "padding_bits", descriptor->padding_bits, 0,
                        verify_times(descriptor->packet_bytes, descriptor->unit_bits) - 1) &&
           verify_range(verify, "chip", descriptor->chip, 0, verify->chips - 1) &&
           verify_range(verify, "cluster", descriptor->cluster, -1,
                        verify->machine->clusters_per_chip - 1) &&
           verify_range(verify, "engine", descriptor->engine, -1,
                        verify->machine->dma_engines_per_cluster - 1) &&
           side_holds(verify, descriptor, SIDE_SOURCE) &&
           side_holds(verify, descriptor, SIDE_DEST) &&
           side_holds(verify, descriptor, SIDE_INDEX) && verify_spend(verify, steps);
}

static bool verify_immediate(Verify *verify, const void *record)
{
    const HwImmediateWrite *write = record;
    return verify_range(verify, "address", write->address, 0,
                        verify->machine->dm_bytes_per_slice - WRITE_BYTES);
}

// ---- arguments

static bool forms_hold(Verify *verify, const HwArgument *argument, int64_t positions)
{
    int64_t padded = 0;
    for (int64_t i = 0; i < argument->forms.count; i++) {
        const HwArrayForm *form = &argument->forms.items[i];
        int64_t size = 1;
        for (int64_t k = 0; k < form->axes.count; k++)
            size = verify_times(size, form->axes.items[k].size);
        padded += form->padded;
        if (size != (form->padded ? positions : argument->live) || padded > 1 || i - padded > 1)
            return verify_wrong(verify, "forms", "are not shapes of its elements");
    }
    return true;
}

// Loops come in ascending order: each steps over all that is inside it.
static bool data_holds(Verify *verify, const HwArgument *argument, int64_t positions)
{
    int64_t reach = 0, end = 0;
    for (int64_t i = argument->loops.count - 1; i >= 0; i--) {
        const HwDataLoop *loop = &argument->loops.items[i];
        if (loop->bound < -1 || loop->bound >= argument->bounds.count)
            return verify_wrong(verify, "loops", "count towards bound {} of {}", loop->bound,
                                argument->bounds.count);
        if (loop->size > 1 && loop->stride <= reach)
            return verify_wrong(verify, "loops", "are not in ascending order");
        reach = min_i64(reach + verify_times(loop->size - 1, loop->stride), VERIFY_MOST);
        if (verify_times(loop->size, max_i64(loop->weight, -loop->weight)) >= VERIFY_MOST)
            return verify_wrong(verify, "loops", "have a weight that is too large");
    }
    if (!argument->runs.count && reach >= positions)
        return verify_wrong(verify, "loops", "lead beyond its positions");
    if (argument->runs.count % 2)
        return verify_wrong(verify, "runs", "is no list of pairs");
    for (int64_t i = 0; i < argument->runs.count; i += 2) {
        int64_t first = argument->runs.items[i], length = argument->runs.items[i + 1];
        if (first < end || length < 0 || length > positions || first > positions - length)
            return verify_wrong(verify, "runs", "lead beyond its positions, or back");
        end = first + length;
    }
    return true;
}

static bool argument_fits(Verify *verify, const HwArgument *argument)
{
    const Machine *machine = verify->machine;
    bool in_slices = argument->tier != TIER_HOST && argument->tier != TIER_HBM;
    int64_t bits = scalar_traits[argument->type].storage_bits;
    int64_t size = argument->tier == TIER_DM    ? machine->dm_bytes_per_slice
                   : argument->tier == TIER_VRF ? machine->vrf_bytes_per_slice
                                                : machine->hbm_bytes_per_chip;
    if (in_slices &&
        (!verify_range(verify, "clusters", argument->clusters, 1, machine->clusters_per_chip) ||
         !verify_range(verify, "slices", argument->slices, 1, machine->slices_per_cluster)))
        return false;
    if (argument->tier == TIER_TRF) {
        if (!argument->trf)
            return verify_wrong(verify, "trf", "is missing");
        bits = scalar_traits[argument->type].packet_bits;
        size = trf_row_bytes(argument->trf);
        if (!verify_range(verify, "rows", argument->rows, 1, argument->trf->rows))
            return false;
    }
    bool has_address = argument->tier != TIER_HOST && argument->tier != TIER_TRF;
    int64_t address = has_address ? argument->address : 0;
    int64_t held = ceil_div(verify_times(argument->elements, bits), BYTE_BITS);
    return verify_equal(verify, "element_bits", argument->element_bits, bits) &&
           verify_range(verify, "address", address, 0, max_i64(0, size - held)) &&
           verify_range(verify, "elements", held, 1, size);
}

static bool verify_argument(Verify *verify, const void *record)
{
    const HwArgument *argument = record;
    int64_t positions = argument->elements;
    positions = verify_times(positions, argument->rows);
    positions = verify_times(positions, argument->slices);
    positions = verify_times(positions, argument->clusters);
    positions = verify_times(positions, argument->chips);
    if (positions > verify->limits->elements)
        return verify_wrong(verify, "elements", "are too many: {} positions", positions);
    return argument_fits(verify, argument) && data_holds(verify, argument, positions) &&
           forms_hold(verify, argument, positions) && verify_spend(verify, positions);
}

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
    buf_format(out, "{}{}", out->len ? "." : "", path->name);
    if (path->index >= 0)
        buf_format(out, "[{}]", path->index);
}

static int64_t operation_of(const VerifyPath *path)
{
    while (path && path->up)
        path = path->up;
    return path && strcmp(path->name, "operations") == 0 ? path->index : -1;
}

bool(verify_wrong)(Verify *verify, const char *field, Message message)
{
    StrBuf where = {.arena = verify->diags->arena};
    print_path(&where, verify->path);
    buf_format(&where, "{}{}", where.len ? "." : "", field);
    Str file = verify->file.len ? str_format(where.arena, "`{}` cannot be executed: ", verify->file)
                                : STR("");
    diag_add(verify->diags, DIAG_OBJECT_MALFORMED, SPAN_NOWHERE, "{}{} {}", file, buf_str(&where),
             (str_format)(where.arena, message));
    verify->operation = operation_of(verify->path);
    return false;
}

bool verify_equal(Verify *verify, const char *field, int64_t value, int64_t wanted)
{
    return value == wanted || verify_wrong(verify, field, "is {}, not {}", value, wanted);
}

bool verify_range(Verify *verify, const char *field, int64_t value, int64_t least, int64_t most)
{
    if (value < least)
        return verify_wrong(verify, field, "is {}; the least is {}", value, least);
    return value <= most || verify_wrong(verify, field, "is {}; the most is {}", value, most);
}

bool verify_spend(Verify *verify, int64_t steps)
{
    verify->steps = min_i64(verify->steps, INT64_MAX - VERIFY_MOST) + min_i64(steps, VERIFY_MOST);
    if (verify->steps <= verify->limits->steps)
        return true;
    Diag *diag = diag_add(verify->diags, DIAG_OBJECT_WORK, SPAN_NOWHERE,
                          "`{}` is too much work: its commands together take more than {} steps",
                          verify->file, verify->limits->steps);
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
    return verify_wrong(verify, field->name, "has {} entries; there may be {} to {}", count,
                        range.least, range.most);
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
        ok = walk_inside(verify, field, i, (const char *)list->items + i * field->record->size);
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
    diag_note(diag, SPAN_NOWHERE, "operation {} is `{}`", number, operation->method);
    if (operation->line)
        diag_note(diag, SPAN_NOWHERE, "the operation is at {}:{}", operation->file,
                  operation->line);
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
