// The sanitizer on passes made by hand, as no compiler emits them.
#include "device/sanitize.h"

#include "base/checked.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { ELEMENTS = 32, SECOND = 0x1000, THIRD = 0x2000 };

// Packets of 32 bytes from two bases in turn, `time` of them, go to DM.
typedef struct {
    HwPipeline pass;
    HwLoop read[2], written[2];
    int64_t bases[2];
    HwCommit commit;
    HwClusterBits bitmap;
    uint64_t slices[4];
} TwoBases;

static void two_bases(TwoBases *out, int64_t time)
{
    *out =
        (TwoBases){.read = {{.size = time, .stride = ELEMENTS}, {.size = ELEMENTS, .stride = 1}},
                   .written = {{.size = time, .stride = ELEMENTS}, {.size = ELEMENTS, .stride = 1}},
                   .bases = {0, SECOND},
                   .slices = {1}};
    out->bitmap = (HwClusterBits){.chip = 0, .cluster = 0, .slices = {out->slices, 4, 0}};
    out->commit = (HwCommit){.type = SCALAR_I8,
                             .nest = {.base = THIRD,
                                      .loops = {out->written, 2, 0},
                                      .element_bits = 8,
                                      .access_bytes = 32},
                             .commit_in_size = 32,
                             .time = time,
                             .bitmaps = {&out->bitmap, 1, 0}};
    out->pass = (HwPipeline){.chips = 1, .clusters = 1, .slices = 1, .commit = &out->commit};
    out->pass.fetch = (HwFetch){.type = SCALAR_I8,
                                .cast = SCALAR_I8,
                                .time = time,
                                .packet_elements = ELEMENTS,
                                .nest = {.loops = {out->read, 2, 0}, .element_bits = 8},
                                .bases = {out->bases, 2, 0},
                                .bitmaps = {&out->bitmap, 1, 0}};
}

// Bytes of DM that nobody wrote and the pass reads, of which so many packets from each base were.
static int64_t unwritten(int64_t time, int64_t first, int64_t second)
{
    Arena arena = {0};
    DiagList diags = {.arena = &arena};
    TwoBases made;
    two_bases(&made, time);
    HwCommand command = {.pass = &made.pass};
    HwOperation operation = {.writes = -1, .commands = {&command, 1, 0}};
    HwObject object = {.operations = {&operation, 1, 0}};
    DeviceProgram *program = device_program_new(&object);
    Device *device = device_new(&machine_rngd, 1);
    assert_non_null(program);
    assert_non_null(device);
    assert_true(device_sanitize(device, true));
    uint32_t bits[4 * ELEMENTS] = {0};
    uint8_t live[4 * ELEMENTS];
    memset(live, 1, sizeof live);
    const int64_t packets[] = {first, second};
    for (int i = 0; i < 2; i++) {
        HwArgument argument = {.tier = TIER_DM,
                               .type = SCALAR_I8,
                               .element_bits = 8,
                               .address = made.bases[i],
                               .chips = 1,
                               .clusters = 1,
                               .slices = 1,
                               .rows = 1,
                               .elements = packets[i] * ELEMENTS,
                               .storage = -1};
        assert_true(!packets[i] || device_put(device, &argument, bits, live));
    }
    assert_true(device_run(device, program, &diags));
    const DeviceFaults *faults = device_faults(device);
    int64_t bytes = faults ? faults->places[FAULT_UNWRITTEN] : 0;
    device_program_free(program);
    device_free(device);
    arena_release(&arena);
    return bytes;
}

// Of an odd number of packets the first base has one more.
static void bases_take_turns(void **state)
{
    (void)state;
    assert_int_equal(unwritten(1, 1, 0), 0);
    assert_int_equal(unwritten(1, 0, 1), ELEMENTS);
    assert_int_equal(unwritten(2, 1, 1), 0);
    assert_int_equal(unwritten(3, 2, 1), 0);
    assert_int_equal(unwritten(3, 1, 1), ELEMENTS);
    assert_int_equal(unwritten(5, 2, 1), 2 * ELEMENTS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bases_take_turns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
