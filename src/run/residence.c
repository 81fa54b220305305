#include "run/residence.h"

#include "base/checked.h"
#include "engine/memory/memory.h"
#include "engine/report.h"

#include <stdlib.h>
#include <string.h>

// ---- values to arrays and back

// Positions and elements are in the same order: no padding, and axes as the array has them.
static bool is_in_order(Arena *arena, const Array *array, const Mapping *mapping)
{
    Mapping normal = mapping_normalise(arena, mapping);
    int64_t axis = array->axes.count - 1;
    if (array->count != mapping->size)
        return false;
    for (int64_t i = 0; i < normal.count; i++) {
        const Factor *factor = &normal.factors[i];
        while (axis >= 0 && array->extents[axis] == 1)
            axis--;
        if (factor->is_padding || axis < 0)
            return false;
        const Term *term = &array->axes.items[axis];
        if (!atom_equal(term->atom, factor->term.atom) || term->stride != factor->term.stride ||
            array->extents[axis] != factor->resize)
            return false;
        axis--;
    }
    return true;
}

// One value a position, with memory of the scratch unless the array has them so.
typedef struct {
    Mapping mapping;
    Values all;
    bool is_array; // these are the array's
} TensorValues;

static TensorValues values_of(Arena *scratch, const Tensor *tensor, Array *array)
{
    TensorValues values = {.mapping = shape_of(scratch, tensor->dims)};
    values.is_array = is_in_order(scratch, array, &values.mapping);
    values.all = values.is_array ? (Values){array->bits, array->live}
                                 : values_new(scratch, values.mapping.size);
    return values;
}

static bool send(Residence *residence, const Tensor *tensor, const HwArgument *place, Array *array)
{
    TensorValues values = values_of(&residence->scratch, tensor, array);
    bool ok = (values.is_array ||
               array_read_positions(array, &values.mapping, values.all.bits, values.all.live)) &&
              device_put(residence->device, place, values.all.bits, values.all.live);
    if (ok && !memchr(array->live, 0, (size_t)array->count)) // what has no value is padding
        device_pad(residence->device, place, values.all.live);
    arena_clear(&residence->scratch);
    return ok;
}

bool residence_send(Residence *residence, const Tensor *tensor, const HwArgument *place)
{
    Array *array = residence->executor->array(residence->executor->host, tensor);
    return array && send(residence, tensor, place, array);
}

bool residence_get(Residence *residence, const Tensor *tensor, const HwArgument *place,
                   Array *array)
{
    if (!array)
        return false;
    TensorValues values = values_of(&residence->scratch, tensor, array);
    device_get(residence->device, place, values.all.bits, values.all.live);
    bool ok = values.is_array ||
              array_write_positions(array, &values.mapping, values.all.bits, values.all.live);
    arena_clear(&residence->scratch);
    return ok;
}

// ---- positions

// An array of the tensor in which only elements of the view have a value.
static bool mark_view(Arena *arena, const View *view, Array *whole, const Mapping *all)
{
    ArrayView to = array_part(arena, view, whole, all);
    ArrayView from = {.array = array_new(whole->type, &to.mapping), .mapping = to.mapping};
    if (!from.array)
        return false;
    memset(from.array->live, 1, (size_t)from.array->count);
    bool ok = array_move_part(&from, &to);
    array_free(from.array);
    return ok;
}

uint8_t *view_positions(Arena *arena, const View *view)
{
    Mapping all = shape_of(arena, view->tensor->dims);
    Array *whole = array_new(view->tensor->type, &all);
    uint32_t *bits = arena_new(arena, uint32_t, (size_t)all.size + 1);
    uint8_t *marks = arena_new(arena, uint8_t, (size_t)all.size + 1);
    bool ok = whole && mark_view(arena, view, whole, &all) &&
              array_read_positions(whole, &all, bits, marks);
    array_free(whole);
    if (scalar_traits[view->tensor->type].packet_bits < 8) // a byte is written as a whole
        for (int64_t i = 0; i + 1 < all.size; i += 2)
            marks[i] = marks[i + 1] = marks[i] | marks[i + 1];
    return ok ? marks : NULL;
}

// The next positions from `from` on, of one chip, that are marked; their count: 0, there are none.
static int64_t next_run(const HwArgument *place, const uint8_t *marks, int64_t *from)
{
    int64_t all = device_positions(place);
    const uint8_t *first = *from < all ? memchr(marks + *from, 1, (size_t)(all - *from)) : NULL;
    if (!first)
        return 0;
    *from = first - marks;
    int64_t most = device_part(place, *from, all - *from);
    const uint8_t *end = memchr(first, 0, (size_t)most);
    return end ? end - first : most;
}

StretchList place_stretches(Arena *arena, const Machine *machine, const HwArgument *place,
                            const uint8_t *positions)
{
    StretchList list = {0};
    int64_t bits = place->element_bits;
    for (int64_t chip = 0; chip < place->chips && !positions; chip++) {
        int64_t low = chip * machine->hbm_bytes_per_chip + place->address;
        stretches_add(arena, &list, (Stretch){low, low + place->bytes});
    }
    for (int64_t from = 0, run; positions && (run = next_run(place, positions, &from)) > 0;
         from += run) {
        int64_t base = from / place->elements * machine->hbm_bytes_per_chip + place->address;
        int64_t first = from % place->elements;
        stretches_add(arena, &list,
                      (Stretch){base + first * bits / 8, base + ceil_div((first + run) * bits, 8)});
    }
    return list;
}

// ---- who lies there

void residence_init(Residence *residence, Contra *contra, Executor *executor)
{
    Arena *arena = &contra->arena;
    residence->contra = contra;
    residence->executor = executor;
    residence->by_tensor.arena = residence->by_op.arena = residence->nodes.arena = arena;
    residence->written.nodes = residence->owners.nodes = &residence->nodes;
    *array_push(arena, &residence->residents, Resident *) = NULL; // numbers are from 1 on
}

void residence_free(Residence *residence)
{
    device_free(residence->device);
    arena_release(&residence->scratch);
}

Resident *residence_find(const Residence *residence, const Tensor *tensor)
{
    return map_get(&residence->by_tensor, tensor);
}

static Resident *new_resident(Residence *residence)
{
    Arena *arena = &residence->contra->arena;
    if (residence->spare.count)
        return residence->spare.items[--residence->spare.count];
    Resident *resident = arena_new(arena, Resident, 1);
    resident->number = residence->residents.count;
    *array_push(arena, &residence->residents, Resident *) = resident;
    return resident;
}

// Chips up to the last one that is no padding: nobody sends anything to the others.
static int64_t chips_with_data(Arena *scratch, const Tensor *tensor, int64_t chips)
{
    const Dim *dim = tensor->dims[LEVEL_CHIP];
    while (dim && chips > 1 && !mapping_cell(scratch, &dim->mapping, chips - 1).count)
        chips--;
    arena_clear(scratch);
    return chips;
}

Resident *residence_add(Residence *residence, const Tensor *tensor, const HwArgument *place)
{
    Resident *resident = new_resident(residence);
    int64_t end, size = residence->contra->machine.hbm_bytes_per_chip;
    *resident = (Resident){.number = resident->number,
                           .tensor = tensor,
                           .place = *place,
                           .lost.nodes = &residence->nodes};
    resident->place.chips = chips_with_data(&residence->scratch, tensor, place->chips);
    resident->place.storage = -1; // a number of the kernel that the place was made for
    resident->is_outside = place->address < 0 || place->is_placed ||
                           !checked_add(place->address, place->bytes, &end) || end > size;
    map_put(&residence->by_tensor, tensor, resident);
    return resident;
}

Resident *residence_have(Residence *residence, const Tensor *tensor, const HwArgument *place)
{
    Resident *resident = residence_find(residence, tensor);
    return resident ? resident : residence_add(residence, tensor, place);
}

void residence_rename(Residence *residence, Resident *resident, const Tensor *tensor)
{
    map_remove(&residence->by_tensor, resident->tensor);
    map_put(&residence->by_tensor, tensor, resident);
    resident->tensor = tensor;
    resident->oracle = NULL;
    resident->seen = 0;
}

void residence_forget(Residence *residence, const Tensor *tensor)
{
    Resident *resident = residence_find(residence, tensor);
    if (!resident)
        return;
    owners_leave(residence, resident);
    intervals_clear_all(&resident->lost);
    map_remove(&residence->by_tensor, tensor);
    *array_push(&residence->contra->arena, &residence->spare, Resident *) = resident;
}

// ---- moving values

static Array *array_of(const Residence *residence, const Resident *resident)
{
    return resident->oracle
               ? oracle_array(resident->oracle, resident->tensor)
               : residence->executor->array(residence->executor->host, resident->tensor);
}

void residence_note(Residence *residence, int64_t low, int64_t high)
{
    intervals_set(&residence->written, (Interval){low, high, ++residence->writes});
}

static void find_newest(void *context, const Interval *part)
{
    int64_t *newest = context;
    *newest = max_i64(*newest, part->value);
}

bool residence_fetch(Residence *residence, Resident *resident)
{
    const HwArgument *place = &resident->place;
    int64_t newest = 0;
    if (resident->is_outside)
        return true;
    intervals_each(&residence->written, place->address, place->address + place->bytes, find_newest,
                   &newest);
    if (newest <= resident->seen)
        return true;
    bool ok = residence_get(residence, resident->tensor, place, array_of(residence, resident));
    resident->seen = ok ? newest : resident->seen;
    return ok;
}

// As many positions from the first on as have a value, or have none, like it. Half bytes that share
// a byte stay together.
static int64_t alike(const HwArgument *place, const uint8_t *live, int64_t count)
{
    int64_t share = max_i64(1, 8 / place->element_bits), at = share;
    bool is_live = memchr(live, 1, (size_t)min_i64(share, count));
    while (at < count && is_live == !!memchr(live + at, 1, (size_t)min_i64(share, count - at)))
        at += share;
    return min_i64(at, count);
}

static bool put_positions(Residence *residence, const Resident *resident, Array *array,
                          const uint8_t *positions)
{
    const HwArgument *place = &resident->place;
    TensorValues values = values_of(&residence->scratch, resident->tensor, array);
    bool ok = values.is_array ||
              array_read_positions(array, &values.mapping, values.all.bits, values.all.live);
    for (int64_t from = 0, run; ok && (run = next_run(place, positions, &from)) > 0; from += run) {
        run = alike(place, values.all.live + from, run); // nobody wrote what has no value
        ok = device_put_part(residence->device, place, from, run, values.all.bits + from,
                             values.all.live + from);
    }
    arena_clear(&residence->scratch);
    return ok;
}

bool residence_put(Residence *residence, Resident *resident, const uint8_t *positions)
{
    const HwArgument *place = &resident->place;
    Array *array = array_of(residence, resident);
    bool ok = array && (positions ? put_positions(residence, resident, array, positions)
                                  : send(residence, resident->tensor, place, array));
    if (!ok)
        return false;
    residence_note(residence, place->address, place->address + place->bytes);
    resident->seen = residence->writes;
    return true;
}

// ---- stretches

void stretches_add(Arena *arena, StretchList *list, Stretch stretch)
{
    if (list->count && list->items[list->count - 1].high == stretch.low)
        list->items[list->count - 1].high = stretch.high;
    else if (stretch.low < stretch.high && list->count < list->capacity)
        list->items[list->count++] = stretch; // mostly
    else if (stretch.low < stretch.high)
        *array_push(arena, list, Stretch) = stretch;
}

static int by_low(const void *a, const void *b)
{
    const Stretch *x = a, *y = b;
    return compare_i64(x->low, y->low);
}

static bool is_sorted(const StretchList *list)
{
    for (int64_t i = 1; i < list->count; i++)
        if (list->items[i].low < list->items[i - 1].low)
            return false;
    return true;
}

void stretches_sort(StretchList *list)
{
    int64_t count = 0;
    if (!is_sorted(list)) // mostly they come in order
        qsort(list->items, (size_t)list->count, sizeof *list->items, by_low);
    for (int64_t i = 0; i < list->count; i++) {
        Stretch *last = count ? &list->items[count - 1] : NULL;
        if (last && list->items[i].low <= last->high)
            last->high = max_i64(last->high, list->items[i].high);
        else
            list->items[count++] = list->items[i];
    }
    list->count = count;
}

static int64_t chip_bytes(const Residence *residence)
{
    return residence->contra->machine.hbm_bytes_per_chip;
}

// ---- owners of bytes: which tensor wrote them last, and which lost them by that; for the
// sanitizer

enum { GONE = 0 }; // the owner of bytes whose tensor is dropped

// Who writes to stretches that lie close together, and what of them, and between them, is the
// writer's already.
typedef struct {
    Residence *residence;
    const Actor *actor;
    Resident *by; // NULL: one that only the kernel knows
    const Stretch *next, *end;
    int64_t bytes, own;             // in the stretches
    int64_t gap_bytes, own_in_gaps; // between them
    bool is_others;                 // some bytes in the stretches are
} Writer;

// A kernel that is launched again and again writes over others again and again: it is kept once.
static const Overwrite *overwrite_of(Residence *residence, const Actor *actor)
{
    Overwrite *first = map_get(&residence->by_op, actor->op), *known = first;
    while (known && known->actor.launch != actor->launch)
        known = known->next;
    if (known)
        return known;
    known = arena_new(&residence->contra->arena, Overwrite, 1);
    *known = (Overwrite){first, *actor, residence->overwrites.count};
    map_put(&residence->by_op, actor->op, known);
    *array_push(&residence->contra->arena, &residence->overwrites, const Overwrite *) = known;
    return known;
}

// Part of a stretch: somebody else's is lost to him.
static void take_over(Writer *writer, int64_t low, int64_t high, int64_t owner)
{
    Residence *residence = writer->residence;
    if (writer->by && owner == writer->by->number) {
        writer->own += high - low;
        return;
    }
    writer->is_others = true;
    if (owner == GONE)
        return;
    Resident *loser = residence->residents.items[owner];
    int64_t number = overwrite_of(residence, writer->actor)->number;
    intervals_set(&loser->lost, (Interval){low, high, number});
}

static void visit_owner(void *context, const Interval *part)
{
    Writer *writer = context;
    int64_t inside = 0;
    while (writer->next < writer->end && writer->next->high <= part->low)
        writer->next++;
    for (const Stretch *at = writer->next; at < writer->end && at->low < part->high; at++) {
        int64_t low = max_i64(at->low, part->low), high = min_i64(at->high, part->high);
        take_over(writer, low, high, part->value);
        inside += high - low;
    }
    if (writer->by && part->value == writer->by->number)
        writer->own_in_gaps += part->high - part->low - inside;
}

static void own_each(const Writer *writer, const Stretch *from, const Stretch *to)
{
    Intervals *owners = &writer->residence->owners;
    for (; from < to; from++)
        if (writer->by)
            intervals_set(owners, (Interval){from->low, from->high, writer->by->number});
        else
            intervals_clear(owners, from->low, from->high);
}

// Stretches that lie close together: most launches write what is theirs already, or fill in what
// was left between.
static void own_group(Residence *residence, const Actor *actor, Resident *by, const Stretch *from,
                      const Stretch *to)
{
    Writer writer = {.residence = residence, .actor = actor, .by = by, .next = from, .end = to};
    Stretch all = {from->low, to[-1].high};
    for (const Stretch *at = from; at < to; at++)
        writer.bytes += at->high - at->low;
    writer.gap_bytes = all.high - all.low - writer.bytes;
    intervals_each(&residence->owners, all.low, all.high, visit_owner, &writer);
    if (by && writer.own == writer.bytes)
        return;
    if (by && writer.own_in_gaps == writer.gap_bytes)
        intervals_set(&residence->owners, (Interval){all.low, all.high, by->number});
    else if (by || writer.is_others)
        own_each(&writer, from, to);
}

void owners_note_write(Residence *residence, const Actor *actor, Resident *by,
                       const StretchList *bytes)
{
    enum { CLOSE = 64 };
    const Stretch *end = bytes->items + bytes->count;
    if (by)
        by->writer = *actor;
    for (const Stretch *from = bytes->items, *to; from < end; from = to) {
        for (to = from + 1; to < end && to->low - to[-1].high <= CLOSE;)
            to++;
        own_group(residence, actor, by, from, to);
        for (; by && by->lost.root && from < to; from++)
            intervals_clear(&by->lost, from->low, from->high);
    }
}

typedef struct {
    int64_t number; // whose
    int64_t bytes;
} Holding;

static void count_own(void *context, const Interval *part)
{
    Holding *holding = context;
    holding->bytes += part->value == holding->number ? part->high - part->low : 0;
}

bool owners_have(const Residence *residence, const Resident *resident, int64_t low, int64_t high)
{
    Holding holding = {.number = resident->number};
    intervals_each(&residence->owners, low, high, count_own, &holding);
    return holding.bytes == high - low;
}

// ---- a tensor that is gone

typedef struct {
    Arena *arena;
    StretchList list;
    int64_t number; // whose; -1: of anybody
} Gathering;

static void gather(void *context, const Interval *part)
{
    Gathering *gathering = context;
    if (gathering->number < 0 || part->value == gathering->number)
        stretches_add(gathering->arena, &gathering->list, (Stretch){part->low, part->high});
}

// Stretches of a place that have an owner.
static StretchList owned_parts(Residence *residence, const HwArgument *place, int64_t number)
{
    Gathering gathering = {.arena = &residence->scratch, .number = number};
    for (int64_t chip = 0; chip < place->chips; chip++) {
        int64_t low = chip * chip_bytes(residence) + place->address;
        intervals_each(&residence->owners, low, low + place->bytes, gather, &gathering);
    }
    return gathering.list;
}

void owners_leave(Residence *residence, const Resident *resident)
{
    if (resident->is_outside || !residence->is_watched)
        return;
    StretchList parts = owned_parts(residence, &resident->place, resident->number);
    for (int64_t i = 0; i < parts.count; i++)
        intervals_set(&residence->owners,
                      (Interval){parts.items[i].low, parts.items[i].high, GONE});
    arena_clear(&residence->scratch);
}

bool owners_keep(Residence *residence, const HwArgument *place)
{
    int64_t size = chip_bytes(residence);
    bool ok = true;
    if (!residence->is_watched)
        return true;
    StretchList parts = owned_parts(residence, place, -1);
    for (int64_t i = 0; i < parts.count; i++) {
        Stretch part = parts.items[i];
        for (int64_t low = part.low, high; low < part.high; low = high) {
            int64_t chip = low / size, base = chip * size;
            high = min_i64(part.high, base + size);
            ok &= device_keep(residence->device, place, chip, low - base, high - base);
        }
    }
    arena_clear(&residence->scratch);
    return ok;
}

// ---- reading

// "`to_hbm` of `more`"
static Str actor_text(Arena *arena, const Actor *actor)
{
    const char *method = actor->op->method ? actor->op->method : "a pass";
    return actor->launch ? str_format(arena, "`{}` of `{}`", method, actor->launch->program->name)
                         : str_format(arena, "`{}` of the host", method);
}

static Str range_text(Arena *arena, int64_t low, int64_t high)
{
    return str_format(arena, "0x{x}..0x{x}", (uint64_t)low, (uint64_t)high);
}

// ", chip 1": where there are several.
static Str chip_text(Arena *arena, const HwArgument *place, int64_t chip)
{
    return place->chips > 1 ? str_format(arena, ", chip {}", chip) : STR("");
}

typedef struct {
    const Residence *residence;
    const Actor *actor;
    const Tensor *name;
    const Resident *resident;
    bool is_lost;
} Reader;

// "`first`", "the result of `copied`". As the host calls it: to the writer, the name that the
// reading kernel has for it may be another tensor.
static Str lost_text(Arena *arena, const Reader *reader)
{
    const Resident *resident = reader->resident;
    const Tensor *tensor = reader->actor->launch ? resident->tensor : reader->name;
    return !tensor->name && resident->of
               ? str_format(arena, "the result of `{}`", resident->of->name)
               : tensor_text(arena, tensor->name ? tensor : reader->name);
}

// Launches of one kernel mostly put their results in the same place.
static void help_lost(Diag *diag, const Actor *writer, const Tensor *lost, Str name)
{
    const Tensor *target = op_target(writer->op);
    if (writer->launch && target && span_same(target->address_span, lost->address_span))
        diag_help(diag,
                  "launches of `{}` put it in the same place: give it another address for each, or "
                  "read {} before the next launch",
                  writer->launch->program->name, name);
    else
        diag_help(diag, "put {}{}{} or {} elsewhere, or read {} before it is written over",
                  target && target->name ? "`" : "",
                  target && target->name ? target->name : "what is written",
                  target && target->name ? "`" : "", name, name);
}

static void note_lost(Diag *diag, const Actor *writer, const Reader *reader, Str name)
{
    const Tensor *tensor = reader->resident->tensor;
    Span said = tensor->address_span;
    report_calls(diag, writer->op, "called from here");
    if (writer->launch)
        launch_note(diag, writer->launch, "this launch writes over it");
    diag_note(diag, said.end > said.start ? said : tensor->span, "{} lies here", name);
    diag_note(diag, reader->actor->op->span, "it is read here");
    if (reader->actor->launch) // of the host, calls are noted on the way out
        report_calls(diag, reader->actor->op, "the read is called from here");
}

static void report_lost(void *context, const Interval *part)
{
    Reader *reader = context;
    const Residence *residence = reader->residence;
    Arena *arena = &residence->contra->arena;
    const Actor *writer = &residence->overwrites.items[part->value]->actor;
    const HwArgument *place = &reader->resident->place;
    int64_t chip = part->low / chip_bytes(residence), base = chip * chip_bytes(residence);
    int64_t high = min_i64(part->high, base + chip_bytes(residence));
    if (reader->is_lost)
        return;
    reader->is_lost = true;
    Str name = lost_text(arena, reader);
    Diag *diag =
        diag_add(&residence->contra->diags, DIAG_SANITIZE_OVERWRITTEN, writer->op->span,
                 "{} writes over bytes {} of {} (HBM {}{}), which {} still reads",
                 actor_text(arena, writer), range_text(arena, part->low - base, high - base), name,
                 range_text(arena, place->address, place->address + place->bytes),
                 chip_text(arena, place, chip), actor_text(arena, reader->actor));
    note_lost(diag, writer, reader, name);
    help_lost(diag, writer, reader->resident->tensor, name);
}

bool owners_check_read(Residence *residence, const Actor *actor, const Tensor *name,
                       const Resident *resident, const StretchList *bytes)
{
    Reader reader = {residence, actor, name, resident, false};
    for (int64_t i = 0; i < bytes->count && !reader.is_lost; i++)
        intervals_each(&resident->lost, bytes->items[i].low, bytes->items[i].high, report_lost,
                       &reader);
    return !reader.is_lost;
}
