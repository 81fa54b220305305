// The document. Operations are many, so each is printed as it is made.
#include "schedule/export.h"

#include "base/checked.h"
#include "command/listing.h"
#include "schedule/touch.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

// ---- texts, each once

typedef struct {
    ARRAY(const char *);
    Interner names;
    int64_t *numbers; // by hash of the address
    int64_t capacity_of_numbers;
} Texts;

static size_t slot_of(const Texts *texts, const char *text)
{
    size_t mask = (size_t)texts->capacity_of_numbers - 1, slot = ((size_t)text >> 3) & mask;
    while (texts->numbers[slot] && texts->items[texts->numbers[slot] - 1] != text)
        slot = (slot + 1) & mask;
    return slot;
}

static void grow(Arena *arena, Texts *texts)
{
    enum { FIRST_CAPACITY = 256 };
    texts->capacity_of_numbers = max_i64(FIRST_CAPACITY, texts->capacity_of_numbers * 2);
    texts->numbers = arena_new(arena, int64_t, (size_t)texts->capacity_of_numbers);
    for (int64_t i = 0; i < texts->count; i++)
        texts->numbers[slot_of(texts, texts->items[i])] = i + 1;
}

static int64_t text_number(Arena *arena, Texts *texts, Str text)
{
    texts->names.arena = arena;
    const char *name = intern(&texts->names, text);
    if (2 * (texts->count + 1) > texts->capacity_of_numbers)
        grow(arena, texts);
    size_t slot = slot_of(texts, name);
    if (!texts->numbers[slot]) {
        *array_push(arena, texts, const char *) = name;
        texts->numbers[slot] = texts->count;
    }
    return texts->numbers[slot] - 1;
}

// ---- values

typedef struct {
    StrBuf *out;
    const Schedule *schedule;
    Arena *arena;
    Texts texts, files;
    int64_t listing_bytes; // so far
} Writer;

// A kernel of very many operations would be all listings: the rest of them is left out.
enum { MOST_LISTING_BYTES = 1 << 24 };

static json_t *json_str(Str text)
{
    return json_stringn(text.data ? text.data : "", (size_t)text.len);
}

static void set_int(json_t *object, const char *key, int64_t value)
{
    json_object_set_new(object, key, json_integer(value));
}

static void set_real(json_t *object, const char *key, double value)
{
    json_object_set_new(object, key, json_real(value));
}

static void set_word(json_t *object, const char *key, const char *word)
{
    json_object_set_new(object, key, json_string(word));
}

static void set_str(json_t *object, const char *key, Str text)
{
    json_object_set_new(object, key, json_str(text));
}

static json_t *json_numbers(const int64_t *items, int64_t count)
{
    json_t *array = json_array();
    for (int64_t i = 0; i < count; i++)
        json_array_append_new(array, json_integer(items[i]));
    return array;
}

// Takes the value.
static void print_value(StrBuf *out, json_t *value)
{
    char *text = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY);
    json_decref(value);
    if (!text)
        arena_exhausted(out->arena);
    buf_add(out, str_from(text));
    free(text);
}

static void print_key(StrBuf *out, const char *key, json_t *value)
{
    buf_printf(out, ",\n\"%s\": ", key);
    print_value(out, value);
}

// ---- operations

static json_t *json_waits(const ScheduledOperation *operation)
{
    json_t *waits = json_array();
    for (int64_t i = 0; i < operation->wait_count; i++) {
        const Wait *wait = &operation->waits[i];
        json_t *one = json_object();
        set_word(one, "kind", wait_kind_names[wait->kind]);
        set_int(one, "operation", wait->operation);
        if (wait->other >= 0)
            set_int(one, "other", wait->other);
        set_int(one, "until", wait->until);
        set_int(one, "lane", wait->to > wait->from ? -1 : wait->lane); // of hazards: bytes
        if (wait->to > wait->from) {
            set_word(one, "memory", touch_tier_name(wait->tier));
            set_int(one, "from", wait->from);
            set_int(one, "to", wait->to);
        }
        json_array_append_new(waits, one);
    }
    return waits;
}

static json_t *json_parts(const Cost *cost)
{
    json_t *parts = json_array();
    for (int32_t i = 0; i < cost->line_count; i++) {
        const CostLine *line = &cost->lines[i];
        json_t *part = json_object();
        set_word(part, "part", cost_part_names[line->part]);
        set_int(part, "busy", line->busy);
        set_int(part, "latency", line->latency);
        set_word(part, "origin", cost_origin_names[line->origin]);
        set_word(part, "rule", line->rule ? line->rule : "");
        if (line->note.len)
            set_str(part, "note", line->note);
        json_array_append_new(parts, part);
    }
    return parts;
}

static json_t *json_commands(const ScheduledOperation *operation)
{
    json_t *commands = json_array();
    for (int64_t i = 0; i < operation->cost_count; i++) {
        const Cost *cost = operation->costs[i];
        json_t *command = json_object();
        set_int(command, "cycles", cost->cycles);
        set_word(command, "bound", cost_part_names[cost->bound]);
        json_object_set_new(command, "parts", json_parts(cost));
        json_array_append_new(commands, command);
    }
    return commands;
}

static json_t *json_uses(const ScheduledOperation *operation)
{
    json_t *uses = json_array();
    for (int64_t i = 0; i < operation->use_count; i++) {
        const LaneUse *use = &operation->uses[i];
        const int64_t numbers[] = {use->lane, use->from, use->to};
        json_array_append_new(uses, json_numbers(numbers, 3));
    }
    return uses;
}

static int64_t listing_of(Writer *writer, const HwOperation *operation)
{
    StrBuf text = {.arena = writer->arena};
    Listing listing = {.out = &text};
    if (writer->listing_bytes > MOST_LISTING_BYTES)
        return -1;
    for (int64_t i = 0; i < operation->commands.count; i++) {
        const HwCommand *command = &operation->commands.items[i];
        if (command->pass)
            listing_pass(&listing, command->pass);
        if (command->dma)
            listing_dma(&listing, command->dma);
        if (command->immediate)
            listing_immediate(&listing, command->immediate);
    }
    writer->listing_bytes += buf_str(&text).len;
    return text_number(writer->arena, &writer->texts, buf_str(&text));
}

static json_t *json_hints(Writer *writer, const HwOperation *operation)
{
    json_t *hints = json_array();
    for (int64_t i = 0; operation->use && i < operation->use->hints.count; i++)
        json_array_append_new(hints,
                              json_integer(text_number(writer->arena, &writer->texts,
                                                       operation->use->hints.items[i].text)));
    return hints;
}

static void set_work(json_t *one, const ScheduledOperation *operation)
{
    int64_t bytes = 0, macs = 0;
    for (int64_t i = 0; i < operation->cost_count; i++) {
        bytes += operation->costs[i]->bytes;
        macs += operation->costs[i]->macs;
    }
    set_int(one, "bytes", bytes);
    set_int(one, "macs", macs);
}

static json_t *json_operation(Writer *writer, const ScheduledOperation *operation)
{
    const HwOperation *of = operation->operation;
    json_t *one = json_object();
    set_str(one, "method", of->method);
    set_word(one, "context", context_names[of->context]);
    set_int(one, "file", of->line ? text_number(writer->arena, &writer->files, of->file) : -1);
    set_int(one, "line", of->line);
    set_int(one, "source", text_number(writer->arena, &writer->texts, of->text));
    set_int(one, "begin", operation->begin);
    set_int(one, "end", operation->end);
    set_int(one, "slack", operation->slack);
    json_object_set_new(one, "critical", json_boolean(operation->is_critical));
    json_object_set_new(one, "uses", json_uses(operation));
    json_object_set_new(one, "waits", json_waits(operation));
    if (operation->cost_count)
        set_word(one, "bound", cost_part_names[schedule_bound(operation)]);
    json_object_set_new(one, "commands", json_commands(operation));
    json_object_set_new(one, "reads", json_numbers(of->reads.items, of->reads.count));
    set_int(one, "writes", of->writes);
    set_work(one, operation);
    set_int(one, "listing", listing_of(writer, of));
    json_object_set_new(one, "hints", json_hints(writer, of));
    return one;
}

// ---- the rest

static json_t *json_tensor(Writer *writer, const TensorLife *life)
{
    const HwTensor *tensor = life->tensor;
    json_t *one = json_object();
    set_int(one, "id", tensor->number);
    set_str(one, "name", tensor->name);
    set_int(one, "file",
            tensor->line ? text_number(writer->arena, &writer->files, tensor->file) : -1);
    set_int(one, "line", tensor->line);
    set_word(one, "memory", tiers[tensor->tier].name);
    set_word(one, "type", scalar_traits[tensor->type].name);
    set_int(one, "mapping", text_number(writer->arena, &writer->texts, tensor->mapping));
    set_int(one, "address", tensor->address);
    set_int(one, "bytes", tensor->bytes);
    set_int(one, "chips", tensor->chips);
    set_int(one, "clusters", tensor->clusters);
    set_int(one, "slices", tensor->slices);
    set_int(one, "from", life->from);
    set_int(one, "to", life->to);
    set_int(one, "writer", life->writer);
    json_object_set_new(one, "readers", json_numbers(life->readers, life->reader_count));
    return one;
}

static json_t *json_lanes(const Schedule *schedule)
{
    static const char *const kinds[LANE_KINDS] = {
        [LANE_TDMA] = "dma",  [LANE_DMA] = "dma", [LANE_PCIE] = "pcie",     [LANE_LINK] = "pcie",
        [LANE_MAIN] = "main", [LANE_SUB] = "sub", [LANE_VECTOR] = "vector", [LANE_HBM] = "hbm"};
    json_t *lanes = json_array();
    for (int64_t i = 0; i < schedule->lane_count; i++) {
        const Lane *lane = &schedule->lanes[i];
        json_t *one = json_object();
        set_word(one, "kind", kinds[lane->kind]);
        set_str(one, "name", lane->name);
        set_int(one, "cluster", lane->cluster);
        set_int(one, "engine", lane->engine);
        set_int(one, "busy", lane->busy);
        json_array_append_new(lanes, one);
    }
    return lanes;
}

// What the machine has, for pictures of where tensors lie.
static json_t *json_memory(Tier tier, int64_t bytes, int64_t clusters, int64_t slices)
{
    json_t *one = json_object();
    set_word(one, "memory", touch_tier_name(tier));
    set_int(one, "bytes", bytes);
    set_int(one, "clusters", clusters);
    set_int(one, "slices", slices);
    return one;
}

static json_t *json_memories(const Machine *machine)
{
    json_t *memories = json_array();
    int64_t clusters = machine->clusters_per_chip, slices = machine->slices_per_cluster;
    json_t *dm = json_memory(TIER_DM, machine->dm_bytes_per_slice, clusters, slices);
    set_int(dm, "banks", machine->dm_banks_per_slice);
    set_int(dm, "bank_bytes", machine->dm_row_bytes);
    json_array_append_new(memories, dm);
    json_array_append_new(memories, json_memory(TIER_HBM, machine->hbm_bytes_per_chip, 1, 1));
    json_array_append_new(memories,
                          json_memory(TIER_TRF, machine->trf_bytes_per_slice, clusters, slices));
    json_array_append_new(memories,
                          json_memory(TIER_VRF, machine->vrf_bytes_per_slice, clusters, slices));
    if (machine->spm_bytes_per_dmn)
        json_array_append_new(memories, json_memory((Tier)TOUCH_SPM, machine->spm_bytes_per_dmn,
                                                    clusters, machine->dmns_per_cluster));
    return memories;
}

static json_t *json_gaps(const Schedule *schedule)
{
    json_t *gaps = json_array();
    for (int64_t i = 0; i < schedule->gap_count; i++) {
        const Gap *gap = &schedule->gaps[i];
        json_t *one = json_object();
        set_int(one, "lane", gap->lane);
        set_int(one, "from", gap->from);
        set_int(one, "to", gap->to);
        set_int(one, "operation", gap->operation);
        json_array_append_new(gaps, one);
    }
    return gaps;
}

static json_t *json_summary(Writer *writer)
{
    const Schedule *schedule = writer->schedule;
    json_t *summary = json_object(), *list = json_array();
    AdviceList advice = {0};
    schedule_advice(writer->arena, schedule, &advice);
    for (int64_t i = 0; i < advice.count; i++)
        json_array_append_new(list, json_str(advice.items[i]));
    set_int(summary, "macs", schedule->macs);
    set_int(summary, "peak_macs", schedule->peak_macs);
    set_int(summary, "hbm_bytes", schedule->hbm_bytes);
    set_int(summary, "hbm_peak_bytes", schedule->hbm_peak_bytes);
    double cycles = (double)max_i64(schedule->cycles, 1);
    set_real(summary, "macs_per_cycle", (double)schedule->macs / cycles);
    set_real(summary, "peak_macs_per_cycle", (double)schedule->peak_macs / cycles);
    set_real(summary, "hbm_bytes_per_cycle", (double)schedule->hbm_bytes / cycles);
    set_real(summary, "hbm_peak_bytes_per_cycle", (double)schedule->hbm_peak_bytes / cycles);
    set_real(summary, "intensity", schedule->intensity);
    set_real(summary, "ridge", schedule->ridge);
    set_word(summary, "bound",
             schedule->macs && schedule->intensity >= schedule->ridge ? "compute" : "memory");
    json_object_set_new(summary, "advice", list);
    return summary;
}

static json_t *json_texts(const Texts *texts)
{
    json_t *array = json_array();
    for (int64_t i = 0; i < texts->count; i++)
        json_array_append_new(array, json_string(texts->items[i]));
    return array;
}

static void print_head(Writer *writer)
{
    StrBuf *out = writer->out;
    const Schedule *schedule = writer->schedule;
    buf_add(out, STR("{\"format\": \"contra-schedule\""));
    print_key(out, "version", json_integer(SCHEDULE_VERSION));
    print_key(out, "contra", json_str(schedule->object->version));
    print_key(out, "kernel", json_str(schedule->object->kernel));
    print_key(out, "machine", json_str(schedule->object->machine));
    print_key(out, "clock_mhz", json_integer(schedule->machine->clock_mhz));
    print_key(out, "chips", json_integer(schedule->object->chips));
    print_key(out, "cost", json_string(cost_model_names[schedule->model]));
    print_key(out, "error", json_string(cost_model_errors[schedule->model]));
    print_key(out, "cycles", json_integer(schedule->cycles));
    print_key(out, "least", json_integer(schedule->least));
    print_key(out, "most", json_integer(schedule->most));
    print_key(out, "lanes", json_lanes(schedule));
    print_key(out, "memories", json_memories(schedule->machine));
}

void schedule_print_json(StrBuf *out, const Schedule *schedule)
{
    Writer writer = {.out = out, .schedule = schedule, .arena = out->arena};
    print_head(&writer);
    buf_add(out, STR(",\n\"operations\": ["));
    for (int64_t i = 0; i < schedule->operation_count; i++) {
        buf_add(out, i ? STR(",\n") : STR("\n"));
        print_value(out, json_operation(&writer, &schedule->operations[i]));
    }
    buf_add(out, STR("],\n\"tensors\": ["));
    for (int64_t i = 0; i < schedule->tensor_count; i++) {
        buf_add(out, i ? STR(",\n") : STR("\n"));
        print_value(out, json_tensor(&writer, &schedule->tensors[i]));
    }
    buf_add(out, STR("]"));
    print_key(out, "critical", json_numbers(schedule->critical, schedule->critical_count));
    print_key(out, "gaps", json_gaps(schedule));
    print_key(out, "summary", json_summary(&writer));
    print_key(out, "texts", json_texts(&writer.texts));
    print_key(out, "files", json_texts(&writer.files));
    buf_add(out, STR("}\n"));
}
