// Objects become schedules; schedules become texts.
#include "api/sized.h"

#include "base/checked.h"
#include "command/touch.h"
#include "device/verify.h"
#include "run/object.h"
#include "schedule/export.h"
#include "schedule/schedule.h"

// Arrays of an operation that somebody asked for, which are made once. NULL: nobody did.
typedef struct {
    const ContraText *hints;
    const ContraLaneUse *uses;
    const ContraWait *waits;
    const ContraCostPart *parts;
    int64_t part_count;
} OperationValues;

struct ContraSchedule {
    const Contra *contra;
    const Schedule *schedule;
    OperationValues **values; // one per operation
};

ContraStatus contra_schedule_order(Contra *contra, ContraText name, ContraText text,
                                   ContraScheduleOptions *options)
{
    CONTRA_ENTER(contra);
    OrderList order = {0};
    ContraScheduleOptions whole;
    CONTRA_NEEDS(contra, options, "`options`");
    if (!sized_take(contra, SIZED_ContraScheduleOptions, options, &whole))
        return CONTRA_INVALID;
    options->order = NULL;
    options->order_count = 0;
    if (!order_read(&contra->arena, &contra->diags, str_of(name), str_of(text), &order))
        return CONTRA_INVALID;
    options->order = order.items;
    options->order_count = order.count;
    return CONTRA_OK;
}

ContraStatus contra_schedule(Contra *contra, const ContraObject *object,
                             const ContraScheduleOptions *given, ContraSchedule **schedule)
{
    static const CostModel models[] = {[CONTRA_COST_MANUAL] = COST_MANUAL,
                                       [CONTRA_COST_STATIC] = COST_STATIC,
                                       [CONTRA_COST_SILICON] = COST_SILICON};
    CONTRA_GIVES(schedule, NULL);
    CONTRA_ENTER(contra);
    ContraScheduleOptions options;
    CONTRA_NEEDS(contra, schedule, "`schedule`");
    CONTRA_TAKES(contra, object, "an object");
    if (!sized_take(contra, SIZED_ContraScheduleOptions, given, &options))
        return CONTRA_INVALID;
    CONTRA_NEEDS(contra, IS_ENUM(options.cost, COUNT_OF(models)), "a cost model that there is");
    Str name = object->name.len ? object->name : object->object.kernel;
    if (!object_fits_machine(&contra->arena, name, &object->object, &contra->machine,
                             &contra->diags) ||
        (object->name.len &&
         !object_verify(name, &object->object, &contra->machine, &verify_any_work, &contra->diags)))
        return CONTRA_INVALID;
    ScheduleOptions inner = {models[options.cost], options.order, options.order_count};
    const Schedule *made = schedule_new(&contra->arena, &contra->scratch, &contra->diags,
                                        keep_machine(contra), &object->object, &inner);
    if (!made)
        return status_of(contra, CONTRA_INVALID);
    log_say(contra, CONTRA_LOG_INFO, "scheduled {}: {} operations in {} cycles",
            object->object.kernel, object->object.operations.count, made->cycles);
    ContraSchedule *whole = arena_new(&contra->arena, ContraSchedule, 1);
    whole->contra = contra;
    whole->schedule = made;
    whole->values = arena_new(&contra->arena, OperationValues *, (size_t)made->operation_count + 1);
    *schedule = whole;
    return CONTRA_OK;
}

int64_t contra_schedule_cycles(const ContraSchedule *schedule)
{
    return schedule ? schedule->schedule->cycles : 0;
}

ContraStatus contra_schedule_text(Contra *contra, const ContraSchedule *schedule,
                                  const ContraScheduleTextOptions *given, ContraText *text)
{
    enum { DEFAULT_WIDTH = 100 };
    CONTRA_WRITES(contra, text);
    ContraScheduleTextOptions options;
    CONTRA_TAKES(contra, schedule, "a schedule");
    if (!sized_take(contra, SIZED_ContraScheduleTextOptions, given, &options))
        return CONTRA_INVALID;
    CONTRA_NEEDS(contra, IS_ENUM(options.form, CONTRA_SCHEDULE_SVG + 1),
                 "a form of schedules that there is");
    StrBuf out = {.arena = &contra->request};
    SummaryOptions summary = {options.colour, options.width ? options.width : DEFAULT_WIDTH};
    switch (options.form) {
    case CONTRA_SCHEDULE_SUMMARY:
        schedule_print_summary(&out, schedule->schedule, &summary);
        break;
    case CONTRA_SCHEDULE_JSON:
        schedule_print_json(&out, &contra->scratch, schedule->schedule);
        break;
    case CONTRA_SCHEDULE_TRACE:
        schedule_print_trace(&out, schedule->schedule);
        break;
    case CONTRA_SCHEDULE_SVG:
        schedule_print_svg(&out, schedule->schedule);
        break;
    }
    return give_text(contra, &out, text);
}

ContraStatus contra_schedule_page(Contra *contra, ContraText document, ContraText *page)
{
    CONTRA_WRITES(contra, page);
    StrBuf out = {.arena = &contra->request};
    schedule_print_page(&out, str_of(document));
    return give_text(contra, &out, page);
}

ContraStatus contra_schedule_compare(Contra *contra, const ContraText names[2],
                                     const ContraText documents[2],
                                     const ContraCompareOptions *given, ContraText *text)
{
    CONTRA_WRITES(contra, text);
    ContraCompareOptions options;
    CONTRA_NEEDS(contra, names && documents, "`names` and `documents`");
    if (!sized_take(contra, SIZED_ContraCompareOptions, given, &options))
        return CONTRA_INVALID;
    StrBuf out = {.arena = &contra->request};
    ScheduleSource sources[] = {{str_of(names[0]), str_of(documents[0])},
                                {str_of(names[1]), str_of(documents[1])}};
    if (!schedule_compare(&out, &contra->diags, sources,
                          options.json ? COMPARE_JSON : COMPARE_TEXT))
        return CONTRA_INVALID;
    return give_text(contra, &out, text);
}

// ---- facts about schedules, as values for programs

ContraStatus contra_schedule_summary(Contra *contra, const ContraSchedule *schedule,
                                     ContraScheduleSummary *summary)
{
    CONTRA_FILLS(contra, ContraScheduleSummary, summary);
    CONTRA_TAKES(contra, schedule, "a schedule");
    const Schedule *of = schedule->schedule;
    ContraScheduleSummary made = {
        .kernel = text_of(of->object->kernel),
        .machine = text_of(of->object->machine),
        .clock_mhz = of->machine->clock_mhz,
        .chips = of->object->chips,
        .cycles = of->cycles,
        .least = of->least,
        .most = of->most,
        .operation_count = of->operation_count,
        .lane_count = of->lane_count,
        .tensor_count = of->tensor_count,
        .critical = of->critical,
        .critical_count = of->critical_count,
        .macs = of->macs,
        .peak_macs = of->peak_macs,
        .hbm_bytes = of->hbm_bytes,
        .hbm_peak_bytes = of->hbm_peak_bytes,
        .intensity = of->intensity,
        .ridge = of->ridge,
        .bound = schedule_roof(of),
    };
    sized_give(SIZED_ContraScheduleSummary, &made, summary);
    return CONTRA_OK;
}

ContraStatus contra_schedule_lane(Contra *contra, const ContraSchedule *schedule, int64_t index,
                                  ContraLane *lane)
{
    CONTRA_FILLS(contra, ContraLane, lane);
    CONTRA_TAKES(contra, schedule, "a schedule");
    CONTRA_NEEDS(contra, IS_INDEX(index, schedule->schedule->lane_count),
                 "the number of a lane of the schedule");
    const Lane *of = &schedule->schedule->lanes[index];
    ContraLane made = {.kind = lane_kind_names[of->kind],
                       .name = text_of(of->name),
                       .cluster = of->cluster,
                       .engine = of->engine,
                       .busy = of->busy};
    sized_give(SIZED_ContraLane, &made, lane);
    return CONTRA_OK;
}

ContraStatus contra_schedule_tensor(Contra *contra, const ContraSchedule *schedule, int64_t index,
                                    ContraScheduledTensor *result)
{
    CONTRA_FILLS(contra, ContraScheduledTensor, result);
    CONTRA_TAKES(contra, schedule, "a schedule");
    CONTRA_NEEDS(contra, IS_INDEX(index, schedule->schedule->tensor_count),
                 "the number of a tensor of the schedule");
    const TensorLife *life = &schedule->schedule->tensors[index];
    const HwTensor *tensor = life->tensor;
    ContraScheduledTensor made = {
        .number = tensor->number,
        .name = text_of(tensor->name),
        .file = text_of(tensor->file),
        .line = tensor->line,
        .memory = touch_tier_name(tensor->tier),
        .type = scalar_traits[tensor->type].name,
        .mapping = text_of(tensor->mapping),
        .address = tensor->address,
        .bytes = tensor->bytes,
        .chips = tensor->chips,
        .clusters = tensor->clusters,
        .slices = tensor->slices,
        .from = life->from,
        .to = life->to,
        .writer = life->writer,
        .readers = life->readers,
        .reader_count = life->reader_count,
    };
    sized_give(SIZED_ContraScheduledTensor, &made, result);
    return CONTRA_OK;
}

// ---- an operation of it

static const ContraText *hints_of(Arena *arena, const HwUse *use)
{
    int64_t count = use->hints.count;
    ContraText *made = arena_new(arena, ContraText, (size_t)count + 1);
    for (int64_t i = 0; i < count; i++)
        made[i] = text_of(use->hints.items[i].text);
    return made;
}

static const ContraLaneUse *uses_of(Arena *arena, const ScheduledOperation *operation)
{
    ContraLaneUse *made = arena_new(arena, ContraLaneUse, (size_t)operation->use_count + 1);
    for (int64_t i = 0; i < operation->use_count; i++)
        made[i] = (ContraLaneUse){operation->uses[i].lane, operation->uses[i].from,
                                  operation->uses[i].to};
    return made;
}

static ContraWait wait_of(const Wait *wait)
{
    ContraWait made = {.kind = wait_kind_names[wait->kind],
                       .operation = wait->operation,
                       .other = wait->other,
                       .until = wait->until,
                       .lane = wait->lane};
    if (wait->to <= wait->from)
        return made;
    made.memory = touch_tier_name(wait->tier);
    made.from = wait->from;
    made.to = wait->to;
    made.low = wait->low;
    made.high = wait->high;
    return made;
}

static const ContraWait *waits_of(Arena *arena, const ScheduledOperation *operation)
{
    ContraWait *made = arena_new(arena, ContraWait, (size_t)operation->wait_count + 1);
    for (int64_t i = 0; i < operation->wait_count; i++)
        made[i] = wait_of(&operation->waits[i]);
    return made;
}

static void make_parts(Arena *arena, const ScheduledOperation *operation, OperationValues *values)
{
    struct {
        ARRAY(ContraCostPart);
    } parts = {0};
    for (int64_t i = 0; i < operation->cost_count; i++) {
        const Cost *cost = operation->costs[i];
        for (int32_t k = 0; k < cost->line_count; k++) {
            const CostLine *line = &cost->lines[k];
            *array_push(arena, &parts, ContraCostPart) =
                (ContraCostPart){.command = i,
                                 .part = cost_part_names[line->part],
                                 .busy = line->busy,
                                 .latency = line->latency,
                                 .origin = cost_origin_names[line->origin],
                                 .rule = line->rule ? line->rule : "",
                                 .note = text_of(line->note)};
        }
    }
    values->parts = parts.items;
    values->part_count = parts.count;
}

static const OperationValues *values_of(Arena *arena, const ContraSchedule *schedule, int64_t index)
{
    const ScheduledOperation *operation = &schedule->schedule->operations[index];
    if (schedule->values[index])
        return schedule->values[index];
    OperationValues *values = arena_new(arena, OperationValues, 1);
    values->hints = hints_of(arena, operation->use);
    values->uses = uses_of(arena, operation);
    values->waits = waits_of(arena, operation);
    make_parts(arena, operation, values);
    schedule->values[index] = values; // whole, or memory ran out
    return values;
}

typedef struct {
    int64_t first, end; // end 0: none
} ChipRange;

static void range_add(ChipRange *range, int64_t first, int64_t count)
{
    range->first = range->end ? min_i64(range->first, first) : first;
    range->end = max_i64(range->end, first + count);
}

static ChipRange chips_of(const HwOperation *operation, int64_t all)
{
    ChipRange range = {0};
    for (int64_t i = 0; i < operation->commands.count; i++) {
        const HwCommand *command = &operation->commands.items[i];
        if (command->pass)
            range_add(&range, command->pass->first_chip, command->pass->chips);
        for (int64_t k = 0; command->dma && k < command->dma->descriptors.count; k++)
            range_add(&range, command->dma->descriptors.items[k].chip, 1);
        for (int64_t k = 0; command->immediate && k < command->immediate->bitmaps.count; k++) {
            int64_t chip = command->immediate->bitmaps.items[k].chip; // negative: every one
            range_add(&range, max_i64(chip, 0), chip < 0 ? all : 1);
        }
    }
    return range;
}

static void add_work(const Schedule *schedule, const ScheduledOperation *operation,
                     ContraScheduledOperation *made)
{
    const HwUse *use = operation->use;
    ChipRange chips = chips_of(operation->operation, max_i64(schedule->object->chips, 1));
    made->bound = operation->cost_count ? cost_part_names[schedule_bound(operation)] : "";
    made->commands = operation->cost_count;
    for (int64_t i = 0; i < operation->cost_count; i++) {
        made->bytes += operation->costs[i]->bytes;
        made->macs += operation->costs[i]->macs;
    }
    made->first_chip = chips.first;
    made->chips = chips.end - chips.first;
    made->mac_permille = use->mac_permille;
    made->lane_permille = use->lane_permille;
    made->slice_permille = use->slice_permille;
    made->bandwidth_permille = use->bandwidth_permille;
    made->hint_count = use->hints.count;
}

ContraStatus contra_schedule_operation(Contra *contra, const ContraSchedule *schedule,
                                       int64_t index, ContraScheduledOperation *result)
{
    CONTRA_FILLS(contra, ContraScheduledOperation, result);
    CONTRA_TAKES(contra, schedule, "a schedule");
    CONTRA_NEEDS(contra, IS_INDEX(index, schedule->schedule->operation_count),
                 "the number of an operation of the schedule");
    const ScheduledOperation *operation = &schedule->schedule->operations[index];
    const HwOperation *of = operation->operation;
    const OperationValues *values = values_of(&contra->arena, schedule, index);
    ContraScheduledOperation made = {
        .method = text_of(of->method),
        .context = context_names[of->context],
        .file = text_of(of->file),
        .line = of->line,
        .source = text_of(of->text),
        .begin = operation->begin,
        .end = operation->end,
        .slack = operation->slack,
        .is_critical = operation->is_critical,
        .hints = values->hints,
        .uses = values->uses,
        .use_count = operation->use_count,
        .waits = values->waits,
        .wait_count = operation->wait_count,
        .parts = values->parts,
        .part_count = values->part_count,
        .reads = of->reads.items,
        .read_count = of->reads.count,
        .writes = of->writes,
    };
    add_work(schedule->schedule, operation, &made);
    sized_give(SIZED_ContraScheduledOperation, &made, result);
    return CONTRA_OK;
}
