// What a schedule comes to: how long tensors live, when DMA idles, how near it is to what the chip
// can do.
#include "schedule/place.h"

#include "base/checked.h"

#include <math.h>
#include <stdlib.h>

// ---- tensors

static bool is_given_back(const HwObject *object, int64_t tensor)
{
    for (int64_t i = 0; i < object->results.count; i++)
        if (object->results.items[i].storage == tensor)
            return true;
    for (int64_t i = 0; i < object->arguments.count; i++)
        if (object->arguments.items[i].storage == tensor && object->arguments.items[i].is_output)
            return true;
    return false;
}

static bool is_given(const HwObject *object, int64_t tensor)
{
    for (int64_t i = 0; i < object->arguments.count; i++)
        if (object->arguments.items[i].storage == tensor)
            return true;
    return false;
}

static int compare_numbers(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = ((const HwTensor *)b)->number;
    return (x > y) - (x < y);
}

// They are listed by their numbers.
TensorLife *schedule_life(const Schedule *schedule, int64_t number)
{
    const HwTensor *items = schedule->object->tensors.items;
    const HwTensor *found = items ? bsearch(&number, items, (size_t)schedule->tensor_count,
                                            sizeof *items, compare_numbers)
                                  : NULL;
    return found ? &schedule->tensors[found - items] : NULL;
}

static void use_tensor(TensorLife *life, const ScheduledOperation *operation)
{
    life->to = max_i64(life->to, operation->end);
}

static void count_readers(Placer *placer)
{
    Schedule *schedule = placer->schedule;
    for (int64_t i = 0; i < schedule->operation_count; i++) {
        const IntList *reads = &schedule->operations[i].operation->reads;
        for (int64_t k = 0; k < reads->count; k++) {
            TensorLife *life = schedule_life(schedule, reads->items[k]);
            if (life)
                life->reader_count++;
        }
    }
    for (int64_t i = 0; i < schedule->tensor_count; i++) {
        TensorLife *life = &schedule->tensors[i];
        life->readers = arena_new(placer->arena, int64_t, (size_t)life->reader_count + 1);
        life->reader_count = 0;
    }
}

static void add_uses(Schedule *schedule, int64_t number)
{
    const ScheduledOperation *operation = &schedule->operations[number];
    const IntList *reads = &operation->operation->reads;
    for (int64_t k = 0; k < reads->count; k++) {
        TensorLife *life = schedule_life(schedule, reads->items[k]);
        if (!life)
            continue;
        life->readers[life->reader_count++] = number;
        use_tensor(life, operation);
    }
    TensorLife *life = schedule_life(schedule, operation->operation->writes);
    if (!life)
        return;
    if (life->writer < 0) {
        life->writer = number;
        life->from = operation->begin;
    }
    life->from = min_i64(life->from, operation->begin);
    use_tensor(life, operation);
}

static void find_lives(Placer *placer)
{
    Schedule *schedule = placer->schedule;
    const HwObject *object = schedule->object;
    int64_t count = object->tensors.count;
    schedule->tensors = arena_new(placer->arena, TensorLife, (size_t)count + 1);
    schedule->tensor_count = count;
    for (int64_t i = 0; i < count; i++)
        schedule->tensors[i] = (TensorLife){.tensor = &object->tensors.items[i], .writer = -1};
    count_readers(placer);
    for (int64_t i = 0; i < schedule->operation_count; i++)
        add_uses(schedule, i);
    for (int64_t i = 0; i < count; i++) {
        TensorLife *life = &schedule->tensors[i];
        if (is_given(object, life->tensor->number))
            life->from = 0;
        if (is_given_back(object, life->tensor->number))
            life->to = schedule->cycles;
    }
}

// ---- gaps

typedef struct {
    ARRAY(Gap);
} GapList;

// Lanes that idle together stand together.
static int compare_times(const void *a, const void *b)
{
    const Gap *x = a, *y = b;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    if (x->to != y->to)
        return x->to < y->to ? -1 : 1;
    if (x->operation != y->operation)
        return x->operation < y->operation ? -1 : 1;
    return (x->lane > y->lane) - (x->lane < y->lane);
}

static int compare_gaps(const void *a, const void *b)
{
    const Gap *x = a, *y = b;
    int64_t mine = x->to - x->from, other = y->to - y->from;
    if (mine != other)
        return mine < other ? 1 : -1;
    return x->lane != y->lane ? (x->lane > y->lane) - (x->lane < y->lane)
                              : (x->from > y->from) - (x->from < y->from);
}

static bool is_dma_lane(const Schedule *schedule, int64_t lane)
{
    LaneKind kind = schedule->lanes[lane].kind;
    return kind == LANE_DMA || kind == LANE_PCIE;
}

// Engines of one command idle together: that is one gap.
static void join_gaps(const Schedule *schedule, GapList *gaps)
{
    int64_t kept = 0;
    if (!gaps->count)
        return;
    qsort(gaps->items, (size_t)gaps->count, sizeof *gaps->items, compare_times);
    for (int64_t i = 1; i < gaps->count; i++) {
        Gap *last = &gaps->items[kept];
        const Gap *next = &gaps->items[i];
        if (next->from == last->from && next->to == last->to &&
            next->operation == last->operation && next->lane == last->lane + last->lanes &&
            schedule->lanes[next->lane].kind == schedule->lanes[last->lane].kind)
            last->lanes++;
        else
            gaps->items[++kept] = *next;
    }
    gaps->count = kept + 1;
    qsort(gaps->items, (size_t)gaps->count, sizeof *gaps->items, compare_gaps);
}

// Between operations on a lane of DMA; lanes that nobody uses have none.
static void find_gaps(Placer *placer)
{
    Schedule *schedule = placer->schedule;
    int64_t free_from[LANES_MOST] = {0};
    GapList gaps = {0};
    for (int64_t i = 0; i < schedule->operation_count; i++) {
        const ScheduledOperation *operation = &schedule->operations[schedule->order[i]];
        for (int64_t k = 0; k < operation->use_count; k++) {
            const LaneUse *use = &operation->uses[k];
            if (!is_dma_lane(schedule, use->lane))
                continue;
            if (use->from > free_from[use->lane])
                *array_push(placer->arena, &gaps, Gap) =
                    (Gap){use->lane, 1, free_from[use->lane], use->from, schedule->order[i]};
            free_from[use->lane] = max_i64(free_from[use->lane], use->to);
        }
    }
    for (int64_t i = 0; i < schedule->lane_count; i++)
        if (is_dma_lane(schedule, i) && schedule->lanes[i].busy && free_from[i] < schedule->cycles)
            *array_push(placer->arena, &gaps, Gap) =
                (Gap){i, 1, free_from[i], schedule->cycles, -1};
    join_gaps(schedule, &gaps);
    schedule->gaps = gaps.items;
    schedule->gap_count = gaps.count;
}

// ---- work and roofs

// Products a cycle of all slices of the kernel's chips, each pass with the lanes of its own type:
// so many that all of its products take as long as they would with every lane at work.
static double peak_macs_per_cycle(const Schedule *schedule)
{
    const Machine *machine = schedule->machine;
    double macs = 0, steps = 0; // products, and what they take of one row
    for (int64_t i = 0; i < schedule->operation_count; i++) {
        const ScheduledOperation *operation = &schedule->operations[i];
        for (int64_t k = 0; k < operation->cost_count; k++) {
            const HwPipeline *pass = operation->operation->commands.items[k].pass;
            double done = (double)operation->costs[k]->macs;
            macs += done;
            steps += done > 0 ? done / (double)pass->reduce->packet_elements : 0;
        }
    }
    int64_t rows = machine->mac_rows * machine->slices_per_cluster * machine->clusters_per_chip *
                   max_i64(schedule->object->chips, 1);
    return steps > 0 ? macs / steps * (double)rows : 0;
}

static int64_t hbm_bytes_of(const HwDmaCommand *dma)
{
    bool reads = false, writes = false;
    for (int64_t i = 0; i < dma->descriptors.count; i++) {
        reads |= dma->descriptors.items[i].source.media == MEDIA_HBM;
        writes |= dma->descriptors.items[i].dest.media == MEDIA_HBM;
    }
    return dma->bytes * ((int64_t)reads + (int64_t)writes);
}

static void find_roofs(Schedule *schedule)
{
    enum { MHZ_OF_GHZ = 1000 };
    const Machine *machine = schedule->machine;
    double peak = peak_macs_per_cycle(schedule);
    for (int64_t i = 0; i < schedule->operation_count; i++) {
        const ScheduledOperation *operation = &schedule->operations[i];
        for (int64_t k = 0; k < operation->cost_count; k++) {
            const HwDmaCommand *dma = operation->operation->commands.items[k].dma;
            schedule->macs += operation->costs[k]->macs;
            schedule->hbm_bytes += dma ? hbm_bytes_of(dma) : 0;
        }
    }
    double bytes_per_cycle = (double)machine->hbm_gb_per_second * MHZ_OF_GHZ /
                             (double)machine->clock_mhz *
                             (double)max_i64(schedule->object->chips, 1);
    schedule->peak_macs = llround(peak * (double)schedule->cycles);
    schedule->hbm_peak_bytes = (int64_t)(bytes_per_cycle * (double)schedule->cycles);
    schedule->ridge = peak / bytes_per_cycle;
    schedule->intensity =
        schedule->hbm_bytes ? (double)schedule->macs / (double)schedule->hbm_bytes : 0;
}

void find_summary(Placer *placer)
{
    find_lives(placer);
    find_gaps(placer);
    find_roofs(placer->schedule);
}
