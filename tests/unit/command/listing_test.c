// The listing on records that are made by hand.
#include "command/listing.h"

#include "records.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const char *shown(Arena *arena, const char *label, const Record *record, const void *data,
                         bool verbose)
{
    StrBuf out = {.arena = arena};
    Listing listing = {.out = &out, .verbose = verbose};
    listing_record(&listing, 0, label, record, data);
    return str_terminated(arena, buf_str(&out));
}

static void expect(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("no `%s` in:\n%s", part, text);
}

static void expect_not(const char *text, const char *part)
{
    if (strstr(text, part))
        fail_msg("`%s` in:\n%s", part, text);
}

static void a_sequencer_reads_like_the_manual(void **unused)
{
    (void)unused;
    Arena arena = {0};
    HwFetch fetch = {.type = SCALAR_I8, .cast = SCALAR_I8, .time = 96, .packet_bytes = 32};
    fetch.nest = (HwNest){.element_bits = 8, .access_bytes = 32, .base = 0x1000};
    static const struct {
        const char *term;
        int64_t size, stride;
    } loops[] = {{"A", 32, 96}, {"B / 32", 3, 32}, {"B % 32", 32, 1}};
    for (size_t i = 0; i < 3; i++)
        *array_push(&arena, &fetch.nest.loops, HwLoop) = (HwLoop){
            .term = str_from(loops[i].term), .size = loops[i].size, .stride = loops[i].stride};
    const char *text = shown(&arena, "fetch", &record_of_Fetch, &fetch, false);
    expect(text, "fetch       [A = 32 : 96, B / 32 = 3 : 32, B % 32 = 32 : 1] : 32 @ 0x1000; ");
    expect(text, "fetch_size 32 B");
    expect(text, "type i8");
    expect(text, "packet_bytes 32 B");
    expect_not(text, "interleave_dim");
    expect(shown(&arena, "fetch", &record_of_Fetch, &fetch, true), "interleave_dim 0");
    arena_release(&arena);
}

static void loops_with_more_than_a_stride_name_their_numbers(void **unused)
{
    (void)unused;
    Arena arena = {0};
    HwDescriptor descriptor = {.packet_bytes = 256, .dest_base = -16};
    *array_push(&arena, &descriptor.loops, HwDmaLoopEntry) =
        (HwDmaLoopEntry){.limit = 4, .source_stride = 1024, .dest_stride = 256};
    const char *text = shown(&arena, "descriptor", &record_of_Descriptor, &descriptor, false);
    expect(text, "[4 : 1024 : 256] (limit : source_stride : dest_stride)");
    expect(text, "dest_base -0x10");
    arena_release(&arena);
}

static void equal_rows_are_shown_once(void **unused)
{
    (void)unused;
    enum { SLICES = 64, RING = 16 };
    Arena arena = {0};
    HwSwitchRoute route = {.mode = ROUTER_BROADCAST1, .ring_size = RING};
    for (int slice = 0; slice < SLICES; slice++) {
        HwSnoopRow *row = array_push(&arena, &route.snoop, HwSnoopRow);
        *array_push(&arena, &row->sources, uint64_t) = UINT64_C(0xffff) << slice / RING * RING;
    }
    const char *text = shown(&arena, "switch", &record_of_SwitchRoute, &route, false);
    expect(text, "mode Broadcast1");
    expect(text, "snoop 0-15  sources {0-15}\n");
    expect(text, "snoop 48-63 sources {48-63}\n");
    expect(shown(&arena, "switch", &record_of_SwitchRoute, &route, true), "snoop 63 ");
    arena_release(&arena);
}

static void long_lists_are_cut(void **unused)
{
    (void)unused;
    Arena arena = {0};
    HwSwitchRoute route = {0};
    for (int slice = 0; slice < 20; slice++) {
        HwSnoopRow *row = array_push(&arena, &route.snoop, HwSnoopRow);
        *array_push(&arena, &row->sources, uint64_t) = UINT64_C(1) << slice;
    }
    const char *text = shown(&arena, "switch", &record_of_SwitchRoute, &route, false);
    expect(text, "snoop 7     sources {7}\n");
    expect(text, "and 12 more; --verbose shows them");
    expect_not(text, "snoop 8");
    arena_release(&arena);
}

// Every field of every record can be seen: in the verbose listing, each name stands.
static void verbose_shows_every_field(void **unused)
{
    (void)unused;
    uint64_t state = 11;
    for (int round = 0; round < 20; round++) {
        Arena arena = {0};
        HwFetch fetch = {0};
        HwTranspose transpose = {0};
        HwArgument argument = {0};
        const struct {
            const Record *record;
            void *data;
        } cases[] = {{&record_of_Fetch, &fetch},
                     {&record_of_Transpose, &transpose},
                     {&record_of_Argument, &argument}};
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            record_random(&arena, &state, cases[i].record, cases[i].data);
            const char *text = shown(&arena, "x", cases[i].record, cases[i].data, true);
            for (int64_t k = 0; k < cases[i].record->count; k++)
                if (cases[i].record->fields[k].kind <= FIELD_ENUM)
                    expect(text, cases[i].record->fields[k].name);
        }
        arena_release(&arena);
    }
}

static void any_object_can_be_shown(void **unused)
{
    (void)unused;
    uint64_t state = 12;
    for (int round = 0; round < 30; round++) {
        Arena arena = {0};
        HwObject object = {0};
        record_random(&arena, &state, &record_of_Object, &object);
        for (int mode = 0; mode < 4; mode++) {
            StrBuf out = {.arena = &arena};
            Listing listing = {.out = &out, .verbose = mode & 1, .colour = mode & 2};
            listing_print(&listing, &object, NULL);
            assert_true(out.len > 0);
            assert_true(listing.colour || str_find(buf_str(&out), STR("\033")) < 0);
        }
        arena_release(&arena);
    }
}

static void an_object_shows_its_operations(void **unused)
{
    (void)unused;
    Arena arena = {0};
    HwTranspose transpose = {.in_rows = 8, .in_cols = 16};
    HwPipeline pass = {.context = CONTEXT_MAIN, .slices = 256, .transpose = &transpose};
    HwCommand command = {.pass = &pass};
    HwOperation operation = {.method = STR("commit"),
                             .file = STR("k.rs"),
                             .line = 7,
                             .text = STR(".begin(x.view())"),
                             .commands = {&command, 1, 1}};
    HwObject object = {.kernel = STR("turn"),
                       .machine = STR("rngd"),
                       .chips = 1,
                       .version = STR("9"),
                       .operations = {&operation, 1, 1}};
    StrBuf out = {.arena = &arena};
    Listing listing = {.out = &out};
    listing_print(&listing, &object, &(ObjectFacts){.bytes = 100, .format = 1, .checksum = 255});
    const char *text = str_terminated(&arena, buf_str(&out));
    expect(text, "kernel   turn\nmachine  rngd, 1 chip, ");
    expect(text, "file     100 bytes, format 1, checksum 0x000000ff is right\n");
    expect(text, "\n#0  main commit  k.rs:7  .begin(x.view())\n");
    expect(text, "    pass        context main, slices 256\n");
    expect(text, "      transpose   ");
    expect(text, "in_rows 8, in_cols 16");
    arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sequencer_reads_like_the_manual),
        cmocka_unit_test(loops_with_more_than_a_stride_name_their_numbers),
        cmocka_unit_test(equal_rows_are_shown_once),
        cmocka_unit_test(long_lists_are_cut),
        cmocka_unit_test(verbose_shows_every_field),
        cmocka_unit_test(any_object_can_be_shown),
        cmocka_unit_test(an_object_shows_its_operations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
