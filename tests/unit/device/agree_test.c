// The two executors on the same programs and the same inputs: wherever the oracle has a value, the
// device has the same one, bit for bit, after every operation. AGREE_ONLY=NAME in the environment
// takes only programs with that in their name.
#include "device/device.h"
#include "device/verify.h"

#include "api/state.h"
#include "base/checked.h"
#include "engine/lower.h"
#include "engine/trf.h"
#include "oracle/oracle.h"
#include "shrink.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST_POSITIONS = 1 << 24 };

// Values at the positions of a tensor.
typedef struct {
    uint32_t *bits;
    uint8_t *live;
    int64_t count;
} Values;

typedef struct {
    Arena arena;
    int64_t programs, agreed, skipped;
} Tally;

// One program on both.
typedef struct {
    Arena *arena;
    Contra *contra;
    DiagList diags;
    Program *program;
    HwObject object;
    Oracle *oracle;
    Device *device;
    DeviceProgram *ready;
    Array **arrays; // by tensor; of parameters
    Values *seen;   // by operation: what its target held on the device behind it
    uint8_t *writers;
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
        *layout = trf_layout(&both->contra->machine, tensor);
        out.trf = layout;
    }
    return out;
}

static Values values_new(int64_t count)
{
    Values values = {calloc((size_t)count + 1, sizeof(uint32_t)), calloc((size_t)count + 1, 1),
                     count};
    assert_non_null(values.bits);
    assert_non_null(values.live);
    return values;
}

static void values_free(Values *values)
{
    free(values->bits);
    free(values->live);
}

// ---- inputs

// Any bits of any type, but of indices: those stay small, so that they mean something.
static void draw(Array *array, bool is_index, SmallRng *rng)
{
    for (int64_t i = 0; i < array->count; i++) {
        uint32_t bits = small_rng_next_u32(rng);
        if (is_index)
            bits %= 8;
        else if (array->type == SCALAR_F32 && bits % 16)
            bits = (bits & 0x83ffffff) | 0x3c000000; // mostly of a size that sums round
        array->bits[i] = scalar_wrap(array->type, bits);
        array->live[i] = 1;
    }
}

static bool is_index(const Program *program, const Tensor *tensor)
{
    for (int64_t i = 0; i < program->ops.count; i++)
        if (program->ops.items[i]->index)
            return tensor->type == SCALAR_I32;
    return false;
}

// What lies at padding counts for nothing: infinities and NaNs would show if it did.
static void spoil_padding(Scalar type, Values *values, SmallRng *rng)
{
    for (int64_t i = 0; i < values->count; i++)
        if (!values->live[i]) {
            values->bits[i] = scalar_wrap(type, small_rng_next_u32(rng) | 0x7f800000);
            values->live[i] = 1;
        }
}

static void give_inputs(Both *both)
{
    SmallRng rng = small_rng_seed_from_u64(7);
    for (int64_t i = 0; i < both->program->tensors.count; i++) {
        const Tensor *tensor = both->program->tensors.items[i];
        if (tensor->origin != ORIGIN_PARAM)
            continue;
        Mapping mapping = shape_of(both->arena, tensor->dims);
        Array *array = array_new(tensor->type, &mapping);
        assert_non_null(array);
        draw(array, is_index(both->program, tensor), &rng);
        both->arrays[tensor->id] = array;
        oracle_bind(both->oracle, tensor, array);
        HwArgument argument = argument_of(both, tensor);
        Values values = values_new(mapping.size);
        assert_true(array_read_positions(array, &mapping, values.bits, values.live));
        assert_int_equal(device_positions(&argument), mapping.size);
        spoil_padding(tensor->type, &values, &rng);
        assert_true(device_put(both->device, &argument, values.bits, values.live));
        values_free(&values);
    }
}

// ---- comparing

static Values read_device(Both *both, const Tensor *tensor)
{
    HwArgument argument = argument_of(both, tensor);
    Values values = values_new(device_positions(&argument));
    device_get(both->device, &argument, values.bits, values.live);
    return values;
}

// The first position that differs; -1: none.
static int64_t difference(Both *both, const Tensor *tensor, const Values *seen, char *text,
                          size_t length)
{
    Mapping mapping = shape_of(both->arena, tensor->dims);
    Values wanted = values_new(mapping.size);
    Array *array = oracle_array(both->oracle, tensor);
    int64_t found = -1, wrong = 0;
    if (array && array_read_positions(array, &mapping, wanted.bits, wanted.live))
        for (int64_t i = 0; i < mapping.size; i++) {
            if (!wanted.live[i] || (seen->live[i] && seen->bits[i] == wanted.bits[i]))
                continue;
            if (found < 0)
                snprintf(text, length,
                         "position %" PRId64 " of %" PRId64 ": %08x instead of %08x%s", i,
                         mapping.size, seen->bits[i], wanted.bits[i],
                         seen->live[i] ? "" : " (no value)");
            found = found < 0 ? i : found;
            wrong++;
        }
    if (wrong) {
        size_t used = strlen(text);
        snprintf(text + used, length - used, ", %" PRId64 " wrong", wrong);
    }
    values_free(&wanted);
    return found;
}

static const Tensor *target_of(const Op *op)
{
    const Pass *pass = op->pass;
    if (!pass)
        return op->target ? op->target->tensor : NULL;
    const Stage *last = pass->stages.items[pass->stages.count - 1];
    return last->result ? last->result : last->target ? last->target->tensor : NULL;
}

static bool compare_all(Both *both)
{
    const Program *program = both->program;
    char text[256] = "";
    for (int64_t i = 0; i < program->ops.count; i++) {
        const Op *op = program->ops.items[i];
        const Tensor *target = target_of(op);
        if (!both->seen[i].bits || both->writers[target->id] != 1)
            continue;
        if (difference(both, target, &both->seen[i], text, sizeof text) >= 0) {
            print_message("%s: operation %" PRId64 " (%s): %s\n", program->name, i,
                          op->method ? op->method : "pass", text);
            return false;
        }
    }
    for (int64_t i = 0; i < program->results.count; i++) {
        const Tensor *result = program->results.items[i];
        Values seen = read_device(both, result);
        bool differs = difference(both, result, &seen, text, sizeof text) >= 0;
        values_free(&seen);
        if (differs) {
            print_message("%s: result %" PRId64 ": %s\n", program->name, i, text);
            return false;
        }
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
    return program->ops.count > 0;
}

static bool run_both(Both *both)
{
    const Program *program = both->program;
    for (int64_t i = 0; i < program->ops.count; i++) {
        const Tensor *target = target_of(program->ops.items[i]);
        if (!device_execute(both->device, both->ready, i, &both->diags))
            return false;
        if (target && both->writers[target->id]++ < 1)
            both->seen[i] = read_device(both, target);
    }
    return oracle_run(both->oracle);
}

static bool lower_both(Both *both)
{
    Lower lower = {.arena = both->arena,
                   .scratch = both->arena,
                   .diags = &both->diags,
                   .machine = &both->contra->machine,
                   .program = both->program};
    return lower_place(&lower, both->program) &&
           lower_program(&lower, &both->contra->sources, &both->object);
}

static int64_t chips_of(const Program *program);

// ---- the sanitizer

static void print_faults(const Both *both, int64_t operation)
{
    static const char *const kinds[FAULT_KINDS] = {"unwritten", "padding",    "left", "overwritten",
                                                   "outside",   "misaligned", "bank"};
    const DeviceFaults *faults = device_faults(both->device);
    for (int64_t i = 0; i < faults->count; i++) {
        const DeviceFault *fault = &faults->items[i];
        print_message("%s: operation %" PRId64 ": %s, %s chip %" PRId64 " cluster %" PRId64
                      " slice %" PRId64 " row %" PRId64 " address %" PRId64 ": %" PRId64
                      " (other %" PRId64 ")\n",
                      both->program->name, operation, kinds[fault->kind], tiers[fault->tier].name,
                      fault->chip, fault->cluster, fault->slice, fault->row, fault->address,
                      fault->bytes, fault->other);
    }
}

static void put_watched(Both *both, const Tensor *tensor)
{
    HwArgument argument = argument_of(both, tensor);
    Mapping mapping = shape_of(both->arena, tensor->dims);
    Values values = values_new(mapping.size);
    assert_true(array_read_positions(both->arrays[tensor->id], &mapping, values.bits, values.live));
    argument.storage = tensor->id;
    for (int64_t i = 0; i < mapping.size; i++)
        argument.live += values.live[i];
    assert_true(device_put(both->device, &argument, values.bits, values.live));
    values_free(&values);
}

// Operations of which a launch carries out some, and tensors that nobody fills: programs that are
// there to be checked.
static bool is_for_checking(const Program *program)
{
    bool is = false;
    for (int64_t i = 0; i < program->ops.count; i++)
        is |= program->ops.items[i]->choice != NULL;
    for (int64_t i = 0; i < program->tensors.count; i++)
        is |= program->tensors.items[i]->origin == ORIGIN_ADDRESS;
    return is;
}

// Twice, so that the second launch finds what the first left behind.
static bool is_clean(Both *both)
{
    const Program *program = both->program;
    bool clean = true;
    if (is_for_checking(program))
        return true;
    device_free(both->device);
    both->device = device_new(&both->contra->machine, chips_of(program));
    assert_non_null(both->device);
    assert_true(device_sanitize(both->device, true));
    for (int launch = 0; launch < 2; launch++) {
        device_begin(both->device);
        for (int64_t i = 0; i < program->tensors.count; i++)
            if (both->arrays[program->tensors.items[i]->id])
                put_watched(both, program->tensors.items[i]);
        for (int64_t i = 0; i < program->ops.count; i++) {
            assert_true(device_execute(both->device, both->ready, i, &both->diags));
            if (device_faults(both->device))
                print_faults(both, i);
            clean &= !device_faults(both->device);
        }
    }
    return clean;
}

static int64_t chips_of(const Program *program)
{
    int64_t chips = program->chips.known ? program->chips.value : 1;
    for (int64_t i = 0; i < program->tensors.count; i++)
        chips = max_i64(chips, level_size(program->tensors.items[i], LEVEL_CHIP));
    return chips;
}

static void report(Both *both)
{
    StrBuf out = {.arena = both->arena};
    diag_render_text(&out, &both->contra->sources, &both->diags, DIAG_PLAIN);
    print_message("%s:\n%.*s", both->program->name, STR_ARG(buf_str(&out)));
}

static void compare_program(Tally *tally, Contra *contra, Program *program)
{
    static const OracleOptions options = {.numerics = NUMERICS_TREE};
    Both both = {.arena = &tally->arena, .contra = contra, .program = program};
    both.diags.arena = &tally->arena;
    if (program->open.count || !is_small(program) || !lower_both(&both)) {
        tally->skipped++;
        arena_clear(&tally->arena);
        return;
    }
    both.object.chips = chips_of(program);
    tally->programs++;
    if (!object_verify(str_from(program->name), &both.object, &contra->machine, &verify_limits,
                       &both.diags)) {
        report(&both);
        arena_clear(&tally->arena);
        return;
    }
    size_t tensors = (size_t)program->tensors.count + 1, ops = (size_t)program->ops.count + 1;
    both.arrays = arena_new(both.arena, Array *, tensors);
    both.writers = arena_new(both.arena, uint8_t, tensors);
    both.seen = arena_new(both.arena, Values, ops);
    both.oracle = oracle_new(program, &options, &both.diags);
    both.device = device_new(&contra->machine, chips_of(program));
    assert_non_null(both.oracle);
    assert_non_null(both.device);
    both.ready = device_program_new(&both.object);
    assert_non_null(both.ready);
    give_inputs(&both);
    if (!run_both(&both))
        report(&both);
    else
        tally->agreed += compare_all(&both) && is_clean(&both);
    for (size_t i = 0; i < tensors; i++)
        array_free(both.arrays[i]);
    for (size_t i = 0; i < ops; i++)
        values_free(&both.seen[i]);
    oracle_free(both.oracle);
    device_program_free(both.ready);
    device_free(both.device);
    arena_clear(&tally->arena);
}

static void compare_folder(const char *path)
{
    Contra *contra = contra_new();
    Tally tally = {0};
    ContraCheckOptions options = {0};
    ContraCheckResult result;
    ContraText paths[] = {contra_text(path)};
    const char *only = getenv("AGREE_ONLY");
    int64_t step = max_i64(1, (int64_t)(1 / test_scale())); // sanitizers look at some of them
    contra_check(contra, paths, 1, &options, &result);
    for (int64_t i = 0; i < contra->programs.count; i++)
        if (only ? strstr(contra->programs.items[i]->name, only) != NULL : i % step == 0)
            compare_program(&tally, contra, contra->programs.items[i]);
    print_message("%s: %" PRId64 " of %" PRId64 " programs agree, %" PRId64 " left out\n", path,
                  tally.agreed, tally.programs, tally.skipped);
    arena_release(&tally.arena);
    contra_free(contra);
    assert_int_equal(tally.agreed, tally.programs);
}

static void kernels_agree(void **state)
{
    (void)state;
    compare_folder("tests/kernels");
}

static void examples_agree(void **state)
{
    (void)state;
    compare_folder("examples");
}

static void programs_agree(void **state)
{
    (void)state;
    compare_folder("tests/positive");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels_agree),
        cmocka_unit_test(examples_agree),
        cmocka_unit_test(programs_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
