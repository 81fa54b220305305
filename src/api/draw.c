#include "api/draw.h"

#include "base/checked.h"
#include "engine/dma/scatter.h"
#include "engine/memory/access.h"

static void narrow(DrawRange *range, int64_t rows, int64_t unit)
{
    rows = min_i64(rows, max_i64(1, INT32_MAX / unit)); // entries have 32 bits
    if (!range->rows || rows * unit < range->rows * range->unit)
        *range = (DrawRange){rows, unit};
}

DrawRange draw_range_of_tensor(Arena *arena, const Program *program, const Tensor *tensor)
{
    DrawRange range = {0};
    for (int64_t i = 0; i < program->ops.count; i++) {
        const Op *op = program->ops.items[i];
        IndexRange index;
        if (op->index && tensor_root(op->index->tensor) == tensor && index_range(arena, op, &index))
            narrow(&range, index.rows, index.unit);
    }
    return range;
}

static bool lies_in(const HwDmaIndirect *indirect, const HwArgument *argument)
{
    return indirect->index.media == MEDIA_HBM && argument->tier == TIER_HBM &&
           indirect->base >= argument->address &&
           indirect->base < argument->address + argument->bytes;
}

static void narrow_by_command(DrawRange *range, const HwCommand *command,
                              const HwArgument *argument)
{
    const HwDmaCommand *dma = command->dma;
    for (int64_t i = 0; dma && i < dma->descriptors.count; i++) {
        const HwDmaIndirect *indirect = dma->descriptors.items[i].indirect;
        if (indirect && lies_in(indirect, argument))
            narrow(range, indirect->limit, indirect->divisor);
    }
}

DrawRange draw_range_of_argument(const HwObject *object, const HwArgument *argument)
{
    DrawRange range = {0};
    for (int64_t i = 0; i < object->operations.count; i++) {
        const HwOperation *operation = &object->operations.items[i];
        for (int64_t k = 0; k < operation->commands.count; k++)
            narrow_by_command(&range, &operation->commands.items[k], argument);
    }
    return range;
}

void draw_within(const DrawRange *range, uint32_t *bits, int64_t count)
{
    for (int64_t i = 0; range->rows && i < count; i++)
        bits[i] = (uint32_t)(bits[i] % range->rows * range->unit);
}
