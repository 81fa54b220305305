// Descriptors of one kind each: transposes of all sizes, long runs, half bytes, what ends early;
// and values that are written without a descriptor.
#include "dma_support.h"

#include "base/checked.h"
#include "sample.h"
#include "sets.h"
#include "shrink.h"

enum { HOST_TENSOR = 7, SLICES = 256 };

static const HwPlace hbm_0 = {.media = MEDIA_HBM, .chip = 0, .cluster = -1, .tensor = -1};
static const HwPlace hbm_1 = {.media = MEDIA_HBM, .chip = 1, .cluster = -1, .tensor = -1};

static Case *case_of(const HwDescriptor *descriptor, const HwDmaLoopEntry *loops, int64_t count)
{
    Case *out = calloc(1, sizeof *out);
    assert_non_null(out);
    out->descriptors[0] = *descriptor;
    memcpy(out->loops[0], loops, sizeof *loops * (size_t)count);
    out->descriptors[0].loops.items = out->loops[0];
    out->descriptors[0].loops.count = count;
    out->command.descriptors.items = out->descriptors;
    out->command.descriptors.count = 1;
    return out;
}

static void forget_some(Rng *rng, Memory *memory, int64_t bytes)
{
    memory_mark(memory, 0, bytes);
    for (int64_t i = rng_below(rng, 4); i > 0; i--) {
        int64_t from = rng_below(rng, bytes);
        memory_forget_part(memory, from, min_i64(bytes, from + 1 + rng_below(rng, 70)));
    }
}

static bool is_written(const Memory *memory, int64_t at)
{
    return memory->written[at / 8] >> at % 8 & 1;
}

// A transpose of elements of any size, in which a hole stays a hole.
static void transpose_of(Device *device, Rng *rng, int64_t bytes, int64_t rows, int64_t cols)
{
    const Memory *from = &device->chips[0].hbm, *to = &device->chips[1].hbm;
    int64_t all = rows * cols * bytes, base = rng_below(rng, 9);
    const HwDmaLoopEntry loops[] = {{rows, cols * bytes, bytes, 0, {0}},
                                    {cols, bytes, rows * bytes, 0, {0}}};
    HwDescriptor descriptor = {
        .source = hbm_0, .dest = hbm_1, .dest_base = base, .packet_bytes = bytes, .unit_bits = 8};
    Case *sample = case_of(&descriptor, loops, COUNT_OF(loops));
    for (int64_t i = 0; i < all; i++)
        from->bytes[i] = (uint8_t)rng_next(rng);
    memset(to->bytes, 0, (size_t)(all + base + 64));
    memory_mark(&device->chips[1].hbm, 0, all + base + 64);
    forget_some(rng, &device->chips[0].hbm, all);
    assert_true(execute(device, sample));
    for (int64_t i = 0; i < rows * cols * bytes; i++) {
        int64_t row = i / (cols * bytes), col = i / bytes % cols, byte = i % bytes;
        int64_t at = base + (col * rows + row) * bytes + byte;
        assert_int_equal(is_written(to, at), is_written(from, i));
        if (to->bytes[at] != from->bytes[i])
            fail_msg("byte %lld of %lld x %lld of %lld", (long long)i, (long long)rows,
                     (long long)cols, (long long)bytes);
    }
    for (int64_t i = 0; i < 64; i++)
        assert_int_equal(to->bytes[base + all + i], 0);
    free(sample);
}

TEST(transposes)
{
    static const int64_t sizes[] = {1, 2, 3, 4, 5, 7, 8, 12, 16, 24, 32, 48, 64, 65, 100, 200, 300};
    Device *device = device_new(&machine_rngd, 2);
    assert_non_null(device);
    Rng rng = {test_seed()};
    int64_t cases = max_i64(1, (int64_t)(4 * test_scale()));
    for (size_t i = 0; i < COUNT_OF(sizes); i++)
        for (Isa isa = 0; isa < ISA_COUNT; isa++)
            for (int64_t k = 0; k < cases && isa_is_here(isa); k++) {
                sets_use(device, isa);
                device_use_threads(device, 1 + k % 2);
                int64_t most = max_i64(3, 700 / sizes[i]);
                transpose_of(device, &rng, sizes[i], 1 + rng_below(&rng, most),
                             1 + rng_below(&rng, most));
            }
    device_free(device);
}

// Longer than what is moved, or looked at, at once.
TEST(long_runs)
{
    enum { ROWS = 1280, BYTES = 4096, ALL = ROWS * BYTES, HOLE = 3 << 20 };
    static const HwDmaLoopEntry loops[] = {{ROWS, BYTES, BYTES, 0, {0}}};
    HwDescriptor descriptor = {
        .source = hbm_0, .dest = hbm_1, .dest_base = 3, .packet_bytes = BYTES, .unit_bits = 8};
    Device *device = device_new(&machine_rngd, 2);
    assert_non_null(device);
    Memory *from = &device->chips[0].hbm, *to = &device->chips[1].hbm;
    Case *sample = case_of(&descriptor, loops, 1);
    for (int64_t i = 0; i < ALL; i++)
        from->bytes[i] = (uint8_t)(i * 7 + i / 1000);
    memory_mark(from, 0, ALL);
    for (int64_t hole = 0; hole < 2; hole++)
        for (int64_t threads = 1; threads <= 2; threads++) {
            device_use_threads(device, threads);
            memset(to->bytes, 0, ALL + 16);
            memory_forget_part(to, 0, ALL + 16);
            if (hole)
                memory_forget_part(from, HOLE, HOLE + 1);
            assert_true(execute(device, sample));
            assert_memory_equal(to->bytes + 3, from->bytes, ALL);
            assert_true(memory_is_written(to, 3, 3 + HOLE));
            assert_true(memory_is_written(to, 3 + HOLE + 1, 3 + ALL));
            assert_int_equal(is_written(to, 3 + HOLE), !hole);
            assert_false(is_written(to, 2) || is_written(to, 3 + ALL));
        }
    free(sample);
    device_free(device);
}

// Of two descriptors the second sends on what the first brings, whoever executes them.
TEST(descriptors_that_meet)
{
    enum { ROWS = 1024, BYTES = 4096, ALL = ROWS * BYTES, ROUNDS = 10 };
    static const HwDmaLoopEntry loops[] = {{ROWS, BYTES, BYTES, 0, {0}}};
    HwDescriptor descriptor = {
        .source = hbm_0, .dest = hbm_1, .packet_bytes = BYTES, .unit_bits = 8};
    Device *device = device_new(&machine_rngd, 2);
    assert_non_null(device);
    Memory *from = &device->chips[0].hbm, *to = &device->chips[1].hbm;
    Case *sample = case_of(&descriptor, loops, 1);
    // from the end on: what came last
    sample->descriptors[1] = sample->descriptors[0];
    sample->loops[1][0] = (HwDmaLoopEntry){ROWS, -BYTES, BYTES, 0, {0}};
    sample->descriptors[1].loops.items = sample->loops[1];
    sample->descriptors[1].source = hbm_1;
    sample->descriptors[1].source_base = ALL - BYTES;
    sample->descriptors[1].dest_base = ALL;
    sample->command.descriptors.count = 2;
    memory_mark(from, 0, ALL);
    memory_mark(to, 0, 2 * ALL);
    device_use_threads(device, 2);
    for (int round = 1; round <= ROUNDS; round++) {
        memset(from->bytes, round, ALL);
        assert_true(execute(device, sample));
        assert_memory_equal(to->bytes + ALL, from->bytes, ALL);
    }
    free(sample);
    device_free(device);
}

static void expect_word(const Memory *memory, int64_t at, uint32_t wanted)
{
    uint32_t bits;
    uint8_t live;
    memory_load(memory, SCALAR_I32, at * 8, 1, &bits, &live);
    assert_true(live);
    assert_int_equal(bits, wanted);
}

// Half bytes from and to the host, where they begin and end inside a byte.
TEST(half_bytes)
{
    static const HwPlace host = {.media = MEDIA_HOST, .cluster = -1, .tensor = HOST_TENSOR};
    Device *device = device_new(&machine_rngd, 2);
    assert_non_null(device);
    Memory *from = device_host(device, HOST_TENSOR), *to = &device->chips[0].hbm;
    const uint8_t source[4] = {0x21, 0x43, 0x65, 0x87}, ones[8] = {1, 1, 1, 1, 1, 1, 1, 1};
    static const struct {
        int64_t source, dest, packet, padding, stride;
        uint32_t wanted;
    } cases[] = {
        {0, 0, 2, 0, 2, 0x87654321}, // whole bytes
        {1, 0, 1, 0, 1, 0xffff5432}, // four of them, one half byte on
        {0, 1, 1, 0, 1, 0xfff4321f},
        {0, 0, 2, 4, 2, 0xf7f5f3f1}, // the second half of each packet is padding
        {2, 0, 1, 0, 0, 0xffff3333},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const HwDmaLoopEntry loops[] = {{4, cases[i].stride, cases[i].packet, 0, {0}}};
        const uint8_t before[8] = {255, 255, 255, 255, 255, 255, 255, 255};
        HwDescriptor descriptor = {.source = host,
                                   .dest = hbm_0,
                                   .source_base = cases[i].source,
                                   .dest_base = cases[i].dest,
                                   .packet_bytes = cases[i].packet,
                                   .padding_bits = cases[i].padding,
                                   .unit_bits = 4};
        Case *sample = case_of(&descriptor, loops, 1);
        memory_write(from, 0, sizeof source, source, ones);
        memory_write(to, 0, sizeof before, before, ones);
        assert_true(execute(device, sample));
        expect_word(to, 0, cases[i].wanted);
        expect_word(to, 4, UINT32_MAX);
        free(sample);
    }
    device_free(device);
}

// An index that nobody wrote ends the command, with a diagnostic; what stays where it is, stays.
TEST(no_index_and_no_way)
{
    static const HwDmaLoopEntry loops[] = {{8, 0, 16, 4, {0}}}, still[] = {{8, 16, 16, 0, {0}}};
    HwDmaIndirect rows = {.is_source = true, .index = hbm_1, .divisor = 1, .limit = 8, .scale = 16};
    HwDescriptor descriptor = {.source = hbm_0,
                               .dest = hbm_0,
                               .dest_base = 4096,
                               .packet_bytes = 16,
                               .unit_bits = 8,
                               .indirect = &rows};
    Device *device = device_new(&machine_rngd, 2);
    assert_non_null(device);
    memset(device->chips[0].hbm.bytes, 5, 256);
    memory_mark(&device->chips[0].hbm, 0, 256);
    memory_mark(&device->chips[1].hbm, 0, 32);
    Case *sample = case_of(&descriptor, loops, 1);
    assert_true(execute(device, sample));
    memory_forget_part(&device->chips[1].hbm, 30, 31);
    assert_false(execute(device, sample));
    free(sample);
    descriptor.indirect = NULL;
    descriptor.dest_base = 0;
    sample = case_of(&descriptor, still, 1);
    assert_true(execute(device, sample));
    assert_true(memory_is_written(&device->chips[0].hbm, 0, 256));
    expect_word(&device->chips[0].hbm, 64, 0x05050505);
    free(sample);
    device_free(device);
}

// Asked again and again while it lasts, on the thread that executes.
static bool count_down(void *own)
{
    int64_t *left = own;
    return --*left < 0;
}

TEST(is_cancelled)
{
    enum { MOVED = 64 << 20 };
    static const HwDmaLoopEntry loops[] = {{MOVED / 4096, 4096, 4096, 0, {0}}};
    HwDescriptor descriptor = {
        .source = hbm_0, .dest = hbm_1, .packet_bytes = 4096, .unit_bits = 8};
    Device *device = device_new(&machine_rngd, 2);
    assert_non_null(device);
    int64_t left = 3;
    device_watch(device, (DeviceWatch){count_down, &left});
    Case *sample = case_of(&descriptor, loops, 1);
    DmaPlan *plan = dma_plan_new(device, &sample->command);
    assert_non_null(plan);
    HwOperation operation = {0};
    DiagList diags = {0};
    assert_false(dma_execute(device, &sample->command, plan, &operation, &diags));
    assert_int_equal(diags.count, 0);
    left = INT64_MAX;
    assert_true(dma_execute(device, &sample->command, plan, &operation, &diags));
    assert_true(INT64_MAX - left >= MOVED / (4 << 20)); // every few MiB
    dma_plan_free(plan);
    free(sample);
    device_free(device);
}

TEST(immediates)
{
    Device *device = device_new(&machine_rngd, 2);
    assert_non_null(device);
    uint64_t words[] = {UINT64_C(1) << 63, 3};
    HwClusterBits row = {.chip = -1, .cluster = 1};
    row.slices.items = words;
    row.slices.count = COUNT_OF(words);
    HwImmediateWrite write = {.address = 12, .value = 77};
    write.bitmaps.items = &row;
    write.bitmaps.count = 1;
    immediate_execute(device, &write);
    for (int64_t chip = 0; chip < 2; chip++)
        for (int64_t slice = 0; slice < SLICES; slice++) {
            bool is_here = slice >= 63 && slice <= 65;
            const Memory *dm = &device_slice(device, chip, 1, slice)->dm;
            assert_int_equal(memory_is_written(dm, 12, 16), is_here);
            assert_false(memory_is_written(&device_slice(device, chip, 0, slice)->dm, 12, 16));
            if (is_here)
                expect_word(dm, 12, 77);
        }
    device_free(device);
}

TEST_END(sets_report)
