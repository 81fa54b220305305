#include "cost/internal.h"

#include "base/checked.h"
#include "base/wide.h"

#include <assert.h>
#include <math.h>
#include <string.h>

// What others measured: the static model of the vendor's scheduler, and the chip. docs/cost.md says
// what each formula is fitted to, and how well.

enum { MILLI = 1000, PERCENT = 100, PERMILLE = 1000 };

// What the tests of the models against what was measured print; they look for the numbers here.
const char *const cost_model_errors[COST_MODELS] = {
    [COST_MANUAL] =
        "what the rules of the manual say, which was not measured; of the ten loads and "
        "stores that the vendor's scheduler was seen to charge, 0.32 to 1.52 times as "
        "much",
    [COST_STATIC] = "within 0.28 % of the published figures of the vendor's scheduler, of which "
                    "there are few: three kinds of pass, seven loads, three stores",
    [COST_SILICON] = "loads, rings and copies in HBM within 0.24 % of the nine figures that were "
                     "measured by themselves; a pass 0.57 to 1.28 times as much as on the chip, a "
                     "synchronisation 0.08 to 3.08 times. Of whole kernels only their ratio to the "
                     "static model is known, 1.9 to 2.2: here kernels take 1.19 to 2.05 times "
                     "as long, the less the more they load; the range has both in it",
};

static const char measured_static[] = "measured: static model";
static const char measured_silicon[] = "measured: silicon";

static int64_t percent(int64_t value, int64_t part)
{
    return cost_scale(value, part, PERCENT);
}

// What one line says takes the place of the parts.
static CostLine *replace_lines(Cost *cost, CostPart part, int64_t cycles, const char *rule)
{
    cost->line_count = 0;
    cost->bound = part;
    cost->cycles = cost->least = cost->most = cycles;
    return cost_line(cost, part, COST_FROM_MEASURED, cycles, rule);
}

// ---- passes

static int64_t busy_of(const Cost *cost, CostPart part)
{
    int64_t busy = 0;
    for (int32_t i = 0; i < cost->line_count; i++)
        if (cost->lines[i].part == part)
            busy = max_i64(busy, cost->lines[i].busy);
    return busy;
}

static int64_t slowest_stage(const Cost *cost)
{
    int64_t slowest = 0;
    for (int32_t i = 0; i < cost->line_count; i++)
        if (cost->lines[i].part != COST_REGISTERS)
            slowest = max_i64(slowest, cost->lines[i].busy);
    return slowest;
}

static int64_t fetched_flits(const Machine *machine, const HwPipeline *pass)
{
    const HwFetch *fetch = &pass->fetch;
    return fetch->time * ceil_div(fetch->stream_packet_bytes, machine->flit_bytes);
}

static int64_t vector_beats(const Machine *machine, const HwVector *vector)
{
    int64_t lanes = machine->vector_way4_lanes, beats = vector->in_time;
    for (int64_t i = 0; i < vector->steps.count; i++) {
        const HwVectorStep *step = &vector->steps.items[i];
        beats = max_i64(beats, step->time * ceil_div(max_i64(step->packet_elements, 1), lanes));
    }
    return beats;
}

static int64_t register_load(const Machine *machine, const HwPipeline *pass)
{
    int64_t bytes = pass->trf_store ? pass->trf_store->flits * pass->trf_store->flit_bytes
                                    : pass->vrf_store->bytes;
    return ceil_div(bytes, machine->static_register_load_bytes_per_cycle);
}

// What goes in, and what every pass takes besides. A stage that by the rules takes longer than the
// count that was seen (a ring, a transposition) is the count.
static int64_t static_pass(const Machine *machine, const HwPipeline *pass, int64_t slowest,
                           int64_t *besides)
{
    if (pass->trf_store || pass->vrf_store) {
        *besides = machine->static_register_load_cycles;
        return register_load(machine, pass);
    }
    int64_t flits = max_i64(fetched_flits(machine, pass), slowest);
    *besides = machine->static_contraction_pass_cycles;
    if (!pass->vector)
        return flits;
    *besides = machine->static_vector_pass_cycles;
    return max_i64(flits, vector_beats(machine, pass->vector));
}

static void silicon_pass(const Machine *machine, Cost *cost, int64_t cycles, int64_t besides,
                         int64_t ring)
{
    int64_t typical = percent(cycles + besides, machine->silicon_typical_percent);
    if (ring && ring >= cycles) // a ring was measured by itself
        typical = cost_scale(ring, machine->flit_bytes, machine->silicon_switch_bytes_per_cycle) +
                  percent(besides, machine->silicon_typical_percent);
    replace_lines(cost, COST_WHOLE, typical, measured_silicon);
    cost->least = min_i64(typical, percent(cycles + besides, machine->silicon_pass_percent_min));
    cost->most = max_i64(typical, percent(cycles + besides, machine->silicon_pass_percent_max));
}

// On top of the rules: `cost` has what they say.
static void cost_measured_pass(const Coster *coster, const HwPipeline *pass, Cost *cost)
{
    const Machine *machine = coster->machine;
    int64_t besides, ring = busy_of(cost, COST_SWITCH);
    int64_t cycles = static_pass(machine, pass, slowest_stage(cost), &besides);
    if (coster->model == COST_SILICON)
        silicon_pass(machine, cost, cycles, besides, ring);
    else
        replace_lines(cost, COST_WHOLE, cycles + besides, measured_static)->note =
            str_format(coster->arena, "{} cycles, and {} that every pass takes", cycles, besides);
    if (cost->setup)
        cost_line(cost, COST_REGISTERS, COST_FROM_RULE, cost->setup,
                  "Switch Engine, Custom Topology");
    cost->cycles += cost->setup;
    cost->least += cost->setup;
    cost->most += cost->setup;
    cost->vector_from = pass->vector ? cost->setup : 0;
    cost->vector_to = pass->vector ? cost->cycles : 0;
}

// ---- DMA: what kind it is

typedef struct {
    int64_t requests, packets, bytes;
    int64_t slices;        // of DM that take part
    int64_t packet_bytes;  // of the shortest packets
    int64_t partial;       // packets that do not fill units of HBM
    int64_t partial_units; // that they lie in
    bool is_replicated;    // HBM is read again for other slices
    bool from_hbm, to_hbm, from_dm, to_dm;
    bool is_in_two_clusters;
} Moves;

static void add_loops(const Machine *machine, const DmaStream *stream, Moves *moves)
{
    int64_t stride = machine->dm_virtual_slice_stride_bytes, slices = 1;
    for (int64_t i = 0; i < stream->loop_count; i++) {
        const StreamLoop *loop = &stream->loops[i];
        int64_t in_dm = stream->dest_media == MEDIA_DM ? loop->dest_stride : loop->source_stride;
        if (in_dm && in_dm % stride == 0)
            slices *= loop->limit;
        moves->is_replicated |=
            stream->source_media == MEDIA_HBM && loop->source_stride == 0 && loop->dest_stride;
    }
    moves->slices += slices;
}

// Packets closer than a unit share units.
static int64_t units_of_packets(const Machine *machine, const DmaStream *stream)
{
    int64_t closest = INT64_MAX, unit = machine->hbm_unit_bytes;
    for (int64_t i = 0; i < stream->loop_count; i++) {
        int64_t stride = stream->loops[i].dest_stride;
        closest = min_i64(closest, stride < 0 ? -stride : stride);
    }
    return ceil_div(stream->packets * min_i64(closest, unit), unit);
}

static void add_partial(const Machine *machine, const DmaStream *stream, Moves *moves)
{
    int64_t unit = machine->hbm_unit_bytes;
    bool is_whole = stream->packet_bytes % unit == 0 && stream->dest_base % unit == 0;
    for (int64_t i = 0; i < stream->loop_count; i++)
        is_whole &= stream->loops[i].dest_stride % unit == 0;
    if (is_whole)
        return;
    moves->partial += stream->packets;
    moves->partial_units += units_of_packets(machine, stream);
}

// What the engines of a chip move: chips do their part at the same time.
static Moves moves_of(const Machine *machine, const DmaStreams *streams, int64_t chip)
{
    Moves moves = {.packet_bytes = INT64_MAX};
    const DmaStream *first = NULL;
    for (int64_t i = 0; i < streams->count; i++) {
        const DmaStream *stream = &streams->items[i];
        if (stream->chip != chip)
            continue;
        first = first ? first : stream;
        moves.requests += cost_stream_requests(machine, stream);
        moves.packets += stream->packets;
        moves.bytes += stream->packets * stream->packet_bytes;
        moves.packet_bytes = min_i64(moves.packet_bytes, stream->packet_bytes);
        moves.from_hbm |= stream->source_media == MEDIA_HBM;
        moves.to_hbm |= stream->dest_media == MEDIA_HBM;
        moves.from_dm |= stream->source_media == MEDIA_DM;
        moves.to_dm |= stream->dest_media == MEDIA_DM;
        moves.is_in_two_clusters |=
            stream->dest_cluster != first->dest_cluster || stream->dest_chip != first->dest_chip;
        add_loops(machine, stream, &moves);
        if (stream->dest_media == MEDIA_HBM)
            add_partial(machine, stream, &moves);
    }
    return moves;
}

// ---- DMA: the static model

static double as_it_is(double key)
{
    return key;
}

// Of a table; what is in between is in proportion to `scale` of the key.
static double read_table(const MachineList *keys, const MachineList *values, int64_t key,
                         double (*scale)(double))
{
    int64_t last = keys->count - 1;
    if (key <= keys->values[0])
        return (double)values->values[0];
    for (int64_t i = 1; i <= last; i++) {
        if (key > keys->values[i])
            continue;
        double from = scale((double)keys->values[i - 1]), to = scale((double)keys->values[i]);
        double part = (scale((double)key) - from) / (to - from);
        return (double)values->values[i - 1] * (1 - part) + (double)values->values[i] * part;
    }
    return (double)values->values[last];
}

static int64_t static_load(const Machine *machine, const Moves *moves)
{
    int64_t piece = moves->bytes / max_i64(moves->slices, 1);
    double each = moves->is_replicated
                      ? (double)machine->static_replicated_request_millicycles
                      : read_table(&machine->static_load_piece_bytes,
                                   &machine->static_load_request_millicycles, piece, log2);
    return machine->static_load_startup_cycles + llround((double)moves->requests * each / MILLI);
}

static int64_t static_store(const Machine *machine, const Moves *moves)
{
    int64_t whole = moves->requests - moves->partial;
    int64_t apart = machine->static_dma_partial_piece_cycles * max_i64(moves->partial_units - 1, 0);
    int64_t shared = cost_scale(machine->static_store_shared_piece_millicycles,
                                max_i64(moves->partial - 1, 0), MILLI);
    return machine->static_store_startup_cycles +
           cost_scale(machine->static_store_request_millicycles, max_i64(whole, 0), MILLI) +
           max_i64(apart, shared);
}

static int64_t static_dma(const Machine *machine, const Moves *moves, const Cost *cost)
{
    if (moves->from_hbm && moves->to_dm)
        return static_load(machine, moves);
    if (moves->from_dm && moves->to_hbm)
        return static_store(machine, moves);
    return cost->cycles - machine->dma_startup_cycles + machine->static_dma_startup_cycles;
}

// ---- DMA: the chip

// Of runs that are shorter than a request requests count, not bytes: the rate is in proportion to
// their bytes. Longer ones change it little: by the logarithm.
static double silicon_rate(const Machine *machine, const Moves *moves)
{
    const MachineList *runs = &machine->silicon_hbm_run_bytes;
    bool is_short = moves->packet_bytes < machine->dma_request_bytes;
    double rate = read_table(runs, &machine->silicon_hbm_run_bytes_per_cycle, moves->packet_bytes,
                             is_short ? as_it_is : log2);
    if (moves->packet_bytes < runs->values[0])
        rate *= (double)moves->packet_bytes / (double)runs->values[0];
    if (moves->is_in_two_clusters)
        rate = fmin(rate, (double)machine->silicon_two_cluster_load_bytes_per_cycle);
    return rate;
}

static int64_t silicon_load(const Machine *machine, const Moves *moves)
{
    if (moves->is_replicated)
        return machine->static_load_startup_cycles +
               cost_scale(machine->silicon_replicated_request_millicycles, moves->requests, MILLI);
    return percent(machine->static_load_startup_cycles, machine->silicon_typical_percent) +
           llround((double)moves->bytes / silicon_rate(machine, moves));
}

static void silicon_dma(const Machine *machine, const Moves *moves, int64_t fixed, Cost *cost)
{
    if (moves->from_hbm && moves->to_dm) {
        replace_lines(cost, COST_HBM_READ, silicon_load(machine, moves), measured_silicon);
        cost->least =
            cost_scale(cost->cycles, PERMILLE - machine->silicon_noise_permille, PERMILLE);
        cost->most = percent(cost->cycles, machine->silicon_first_launch_percent_max);
        return;
    }
    int64_t cycles = percent(fixed, machine->silicon_typical_percent);
    if (moves->from_hbm && moves->to_hbm)
        cycles = max_i64(cycles, moves->bytes / machine->silicon_hbm_redistribute_bytes_per_cycle);
    replace_lines(cost, moves->to_hbm ? COST_HBM_WRITE : COST_DMA, cycles, measured_silicon);
    cost->least = min_i64(cycles, percent(fixed, machine->silicon_makespan_percent_min));
    cost->most = max_i64(cycles, percent(fixed, machine->silicon_makespan_percent_max));
}

// Copies of the sub context are no DMA: they are passes in all but name.
static void measured_copy(const Coster *coster, Cost *cost)
{
    const Machine *machine = coster->machine;
    int64_t cycles = cost->cycles, besides = machine->static_contraction_pass_cycles;
    if (coster->model == COST_SILICON)
        silicon_pass(machine, cost, cycles, besides, 0);
    else
        replace_lines(cost, COST_COPY, cycles + besides, measured_static);
}

// What the command takes, by the static model, on the chip that takes longest.
static int64_t slowest_chip(const Machine *machine, const DmaStreams *streams, const Cost *cost,
                            Moves *slowest)
{
    int64_t chips = 0, most = -1;
    for (int64_t i = 0; i < streams->count; i++)
        chips = max_i64(chips, streams->items[i].chip + 1);
    for (int64_t chip = 0; chip < chips; chip++) {
        Moves moves = moves_of(machine, streams, chip);
        bool has_none = moves.packet_bytes == INT64_MAX;
        int64_t cycles = has_none ? -1 : static_dma(machine, &moves, cost);
        if (cycles <= most)
            continue;
        most = cycles;
        *slowest = moves;
    }
    return most;
}

// On top of the rules: `cost` has what they say.
static void cost_measured_dma(const Coster *coster, const DmaStreams *streams, Cost *cost)
{
    const Machine *machine = coster->machine;
    if (!streams->count)
        return;
    if (!cost->engine_count) {
        measured_copy(coster, cost);
        return;
    }
    Moves moves = {0};
    int64_t fixed = slowest_chip(machine, streams, cost, &moves);
    CostPart bound = cost->bound == COST_STARTUP ? COST_DMA : cost->bound;
    if (coster->model == COST_SILICON)
        silicon_dma(machine, &moves, fixed, cost);
    else
        replace_lines(cost, bound, fixed, measured_static);
    for (int64_t i = 0; i < cost->chip_count; i++)
        for (int64_t k = 0; k < SHARED_KINDS; k++)
            cost->chips[i].cycles[k] = min_i64(cost->chips[i].cycles[k], cost->cycles);
    for (int64_t i = 0; i < cost->engine_count; i++) // all of them end with the command
        cost->engines[i].cycles = cost->cycles;
}

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
                           (const char *)list->items + i * field->record->size);
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
        size_t bytes = offsetof(DmaStream, loops) + stream->loop_count * sizeof(StreamLoop);
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
        if (!slot->cost || (slot->hash == hash && slot->count == key->count &&
                            memcmp(slot->key, key->items, key->count * sizeof(int64_t)) == 0))
            return slot;
    }
}

static void make_room(CostBook *book)
{
    if (book->used * 2 < book->slot_count)
        return;
    int64_t count = max_i64(FIRST_SLOTS, book->slot_count * 2);
    Slot *slots = arena_new(book->arena, Slot, count);
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
        size_t bytes = book->key.count * sizeof(int64_t);
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
