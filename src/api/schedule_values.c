// Schedules as values: what their documents say, for programs.
#include "api/schedule.h"
#include "api/sized.h"

#include "base/checked.h"
#include "schedule/export.h"
#include "schedule/touch.h"

// ---- a schedule

ContraStatus contra_schedule_summary(Contra *contra, const ContraSchedule *given,
                                     ContraScheduleSummary *summary)
{
    sized_empty(SIZED_ContraScheduleSummary, summary);
    CONTRA_ENTER(contra);
    CONTRA_NEEDS(contra, given, "`schedule`");
    CONTRA_OWNS(contra, given, "a schedule");
    if (!sized_fits(contra, SIZED_ContraScheduleSummary, summary))
        return CONTRA_INVALID;
    const Schedule *schedule = given->schedule;
    ContraScheduleSummary made = {
        .kernel = text_of(schedule->object->kernel),
        .machine = text_of(schedule->object->machine),
        .clock_mhz = schedule->machine->clock_mhz,
        .chips = schedule->object->chips,
        .cycles = schedule->cycles,
        .least = schedule->least,
        .most = schedule->most,
        .operation_count = schedule->operation_count,
        .lane_count = schedule->lane_count,
        .tensor_count = schedule->tensor_count,
        .critical = schedule->critical,
        .critical_count = schedule->critical_count,
        .macs = schedule->macs,
        .peak_macs = schedule->peak_macs,
        .hbm_bytes = schedule->hbm_bytes,
        .hbm_peak_bytes = schedule->hbm_peak_bytes,
        .intensity = schedule->intensity,
        .ridge = schedule->ridge,
        .bound = schedule_roof(schedule),
    };
    sized_give(SIZED_ContraScheduleSummary, &made, summary);
    return CONTRA_OK;
}

ContraStatus contra_schedule_lane(Contra *contra, const ContraSchedule *schedule, int64_t index,
                                  ContraLane *lane)
{
    sized_empty(SIZED_ContraLane, lane);
    CONTRA_ENTER(contra);
    CONTRA_NEEDS(contra, schedule, "`schedule`");
    CONTRA_OWNS(contra, schedule, "a schedule");
    CONTRA_NEEDS(contra, IS_INDEX(index, schedule->schedule->lane_count),
                 "the number of a lane of the schedule");
    if (!sized_fits(contra, SIZED_ContraLane, lane))
        return CONTRA_INVALID;
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
    sized_empty(SIZED_ContraScheduledTensor, result);
    CONTRA_ENTER(contra);
    CONTRA_NEEDS(contra, schedule, "`schedule`");
    CONTRA_OWNS(contra, schedule, "a schedule");
    CONTRA_NEEDS(contra, IS_INDEX(index, schedule->schedule->tensor_count),
                 "the number of a tensor of the schedule");
    if (!sized_fits(contra, SIZED_ContraScheduledTensor, result))
        return CONTRA_INVALID;
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
    sized_empty(SIZED_ContraScheduledOperation, result);
    CONTRA_ENTER(contra);
    CONTRA_NEEDS(contra, schedule, "`schedule`");
    CONTRA_OWNS(contra, schedule, "a schedule");
    CONTRA_NEEDS(contra, IS_INDEX(index, schedule->schedule->operation_count),
                 "the number of an operation of the schedule");
    if (!sized_fits(contra, SIZED_ContraScheduledOperation, result))
        return CONTRA_INVALID;
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
