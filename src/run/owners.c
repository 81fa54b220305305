// Who wrote which bytes of HBM last, and who lost them by that. The sanitizer asks.
#include "run/residence.h"

#include "base/checked.h"
#include "engine/memory/tensor.h"
#include "engine/report.h"

#include <stdlib.h>

enum { GONE = 0 }; // the owner of bytes whose tensor is dropped

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

// ---- writing

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
