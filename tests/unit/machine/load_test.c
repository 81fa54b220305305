// Machines from JSON: variants that are accepted, every kind of mistake with its code and place,
// and texts that are no machine at all.
#include "machine/machine.h"

#include "base/checked.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// "start-end code" of each diagnostic, a line each; "- code" where it has no place.
static const char *summary(Arena *arena, const DiagList *diags)
{
    StrBuf buf = {.arena = arena};
    for (int64_t i = 0; i < diags->count; i++) {
        const Diag *diag = diags->items[i];
        if (diag->span.source < 0)
            buf_format(&buf, "- {}\n", diag_infos[diag->code].code);
        else
            buf_format(&buf, "{}-{} {}\n", diag->span.start, diag->span.end,
                       diag_infos[diag->code].code);
    }
    return str_terminated(arena, buf_str(&buf));
}

TEST(variants_are_read)
{
    Arena arena = {0};
    DiagList diags = {.arena = &arena};
    Machine machine;
    assert_true(machine_parse_json(&arena, STR(" {} "), 0, &diags, &machine));
    assert_string_equal(machine.name, "custom");
    assert_int_equal(machine.fetch_casts_extended, 0);

    Str text = STR("{\"sequencer_entries\": 10, \"base\": \"rngd-s\", \"name\": \"x \\\"y\\\"\",\n"
                   " \"fetch_sizes\": [8, 16, 24, 32], \"\\u0063lock_mhz\": 1200}");
    assert_true(machine_parse_json(&arena, text, 0, &diags, &machine));
    assert_string_equal(machine.name, "x \"y\"");
    assert_int_equal(machine.sequencer_entries, 10);
    assert_int_equal(machine.fetch_casts_extended, 1); // of the base, though it stands later
    assert_int_equal(machine.fetch_sizes.count, 4);
    assert_int_equal(machine.fetch_sizes.values[2], 24);
    assert_int_equal(machine.clock_mhz, 1200); // an escape in a key

    assert_true(
        machine_parse_json(&arena, STR("{\"fetch_casts_extended\": true}"), 0, &diags, &machine));
    assert_int_equal(machine.fetch_casts_extended, 1);
    // One stack: its component takes no bit of the address.
    Str one_stack = STR("{\"hbm_stacks\": 1, \"hbm_bytes_per_chip\": 25769803776,"
                        "\"hbm_gb_per_second\": 768, \"hbm_read_gb_per_second\": 384,"
                        "\"hbm_write_gb_per_second\": 384, \"hbm_stack_bits\": [],"
                        "\"hbm_row_bits\": [8,21,22,23,24,25,26,27,28,29,30,31,32,33],"
                        "\"hbm_slice_bits\": [20, 34]}");
    assert_true(machine_parse_json(&arena, one_stack, 0, &diags, &machine));
    assert_int_equal(diags.count, 0);
    arena_release(&arena);
}

TEST(mistakes_have_a_code_and_a_place)
{
    static const struct {
        const char *json, *diags;
    } cases[] = {
        // Not JSON, or not an object
        {"", "0-0 E0301\n"},
        {"{", "0-1 E0301\n"},
        {"{\"clock_mhz\": 1,}", "16-17 E0301\n"},
        {"{\"clock_mhz\" 1}", "13-14 E0301\n"},
        {"{} x", "3-4 E0301\n"},
        {"[1, 2]", "0-6 E0301\n"},
        {" 17 ", "1-3 E0301\n"},
        {"null", "0-4 E0301\n"},
        // Fields
        {"{\"dm_bytes_per_slices\": 1}", "1-22 E0302\n"},
        {"{\"Clock_MHz\": 1}", "1-12 E0302\n"},
        {"{\"clock_mhz\": 5, \"clock_mhz\": 6}", "17-28 E0301\n"},
        {"{\"zzz\": 5, \"zzz\": 6}", "1-6 E0302\n11-16 E0301\n"},
        {"{\"base\": \"rngd\", \"base\": \"x\"}", "17-23 E0301\n"},
        // Types
        {"{\"clock_mhz\": \"1000\"}", "14-20 E0303\n"},
        {"{\"clock_mhz\": 1000.0}", "14-20 E0303\n"},
        {"{\"clock_mhz\": true}", "14-18 E0303\n"},
        {"{\"clock_mhz\": null}", "14-18 E0303\n"},
        {"{\"clock_mhz\": [1000]}", "14-20 E0303\n"},
        {"{\"clock_mhz\": {\"a\": [\"}\", 1]}, \"x\": 1}", "14-29 E0303\n31-34 E0302\n"},
        {"{\"fetch_sizes\": 8}", "16-17 E0303\n"},
        {"{\"fetch_sizes\": [8, \"16\"]}", "16-25 E0303\n"},
        {"{\"fetch_sizes\": [8, 16.5]}", "16-25 E0303\n"},
        {"{\"base\": 1}", "9-10 E0303\n"},
        {"{\"base\": \"rngd2\"}", "9-16 E0305\n"},
        {"{\"name\": 1}", "9-10 E0303\n"},
        {"{\"name\": \"\"}", "9-11 E0303\n"},
        {"{\"name\": \"a\\nb\"}", "9-15 E0303\n"},
        // Values
        {"{\"clock_mhz\": 0}", "14-15 E0303\n"},
        {"{\"clock_mhz\": -5}", "14-16 E0303\n"},
        {"{\"clock_mhz\": 100001}", "14-20 E0303\n"},
        {"{\"clock_mhz\": 99999999999999999999}", "14-34 E0303\n"},
        {"{\"fetch_sizes\": [1, 99999999999999999999]}", "16-41 E0303\n"},
        {"{\"fetch_align_bytes\": 12}", "22-24 E0303\n"},
        {"{\"fetch_casts_extended\": 2}", "25-26 E0303\n"},
        {"{\"trf_halves\": 4}", "15-16 E0303\n"},
        {"{\"fetch_sizes\": []}", "16-18 E0303\n"},
        {"{\"fetch_sizes\": [8, 4]}", "16-22 E0303\n"},
        {"{\"fetch_sizes\": [8, 8]}", "16-22 E0303\n"},
        {"{\"fetch_sizes\": [0, 8]}", "16-22 E0303\n"},
        {"{\"fetch_sizes\": [1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17]}", "16-59 E0303\n"},
        {"{\"transpose_in_rows_max\": [8, 4, 2]}", "26-35 E0303\n"},
        {"{\"dm_byte_bits\": [0, 1, 1]}", "17-26 E0303\n"},
        {"{\"dm_byte_bits\": [0, 1, 64]}", "17-27 E0303\n"},
        // All of them at once; what is refused is in no contradiction besides
        {"{\"clock_mhz\": 0, \"x\": 1, \"dm_row_bytes\": 7, \"base\": \"y\"}",
         "52-55 E0305\n14-15 E0303\n17-20 E0302\n41-42 E0303\n"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        Arena arena = {0};
        DiagList diags = {.arena = &arena};
        Machine machine = {.name = "untouched"};
        bool ok = machine_parse_json(&arena, str_from(cases[i].json), 0, &diags, &machine);
        assert_false(ok);
        assert_string_equal(machine.name, "untouched");
        if (strcmp(summary(&arena, &diags), cases[i].diags) != 0)
            fail_msg("%s\ngives\n%snot\n%s", cases[i].json, summary(&arena, &diags),
                     cases[i].diags);
        arena_release(&arena);
    }
}

// Each relation between fields, broken by one member. The number is that of contradictions.
TEST(contradictions_are_found)
{
    static const struct {
        const char *json;
        int64_t count;
    } cases[] = {
        {"\"slices_per_pe\": 32", 1},
        {"\"slices_per_dmn\": 16", 2},       // and the stride of a DMN
        {"\"dma_engines_per_chip\": 16", 2}, // and their speed
        {"\"dma_engines_per_cluster\": 2", 3},
        {"\"hbm_bytes_per_chip\": 51539607551", 1},
        {"\"hbm_rows_per_bank\": 32768", 2}, // and its bits
        {"\"hbm_channel_mb_per_second\": 48001", 1},
        {"\"hbm_unit_cycles\": 8", 1},
        {"\"hbm_gb_per_second\": 1600", 2},
        {"\"hbm_write_gb_per_second\": 700", 1},
        {"\"hbm_row_switch_ns_min\": 51", 1},
        {"\"dm_rows_per_bank\": 8192", 2},
        {"\"dm_bytes_per_chip\": 1", 1},
        {"\"dm_virtual_slice_stride_bytes\": 262144", 2},
        {"\"dm_bytes_per_cycle_per_dma_engine\": 128", 1},
        {"\"trf_half_bytes\": 16384", 1},
        {"\"trf_slots_per_row\": 32", 2},
        {"\"trf_cache_lines\": 8", 1},
        {"\"accumulator_registers\": 8", 1},
        {"\"reduce_interleaved_inner\": 64", 1},
        {"\"reduce_sequential_inner\": 64", 1},
        {"\"flit_buffer_flits\": 4", 1},
        {"\"fetch_mask_count_4_bit\": 256", 1},
        {"\"switch_ring_slices\": 128", 1},
        {"\"vector_reduce_tree_depth\": 3", 1},
        {"\"dma_axi_beats\": 128", 1},
        {"\"dma_request_bytes\": 8192", 1},
        {"\"bank_accesses_max\": 64", 1},
        {"\"silicon_pass_percent_min\": 361", 1},
        {"\"fetch_sizes\": [32, 64]", 1},
        {"\"commit_sizes\": [8, 12, 20]", 2},
        {"\"collect_flits\": [4]", 1},
        {"\"mac_row_counts\": [1, 16]", 1},
        {"\"transpose_in_cols_4_bit\": [16, 64]", 1},
        {"\"reduce_tree_depth\": [7, 7, 7]", 2},
        {"\"transpose_output_alignment\": [64, 64, 16, 8]", 1},
        {"\"hbm_channel_xor_bits\": [13, 14, 15]", 1},
        {"\"dm_bank_bits\": [3, 4, 5, 7]", 1}, // 7 is a bit of the row
        {"\"dm_bank_bits\": [3, 4, 5]", 2},    // too few, and bit 6 is left out
        {"\"hbm_bank_bits\": [17, 40]", 1},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        Arena arena = {0};
        DiagList diags = {.arena = &arena};
        Machine machine;
        Str text = str_format(&arena, "{{{}}", cases[i].json);
        assert_false(machine_parse_json(&arena, text, 3, &diags, &machine));
        int64_t start = strchr(text.data, ':') + 2 - text.data; // of the value
        if (diags.count != cases[i].count)
            fail_msg("%s: %lld contradictions", cases[i].json, (long long)diags.count);
        for (int64_t k = 0; k < diags.count; k++) {
            assert_int_equal(diags.items[k]->code, DIAG_MACHINE_CONTRADICTION);
            assert_int_equal(diags.items[k]->span.source, 3);
            assert_int_equal(diags.items[k]->span.start, start);
            assert_int_equal(diags.items[k]->span.end, text.len - 1);
        }
        arena_release(&arena);
    }
}

TEST(a_contradiction_shows_its_numbers)
{
    Arena arena = {0};
    DiagList diags = {.arena = &arena};
    SourceList sources = {0};
    Machine machine;
    Str text = STR("{\n  \"dm_rows_per_bank\": 8192,\n  \"dm_bytes_per_slice\": 262144,\n"
                   "  \"dm_row_bits\": [7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19],\n"
                   "  \"dm_bytes_per_chip\": 134217728\n}\n");
    *array_push(&arena, &sources, Source) = (Source){STR("big.json"), text, NULL};
    assert_false(machine_parse_json(&arena, text, 0, &diags, &machine));
    StrBuf out = {.arena = &arena};
    diag_render_text(&out, &sources, &diags, DIAG_PLAIN);
    assert_string_equal(str_terminated(&arena, buf_str(&out)),
                        "error[E0304]: dm_bytes_per_slice (262144) must equal dm_banks_per_slice x "
                        "dm_rows_per_bank x dm_row_bytes (16 x 8192 x 8 = 1048576)\n"
                        "  --> big.json:3:25\n"
                        "      |\n"
                        "    3 |   \"dm_bytes_per_slice\": 262144,\n"
                        "      |                         ^^^^^^\n"
                        "    2 |   \"dm_rows_per_bank\": 8192,\n"
                        "      |                       ---- dm_rows_per_bank is set here\n");
    arena_release(&arena);
}

TEST(an_unknown_field_has_a_suggestion)
{
    static const struct {
        const char *key, *help;
    } cases[] = {
        {"dm_bytes_slice", "did you mean `dm_bytes_per_slice`"},
        {"trf_rows", "did you mean `mac_rows`"},
        {"comit_sizes", "did you mean `commit_sizes`"},
        {"colour", "the table of a machine lists all fields"},
        {"a_name_that_is_much_longer_than_any_field_of_a_machine_could_ever_hope_to_be_in_c",
         "the table of a machine lists all fields"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        Arena arena = {0};
        DiagList diags = {.arena = &arena};
        Machine machine;
        Str text = str_format(&arena, "{{\"{}\": 1}", cases[i].key);
        assert_false(machine_parse_json(&arena, text, 0, &diags, &machine));
        assert_int_equal(diags.count, 1);
        Str help = diags.items[0]->helps.items[0].words.text;
        if (!str_starts_with(help, str_from(cases[i].help)))
            fail_msg("%s: %.*s", cases[i].key, STR_ARG(help));
        arena_release(&arena);
    }
}

TEST(a_machine_made_by_hand_is_checked_whole)
{
    Arena arena = {0};
    DiagList diags = {.arena = &arena};
    Machine machine = machine_rngd;
    machine.clock_mhz = 0;
    machine.fetch_sizes.count = 0;
    machine.dm_byte_bits.count = MACHINE_LIST_CAPACITY + 1;
    machine.slices_per_pe = 128;
    assert_false(machine_check(&machine, &diags));
    assert_string_equal(summary(&arena, &diags), "- E0303\n- E0303\n- E0303\n- E0304\n");
    diags = (DiagList){.arena = &arena};
    assert_false(machine_check(&(Machine){.name = "nothing"}, &diags));
    // A product of values that are each in their range, but beyond 63 bits.
    diags = (DiagList){.arena = &arena};
    machine = machine_rngd;
    machine.hbm_rows_per_bank = 1 << 30;
    machine.hbm_row_bytes = 1 << 20;
    machine.hbm_channels_per_stack = 256;
    machine.hbm_slices_per_channel = 64;
    assert_false(machine_check(&machine, &diags));
    arena_release(&arena);
}

TEST(printed_json_is_read_back)
{
    const Machine *machines[] = {&machine_rngd, &machine_rngd_s};
    for (size_t i = 0; i < COUNT_OF(machines); i++) {
        Arena arena = {0};
        DiagList diags = {.arena = &arena};
        Machine original = *machines[i], copy = {0};
        original.name = "a \\ \"b\" \xC3\xBC";
        original.vcg_counters = 9;
        StrBuf out = {.arena = &arena};
        machine_print_json(&out, &original);
        assert_true(machine_parse_json(&arena, buf_str(&out), 0, &diags, &copy));
        assert_string_equal(copy.name, original.name);
        copy.name = original.name;
        assert_memory_equal(&copy, &original, sizeof copy);
        arena_release(&arena);
    }
}

// Every field has a line, and the columns stand below each other.
TEST(the_table_has_every_field)
{
    Arena arena = {0};
    StrBuf out = {.arena = &arena};
    machine_print(&out, &machine_rngd);
    const char *text = str_terminated(&arena, buf_str(&out));
    assert_true(str_starts_with(buf_str(&out), STR("machine rngd\n\nfield ")));
    const char *heading = strstr(text, "field ");
    int64_t section = strstr(heading, "section") - heading;
    for (int64_t i = 0; i < MACHINE_FIELD_COUNT; i++) {
        const MachineField *field = &machine_fields[i];
        const char *line = strstr(text, str_format(&arena, "\n{} ", field->name).data);
        assert_non_null(line);
        Str rest = str_from(line + 1 + section);
        assert_true(str_starts_with(rest, str_format(&arena, "{}\n", field->manual)));
    }
    assert_non_null(strstr(text, " 21-33, 35 "));
    arena_release(&arena);
}

// A file of `bytes` bytes in the current directory; the caller removes it.
static const char *write_file(const char *text, size_t bytes)
{
    static const char *const path = "machine_load_test.json";
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, bytes, file), bytes);
    fclose(file);
    return path;
}

TEST(files_are_read_within_bounds)
{
    Arena arena = {0};
    DiagList diags = {.arena = &arena};
    SourceList sources = {0};
    Machine machine;
    const char *text = "{\"clock_mhz\": 900}";
    const char *path = write_file(text, strlen(text));
    assert_true(machine_load(&arena, &sources, str_from(path), &diags, &machine));
    assert_int_equal(machine.clock_mhz, 900);
    assert_int_equal(sources.count, 1);
    assert_true(str_equal(sources.items[0].text, str_from(text)));

    path = write_file("{\"x\": 1}", 8);
    assert_false(machine_load(&arena, &sources, str_from(path), &diags, &machine));
    assert_string_equal(summary(&arena, &diags), "1-4 E0302\n");
    assert_int_equal(diags.items[0]->span.source, 1);
    diags = (DiagList){.arena = &arena};

    size_t limit = 1 << 20; // blanks count as well
    char *blanks = malloc(limit + 1);
    assert_non_null(blanks);
    memset(blanks, ' ', limit + 1);
    blanks[0] = '{';
    blanks[1] = '}';
    path = write_file(blanks, limit);
    assert_true(machine_load(&arena, &sources, str_from(path), &diags, &machine));
    path = write_file(blanks, limit + 1);
    assert_false(machine_load(&arena, &sources, str_from(path), &diags, &machine));
    free(blanks);
    remove(path);
    assert_false(machine_load(&arena, &sources, str_from(path), &diags, &machine));
    assert_false(machine_load(&arena, &sources, STR("."), &diags, &machine));
    assert_false(machine_load(&arena, &sources, STR(""), &diags, &machine));
    assert_false(machine_load(&arena, &sources, STR("a\0b"), &diags, &machine));
    assert_string_equal(summary(&arena, &diags), "- E0001\n- E0001\n- E0001\n- E0001\n- E0001\n");
    arena_release(&arena);
}

// The first example of docs/machine.md is a machine. CONTRA_SOURCE_DIR says where it is.
TEST(the_documented_example_is_accepted)
{
    const char *root = getenv("CONTRA_SOURCE_DIR");
    if (!root)
        skip();
    Arena arena = {0};
    DiagList diags = {.arena = &arena};
    char *text = arena_alloc(&arena, 1, 1, 65536);
    FILE *file = fopen(str_format(&arena, "{}/docs/machine.md", root).data, "rb");
    assert_non_null(file);
    size_t count = fread(text, 1, 65535, file);
    fclose(file);
    assert_true(count > 0);
    const char *start = strstr(text, "```json\n");
    assert_non_null(start);
    start += strlen("```json\n");
    const char *end = strstr(start, "```");
    assert_non_null(end);
    Machine machine;
    assert_true(machine_parse_json(&arena, (Str){start, end - start}, 0, &diags, &machine));
    assert_int_equal(machine.dm_bytes_per_slice, 1 << 20);
    arena_release(&arena);
}

// xorshift64: the same texts on every run.
static uint64_t next_random(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return *seed;
}

static const char seed_text[] =
    "{\"base\": \"rngd\", \"fetch_sizes\": [8, 16], \"a\\\"}\": {\"b\": [1, {}]}, "
    "\"fetch_casts_extended\": true, \"clock_mhz\": 1e3, \"name\": \"\\u00fc\"}";

static void parse_anything(Str text)
{
    Arena arena = {0};
    DiagList diags = {.arena = &arena};
    Machine machine;
    bool ok = machine_parse_json(&arena, text, 0, &diags, &machine);
    assert_int_equal(ok, diags.count == 0);
    for (int64_t i = 0; i < diags.count; i++) {
        Span span = diags.items[i]->span;
        assert_true(span.start >= 0 && span.start <= span.end && span.end <= text.len);
    }
    arena_release(&arena);
}

TEST(garbage_ends_in_a_diagnostic)
{
    static const char alphabet[] = "{}[]\",:\\ \n0123456789.eE+-truefalsn_\xC3\xBC\x01";
    uint64_t seed = 88172645463325252u;
    char text[sizeof seed_text];
    for (int round = 0; round < 20000; round++) {
        size_t length = next_random(&seed) % sizeof text;
        if (round % 2) { // the seed, a few bytes changed
            length = sizeof seed_text - 1;
            memcpy(text, seed_text, length);
            for (uint64_t k = next_random(&seed) % 4; k < 4; k++)
                text[next_random(&seed) % length] =
                    alphabet[next_random(&seed) % (sizeof alphabet)];
        } else {
            for (size_t i = 0; i < length; i++)
                text[i] = alphabet[next_random(&seed) % (sizeof alphabet)]; // a NUL among them
        }
        parse_anything((Str){text, (int64_t)length});
    }
    for (size_t length = 0; length < sizeof seed_text; length++)
        parse_anything((Str){seed_text, (int64_t)length});
    parse_anything((Str){NULL, 0});
}

// Deep, long and many: bounded work, and a diagnostic.
TEST(large_texts_are_refused_quickly)
{
    Arena arena = {0};
    StrBuf deep = {.arena = &arena}, many = {.arena = &arena}, wide = {.arena = &arena};
    buf_add(&deep, STR("{\"a\":"));
    buf_repeat(&deep, STR("["), 100000);
    parse_anything(buf_str(&deep));
    buf_add(&many, STR("{\"a\":1"));
    for (int i = 0; i < 60000; i++)
        buf_format(&many, ",\"m{}\":1", i);
    buf_add(&many, STR("}"));
    parse_anything(buf_str(&many));
    buf_add(&wide, STR("{\"fetch_sizes\": [1"));
    buf_repeat(&wide, STR(",1"), 300000);
    buf_add(&wide, STR("], \""));
    buf_repeat(&wide, STR("\xC3\xBC"), 100000);
    buf_add(&wide, STR("\": 1}"));
    parse_anything(buf_str(&wide));
    arena_release(&arena);
}

// False where the n-th allocation, which fails, was reached.
static bool parse_with_failure(int64_t n)
{
    static const char text[] = "{\"base\": \"q\", \"name\": \"n\", \"clock_mhz\": 0, \"z\": 1, "
                               "\"z\": 2, \"fetch_sizes\": [4, 2], \"slices_per_pe\": 32}";
    static Arena arena; // static: what is changed between setjmp and longjmp must not be local
    static DiagList diags;
    static Machine machine;
    jmp_buf exhausted;
    arena = (Arena){.on_oom = &exhausted, .fail_in = n};
    diags = (DiagList){.arena = &arena};
    bool reached = setjmp(exhausted) != 0;
    if (!reached)
        machine_parse_json(&arena, str_from(text), 0, &diags, &machine);
    arena_release(&arena);
    return !reached;
}

// Exhaustion at every allocation in turn: nothing is left behind (the sanitizer looks).
TEST(exhausted_memory_leaks_nothing)
{
    int64_t n = 1;
    while (!parse_with_failure(n))
        n++;
    assert_true(n > 20);
}
