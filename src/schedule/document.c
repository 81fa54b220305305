// Trace events: a thread a lane, a slice an operation, arrows from what held it up.
// https://ui.perfetto.dev reads them.
#include "schedule/export.h"

#include "base/checked.h"
#include "base/map.h"
#include "command/form.h"
#include "command/listing.h"
#include "command/touch.h"

#include <jansson.h>
#include <string.h>

// Trace events: a thread a lane, a slice an operation, arrows from what held it up.
// https://ui.perfetto.dev reads them.

static void print_event(StrBuf *out, bool *is_first, json_t *event)
{
    buf_add(out, *is_first ? STR("\n") : STR(",\n"));
    json_print(out, event, JSON_COMPACT);
    *is_first = false;
}

static json_t *new_event(const char *phase, int64_t lane)
{
    return json_pack("{s:s, s:i, s:I}", "ph", phase, "pid", 1, "tid", (json_int_t)lane + 1);
}

static json_t *name_of_lane(const Lane *lane, int64_t number)
{
    json_t *event = new_event("M", number);
    json_object_set_new(event, "name", json_string("thread_name"));
    json_object_set_new(event, "args",
                        json_pack("{s:s%}", "name", lane->name.data, lane->name.len));
    return event;
}

static json_t *event_of_use(const Schedule *schedule, int64_t number, const LaneUse *use)
{
    const ScheduledOperation *operation = &schedule->operations[number];
    const HwOperation *of = operation->operation;
    json_t *event = new_event("X", use->lane);
    json_object_set_new(event, "name", json_stringn(of->method.data, of->method.len));
    json_object_set_new(event, "ts", json_integer(use->from));
    json_object_set_new(event, "dur", json_integer(use->to - use->from));
    json_t *args = json_pack("{s:I, s:I, s:I, s:b}", "operation", (json_int_t)number, "line",
                             (json_int_t)of->line, "slack", (json_int_t)operation->slack,
                             "critical", operation->is_critical);
    json_object_set_new(args, "source", json_stringn(of->text.data, of->text.len));
    if (operation->cost_count)
        json_object_set_new(args, "bound", json_string(cost_part_names[schedule_bound(operation)]));
    json_object_set_new(event, "args", args);
    return event;
}

// An arrow from the end of the culprit to the begin of who waited.
static void print_arrow(StrBuf *out, bool *is_first, const Schedule *schedule, int64_t number)
{
    const ScheduledOperation *later = &schedule->operations[number];
    if (!later->wait_count || !later->use_count || later->waits[0].operation < 0)
        return;
    const ScheduledOperation *earlier = &schedule->operations[later->waits[0].operation];
    if (!earlier->use_count || earlier->end == earlier->begin)
        return;
    const char *kind = wait_kind_names[later->waits[0].kind];
    json_t *from = new_event("s", earlier->uses[0].lane), *to = new_event("f", later->uses[0].lane);
    json_t *ends[] = {from, to};
    for (int i = 0; i < 2; i++) {
        json_object_set_new(ends[i], "name", json_string(kind));
        json_object_set_new(ends[i], "cat", json_string("wait"));
        json_object_set_new(ends[i], "id", json_integer(number));
    }
    json_object_set_new(from, "ts", json_integer(earlier->uses[0].to - 1));
    json_object_set_new(to, "ts", json_integer(later->begin));
    json_object_set_new(to, "bp", json_string("e"));
    print_event(out, is_first, from);
    print_event(out, is_first, to);
}

void schedule_print_trace(StrBuf *out, const Schedule *schedule)
{
    bool is_first = true;
    buf_add(out, STR("{\"displayTimeUnit\": \"ms\", \"traceEvents\": ["));
    for (int64_t i = 0; i < schedule->lane_count; i++)
        print_event(out, &is_first, name_of_lane(&schedule->lanes[i], i));
    for (int64_t i = 0; i < schedule->operation_count; i++) {
        const ScheduledOperation *operation = &schedule->operations[i];
        for (int64_t k = 0; k < operation->use_count; k++)
            print_event(out, &is_first, event_of_use(schedule, i, &operation->uses[k]));
        print_arrow(out, &is_first, schedule, i);
    }
    buf_add(out, STR("]}\n"));
}

// Each "<" is written as an escape, so that no text of the schedule is taken for HTML; it stands in
// texts only, which may have it so.
static void print_escaped(StrBuf *out, Str document)
{
    while (document.len) {
        const char *found = memchr(document.data, '<', document.len);
        int64_t plain = found ? found - document.data : document.len;
        buf_add(out, (Str){document.data, plain});
        if (found)
            buf_add(out, STR("\\u003c"));
        plain += found != NULL;
        document = (Str){document.data + plain, document.len - plain};
    }
}

void schedule_print_page(StrBuf *out, Str document)
{
    Str page = schedule_page_template(); // terminated
    const char *marker = strstr(page.data, SCHEDULE_PAGE_MARKER);
    const char *behind = marker + sizeof SCHEDULE_PAGE_MARKER - 1;
    buf_add(out, (Str){page.data, marker - page.data});
    print_escaped(out, document);
    buf_add(out, (Str){behind, page.data + page.len - behind});
}

// The document. Operations are many, so each is printed as it is made.

// ---- what is there once, and has a number

typedef struct {
    ARRAY(const void *);
    Map numbers; // of each, by its address
} Known;

static int64_t number_of(Arena *arena, Known *known, const void *thing)
{
    known->numbers.arena = arena;
    const int64_t *number = map_get(&known->numbers, thing);
    if (number)
        return *number;
    *array_push(arena, known, const void *) = thing;
    map_put(&known->numbers, thing,
            arena_copy(arena, &(int64_t){known->count - 1}, sizeof *number));
    return known->count - 1;
}

typedef struct {
    Interner names;
    Known known;
} Texts;

static int64_t text_number(Arena *arena, Texts *texts, Str text)
{
    texts->names.arena = arena;
    return number_of(arena, &texts->known, intern(&texts->names, text));
}

// ---- values

enum { RECENT = 16 };

// Listings that operations of a kind had last.
typedef struct {
    const HwOperation *operations[RECENT];
    int64_t listings[RECENT];
    int64_t count; // so far, those that are forgotten included
} Recent;

typedef struct {
    ARRAY(Recent);
} RecentList;

typedef struct {
    StrBuf *out;
    const Schedule *schedule;
    Arena *arena, *scratch; // the latter for one operation at a time
    Texts texts, files;
    Texts kinds;           // what operations of one line share, as JSON
    Texts axes;            // names
    IntList axis_sizes;    // as the first tensor has them
    Known costs;           // of commands
    RecentList recent;     // by kind
    int64_t listing_bytes; // so far
} Writer;

enum { MOST_GAPS = 10 };

// A kernel of very many operations would be all listings: the rest of them is left out.
enum { MOST_LISTING_BYTES = 1 << 24 };

static json_t *json_str(Str text)
{
    return json_stringn(text.data ? text.data : "", text.len);
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

static void print_key(StrBuf *out, const char *key, json_t *value)
{
    buf_format(out, ",\n\"{}\": ", key);
    json_print(out, value, JSON_COMPACT);
}

// ---- operations: most of a document, so they are printed as they are gone through

static void print_numbers(StrBuf *out, const char *key, const int64_t *items, int64_t count)
{
    buf_format(out, ",\"{}\":[", key);
    for (int64_t i = 0; i < count; i++)
        buf_format(out, i ? ",{}" : "{}", items[i]);
    buf_add(out, STR("]"));
}

// What the same operation of every round of a loop has in common.
static int64_t kind_number(Writer *writer, const ScheduledOperation *operation)
{
    const HwOperation *of = operation->operation;
    Arena *arena = writer->arena, *scratch = writer->scratch;
    StrBuf out = {.arena = scratch};
    int64_t bytes = 0, macs = 0;
    IntList costs = {0}, hints = {0};
    for (int64_t i = 0; i < operation->cost_count; i++) {
        const Cost *cost = operation->costs[i];
        *array_push(scratch, &costs, int64_t) = number_of(arena, &writer->costs, cost);
        bytes += cost->bytes;
        macs += cost->macs;
    }
    for (int64_t i = 0; i < operation->use->hints.count; i++)
        *array_push(scratch, &hints, int64_t) =
            text_number(arena, &writer->texts, operation->use->hints.items[i].text);
    buf_add(&out, STR("{\"method\":"));
    json_print(&out, json_str(of->method), JSON_COMPACT);
    buf_format(&out, ",\"context\":\"{}\",\"file\":{},\"line\":{}", context_names[of->context],
               of->line ? text_number(arena, &writer->files, of->file) : -1, of->line);
    buf_format(&out, ",\"source\":{},\"bytes\":{},\"macs\":{}",
               text_number(arena, &writer->texts, of->text), bytes, macs);
    if (operation->cost_count)
        buf_format(&out, ",\"bound\":\"{}\"", cost_part_names[schedule_bound(operation)]);
    print_numbers(&out, "commands", costs.items, costs.count);
    print_numbers(&out, "hints", hints.items, hints.count);
    buf_add(&out, STR("}"));
    return text_number(arena, &writer->kinds, buf_str(&out));
}

// Lanes that follow each other are one use.
static void print_uses(StrBuf *out, const ScheduledOperation *operation)
{
    buf_add(out, STR(",\"uses\":["));
    for (int64_t i = 0, count; i < operation->use_count; i += count) {
        const LaneUse *use = &operation->uses[i];
        for (count = 1; i + count < operation->use_count; count++)
            if (use[count].lane != use->lane + count || use[count].from != use->from ||
                use[count].to != use->to)
                break;
        buf_format(out, "{}[{},{},{}", i ? "," : "", use->lane, use->from, use->to);
        if (count > 1)
            buf_format(out, ",{}", count);
        buf_add(out, STR("]"));
    }
    buf_add(out, STR("]"));
}

static void print_waits(StrBuf *out, const ScheduledOperation *operation)
{
    buf_add(out, STR(",\"waits\":["));
    for (int64_t i = 0; i < operation->wait_count; i++) {
        const Wait *wait = &operation->waits[i];
        buf_format(out, "{}{{\"kind\":\"{}\",\"until\":{}", i ? "," : "",
                   wait_kind_names[wait->kind], wait->until);
        if (wait->operation >= 0)
            buf_format(out, ",\"operation\":{}", wait->operation);
        if (wait->other >= 0)
            buf_format(out, ",\"other\":{}", wait->other);
        bool is_hazard = wait->to > wait->from;
        if (is_hazard && (wait->low < wait->from || wait->high > wait->to))
            buf_format(out, ",\"low\":{},\"high\":{}", wait->low, wait->high);
        if (is_hazard)
            buf_format(out, ",\"memory\":\"{}\",\"from\":{},\"to\":{}", touch_tier_name(wait->tier),
                       wait->from, wait->to);
        else if (wait->lane >= 0)
            buf_format(out, ",\"lane\":{}", wait->lane);
        buf_add(out, STR("}"));
    }
    buf_add(out, STR("]"));
}

static bool commands_equal(const HwOperation *a, const HwOperation *b)
{
    bool equal = a->commands.count == b->commands.count;
    for (int64_t i = 0; equal && i < a->commands.count; i++)
        equal = record_equal(&record_of_Command, &a->commands.items[i], &b->commands.items[i]);
    return equal;
}

// The text of its commands.
static int64_t new_listing(Writer *writer, const HwOperation *operation)
{
    StrBuf text = {.arena = writer->scratch};
    Listing listing = {.out = &text};
    for (int64_t i = 0; i < operation->commands.count; i++) {
        const HwCommand *command = &operation->commands.items[i];
        if (command->pass)
            listing_pass(&listing, command->pass);
        if (command->dma)
            listing_dma(&listing, command->dma);
        if (command->immediate)
            listing_immediate(&listing, command->immediate);
    }
    int64_t known = writer->texts.known.count;
    int64_t number = text_number(writer->arena, &writer->texts, buf_str(&text));
    writer->listing_bytes += number == known ? text.len : 0;
    return number;
}

// Rounds of a loop take turns with few sets of commands: those of the last ones are known. -1: left
// out.
static int64_t listing_of(Writer *writer, int64_t kind, const HwOperation *operation)
{
    while (writer->recent.count <= kind)
        array_push(writer->arena, &writer->recent, Recent);
    Recent *recent = &writer->recent.items[kind];
    for (int64_t i = 0; i < recent->count && i < RECENT; i++)
        if (commands_equal(recent->operations[i], operation))
            return recent->listings[i];
    if (writer->listing_bytes > MOST_LISTING_BYTES)
        return -1;
    int64_t listing = new_listing(writer, operation), place = recent->count++ % RECENT;
    recent->operations[place] = operation;
    recent->listings[place] = listing;
    return listing;
}

static void print_operation(Writer *writer, const ScheduledOperation *operation)
{
    const HwOperation *of = operation->operation;
    StrBuf *out = writer->out;
    int64_t kind = kind_number(writer, operation);
    buf_format(out, "{{\"kind\":{},\"begin\":{},\"end\":{},\"slack\":{}", kind, operation->begin,
               operation->end, operation->slack);
    if (operation->is_critical)
        buf_add(out, STR(",\"critical\":true"));
    print_uses(out, operation);
    print_waits(out, operation);
    print_numbers(out, "reads", of->reads.items, of->reads.count);
    buf_format(out, ",\"writes\":{},\"listing\":{}}", of->writes, listing_of(writer, kind, of));
}

// ---- what they share

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

static json_t *json_cost(const Cost *cost)
{
    json_t *command = json_object();
    set_int(command, "cycles", cost->cycles);
    set_word(command, "bound", cost_part_names[cost->bound]);
    json_object_set_new(command, "parts", json_parts(cost));
    return command;
}

static void print_shared(Writer *writer)
{
    StrBuf *out = writer->out;
    buf_add(out, STR(",\n\"kinds\": ["));
    for (int64_t i = 0; i < writer->kinds.known.count; i++)
        buf_format(out, "{}\n{}", i ? "," : "", (const char *)writer->kinds.known.items[i]);
    buf_add(out, STR("],\n\"costs\": ["));
    for (int64_t i = 0; i < writer->costs.count; i++) {
        buf_add(out, i ? STR(",\n") : STR("\n"));
        json_print(out, json_cost(writer->costs.items[i]), JSON_COMPACT);
    }
    buf_add(out, STR("]"));
}

// Listings have many lines in common: a text of several lines is the numbers of its lines.
static void print_texts(Writer *writer, const char *key, Texts *texts)
{
    StrBuf *out = writer->out;
    buf_format(out, ",\n\"{}\": [", key);
    for (int64_t i = 0; i < texts->known.count; i++) {
        Str text = str_from(texts->known.items[i]);
        buf_add(out, i ? STR(",\n") : STR("\n"));
        if (!memchr(text.data, '\n', text.len)) {
            json_print(out, json_str(text), JSON_COMPACT);
            continue;
        }
        buf_add(out, STR("["));
        for (int64_t from = 0, to; from < text.len; from = to + 1) {
            for (to = from; to < text.len && text.data[to] != '\n';)
                to++;
            Str line = {text.data + from, to - from};
            buf_format(out, from ? ",{}" : "{}", text_number(writer->arena, texts, line));
        }
        buf_add(out, STR("]"));
    }
    buf_add(out, STR("]"));
}

// ---- the rest

static json_t *json_axis(Str name, int64_t size)
{
    json_t *axis = json_object();
    set_str(axis, "name", name);
    set_int(axis, "size", size);
    return axis;
}

// Notes the axes of a tensor. What comes back are those that others have in another size; NULL:
// none.
static json_t *note_axes(Writer *writer, const HwTensor *tensor)
{
    json_t *own = NULL;
    for (int64_t i = 0; i < tensor->axes.count; i++) {
        const HwAxis *axis = &tensor->axes.items[i];
        int64_t number = text_number(writer->arena, &writer->axes, axis->name);
        if (number == writer->axis_sizes.count)
            *array_push(writer->arena, &writer->axis_sizes, int64_t) = axis->size;
        if (writer->axis_sizes.items[number] == axis->size)
            continue;
        own = own ? own : json_array();
        json_array_append_new(own, json_axis(axis->name, axis->size));
    }
    return own;
}

static json_t *json_axes(const Writer *writer)
{
    json_t *axes = json_array();
    for (int64_t i = 0; i < writer->axis_sizes.count; i++)
        json_array_append_new(
            axes, json_axis(str_from(writer->axes.known.items[i]), writer->axis_sizes.items[i]));
    return axes;
}

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
    json_t *axes = note_axes(writer, tensor);
    if (axes)
        json_object_set_new(one, "axes", axes);
    return one;
}

static json_t *json_lanes(const Schedule *schedule)
{
    json_t *lanes = json_array();
    for (int64_t i = 0; i < schedule->lane_count; i++) {
        const Lane *lane = &schedule->lanes[i];
        json_t *one = json_object();
        set_word(one, "kind", lane_kind_names[lane->kind]);
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
    json_t *trf = json_memory(TIER_TRF, machine->trf_bytes_per_slice, clusters, slices);
    set_int(trf, "rows", machine->trf_bytes_per_slice / machine->trf_bytes_per_mac_row);
    json_array_append_new(memories, trf);
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
    for (int64_t i = 0; i < schedule->gap_count && i < MOST_GAPS; i++) {
        const Gap *gap = &schedule->gaps[i];
        json_t *one = json_object();
        set_int(one, "lane", gap->lane);
        if (gap->lanes > 1)
            set_int(one, "lanes", gap->lanes);
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
    set_word(summary, "bound", schedule_roof(schedule));
    json_object_set_new(summary, "advice", list);
    return summary;
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

void schedule_print_json(StrBuf *out, Arena *scratch, const Schedule *schedule)
{
    Writer writer = {.out = out, .schedule = schedule, .arena = out->arena, .scratch = scratch};
    print_head(&writer);
    buf_add(out, STR(",\n\"operations\": ["));
    for (int64_t i = 0; i < schedule->operation_count; i++) {
        buf_add(out, i ? STR(",\n") : STR("\n"));
        print_operation(&writer, &schedule->operations[i]);
        arena_clear(scratch);
    }
    buf_add(out, STR("],\n\"tensors\": ["));
    for (int64_t i = 0; i < schedule->tensor_count; i++) {
        buf_add(out, i ? STR(",\n") : STR("\n"));
        json_print(out, json_tensor(&writer, &schedule->tensors[i]), JSON_COMPACT);
    }
    buf_add(out, STR("]"));
    print_key(out, "axes", json_axes(&writer));
    print_key(out, "critical", json_numbers(schedule->critical, schedule->critical_count));
    print_key(out, "gaps", json_gaps(schedule));
    print_key(out, "gap_count", json_integer(schedule->gap_count));
    print_key(out, "summary", json_summary(&writer));
    print_shared(&writer);
    print_texts(&writer, "texts", &writer.texts);
    print_texts(&writer, "files", &writer.files);
    buf_add(out, STR("}\n"));
}
