#include "command/nest.h"

#include "scalar/bits.h"

static bool is_chosen(const HwLoop *loop, LoopChoice choice)
{
    return choice == LOOPS_ALL || loop->packet == (choice == LOOPS_PACKET);
}

void nest_add(Nest *nest, const HwLoopList *loops, LoopChoice choice)
{
    for (int64_t i = 0; i < loops->count && nest->count < (int64_t)COUNT_OF(nest->loops); i++) {
        const HwLoop *loop = &loops->items[i];
        if (is_chosen(loop, choice))
            nest->loops[nest->count++] = (NestLoop){
                loop->size, {loop->stride}, loop->offsets.count ? loop->offsets.items : NULL};
    }
}

// Of loops that end early the product may be more than any number.
int64_t nest_size(const Nest *nest)
{
    int64_t size = 1;
    for (int64_t i = 0; i < nest->count; i++)
        size = saturating_mul(size, nest->loops[i].size);
    return size;
}

void nest_once(Nest *nest)
{
    int64_t kept = 0;
    for (int64_t i = 0; i < nest->count; i++)
        if (nest->loops[i].offsets || nest->loops[i].strides[0])
            nest->loops[kept++] = nest->loops[i];
    nest->count = kept;
}

static bool continues(const NestLoop *outer, const NestLoop *inner)
{
    bool ok = !outer->offsets && !inner->offsets;
    for (int side = 0; side < NEST_SIDES && ok; side++)
        ok = stride_continues(outer->strides[side], inner->size, inner->strides[side]);
    return ok;
}

int64_t loops_join(NestLoop *loops, int64_t count)
{
    int64_t kept = 0;
    for (int64_t i = 0; i < count; i++) {
        NestLoop loop = loops[i];
        if (loop.size == 1 && !loop.offsets)
            continue;
        if (kept && continues(&loops[kept - 1], &loop))
            loop.size = saturating_mul(loops[--kept].size, loop.size);
        loops[kept++] = loop;
    }
    return kept;
}

int64_t nest_offset(const Nest *nest, int64_t number)
{
    int64_t offset = 0;
    for (int64_t i = nest->count - 1; i >= 0; i--) {
        offset += loop_offset(&nest->loops[i], number % nest->loops[i].size);
        number /= nest->loops[i].size;
    }
    return offset;
}

int64_t loops_offset(const HwLoopList *loops, LoopChoice choice, int64_t number)
{
    int64_t offset = 0;
    for (int64_t i = loops->count - 1; i >= 0; i--) {
        const HwLoop *loop = &loops->items[i];
        if (!is_chosen(loop, choice))
            continue;
        int64_t index = number % loop->size;
        offset += loop->offsets.count ? loop->offsets.items[index] : index * loop->stride;
        number /= loop->size;
    }
    return offset;
}

int64_t step_place(const HwReduce *reduce, int64_t step)
{
    int64_t place = 0;
    for (int64_t i = reduce->loops.count - 1; i >= 0; i--) {
        const HwSlotLoop *loop = &reduce->loops.items[i];
        place += step % loop->size * loop->stride;
        step /= loop->size;
    }
    return place;
}

void trf_flit_place(const HwTrfStore *store, int64_t flit, int64_t *row, int64_t *byte)
{
    *row = store->start_row;
    *byte = store->start_byte;
    for (int64_t i = store->loops.count - 1; i >= 0; i--) {
        const HwRowLoop *loop = &store->loops.items[i];
        *row += flit % loop->size * loop->row_stride;
        *byte += flit % loop->size * loop->byte_stride;
        flit /= loop->size;
    }
}

int64_t trf_row_bytes(const HwTrfLayout *layout)
{
    return layout->bank_rows_per_row * layout->rows_in_bank * layout->bank_columns *
           layout->bank_row_bytes;
}

// ---- iterations

static inline void step(NestWalk *walk, int64_t number, int64_t steps)
{
    const NestLoop *loop = &walk->loops[number];
    int64_t from = walk->index[number], to = from + steps;
    walk->index[number] = to;
    walk->at[0] +=
        loop->offsets ? loop->offsets[to] - loop->offsets[from] : steps * loop->strides[0];
    for (int side = 1; side < NEST_SIDES; side++)
        walk->at[side] += steps * loop->strides[side];
}

void nest_seek(NestWalk *walk, const NestLoop *loops, int64_t count, int64_t number)
{
    walk->loops = loops;
    walk->count = count;
    for (int side = 0; side < NEST_SIDES; side++)
        walk->at[side] = 0;
    for (int64_t i = count - 1; i >= 0; i--) {
        walk->index[i] = 0;
        walk->at[0] += loops[i].offsets ? loops[i].offsets[0] : 0;
        step(walk, i, number % loops[i].size);
        number /= loops[i].size;
    }
}

bool nest_skip(NestWalk *walk, int64_t steps)
{
    for (int64_t i = walk->count - 1; i >= 0; i--, steps = 1) {
        if (walk->index[i] + steps < walk->loops[i].size) {
            step(walk, i, steps);
            return true;
        }
        step(walk, i, -walk->index[i]);
    }
    return false;
}

void nest_runs(const Nest *nest, int64_t from, int64_t to, NestRun *run, void *own)
{
    int64_t last = nest->count - 1;
    bool dense = last >= 0 && nest->loops[last].strides[0] == 1 && !nest->loops[last].offsets;
    NestWalk walk;
    nest_seek(&walk, nest->loops, nest->count, from);
    for (int64_t count; from < to; from += count) {
        count = dense ? min_i64(to - from, nest->loops[last].size - walk.index[last]) : 1;
        run(own, walk.at[0], count);
        nest_skip(&walk, count);
    }
}

// ---- the sides of a DMA descriptor

const HwPlace *side_place(const HwDescriptor *descriptor, HwSide side)
{
    return side == SIDE_SOURCE    ? &descriptor->source
           : side == SIDE_DEST    ? &descriptor->dest
           : descriptor->indirect ? &descriptor->indirect->index
                                  : NULL;
}

int64_t side_base(const HwDescriptor *descriptor, HwSide side)
{
    return side == SIDE_SOURCE ? descriptor->source_base
           : side == SIDE_DEST ? descriptor->dest_base
                               : descriptor->indirect->base;
}

int64_t side_stride(const HwDmaLoopEntry *loop, HwSide side)
{
    return side == SIDE_SOURCE ? loop->source_stride
           : side == SIDE_DEST ? loop->dest_stride
                               : loop->index_stride;
}

int64_t side_unit(const HwDescriptor *descriptor, HwSide side)
{
    return side == SIDE_INDEX ? BYTE_BITS : descriptor->unit_bits;
}

int64_t side_packet(const HwDescriptor *descriptor, HwSide side)
{
    return side == SIDE_INDEX ? (int64_t)sizeof(int32_t) : descriptor->packet_bytes;
}

bool side_is_indirect(const HwDescriptor *descriptor, HwSide side)
{
    const HwDmaIndirect *indirect = descriptor->indirect;
    return indirect && side == (indirect->is_source ? SIDE_SOURCE : SIDE_DEST);
}

// ---- slices

bool bits_have(const HwClusterBitsList *rows, int64_t chip, int64_t cluster, int64_t slice)
{
    for (int64_t i = 0; i < rows->count; i++) {
        const HwClusterBits *row = &rows->items[i];
        bool here =
            (row->chip < 0 || row->chip == chip) && (row->cluster < 0 || row->cluster == cluster);
        if (here && bit_is_set(&row->slices, slice))
            return true;
    }
    return false;
}
