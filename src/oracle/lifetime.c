// Which tensors no operation needs any more behind each.
#include "oracle/internal.h"

#include "base/checked.h"
#include "base/heap.h"

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

// The last operation that needs each tensor; of results, one more than there are.
static bool find_uses(const Program *program, Uses *uses)
{
    uses->last = heap_zeroed((size_t)max_i64(program->tensors.count, 1), sizeof *uses->last);
    if (!uses->last)
        return false;
    for (uses->op = 0; uses->op < program->ops.count; uses->op++)
        use_op(uses, program->ops.items[uses->op]);
    for (int64_t i = 0; i < program->results.count; i++)
        use(uses, program->results.items[i]); // behind the last operation
    return true;
}

// Sorts the tensors by their last use, counting how many have each.
static void sort_by_use(const Program *program, const Uses *uses, Lifetimes *lifetimes)
{
    int64_t *end = lifetimes->end;
    for (int64_t i = 0; i < program->tensors.count; i++)
        end[uses->last[i]]++;
    for (int64_t op = 1; op <= program->ops.count; op++)
        end[op] += end[op - 1];
    for (int64_t i = program->tensors.count - 1; i >= 0; i--)
        lifetimes->tensors[--end[uses->last[i]]] = i;
    // each `end` is now where its own tensors start, which is where those before it end
    for (int64_t op = 0; op < program->ops.count; op++)
        end[op] = end[op + 1];
    end[program->ops.count] = program->tensors.count;
}

bool lifetimes_find(const Program *program, Lifetimes *lifetimes)
{
    Uses uses = {0};
    bool ok = find_uses(program, &uses);
    lifetimes->tensors =
        heap_zeroed((size_t)max_i64(program->tensors.count, 1), sizeof *lifetimes->tensors);
    lifetimes->end = heap_zeroed((size_t)program->ops.count + 1, sizeof *lifetimes->end);
    ok = ok && lifetimes->tensors && lifetimes->end;
    if (ok)
        sort_by_use(program, &uses, lifetimes);
    heap_free(uses.last);
    return ok;
}

void lifetimes_free(Lifetimes *lifetimes)
{
    heap_free(lifetimes->tensors);
    heap_free(lifetimes->end);
    *lifetimes = (Lifetimes){0};
}
