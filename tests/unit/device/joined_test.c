// Passes that slices go through one by one compute what passes one behind the other compute: those
// of random programs in any order, again and again, on memories full of random bytes.
#include "mix.h"

#include "base/checked.h"
#include "device/verify.h"
#include "shrink.h"
#include "test.h"

#include <inttypes.h>

enum { CASES = 120, DRAWN = 3, OPERATIONS = 24, MOST_POSITIONS = 1 << 21, THREADS = 2 };

static bool is_pass(const HwOperation *operation)
{
    return operation->commands.count == 1 && operation->commands.items[0].pass;
}

// Another pass that fetches and commits elsewhere: there are few places, so that they meet.
static HwOperation moved(Arena *arena, const HwOperation *from, Choices *choices)
{
    enum { PLACES = 3, APART = 1 << 12 };
    HwOperation out = *from;
    HwCommand *command = arena_new(arena, HwCommand, 1);
    HwPipeline *pass = arena_new(arena, HwPipeline, 1);
    *pass = *from->commands.items[0].pass;
    *command = (HwCommand){.pass = pass};
    out.commands.items = command;
    if (pass->fetch.bases.count == 1) {
        int64_t *base = arena_new(arena, int64_t, 1);
        *base = pass->fetch.nest.base = choose(choices, PLACES) * APART;
        pass->fetch.bases.items = base;
    }
    if (pass->commit) {
        HwCommit *commit = arena_new(arena, HwCommit, 1);
        *commit = *pass->commit;
        commit->nest.base = choose(choices, PLACES) * APART;
        pass->commit = commit;
    }
    return out;
}

// Any of the passes, as often as it comes.
static HwObject passes_of(Arena *arena, const HwObject *from, Choices *choices)
{
    HwObject out = *from;
    const HwOperation **passes =
        arena_new(arena, const HwOperation *, (size_t)from->operations.count + 1);
    int64_t count = 0;
    out.operations.items = NULL;
    out.operations.count = out.operations.capacity = 0;
    for (int64_t i = 0; i < from->operations.count; i++)
        if (is_pass(&from->operations.items[i]))
            passes[count++] = &from->operations.items[i];
    for (int64_t i = 0; count && i < OPERATIONS; i++)
        *array_push(arena, &out.operations, HwOperation) =
            moved(arena, passes[choose(choices, count)], choices);
    return out;
}

static bool put_all(Device *device, const MixMemory *memory)
{
    bool ok = true;
    for (int64_t i = 0, at = 0; i < memory->places.count && ok; i++) {
        const HwArgument *place = &memory->places.items[i];
        ok = device_put(device, place, memory->bits + at, memory->live + at);
        at += device_positions(place);
    }
    return ok;
}

// How many operations went with one before them; -1: it could not be finished.
static int64_t run_joined(Arena *arena, Device *device, DeviceProgram *program, int64_t count)
{
    DiagList diags = {.arena = arena};
    int64_t joined = 0;
    for (int64_t i = 0, done; i < count; i += done) {
        done = device_execute_joined(device, program, i, &diags);
        if (!done)
            return -1;
        joined += done - 1;
    }
    return joined;
}

static int64_t check_object(Arena *arena, const Machine *machine, const HwObject *object,
                            uint64_t seed)
{
    MixMemory before = mix_memory(arena, object, seed), wanted, after;
    DeviceProgram *program = device_program_new(object);
    Device *device = device_new(machine, object->chips);
    int64_t joined = 0;
    assert_true(program && device);
    DiagList refused = {.arena = arena};
    if (before.positions <= MOST_POSITIONS &&
        object_verify(STR(""), object, machine, &verify_limits, &refused) &&
        mix_execute(arena, machine, program, object, NULL, &before, &wanted) == MIX_DONE) {
        device_use_threads(device, 1 + (int64_t)(seed % THREADS));
        assert_true(put_all(device, &before));
        joined = run_joined(arena, device, program, object->operations.count);
        assert_true(joined >= 0);
        after = wanted;
        after.bits = arena_new(arena, uint32_t, (size_t)before.positions + 1);
        after.live = arena_new(arena, uint8_t, (size_t)before.positions + 1);
        for (int64_t i = 0, at = 0; i < after.places.count; i++) {
            device_get(device, &after.places.items[i], after.bits + at, after.live + at);
            at += device_positions(&after.places.items[i]);
        }
        Str difference = mix_difference(arena, &wanted, &after);
        if (difference.len)
            fail_msg("CONTRA_TEST_SEED=%" PRIu64 ": %.*s", seed, STR_ARG(difference));
    }
    device_free(device);
    device_program_free(program);
    return joined;
}

// Whether packets go from slice to slice: they are what can go wrong.
static bool has_route(const HwObject *object)
{
    for (int64_t i = 0; i < object->operations.count; i++)
        if (is_pass(&object->operations.items[i]) &&
            object->operations.items[i].commands.items[0].pass->route)
            return true;
    return false;
}

TEST(joined_passes_are_passes)
{
    Trials trials = {0};
    Arena arena = {0};
    int64_t cases = max_i64(1, (int64_t)(CASES * test_scale())), operations = 0, joined = 0;
    trials_open(&trials);
    for (int64_t i = 0; i < cases; i++) {
        uint64_t seed = test_seed() + (uint64_t)i;
        Choices choices = choices_of_seed(seed);
        const HwObject *mixed = mix_object(&trials, &trials.few, &choices, DRAWN);
        arena_clear(&arena);
        if (!mixed || (!has_route(mixed) && !chance(&choices, 10)))
            continue;
        HwObject object = passes_of(&arena, mixed, &choices);
        operations += object.operations.count;
        joined += check_object(&arena, &trials.few, &object, seed);
    }
    print_message("%" PRId64 " passes, %" PRId64 " went with the one before\n", operations, joined);
    assert_true(cases < CASES || 10 * joined > operations);
    arena_release(&arena);
    trials_close(&trials);
}
