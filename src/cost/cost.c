#include "cost/internal.h"

#include "base/checked.h"
#include "base/wide.h"

#include <assert.h>
#include <string.h>

const char *const cost_model_names[COST_MODELS] = {
    [COST_MANUAL] = "manual",
    [COST_STATIC] = "static",
    [COST_SILICON] = "silicon",
};

const char *const cost_part_names[COST_PART_COUNT] = {
#define PART(name, word, doc) [COST_##name] = word,
    COST_PARTS(PART)
#undef PART
};

const char *const cost_part_docs[COST_PART_COUNT] = {
#define PART(name, word, doc) [COST_##name] = doc,
    COST_PARTS(PART)
#undef PART
};

const char *const cost_origin_names[COST_ORIGINS] = {
    [COST_FROM_RULE] = "rule",
    [COST_FROM_REQUESTS] = "requests",
    [COST_FROM_SAMPLE] = "sample",
    [COST_FROM_MEASURED] = "measured",
};

// ---- lines

CostLine *cost_line(Cost *cost, CostPart part, CostOrigin origin, int64_t busy, const char *rule)
{
    if (cost->line_count < COST_MOST_LINES)
        cost->line_count++;
    CostLine *line = &cost->lines[cost->line_count - 1];
    *line = (CostLine){.part = part, .origin = origin, .busy = busy, .rule = rule};
    return line;
}

CostPart cost_bound(const Cost *cost)
{
    const CostLine *longest = &cost->lines[0];
    for (int32_t i = 1; i < cost->line_count; i++)
        if (cost->lines[i].busy > longest->busy)
            longest = &cost->lines[i];
    return longest->part;
}

int64_t cost_scale(int64_t value, int64_t part, int64_t whole)
{
    return (int64_t)((Int128)value * part / whole);
}

// ---- what commands have in common

enum { FIRST_SLOTS = 64 };

// A command as numbers, as far as its cost depends on it.
typedef struct {
    ARRAY(int64_t);
} Key;

typedef struct {
    uint64_t hash;
    const int64_t *key;
    int64_t count;
    Cost *cost; // NULL: free
} Slot;

// Which fields of a record count; bit i is field i.
typedef struct {
    const Record *record; // NULL: free
    uint64_t fields;
} Counted;

enum { MOST_RECORDS = 256, MOST_FIELDS = 64 }; // of all .def files there are a quarter as many

struct CostBook {
    const Machine *machine;
    CostModel model;
    Arena *arena, *scratch;
    const HbmDecode *decode;
    Counted counted[MOST_RECORDS];
    Key key;
    Slot *slots;
    int64_t slot_count, used;
};

static void key_add(CostBook *book, int64_t number)
{
    *array_push(book->arena, &book->key, int64_t) = number;
}

// Fields that no cost depends on: what is data and what padding, texts, operands, where registers
// lie; and the routes of packets, which are in the cycles of the Switch Engine.
static bool is_of_no_account(const Field *field)
{
    static const char *const names[] = {"data",       "masks",     "operands",     "terms",
                                        "snoop",      "bases",     "zero_points",  "pad_value",
                                        "vcg",        "start_row", "start_byte",   "branch",
                                        "first_chip", "entries",   "pad_registers"};
    if (field->kind == FIELD_TEXT)
        return true;
    for (size_t i = 0; i < COUNT_OF(names); i++)
        if (strcmp(field->name, names[i]) == 0)
            return true;
    return false;
}

static void key_add_record(CostBook *book, const Record *record, const char *data);

static void key_add_field(CostBook *book, const Field *field, const char *at)
{
    const AnyArray *list = (const AnyArray *)at;
    switch (field->kind) {
    case FIELD_INT:
        key_add(book, *(const int64_t *)at);
        break;
    case FIELD_BOOL:
        key_add(book, *(const bool *)at);
        break;
    case FIELD_ENUM:
        key_add(book, *(const int *)at);
        break;
    case FIELD_PART:
        key_add_record(book, field->record, at);
        break;
    case FIELD_MAYBE:
        key_add(book, *(const void *const *)at != NULL);
        if (*(const void *const *)at)
            key_add_record(book, field->record, *(const void *const *)at);
        break;
    case FIELD_LIST:
        key_add(book, list->count);
        for (int64_t i = 0; i < list->count; i++)
            key_add_record(book, field->record,
                           (const char *)list->items + (size_t)i * field->record->size);
        break;
    case FIELD_INTS:
    case FIELD_BITS:
        key_add(book, list->count);
        for (int64_t i = 0; i < list->count; i++)
            key_add(book, ((const int64_t *)list->items)[i]);
        break;
    case FIELD_TEXT:
        break;
    }
}

static uint64_t counted_fields(CostBook *book, const Record *record)
{
    size_t at = (uintptr_t)record / sizeof(Record) % MOST_RECORDS;
    while (book->counted[at].record && book->counted[at].record != record)
        at = (at + 1) % MOST_RECORDS;
    Counted *counted = &book->counted[at];
    if (!counted->record) {
        assert(record->count <= MOST_FIELDS);
        counted->record = record;
        for (int64_t i = 0; i < record->count; i++)
            counted->fields |= (uint64_t)!is_of_no_account(&record->fields[i]) << i;
    }
    return counted->fields;
}

// Of a base only its place among the banks counts.
static int64_t base_of_account(const Machine *machine, int64_t base)
{
    return base % (machine->dm_banks_per_slice * machine->dm_row_bytes);
}

static void key_add_record(CostBook *book, const Record *record, const char *data)
{
    uint64_t fields = counted_fields(book, record);
    for (int64_t i = 0; i < record->count; i++) {
        const Field *field = &record->fields[i];
        if (record == &record_of_Nest && field->offset == offsetof(HwNest, base))
            key_add(book, base_of_account(book->machine, ((const HwNest *)data)->base));
        else if (fields >> i & 1)
            key_add_field(book, field, data + field->offset);
    }
}

// Of interleaved tensors their banks count.
static void key_add_bases(CostBook *book, const IntList *bases)
{
    key_add(book, bases->count);
    for (int64_t i = 0; i < bases->count; i++)
        key_add(book, base_of_account(book->machine, bases->items[i]));
}

static void key_add_streams(CostBook *book, const DmaStreams *streams)
{
    key_add(book, streams->bytes);
    for (int64_t i = 0; i < streams->count; i++) {
        const DmaStream *stream = &streams->items[i];
        size_t bytes = offsetof(DmaStream, loops) + (size_t)stream->loop_count * sizeof(StreamLoop);
        for (size_t k = 0; k < bytes / sizeof(int64_t); k++)
            key_add(book, ((const int64_t *)stream)[k]);
    }
}

// ---- finding them again

static uint64_t key_hash(const Key *key)
{
    uint64_t hash = UINT64_C(0x9e3779b97f4a7c15);
    for (int64_t i = 0; i < key->count; i++) {
        hash = (hash ^ (uint64_t)key->items[i]) * UINT64_C(0xff51afd7ed558ccd);
        hash ^= hash >> 32;
    }
    return hash;
}

static Slot *find_slot(const CostBook *book, uint64_t hash)
{
    const Key *key = &book->key;
    for (uint64_t at = hash;; at++) {
        Slot *slot = &book->slots[at & (uint64_t)(book->slot_count - 1)];
        if (!slot->cost ||
            (slot->hash == hash && slot->count == key->count &&
             memcmp(slot->key, key->items, (size_t)key->count * sizeof(int64_t)) == 0))
            return slot;
    }
}

static void make_room(CostBook *book)
{
    if (book->used * 2 < book->slot_count)
        return;
    int64_t count = max_i64(FIRST_SLOTS, book->slot_count * 2);
    Slot *slots = arena_new(book->arena, Slot, (size_t)count);
    for (int64_t i = 0; i < book->slot_count; i++) {
        uint64_t at = book->slots[i].hash;
        if (!book->slots[i].cost)
            continue;
        while (slots[at & (uint64_t)(count - 1)].cost)
            at++;
        slots[at & (uint64_t)(count - 1)] = book->slots[i];
    }
    book->slots = slots;
    book->slot_count = count;
}

// ---- costs

static void fill_cost(CostBook *book, const HwCommand *command, const DmaStreams *streams,
                      Cost *cost)
{
    if (!book->decode)
        book->decode = hbm_decode_new(book->arena, book->machine);
    Coster coster = {book->arena, book->scratch, book->machine, book->model, book->decode};
    if (command->pass)
        cost_pass(&coster, command->pass, cost);
    else if (command->dma)
        cost_dma(&coster, streams, cost);
    else if (command->immediate)
        cost_immediate(&coster, command->immediate, cost);
    cost->least = cost->most = cost->cycles;
    if (book->model == COST_MANUAL)
        return;
    if (command->pass)
        cost_measured_pass(&coster, command->pass, cost);
    else if (command->dma)
        cost_measured_dma(&coster, streams, cost);
}

const Cost *cost_of_command(CostBook *book, const HwCommand *command)
{
    DmaStreams streams = {0};
    make_room(book);
    book->key.count = 0;
    key_add(book, command->pass ? 1 : command->dma ? 2 : 3);
    if (command->pass) {
        key_add_bases(book, &command->pass->fetch.bases);
        key_add_record(book, &record_of_Pipeline, (const char *)command->pass);
    } else if (command->dma) {
        streams = cost_streams(book->scratch, book->machine, command->dma);
        key_add_streams(book, &streams);
    }
    uint64_t hash = key_hash(&book->key);
    Slot *slot = find_slot(book, hash);
    if (!slot->cost) {
        Cost *cost = arena_new(book->arena, Cost, 1);
        size_t bytes = (size_t)book->key.count * sizeof(int64_t);
        const int64_t *key = arena_copy(book->arena, book->key.items, bytes);
        fill_cost(book, command, &streams, cost);
        *slot = (Slot){hash, key, book->key.count, cost};
        book->used++;
    }
    if (book->scratch != book->arena)
        arena_clear(book->scratch);
    return slot->cost;
}

int64_t cost_book_distinct(const CostBook *book)
{
    return book->used;
}

CostBook *cost_book_new(Arena *arena, Arena *scratch, const Machine *machine, CostModel model)
{
    CostBook *book = arena_new(arena, CostBook, 1);
    book->arena = arena;
    book->scratch = scratch;
    book->machine = machine;
    book->model = model;
    return book;
}
