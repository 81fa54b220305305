// Arguments in and out of the memories: what was put is what is there, of all types, in all tiers,
// with holes, in small and large.
#include "device/internal.h"

#include "base/checked.h"
#include "sample.h"
#include "shrink.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    uint32_t *bits;
    uint8_t *live;
} Values;

static Values values_new(int64_t count)
{
    Values values = {calloc((size_t)count, sizeof(uint32_t)), calloc((size_t)count, 1)};
    assert_non_null(values.bits);
    assert_non_null(values.live);
    return values;
}

static void values_free(Values *values)
{
    free(values->bits);
    free(values->live);
}

static void draw(Rng *rng, Scalar type, Values *values, int64_t count)
{
    int64_t holes = rng_chance(rng, 50) ? 0 : 1 + rng_below(rng, 60);
    for (int64_t i = 0; i < count; i++) {
        values->bits[i] = scalar_wrap(type, (uint32_t)rng_next(rng));
        values->live[i] = !rng_chance(rng, holes);
    }
}

static HwArgument draw_argument(Rng *rng)
{
    static const Tier in_memory[] = {TIER_HOST, TIER_HBM, TIER_DM, TIER_VRF};
    HwArgument out = {.tier = in_memory[rng_below(rng, COUNT_OF(in_memory))],
                      .chips = 1 + rng_below(rng, 2),
                      .clusters = 1,
                      .slices = 1,
                      .rows = 1,
                      .tensor = 3};
    do
        out.type = (Scalar)rng_below(rng, SCALAR_COUNT);
    while (scalar_traits[out.type].storage_bits != scalar_traits[out.type].packet_bits);
    out.element_bits = scalar_traits[out.type].storage_bits;
    bool in_slices = out.tier == TIER_DM || out.tier == TIER_VRF;
    if (in_slices) {
        out.clusters = 1 + rng_below(rng, 2);
        out.slices = 1 + rng_below(rng, 20);
    }
    if (out.tier == TIER_HOST)
        out.chips = 1;
    out.elements = 1 + rng_below(rng, in_slices ? 500 : rng_chance(rng, 20) ? 200000 : 3000);
    out.address = out.tier == TIER_HOST ? -1 : rng_below(rng, 100);
    return out;
}

// A half byte without a value has one if the other half of its byte does.
static bool is_live(const HwArgument *argument, const Values *values, int64_t at)
{
    int64_t element = at % argument->elements, other = element ^ 1;
    bool shares = argument->element_bits < 8 && other < argument->elements;
    return values->live[at] || (shares && values->live[at - element + other]);
}

static void expect_values(const Device *device, const HwArgument *argument, const Values *wanted)
{
    int64_t count = device_positions(argument);
    Values seen = values_new(count);
    device_get(device, argument, seen.bits, seen.live);
    for (int64_t i = 0; i < count; i++) {
        assert_int_equal(seen.live[i], is_live(argument, wanted, i));
        if (seen.live[i])
            assert_int_equal(seen.bits[i], wanted->bits[i]);
    }
    values_free(&seen);
}

static void expect_forgotten(Device *device, const HwArgument *argument)
{
    int64_t count = device_positions(argument);
    Values none = values_new(count);
    device_forget_argument(device, argument);
    expect_values(device, argument, &none);
    values_free(&none);
}

static void expect_bytes(Device *device, const HwArgument *argument, const Values *values)
{
    int64_t count = device_positions(argument), size = count * argument->element_bits / 8;
    if (argument->elements * argument->element_bits % 8) {
        assert_false(device_put_bytes(device, argument, values->bits, size));
        return;
    }
    uint8_t *bytes = malloc((size_t)size), *back = malloc((size_t)size);
    assert_non_null(bytes);
    assert_non_null(back);
    scalar_pack(argument->type, values->bits, count, bytes, 0);
    assert_false(device_put_bytes(device, argument, bytes, size + 1));
    assert_true(device_put_bytes(device, argument, bytes, size));
    memset(values->live, 1, (size_t)count);
    expect_values(device, argument, values);
    assert_true(device_get_bytes(device, argument, back, size));
    assert_memory_equal(back, bytes, (size_t)size);
    expect_forgotten(device, argument);
    assert_false(device_get_bytes(device, argument, back, size));
    free(bytes);
    free(back);
}

// Everything has a value before: what has none afterwards lost it.
static void fill(Device *device, const HwArgument *argument)
{
    int64_t count = device_positions(argument);
    Values values = values_new(count);
    memset(values.live, 1, (size_t)count);
    assert_true(device_put(device, argument, values.bits, values.live));
    values_free(&values);
}

TEST(arguments_come_back)
{
    Rng rng = {test_seed()};
    Device *device = device_new(&machine_rngd, 2);
    assert_non_null(device);
    int64_t cases = max_i64(5, (int64_t)(300 * test_scale()));
    for (int64_t i = 0; i < cases; i++) {
        HwArgument argument = draw_argument(&rng);
        int64_t count = device_positions(&argument);
        Values values = values_new(count);
        device_use_threads(device, 1 + rng_below(&rng, 3));
        draw(&rng, argument.type, &values, count);
        fill(device, &argument);
        assert_true(device_put(device, &argument, values.bits, values.live));
        expect_values(device, &argument, &values);
        expect_forgotten(device, &argument);
        expect_bytes(device, &argument, &values);
        values_free(&values);
    }
    device_free(device);
}

// Two arguments side by side: neither touches the other.
TEST(neighbours_stay)
{
    enum { COUNT = 5 };
    Device *device = device_new(&machine_rngd, 1);
    assert_non_null(device);
    HwArgument left = {.tier = TIER_HBM,
                       .type = SCALAR_I8,
                       .element_bits = 8,
                       .chips = 1,
                       .clusters = 1,
                       .slices = 1,
                       .rows = 1,
                       .elements = COUNT};
    HwArgument right = left;
    left.address = 3;
    right.address = 3 + COUNT;
    const uint32_t ones[COUNT] = {1, 2, 3, 4, 5}, twos[COUNT] = {6, 7, 8, 9, 10};
    const uint8_t live[COUNT] = {1, 1, 1, 1, 1}, some[COUNT] = {0, 1, 0, 1, 0};
    const Values first = {(uint32_t *)(uintptr_t)ones, (uint8_t *)(uintptr_t)live};
    const Values second = {(uint32_t *)(uintptr_t)twos, (uint8_t *)(uintptr_t)some};
    assert_true(device_put(device, &left, ones, live));
    assert_true(device_put(device, &right, twos, some));
    expect_values(device, &left, &first);
    expect_values(device, &right, &second);
    device_forget_argument(device, &left);
    expect_values(device, &right, &second);
    assert_true(device_put(device, &left, ones, live));
    expect_forgotten(device, &right);
    expect_values(device, &left, &first);
    device_begin(device); // HBM stays
    expect_values(device, &left, &first);
    device_free(device);
}
