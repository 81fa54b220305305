// Which operation is the last that needs each tensor.
#include "oracle/internal.h"

#include "base/checked.h"

#include <stdlib.h>

typedef struct {
    int64_t *last; // of each tensor
    int64_t op;
} Uses;

// What a reshape is made of is read when the reshape is first needed; it lives as long.
static void use(Uses *uses, const Tensor *tensor)
{
    for (; tensor; tensor = tensor->origin == ORIGIN_RESHAPE ? tensor->storage : NULL)
        uses->last[tensor->id] = max_i64(uses->last[tensor->id], uses->op);
}

static void use_view(Uses *uses, const View *view)
{
    if (view)
        use(uses, view->tensor);
}

static void use_stage(Uses *uses, const Stage *stage)
{
    use_view(uses, stage->sources[0]);
    use_view(uses, stage->sources[1]);
    use_view(uses, stage->target);
    use(uses, stage->trf);
    use(uses, stage->result);
    use(uses, stage->branch_vrf);
    for (int32_t i = 0; i < stage->operand_count && i < VECTOR_OPERANDS; i++)
        use(uses, stage->operands[i].vrf);
}

static void use_op(Uses *uses, const Op *op)
{
    use_view(uses, op->source);
    use_view(uses, op->target);
    use_view(uses, op->index);
    for (int64_t i = 0; op->pass && i < op->pass->stages.count; i++)
        use_stage(uses, op->pass->stages.items[i]);
}

int64_t *last_uses(const Program *program)
{
    Uses uses = {calloc((size_t)max_i64(program->tensors.count, 1), sizeof *uses.last), 0};
    if (!uses.last)
        return NULL;
    for (uses.op = 0; uses.op < program->ops.count; uses.op++)
        use_op(&uses, program->ops.items[uses.op]);
    for (int64_t i = 0; i < program->results.count; i++)
        use(&uses, program->results.items[i]); // behind the last operation
    return uses.last;
}
