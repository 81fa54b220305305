// The listing on records that are made by hand.
#include "command/listing_text.h"

#include "records.h"
#include "test.h"

#include <string.h>

static const char *shown(Arena *arena, const char *label, const Record *record, const void *data)
{
    StrBuf out = {.arena = arena};
    Listing listing = {.out = &out, .verbose = true};
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

// What is printed by one of the functions for an engine.
typedef struct {
    Arena arena;
    StrBuf out;
    Listing listing;
} Page;

static Page *page_open(void)
{
    static Page page;
    page = (Page){0};
    page.out.arena = &page.arena;
    page.listing.out = &page.out;
    return &page;
}

static void expect_page(Page *page, const char *wanted)
{
    assert_string_equal(str_terminated(&page->arena, buf_str(&page->out)), wanted);
    page->out = (StrBuf){.arena = &page->arena};
}

static void add_loop(Arena *arena, HwNest *nest, const char *term, int64_t size, int64_t stride)
{
    *array_push(arena, &nest->loops, HwLoop) =
        (HwLoop){.term = str_from(term), .size = size, .stride = stride};
}

static void set_bits(Arena *arena, BitList *bits, uint64_t word)
{
    *array_push(arena, bits, uint64_t) = word;
}

// 32 x 90 bytes, padded on both sides, as the chapter on masks has them.
static HwPipeline padded_fetch(Arena *arena)
{
    HwPipeline pass = {.chips = 1, .clusters = 2, .slices = 256};
    pass.fetch = (HwFetch){.type = SCALAR_I8,
                           .cast = SCALAR_I8,
                           .time = 96,
                           .packet_elements = 32,
                           .packet_bytes = 32,
                           .fetches_per_packet = 1,
                           .nest = {.element_bits = 8, .access_bytes = 32, .base = -2}};
    add_loop(arena, &pass.fetch.nest, "A", 32, 96);
    add_loop(arena, &pass.fetch.nest, "B / 32", 3, 32);
    add_loop(arena, &pass.fetch.nest, "B % 32", 32, 1);
    return pass;
}

TEST(masks_name_their_case)
{
    Page *page = page_open();
    HwPipeline pass = padded_fetch(&page->arena);
    HwMask *mask = array_push(&page->arena, &pass.fetch.masks, HwMask);
    *mask = (HwMask){.last_dim = 1, .left_pad = 2, .valid_count_dim = -1};
    *array_push(&page->arena, &mask->valid_counts, int64_t) = 28;
    listing_fetch(&page->listing, &pass);
    expect_page(page,
                "    fetch      [A = 32 : 96, B / 32 = 3 : 32, B % 32 = 32 : 1] : 32 @ -0x2\n"
                "               elements of i8, fetch_size 32 B, 1 fetch per packet, 96 cycles\n"
                "               96 packets of 32 elements, 32 B\n"
                "               mask, case 1: last_dim 1 (B / 32), left_pad 2, "
                "last_dim_rightmost_valid_count[0] = 28\n"
                "               pad_value 0\n");
    mask->last_dim = 0;
    mask->left_pad = 0;
    listing_masks(&page->listing, &pass.fetch, 1);
    expect_page(page, "               mask, case 2: last_dim 0 (A), "
                      "last_dim_rightmost_valid_count[0] = 28\n");
    mask->valid_count_dim = 1;
    *array_push(&page->arena, &mask->valid_counts, int64_t) = 0;
    set_bits(&page->arena, &array_push(&page->arena, &mask->bitmaps, HwClusterBits)->slices, 6);
    listing_masks(&page->listing, &pass.fetch, 1);
    expect_page(page, "               mask, case 3: last_dim 0 (A), "
                      "last_dim_rightmost_valid_count_dim 1,\n"
                      "                 last_dim_rightmost_valid_count[0..2] = [28, 0]; "
                      "slices 1-2 of cluster 0\n");
    arena_release(&page->arena);
}

TEST(masks_of_a_commit_are_conditions)
{
    Page *page = page_open();
    HwPipeline pass = {.chips = 1};
    HwCommit commit = {0};
    HwCommitMask mask = {0};
    HwCheck *check = array_push(&page->arena, &mask.checks, HwCheck);
    *check = (HwCheck){.offset = 3, .limit = 12};
    *array_push(&page->arena, &check->terms, HwCheckTerm) = (HwCheckTerm){-1, 8, 2, 4, {0}};
    *array_push(&page->arena, &check->terms, HwCheckTerm) = (HwCheckTerm){-1, 2, 1, -1, {0}};
    HwCheck *second = array_push(&page->arena, &mask.checks, HwCheck);
    second->limit = 5;
    *array_push(&page->arena, &second->terms, HwCheckTerm) = (HwCheckTerm){0, 7, 1, 1, {0}};
    *array_push(&page->arena, &commit.masks, HwCommitMask) = mask;
    pass.commit = &commit;
    listing_commit(&page->listing, &pass);
    expect(str_terminated(&page->arena, buf_str(&page->out)),
           "               mask: element p is data where "
           "c0 = 3 + p % 8 / 2 x 4 - p % 2 in 0..12,\n"
           "                 c1 = c0 % 7 in 0..5\n");
    arena_release(&page->arena);
}

TEST(the_adapter_says_what_it_does)
{
    Page *page = page_open();
    HwPipeline pass = padded_fetch(&page->arena);
    HwTable table = {.type = SCALAR_F32};
    for (int64_t i = 0; i < 10; i++)
        *array_push(&page->arena, &table.entries, int64_t) = i == 1 ? 0x3f000000 : 0;
    pass.fetch.table = &table;
    pass.fetch.cast = SCALAR_BF16;
    pass.fetch.stream_packet_bytes = 64;
    *array_push(&page->arena, &pass.fetch.zero_points, int64_t) = 3;
    for (int64_t base = 0; base < 2; base++)
        *array_push(&page->arena, &pass.fetch.bases, int64_t) = base * 0x1000;
    listing_fetch(&page->listing, &pass);
    const char *text = str_terminated(&page->arena, buf_str(&page->out));
    expect(text, "interleaved: packets of 0x0, 0x1000 take turns\n");
    expect(text, "table of 10 entries of f32: 0, 0.5, 0, 0, 0, 0, 0, 0, .., cast to bf16,");
    expect(text, "packets of 64 B in the stream, zero point 3 subtracted\n");
    expect_not(text, "pad_value");
    arena_release(&page->arena);
}

TEST(bits_are_ranges)
{
    static const struct {
        uint64_t word;
        const char *text;
    } cases[] = {{0, "none"},
                 {1, "0"},
                 {0xffff, "0-15"},
                 {0x10001000f, "0-3, 16, 32"},
                 {0x1111, "0, 4, 8, 12"},
                 {0x11111, "0, 4, .., 16"},
                 {0x333333, "0-1, 4-5, .., 20-21"},
                 {0x31111, "0, 4, 8, 12, 16-17"},
                 {UINT64_MAX, "0-63"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Arena arena = {0};
        BitList bits = {0};
        set_bits(&arena, &bits, cases[i].word);
        assert_string_equal(str_terminated(&arena, bits_text(&arena, &bits)), cases[i].text);
        arena_release(&arena);
    }
}

TEST(equal_slices_of_clusters_are_said_once)
{
    Arena arena = {0};
    HwClusterBits bits[] = {
        {.chip = 0, .cluster = 0}, {.chip = 0, .cluster = 1}, {.chip = 1, .cluster = -1}};
    for (int i = 0; i < 3; i++)
        set_bits(&arena, &bits[i].slices, i < 2 ? 0xf : 1);
    assert_string_equal(str_terminated(&arena, slices_text(&arena, 2, bits, 3)),
                        "slices 0-3 of chip 0 cluster 0 and chip 0 cluster 1; slices 0 of chip 1");
    bits[0].chip = bits[0].cluster = -1;
    assert_string_equal(str_terminated(&arena, slices_text(&arena, 1, bits, 1)), "slices 0-3");
    arena_release(&arena);
}

TEST(lines_break_at_commas)
{
    Page *page = page_open();
    page->listing.width = 50;
    listing_line(&page->listing, "label", STR("one, two, three (four, five, six), seven eight"));
    expect_page(page, "    label      one, two, three (four, five, six),\n"
                      "                 seven eight\n");
    listing_line(&page->listing, "", STR("[aaaaaaaaaaaa = 4 : 1, bbbbbbbbbbbb = 3 : 4]"));
    expect_page(page, "               [aaaaaaaaaaaa = 4 : 1,\n"
                      "                 bbbbbbbbbbbb = 3 : 4]\n");
    listing_line(&page->listing, "", STR("no_blank_in_all_of_this_text_so_it_stays_whole end"));
    expect_page(page, "               no_blank_in_all_of_this_text_so_it_stays_whole\n"
                      "                 end\n");
    page->listing.width = 200;
    listing_line(&page->listing, "label", STR("one, two, three (four, five, six), seven eight"));
    expect_page(page, "    label      one, two, three (four, five, six), seven eight\n");
    arena_release(&page->arena);
}

TEST(rings_that_are_alike_are_shown_once)
{
    enum { SLICES = 64, RING = 16 };
    Page *page = page_open();
    HwSwitchRoute route = {.mode = ROUTER_BROADCAST1,
                           .ring_size = RING,
                           .slice2 = 4,
                           .slice1 = 16,
                           .slice0 = 1,
                           .in_time = 2,
                           .out_time = 32,
                           .packet_bytes = 32,
                           .packet_flits = 1};
    for (int slice = 0; slice < SLICES; slice++)
        set_bits(&page->arena, &array_push(&page->arena, &route.snoop, HwSnoopRow)->sources,
                 UINT64_C(0xffff) << slice / RING * RING);
    listing_switch(&page->listing, &route);
    expect_page(page, "    switch     Broadcast1 { slice1: 16, slice0: 1 }, ring size 16, 4 rings, "
                      "2 -> 32 packets of 32 B,\n                 32 cycles\n"
                      "               snoop bitmap {0-15} <- {0-15}; the other 3 rings alike\n");
    route.snoop.items[63].sources.items[0] = 1; // now they are not
    route.mode = ROUTER_CUSTOM;
    route.writes_registers = true;
    route.register_writes = 128;
    listing_switch(&page->listing, &route);
    expect_page(page, "    switch     Custom, ring size 16, 4 rings, 2 -> 32 packets of 32 B, "
                      "32 cycles\n"
                      "               snoop bitmap {0-15} <- {0-15}; {16-31} <- {16-31}; "
                      "{32-47} <- {32-47};\n"
                      "                 {48-62} <- {48-63}; {63} <- {0}\n"
                      "               custom topology: 128 registers (SFRs) of 32 bits first\n");
    arena_release(&page->arena);
}

TEST(long_bitmaps_are_cut)
{
    Page *page = page_open();
    HwSwitchRoute route = {.mode = ROUTER_CUSTOM, .ring_size = 20};
    for (int slice = 0; slice < 20; slice++)
        set_bits(&page->arena, &array_push(&page->arena, &route.snoop, HwSnoopRow)->sources,
                 UINT64_C(1) << (19 - slice));
    for (int typed = 0; typed < 2; typed++) {
        page->listing.is_typed = typed;
        listing_switch(&page->listing, &route);
        const char *text = str_terminated(&page->arena, buf_str(&page->out));
        expect(text, typed ? "{15} <- {4};\n                 .. (--verbose shows all)"
                           : "{15} <- {4};\n                 .. (the verbose listing shows all)");
        expect_not(text, "{16} <-");
        page->out = (StrBuf){.arena = &page->arena};
    }
    arena_release(&page->arena);
}

TEST(descriptors_that_differ_name_their_walk)
{
    Page *page = page_open();
    HwDmaCommand dma = {.read = STR("[R]"), .write = STR("[W]"), .element_bits = 8, .bytes = 2048};
    for (int64_t i = 0; i < 2; i++) {
        HwDescriptor *descriptor = array_push(&page->arena, &dma.descriptors, HwDescriptor);
        *descriptor = (HwDescriptor){
            .engine = i, .packet_bytes = 256, .unit_bits = 8, .requests = 4, .dest_base = -16};
        descriptor->source = (HwPlace){.media = MEDIA_HBM, .cluster = -1, .dmn = -1, .tensor = -1};
        descriptor->dest = (HwPlace){.media = MEDIA_DM, .dmn = 2 * i, .tensor = -1};
        *array_push(&page->arena, &descriptor->loops, HwDmaLoopEntry) = (HwDmaLoopEntry){
            .term = STR("A, B"), .limit = 4 + i, .source_stride = 1024, .dest_stride = 256};
    }
    listing_dma(&page->listing, &dma);
    expect_page(page,
                "    dma        2048 B in elements of 8 bits, heterogeneous syntax\n"
                "               read  [R]\n"
                "               write [W]\n"
                "               1 descriptor; in packets of 256 B, 4 requests of at most 256 B\n"
                "               engine (0, 0, 0): HBM(0) @ 0x0 -> DM(0, 0, 0) @ -0x10\n"
                "               1 descriptor; in packets of 256 B, 4 requests of at most 256 B\n"
                "               [(A, B) = 5 : 1024 : 256] : 256 "
                "(limit : source_stride : dest_stride)\n"
                "               engine (0, 0, 1): HBM(0) @ 0x0 -> DM(0, 0, 2) @ -0x10\n");
    arena_release(&page->arena);
}

TEST(an_immediate_is_one_line)
{
    Page *page = page_open();
    HwImmediateWrite write = {.address = 0x1000, .value = 42};
    HwClusterBits *bits = array_push(&page->arena, &write.bitmaps, HwClusterBits);
    bits->chip = bits->cluster = -1;
    set_bits(&page->arena, &bits->slices, 3);
    listing_immediate(&page->listing, &write);
    expect_page(page, "    immediate  0x2a @ 0x1000 (ITOS, 32 bits); slices 0-1\n");
    arena_release(&page->arena);
}

TEST(the_report_has_percentages)
{
    Page *page = page_open();
    HwHint hint = {STR("more rows")};
    HwUse use = {.bound_by = STR("fetch"),
                 .cycles = 16,
                 .mac_permille = 250,
                 .slice_permille = 500,
                 .bandwidth_permille = 127,
                 .hints = {&hint, 1, 1}};
    listing_use(&page->listing, &use);
    expect_page(page, "    use        bound by fetch: 16 cycles; MAC 25.0 %, slices 50.0 %, "
                      "bandwidth 12.7 %\n"
                      "    hint: more rows\n");
    arena_release(&page->arena);
}

// Every field of every record can be seen: in the verbose listing, each name stands.
TEST(verbose_shows_every_field)
{
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
            const char *text = shown(&arena, "x", cases[i].record, cases[i].data);
            for (int64_t k = 0; k < cases[i].record->count; k++)
                if (cases[i].record->fields[k].kind <= FIELD_ENUM)
                    expect(text, cases[i].record->fields[k].name);
        }
        arena_release(&arena);
    }
}

TEST(any_object_can_be_shown)
{
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

TEST(an_object_shows_its_operations)
{
    Arena arena = {0};
    HwTranspose transpose = {
        .type = SCALAR_I8, .in_rows = 8, .in_cols = 16, .out_rows = 16, .double_buffering = true};
    HwPipeline pass = {
        .context = CONTEXT_MAIN, .chips = 1, .clusters = 2, .slices = 256, .transpose = &transpose};
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
    expect(text, "    pass       main context, 2 clusters of 256 slices\n");
    expect(text, "    transpose  in_rows 8 x in_cols 16 -> out_rows 16, elements of i8, "
                 "double buffering\n");
    arena_release(&arena);
}
