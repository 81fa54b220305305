#include "agree.h"

#include "base/checked.h"
#include "device/device.h"
#include "device/verify.h"
#include "engine/lower/lower.h"
#include "engine/stream/stream.h"
#include "oracle/oracle.h"
#include "sets.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_POSITIONS = 1 << 24, MOST_THREADS = 2, INDEX_VALUES = 8, SMALL_PART = 48 };
static const uint32_t MINUS_ZERO = 0x80000000;

// Values at the positions of a tensor.
typedef struct {
    uint32_t *bits;
    uint8_t *live;
    int64_t count;
} Values;

typedef struct {
    int64_t threads;
    Isa isa;
    int64_t part; // of a stream that is multiplied, in cells. 0: as usual, which is all of most
    bool joined;  // passes that may: of those only what the last one leaves is looked at
} Way;

typedef struct {
    Arena *arena;
    const AgreeOptions *options;
    Program *program;
    StrBuf *why;
    DiagList diags;
    HwObject object;
    Oracle *oracle;
    DeviceProgram *ready; // of the way that is tried: plans are made for it
    Array **arrays;       // by tensor: of parameters
    Values *given;        // by tensor: the positions of parameters
    Values *seen;  // by operation: what its target held on the first device behind it; then, by
                   // result, what that held in the end
    int64_t *last; // by tensor: the last operation that writes it
    int64_t unwritten;
    bool exact;        // also where the oracle has no value
    bool fills_memory; // padding of the inputs counts as written
    bool avoids_nans;  // no input is NaN
} Both;

static int64_t level_size(const Tensor *tensor, Level level)
{
    return tensor->dims[level] ? tensor->dims[level]->mapping.size : 1;
}

static HwArgument argument_of(Both *both, const Tensor *tensor)
{
    HwArgument out = {.tier = tensor->tier,
                      .type = tensor->type,
                      .address = tensor->address.value,
                      .element_bits = scalar_traits[tensor->type].packet_bits,
                      .tensor = tensor->tier == TIER_HOST ? tensor->id : -1,
                      .chips = level_size(tensor, LEVEL_CHIP),
                      .clusters = level_size(tensor, LEVEL_CLUSTER),
                      .slices = level_size(tensor, LEVEL_SLICE),
                      .rows = level_size(tensor, LEVEL_ROW),
                      .elements = level_size(tensor, LEVEL_ELEMENT)};
    if (tensor->tier == TIER_TRF) {
        HwTrfLayout *layout = arena_new(both->arena, HwTrfLayout, 1);
        *layout = trf_layout(both->options->machine, tensor);
        out.trf = layout;
    }
    return out;
}

static Values values_new(Both *both, int64_t count)
{
    size_t room = (size_t)count + 1;
    return (Values){arena_new(both->arena, uint32_t, room), arena_new(both->arena, uint8_t, room),
                    count};
}

// ---- inputs

static uint32_t special(Scalar type, SmallRng *rng)
{
    static const uint32_t integers[] = {0, 1, 0xffffffff, 0x7fffffff, 0x80000000, 0x80000001, 31};
    static const uint32_t floats[] = {0,          0x80000000, 0x7f800000, 0xff800000, 0x7fc00000,
                                      0xffc00001, 0x00000001, 0x80000001, 0x007fffff, 0x00800000,
                                      0x7f7fffff, 0xff7fffff, 0x3f800000, 0xbf800000, 0x4f000000};
    uint32_t pick = small_rng_next_u32(rng);
    if (scalar_is_integer(type))
        return integers[pick % COUNT_OF(integers)];
    uint32_t bits = floats[pick % COUNT_OF(floats)];
    return type == SCALAR_F32 ? bits : bits >> (32 - scalar_traits[type].bits);
}

// Any bits of any type, but of indices: those stay small, so that they mean something. Floats are
// mostly of a size that sums round, and integers small, so that few things saturate.
static uint32_t draw_bits(const Both *both, Scalar type, SmallRng *rng)
{
    uint32_t bits = small_rng_next_u32(rng), kind = small_rng_next_u32(rng) % 16;
    if (kind == 0 && both->options->specials)
        return special(type, rng);
    if (kind == 1)
        return bits;
    uint32_t exponent = 90 + kind * 5;
    if (both->options->wide && type == SCALAR_F32)
        return (bits & 0x807fffff) | exponent << 23;
    if (both->options->wide && type == SCALAR_BF16)
        return (bits & 0x807f) | exponent << 7;
    if (type == SCALAR_F32)
        return (bits & 0x83ffffff) | 0x3c000000;
    if (type == SCALAR_BF16)
        return (bits & 0x83ff) | 0x3c00;
    if (type == SCALAR_I32 && kind < 8)
        return (uint32_t)((int32_t)bits >> (bits % 32));
    return bits;
}

static bool is_nan(Scalar type, uint32_t bits)
{
    enum { INFINITY_BITS = 0x7f800000 };
    if (scalar_is_integer(type))
        return false;
    return (scalar_to_f32(type, scalar_wrap(type, bits)) & 0x7fffffff) > INFINITY_BITS;
}

static void draw(Both *both, Array *array, bool is_index, SmallRng *rng)
{
    for (int64_t i = 0; i < array->count; i++) {
        uint32_t bits = draw_bits(both, array->type, rng);
        if (both->avoids_nans && is_nan(array->type, bits))
            bits = 0;
        // Collect pads with +0, and the sum of that and -0 is +0.
        if (both->options->neutral && array->type == SCALAR_F32 && bits == MINUS_ZERO)
            bits = 0;
        array->bits[i] = scalar_wrap(array->type, is_index ? bits % INDEX_VALUES : bits);
        array->live[i] = is_index || small_rng_next_u32(rng) % 100 >= both->unwritten;
    }
}

static bool is_index(const Program *program, const Tensor *tensor)
{
    for (int64_t i = 0; i < program->ops.count; i++)
        if (program->ops.items[i]->index)
            return tensor->type == SCALAR_I32;
    return false;
}

// Which positions of a shape are not padding. NULL: no memory.
static const uint8_t *find_cells(Both *both, const Mapping *mapping)
{
    Array *whole = array_new(SCALAR_I8, mapping);
    Values cells = values_new(both, mapping->size);
    if (whole)
        memset(whole->live, 1, (size_t)whole->count);
    bool is_read = whole && array_read_positions(whole, mapping, cells.bits, cells.live);
    array_free(whole);
    return is_read ? cells.live : NULL;
}

// The reduction of the pass that reads a tensor. NULL: there is none.
static const Stage *reduction_of(const Program *program, const Tensor *tensor)
{
    for (int64_t i = 0; i < program->ops.count; i++) {
        const Pass *pass = program->ops.items[i]->pass;
        if (!pass || !pass->stages.items[0]->sources[0] ||
            pass->stages.items[0]->sources[0]->tensor != tensor)
            continue;
        for (int64_t k = 0; k < pass->stages.count; k++) {
            StageKind kind = pass->stages.items[k]->kind;
            if (kind == STAGE_VECTOR_INTRA_REDUCE || kind == STAGE_VECTOR_INTER_REDUCE)
                return pass->stages.items[k];
        }
    }
    return NULL;
}

// What a reduction leaves as it is, of i32 and f32.
static uint32_t neutral_of(const Stage *stage)
{
    bool is_float = stage->type == SCALAR_F32;
    const char *name = vector_ops[stage->op].name;
    if (!strncmp(name, "Max", 3))
        return is_float ? 0xff800000 : 0x80000000;
    if (!strncmp(name, "Min", 3))
        return is_float ? 0x7f800000 : 0x7fffffff;
    if (!strncmp(name, "Mul", 3) && is_float)
        return 0x3f800000;
    return is_float ? 0x80000000 : 0; // +0 would make +0 of -0
}

// What lies at padding counts for nothing: infinities and NaNs would show if it did. Where the
// program says that it holds neutral elements, it does. Whoever reads padding as an element has no
// value, which the device can know only where nobody wrote it.
static void fill_padding(Both *both, const Tensor *tensor, const Mapping *mapping, Values *values,
                         SmallRng *rng)
{
    const uint8_t *cells = find_cells(both, mapping);
    const Stage *stage = both->options->neutral ? reduction_of(both->program, tensor) : NULL;
    for (int64_t i = 0; cells && i < values->count; i++)
        if (!cells[i]) {
            uint32_t bits = stage ? neutral_of(stage) : small_rng_next_u32(rng) | 0x7f800000;
            values->bits[i] = scalar_wrap(tensor->type, bits);
            values->live[i] = both->fills_memory;
        }
}

// Where position `at` of a view is in its tensor.
static int64_t position_in_tensor(const View *view, int64_t at)
{
    int64_t position = 0, scale = 1;
    for (Level level = LEVEL_COUNT; level-- > 0;) {
        if (!view->dims[level])
            continue;
        int64_t size = view->dims[level]->mapping.size;
        position += (at % size + view->offsets[level].value) * scale;
        at /= size;
        scale *= level_size(view->tensor, level);
    }
    return position;
}

// A tile may reach beyond the end of a padded axis or group: it has cells there, and its tensor has
// padding, of which nobody knows what the device finds there.
static bool reaches_padding(Both *both, const View *view)
{
    if (!view || !view->tiles.count)
        return false;
    Mapping part = shape_of(both->arena, view->dims);
    Mapping whole = shape_of(both->arena, view->tensor->dims);
    const uint8_t *cells = find_cells(both, &part), *places = find_cells(both, &whole);
    for (int64_t i = 0; cells && places && i < part.size; i++)
        if (cells[i] && !places[position_in_tensor(view, i)])
            return true;
    return false;
}

// Some of what a move fills comes from padding, as between the positions of `[D, 1 # 8] % 20` that
// `[D, 1 # 8]` repeats.
static bool repeats_padding(Both *both, const View *source, const Dim *const target[LEVEL_COUNT])
{
    Mapping from = shape_of(both->arena, source->dims), to = shape_of(both->arena, target);
    Values found = values_new(both, to.size);
    Array *all = array_new(SCALAR_I8, &from), *moved = array_new(SCALAR_I8, &to);
    const uint8_t *cells = find_cells(both, &to);
    bool repeats = false;
    if (all)
        memset(all->live, 1, (size_t)all->count);
    if (all && moved && cells &&
        array_move_part(&(ArrayView){.array = all, .mapping = from},
                        &(ArrayView){.array = moved, .mapping = to}) &&
        array_read_positions(moved, &to, found.bits, found.live))
        for (int64_t i = 0; i < to.size && !repeats; i++)
            repeats = cells[i] && !found.live[i];
    array_free(all);
    array_free(moved);
    return repeats;
}

static bool is_reduction(const Stage *stage)
{
    return stage->kind == STAGE_VECTOR_INTRA_REDUCE || stage->kind == STAGE_VECTOR_INTER_REDUCE ||
           stage->kind == STAGE_ACCUMULATE;
}

static bool depends_on_order(const Stage *stage)
{
    bool is_vector = stage->kind != STAGE_ACCUMULATE;
    return is_reduction(stage) && (stage->type == SCALAR_F32 ||
                                   (is_vector && !strcmp(vector_ops[stage->op].name, "AddSat")));
}

static bool has_stage(const Program *program, bool (*is_one)(const Stage *stage))
{
    for (int64_t i = 0; i < program->ops.count; i++) {
        const Pass *pass = program->ops.items[i]->pass;
        for (int64_t k = 0; pass && k < pass->stages.count; k++)
            if (is_one(pass->stages.items[k]))
                return true;
    }
    return false;
}

// Whether padding of the tensor may have been written. Operations write it.
static bool has_written_padding(const Both *both, const View *view)
{
    return view && (view->tensor->origin != ORIGIN_PARAM || both->fills_memory);
}

static bool moves_padding(Both *both, const Op *op)
{
    return (has_written_padding(both, op->index) && reaches_padding(both, op->index)) ||
           (has_written_padding(both, op->source) &&
            (reaches_padding(both, op->source) ||
             (op->target && !op->index && repeats_padding(both, op->source, op->target->dims))));
}

// The mask of a fetch gives a value to what a tile reaches of padding.
static bool fetches_padding(Both *both, const Pass *pass)
{
    const Stage *begin = pass->stages.items[0], *fetch = pass->stages.items[1];
    for (int i = 0; i < 2; i++)
        if (reaches_padding(both, begin->sources[i]) ||
            (has_written_padding(both, begin->sources[i]) &&
             repeats_padding(both, begin->sources[i], fetch->dims)))
            return true;
    return false;
}

static bool reads_padding(Both *both)
{
    for (int64_t i = 0; i < both->program->ops.count; i++) {
        const Op *op = both->program->ops.items[i];
        if (op->pass ? fetches_padding(both, op->pass) : moves_padding(both, op))
            return true;
    }
    return false;
}

// Padding with a neutral element leaves every number as it is, but not every NaN: the largest of a
// NaN and -infinity is -infinity. The oracle passes padding over.
static bool reduces_floats_beside_padding(Both *both, const Stage *stage)
{
    if (stage->type != SCALAR_F32 || !is_reduction(stage) || stage->kind == STAGE_ACCUMULATE)
        return false;
    Mapping stream = shape_of(both->arena, stage->before->dims);
    const uint8_t *cells = find_cells(both, &stream);
    return !cells || memchr(cells, 0, (size_t)stream.size);
}

static bool must_avoid_nans(Both *both)
{
    for (int64_t i = 0; i < both->program->ops.count; i++) {
        const Pass *pass = both->program->ops.items[i]->pass;
        for (int64_t k = 0; pass && k < pass->stages.count; k++)
            if (reduces_floats_beside_padding(both, pass->stages.items[k]))
                return true;
    }
    return false;
}

static bool make_inputs(Both *both)
{
    SmallRng rng = small_rng_seed_from_u64(both->options->seed);
    for (int64_t i = 0; i < both->program->tensors.count; i++) {
        const Tensor *tensor = both->program->tensors.items[i];
        if (tensor->origin != ORIGIN_PARAM)
            continue;
        Mapping mapping = shape_of(both->arena, tensor->dims);
        Array *array = array_new(tensor->type, &mapping);
        both->arrays[i] = array;
        both->given[i] = values_new(both, mapping.size);
        if (!array || !oracle_bind(both->oracle, tensor, array))
            return false;
        draw(both, array, is_index(both->program, tensor), &rng);
        Values *values = &both->given[i];
        if (!array_read_positions(array, &mapping, values->bits, values->live))
            return false;
        fill_padding(both, tensor, &mapping, values, &rng);
    }
    return true;
}

static bool give_inputs(Both *both, Device *device)
{
    for (int64_t i = 0; i < both->program->tensors.count; i++) {
        const Values *values = &both->given[i];
        if (!values->bits)
            continue;
        HwArgument argument = argument_of(both, both->program->tensors.items[i]);
        if (device_positions(&argument) != values->count ||
            !device_put(device, &argument, values->bits, values->live))
            return false;
    }
    return true;
}

// ---- comparing

static const Tensor *target_of(const Op *op)
{
    const Pass *pass = op->pass;
    if (!pass)
        return op->target ? op->target->tensor : NULL;
    const Stage *last = pass->stages.items[pass->stages.count - 1];
    return last->result ? last->result : last->target ? last->target->tensor : NULL;
}

static Values read_device(Both *both, Device *device, const Tensor *tensor)
{
    HwArgument argument = argument_of(both, tensor);
    Values values = values_new(both, device_positions(&argument));
    device_get(device, &argument, values.bits, values.live);
    return values;
}

// Where `cells` has none is padding, NULL: nothing is.
static bool compare(Both *both, const Values *seen, const Values *wanted, const uint8_t *cells,
                    bool exact, const char *what)
{
    int64_t found = -1, wrong = 0;
    for (int64_t i = 0; i < wanted->count; i++) {
        bool same = wanted->live[i] ? seen->live[i] && seen->bits[i] == wanted->bits[i]
                                    : !exact || !seen->live[i] || (cells && !cells[i]);
        found = found < 0 && !same ? i : found;
        wrong += !same;
    }
    if (found < 0)
        return true;
    buf_format(both->why, "{}: position {} of {}: {08x}{} instead of {08x}{}, {} wrong\n", what,
               found, wanted->count, seen->bits[found], seen->live[found] ? "" : " (no value)",
               wanted->bits[found], wanted->live[found] ? "" : " (no value)", wrong);
    return false;
}

// Two i4 share a byte, of which the device knows only as a whole whether it was written.
static bool has_nibbles(const Program *program)
{
    bool any = false;
    for (int64_t i = 0; i < program->tensors.count; i++)
        any |= program->tensors.items[i]->type == SCALAR_I4;
    return any;
}

static bool compare_with_oracle(Both *both, const Tensor *tensor, const Values *seen,
                                const char *what)
{
    Mapping mapping = shape_of(both->arena, tensor->dims);
    Values wanted = values_new(both, mapping.size);
    Array *array = oracle_array(both->oracle, tensor);
    if (!array || !array_read_positions(array, &mapping, wanted.bits, wanted.live))
        return true;
    const uint8_t *cells = both->exact ? find_cells(both, &mapping) : NULL;
    return compare(both, seen, &wanted, cells, both->exact, what);
}

static bool compare_all(Both *both)
{
    const Program *program = both->program;
    char what[64];
    for (int64_t i = 0; i < program->ops.count; i++) {
        const Op *op = program->ops.items[i];
        const Tensor *target = target_of(op);
        if (!target || both->last[target->id] != i)
            continue; // the oracle knows only what it holds in the end
        snprintf(what, sizeof what, "operation %" PRId64 " (%.30s)", i,
                 op->method ? op->method : "pass");
        if (!compare_with_oracle(both, target, &both->seen[i], what))
            return false;
    }
    for (int64_t i = 0; i < program->results.count; i++) {
        snprintf(what, sizeof what, "result %" PRId64, i);
        if (!compare_with_oracle(both, program->results.items[i],
                                 &both->seen[program->ops.count + i], what))
            return false;
    }
    return true;
}

// ---- running

static bool is_small(const Program *program)
{
    for (int64_t i = 0; i < program->tensors.count; i++) {
        int64_t size;
        if (!shape_size(program->tensors.items[i]->dims, &size) || size > MOST_POSITIONS)
            return false;
    }
    return program->ops.count > 0 && !program->open.count;
}

static int64_t chips_of(const Program *program)
{
    int64_t chips = program->chips.known ? program->chips.value : 1;
    for (int64_t i = 0; i < program->tensors.count; i++)
        chips = max_i64(chips, level_size(program->tensors.items[i], LEVEL_CHIP));
    return chips;
}

static bool lower_both(Both *both)
{
    Arena scratch = {.on_oom = both->arena->on_oom}; // costing operations empties it
    Lower lower = {.arena = both->arena,
                   .scratch = &scratch,
                   .diags = &both->diags,
                   .machine = both->options->machine,
                   .program = both->program};
    bool is_lowered = lower_place(&lower, both->program) &&
                      lower_program(&lower, both->options->sources, &both->object);
    both->object.chips = chips_of(both->program);
    arena_release(&scratch);
    return is_lowered;
}

static bool is_admitted(Both *both)
{
    return object_verify(str_from(both->program->name), &both->object, both->options->machine,
                         &verify_limits, &both->diags);
}

static void report(Both *both)
{
    diag_render_text(both->why, both->options->sources, &both->diags, DIAG_PLAIN);
}

// The first way fills `seen`; any other must see the same.
static bool look(Both *both, Device *device, const Way *way, const Tensor *tensor, int64_t number)
{
    char what[64];
    Values seen = read_device(both, device, tensor);
    snprintf(what, sizeof what, "operation %" PRId64 ", %" PRId64 " threads, %s", number,
             way->threads, isa_name(way->isa));
    if (both->seen[number].bits)
        return compare(both, &seen, &both->seen[number], NULL, true, what);
    both->seen[number] = seen;
    return true;
}

static int64_t execute_one(Device *device, DeviceProgram *program, int64_t number, DiagList *diags)
{
    return device_execute(device, program, number, diags);
}

static Agreement execute(Both *both, Device *device, const Way *way)
{
    const Program *program = both->program;
    bool same = true;
    for (int64_t i = 0, done; i < program->ops.count && same; i += done) {
        done = (way->joined ? device_execute_joined : execute_one)(device, both->ready, i,
                                                                   &both->diags);
        if (!done)
            return AGREE_ENDED;
        const Tensor *target = target_of(program->ops.items[i + done - 1]);
        same = !target || look(both, device, way, target, i + done - 1);
    }
    for (int64_t i = 0; i < program->results.count && same; i++)
        same = look(both, device, way, program->results.items[i], program->ops.count + i);
    return same ? AGREE_SAME : AGREE_DIFFERENT;
}

static Agreement run_way(Both *both, const Way *way)
{
    Device *device = device_new(both->options->machine, chips_of(both->program));
    Agreement end = AGREE_LEFT_OUT;
    both->ready = device_program_new(&both->object);
    if (device && both->ready) {
        device_use_threads(device, way->threads);
        sets_use(device, way->isa);
        if (way->part)
            device_use_part(device, way->part);
        if (give_inputs(both, device))
            end = execute(both, device, way);
    }
    device_program_free(both->ready);
    device_free(device);
    return end;
}

static Agreement run_ways(Both *both)
{
    static const Way first = {1, ISA_PLAIN, SMALL_PART, false};
    Agreement end = run_way(both, &first);
    for (Isa isa = 0; isa < ISA_COUNT && end == AGREE_SAME; isa++)
        for (int64_t threads = 1; threads <= MOST_THREADS && end == AGREE_SAME; threads++) {
            Way way = {threads, isa, 0, true};
            bool is_wanted = both->options->all_ways || (threads == 1 && isa != ISA_PLAIN);
            if (isa_is_here(isa) && is_wanted)
                end = run_way(both, &way);
        }
    return end;
}

static void free_oracle(Both *both)
{
    for (int64_t i = 0; i < both->program->tensors.count; i++) {
        array_free(both->arrays[i]);
        both->arrays[i] = NULL;
    }
    oracle_free(both->oracle);
    both->oracle = NULL;
}

// With the inputs as they come with the call. False: no memory.
static bool make_oracle(Both *both, Numerics numerics)
{
    OracleOptions options = {.numerics = numerics, .threads = 1};
    free_oracle(both);
    both->oracle = oracle_new(both->program, &options, &both->diags);
    return both->oracle && make_inputs(both);
}

static bool agrees_in_sequence(Both *both)
{
    if (!both->options->sequential || has_stage(both->program, depends_on_order))
        return true;
    bool same =
        make_oracle(both, NUMERICS_SEQUENTIAL) && oracle_run(both->oracle) && compare_all(both);
    if (!same)
        buf_format(both->why, "with --numerics=sequential\n");
    return same;
}

static Agreement run_both(Both *both)
{
    bool finished = oracle_run(both->oracle);
    Agreement end = run_ways(both);
    if (end == AGREE_SAME && finished)
        end = compare_all(both) && agrees_in_sequence(both) ? AGREE_SAME : AGREE_DIFFERENT;
    else if (end == AGREE_SAME || (end == AGREE_ENDED && finished)) {
        buf_format(both->why, "only the {} finishes\n", finished ? "oracle" : "device");
        end = AGREE_DIFFERENT;
    }
    if (end == AGREE_ENDED || end == AGREE_DIFFERENT)
        report(both);
    return end;
}

Agreement agree_program(Arena *arena, Program *program, const AgreeOptions *options, StrBuf *why)
{
    Both both = {.arena = arena, .options = options, .program = program, .why = why};
    size_t tensors = (size_t)program->tensors.count + 1, targets = 1;
    both.diags.arena = arena;
    both.unwritten = has_nibbles(program) ? 0 : options->unwritten;
    if (!is_small(program))
        return AGREE_LEFT_OUT;
    both.fills_memory = options->neutral || !options->exact;
    bool reads_some = reads_padding(&both);
    if (reads_some && has_stage(program, is_reduction))
        return AGREE_LEFT_OUT;
    both.exact = options->exact && !has_nibbles(program) && !reads_some;
    if (!lower_both(&both)) {
        report(&both);
        return AGREE_REFUSED;
    }
    if (!is_admitted(&both)) {
        report(&both);
        return AGREE_DIFFERENT;
    }
    both.avoids_nans = must_avoid_nans(&both);
    both.arrays = arena_new(arena, Array *, tensors);
    both.given = arena_new(arena, Values, tensors);
    both.last = arena_new(arena, int64_t, tensors);
    targets += (size_t)(program->ops.count + program->results.count);
    both.seen = arena_new(arena, Values, targets);
    for (int64_t i = 0; i < program->ops.count; i++) {
        const Tensor *target = target_of(program->ops.items[i]);
        if (target)
            both.last[target->id] = i;
    }
    Agreement end = make_oracle(&both, NUMERICS_TREE) ? run_both(&both) : AGREE_LEFT_OUT;
    free_oracle(&both);
    return end;
}

static void place_tensors(Both *both)
{
    for (int64_t i = 0; i < both->object.tensors.count; i++) {
        HwTensor *out = &both->object.tensors.items[i];
        HwArgument place = argument_of(both, both->program->tensors.items[out->number]);
        out->address = place.address;
        out->bytes = ceil_div(place.rows * place.elements * place.element_bits, 8);
        out->chips = place.chips;
        out->clusters = place.clusters;
        out->slices = place.slices;
    }
}

bool agree_lower(Arena *arena, Program *program, const AgreeOptions *options, HwObject *object)
{
    Both both = {.arena = arena, .options = options, .program = program};
    both.diags.arena = arena;
    if (!is_small(program) || !lower_both(&both) || !is_admitted(&both))
        return false;
    place_tensors(&both);
    *object = both.object;
    return true;
}
