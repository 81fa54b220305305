#include "base/checked.h"
#include "base/heap.h"
#include "base/workers.h"
#include "oracle/internal.h"

#include <assert.h>
#include <setjmp.h>
#include <string.h>

// ---- arrays of an operation

_Noreturn void oracle_no_memory(Oracle *oracle)
{
    arena_exhausted(&oracle->scratch);
}

static void hold(Oracle *oracle, Array *array)
{
    if (!array)
        oracle_no_memory(oracle);
    if (oracle->held.count == oracle->held.capacity) {
        int64_t capacity = max_i64(oracle->held.capacity * 2, 16);
        Holding *items = heap_resize(oracle->held.items, sizeof *items * (size_t)capacity);
        if (!items) {
            array_free(array);
            oracle_no_memory(oracle);
        }
        oracle->held.items = items;
        oracle->held.capacity = capacity;
    }
    oracle->held.items[oracle->held.count++] = (Holding){.array = array};
}

Array *oracle_hold(Oracle *oracle, Scalar type, const Mapping *mapping)
{
    Array *array = array_new(type, mapping);
    hold(oracle, array);
    return array;
}

Array *oracle_hold_clone(Oracle *oracle, const Array *array)
{
    Array *clone = array_clone(array);
    hold(oracle, clone);
    return clone;
}

// It is the caller's from now on.
static void oracle_keep(Oracle *oracle, Array *array)
{
    for (int64_t i = 0; i < oracle->held.count; i++) {
        if (oracle->held.items[i].array != array)
            continue;
        oracle->held.items[i] = oracle->held.items[--oracle->held.count];
        return;
    }
}

void oracle_drop(Oracle *oracle, Array *array)
{
    oracle_keep(oracle, array);
    array_free(array);
}

static void drop_all(Oracle *oracle)
{
    while (oracle->held.count)
        array_free(oracle->held.items[--oracle->held.count].array);
    arena_release(&oracle->scratch);
}

bool oracle_is_cancelled(const Oracle *oracle)
{
    return oracle->options.is_cancelled && oracle->options.is_cancelled(oracle->options.own);
}

// ---- tensors

// There is a place for every tensor; a program that is still growing gets more of them.
static bool make_room(Oracle *oracle)
{
    int64_t wanted = oracle->program->tensors.count, had = oracle->capacity;
    if (wanted <= had)
        return true;
    int64_t capacity = max_i64(wanted, 2 * had);
    Holding *tensors = heap_resize(oracle->tensors, sizeof *tensors * (size_t)capacity);
    if (!tensors)
        return false;
    memset(tensors + had, 0, sizeof *tensors * (size_t)(capacity - had));
    oracle->tensors = tensors;
    oracle->capacity = capacity;
    return true;
}

static Array *reshaped(Oracle *oracle, const Tensor *tensor)
{
    Array *from = oracle_tensor(oracle, tensor->storage);
    Mapping mapping = shape_of(&oracle->scratch, tensor->dims);
    Array *array = oracle_hold(oracle, tensor->type, &mapping);
    Mapping before = shape_of(&oracle->scratch, tensor->storage->dims);
    if (!array_move_positions(from, &before, array, &mapping))
        oracle_no_memory(oracle);
    return array;
}

Array *oracle_tensor(Oracle *oracle, const Tensor *tensor)
{
    Holding *holding = &oracle->tensors[tensor->id];
    assert(!holding->is_released);
    if (holding->array)
        return holding->array;
    Array *array;
    if (tensor->origin == ORIGIN_RESHAPE) {
        array = reshaped(oracle, tensor);
    } else {
        Mapping mapping = shape_of(&oracle->scratch, tensor->dims);
        array = oracle_hold(oracle, tensor->type, &mapping);
    }
    oracle_keep(oracle, array);
    holding->array = array;
    return array;
}

void oracle_set_tensor(Oracle *oracle, const Tensor *tensor, Array *array)
{
    Holding *holding = &oracle->tensors[tensor->id];
    if (holding->is_bound) { // the caller's array is written in place
        Mapping mapping = shape_of(&oracle->scratch, tensor->dims);
        ArrayView source = {.array = array, .mapping = mapping},
                  target = {.array = holding->array, .mapping = mapping};
        oracle_move(oracle, &source, &target);
        return;
    }
    oracle_keep(oracle, array);
    array_free(holding->array);
    holding->array = array;
}

bool oracle_view(Oracle *oracle, const View *view, ArrayView *result)
{
    int64_t count = view->tiles.count;
    ArrayOffset *offsets = arena_new(&oracle->scratch, ArrayOffset, (size_t)count);
    for (int64_t i = 0; i < count; i++) {
        const Tile *tile = &view->tiles.items[i];
        if (!tile->start.known) {
            diag_add(oracle->diags, DIAG_RUN_UNKNOWN_START, tile->span,
                     "where this tile starts is not known");
            return false;
        }
        offsets[i] = (ArrayOffset){tile->index->mapping, tile->start.value};
    }
    Mapping *whole = arena_new(&oracle->scratch, Mapping, 1);
    *whole = shape_of(&oracle->scratch, view->tensor->dims);
    *result = (ArrayView){oracle_tensor(oracle, view->tensor),
                          shape_of(&oracle->scratch, view->dims), offsets, count, whole};
    return true;
}

// Parts of one tensor may overlap: all is read before anything is written.
static ArrayView read_first(Oracle *oracle, const ArrayView *source)
{
    ArrayView copy = {.array = oracle_hold(oracle, source->array->type, &source->mapping),
                      .mapping = source->mapping};
    if (!array_move_part(source, &copy))
        oracle_no_memory(oracle);
    return copy;
}

void oracle_move(Oracle *oracle, const ArrayView *source, const ArrayView *target)
{
    bool same = source->array == target->array;
    ArrayView from = same ? read_first(oracle, source) : *source;
    if (!array_move_part(&from, target))
        oracle_no_memory(oracle);
    if (same)
        oracle_drop(oracle, from.array);
}

// ---- last uses

// Notes the last operation that needs each tensor, or frees those that nobody needs after `op`.
typedef struct {
    int64_t *last; // of each tensor; of results, one more than there are operations
    int64_t op;
    Oracle *oracle; // NULL: takes notes
} Uses;

// What a reshape is made of is read when the reshape is first needed; it lives as long.
static void use(Uses *uses, const Tensor *tensor)
{
    for (; tensor; tensor = tensor->origin == ORIGIN_RESHAPE ? tensor->storage : NULL) {
        Holding *holding = uses->oracle ? &uses->oracle->tensors[tensor->id] : NULL;
        if (!holding) {
            uses->last[tensor->id] = max_i64(uses->last[tensor->id], uses->op);
        } else if (uses->last[tensor->id] == uses->op && !holding->is_bound) {
            array_free(holding->array);
            holding->array = NULL;
        }
    }
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

// NULL: no memory.
static int64_t *find_last_uses(const Program *program)
{
    size_t count = (size_t)max_i64(program->tensors.count, 1);
    Uses uses = {.last = heap_zeroed(count, sizeof *uses.last)};
    if (!uses.last)
        return NULL;
    for (; uses.op < program->ops.count; uses.op++)
        use_op(&uses, program->ops.items[uses.op]);
    for (int64_t i = 0; i < program->results.count; i++)
        use(&uses, program->results.items[i]);
    return uses.last;
}

// ---- running

static bool run_op(Oracle *oracle, const Op *op)
{
    switch (op->kind) {
    case OP_MOVE:
    case OP_PARALLEL_COPY:
    case OP_CLUSTER_SHUFFLE:
    case OP_CHIP_SHUFFLE:
    case OP_CLUSTER_SLICE:
    case OP_CHIP_SLICE:
        return move_op_run(oracle, op);
    case OP_SCATTER:
        return scatter_run(oracle, op);
    case OP_GATHER:
        return gather_run(oracle, op);
    case OP_PASS:
        return pass_run(oracle, op->pass);
    case OP_KIND_COUNT:
        break;
    }
    return false;
}

// Memory that runs out comes back here.
static bool run_op_guarded(Oracle *oracle, const Op *op)
{
    jmp_buf no_memory;
    oracle->scratch.on_oom = &no_memory;
    if (setjmp(no_memory)) {
        drop_all(oracle);
        return diag_no_memory(oracle->diags, op->span, "{} needs more memory than there is",
                              op->method ? op->method : "the pass");
    }
    bool ok = run_op(oracle, op);
    drop_all(oracle);
    return ok;
}

static bool report_cancelled(Oracle *oracle, const Op *op, int64_t done)
{
    diag_add(oracle->diags, DIAG_RUN_CANCELLED, op->span, "cancelled after {} of {} operations",
             done, oracle->program->ops.count);
    return false;
}

// Those from where it is to `end`.
static bool run_ops(Oracle *oracle, int64_t end)
{
    const Program *program = oracle->program;
    while (oracle->done < end) {
        int64_t i = oracle->done++;
        const Op *op = program->ops.items[i];
        if (oracle_is_cancelled(oracle))
            return report_cancelled(oracle, op, i);
        int64_t before = oracle->diags->count;
        if (!run_op_guarded(oracle, op))
            return oracle->diags->count > before ? false : report_cancelled(oracle, op, i);
        if (oracle->last_uses)
            use_op(&(Uses){oracle->last_uses, i, oracle}, op);
        if (oracle->options.progress)
            oracle->options.progress(oracle->options.own, i + 1, program->ops.count);
    }
    return true;
}

static void forget_results(Oracle *oracle)
{
    for (int64_t i = 0; i < oracle->capacity; i++) {
        if (oracle->tensors[i].is_bound)
            continue;
        array_free(oracle->tensors[i].array);
        oracle->tensors[i].array = NULL;
    }
}

void oracle_begin(Oracle *oracle)
{
    forget_results(oracle);
    oracle->done = 0;
}

bool oracle_run(Oracle *oracle)
{
    oracle_begin(oracle);
    return oracle_continue(oracle);
}

static bool run_until(Oracle *oracle, int64_t end)
{
    if (oracle->done >= end)
        return true;
    if (!make_room(oracle))
        return diag_no_memory(oracle->diags, oracle->program->span,
                              "there is not enough memory for the tensors of the program");
    int threads = oracle->options.threads, most = workers_most();
    int before = workers_limit(threads && threads < most ? threads : most);
    bool ok = run_ops(oracle, end);
    workers_limit(before);
    return ok;
}

bool oracle_continue(Oracle *oracle)
{
    return run_until(oracle, oracle->program->ops.count);
}

bool oracle_step(Oracle *oracle)
{
    return run_until(oracle, min_i64(oracle->done + 1, oracle->program->ops.count));
}

// ---- the executor

Oracle *oracle_new(const Program *program, const OracleOptions *options, DiagList *diags)
{
    Oracle *oracle = heap_zeroed(1, sizeof *oracle);
    if (!oracle)
        return NULL;
    oracle->program = program;
    oracle->options = options ? *options : (OracleOptions){0};
    oracle->diags = diags;
    if (oracle->options.results_only)
        oracle->last_uses = find_last_uses(program);
    if (make_room(oracle) && (oracle->last_uses || !oracle->options.results_only))
        return oracle;
    oracle_free(oracle);
    return NULL;
}

bool oracle_bind(Oracle *oracle, const Tensor *tensor, Array *array)
{
    if (!make_room(oracle))
        return false;
    Holding *holding = &oracle->tensors[tensor->id];
    if (!holding->is_bound || holding->is_given)
        array_free(holding->array);
    *holding = (Holding){.array = array, .is_bound = array != NULL};
    return true;
}

bool oracle_give(Oracle *oracle, const Tensor *tensor, Array *array)
{
    if (!oracle_bind(oracle, tensor, array))
        return false;
    oracle->tensors[tensor->id].is_given = true;
    return true;
}

bool oracle_release(Oracle *oracle, const Tensor *tensor)
{
    Holding *holding = tensor->id < oracle->capacity ? &oracle->tensors[tensor->id] : NULL;
    if (!holding)
        return true; // it never had one
    if (holding->is_kept || (holding->is_bound && !holding->is_given))
        return false;
    array_free(holding->array);
    *holding = (Holding){.is_released = true};
    return true;
}

void oracle_keep_tensor(Oracle *oracle, const Tensor *tensor)
{
    if (make_room(oracle))
        oracle->tensors[tensor->id].is_kept = true;
}

Array *oracle_array(Oracle *oracle, const Tensor *tensor)
{
    if (!make_room(oracle))
        return NULL;
    jmp_buf no_memory;
    oracle->scratch.on_oom = &no_memory;
    if (setjmp(no_memory)) {
        drop_all(oracle);
        return NULL;
    }
    Array *array = oracle_tensor(oracle, tensor);
    drop_all(oracle);
    return array;
}

Array *oracle_take(Oracle *oracle, const Tensor *tensor)
{
    if (!make_room(oracle) || oracle->tensors[tensor->id].is_bound)
        return NULL;
    Array *array = oracle_array(oracle, tensor);
    oracle->tensors[tensor->id].array = NULL;
    return array;
}

void oracle_free(Oracle *oracle)
{
    if (!oracle)
        return;
    for (int64_t i = 0; i < oracle->capacity; i++)
        oracle->tensors[i].is_bound &= !oracle->tensors[i].is_given;
    forget_results(oracle);
    drop_all(oracle);
    heap_free(oracle->held.items);
    heap_free(oracle->tensors);
    heap_free(oracle->last_uses);
    heap_free(oracle);
}
