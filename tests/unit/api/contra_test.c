// The public interface alone: what each function promises, what it refuses, how long results live.
#include "test.h"

#include <contra.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

static int new_state(void **state)
{
    *state = contra_new();
    return *state ? 0 : -1;
}

static int free_state(void **state)
{
    contra_free(*state);
    return 0;
}

static ContraMapping *parse(Contra *contra, const char *text)
{
    ContraMapping *mapping = NULL;
    ContraStatus status =
        contra_mapping_parse(contra, contra_text("X"), contra_text(text), &mapping);
    if (status != CONTRA_OK)
        print_error("%s", contra_diagnostics(contra, CONTRA_PLAIN).data);
    assert_int_equal(status, CONTRA_OK);
    assert_non_null(mapping);
    return mapping;
}

static void declare(Contra *contra, const char *axes)
{
    assert_int_equal(contra_declare_axes(contra, contra_text(axes)), CONTRA_OK);
}

// Texts that come back are terminated, too.
static void assert_text(ContraText text, const char *expected)
{
    assert_string_equal(text.data, expected);
    assert_int_equal(text.length, strlen(expected));
}

// The codes of all diagnostics, in order.
static void assert_codes(Contra *contra, const char *expected)
{
    char codes[256] = "";
    const char *at = contra_diagnostics(contra, CONTRA_PLAIN).data;
    while ((at = strstr(at, "error[E"))) {
        size_t used = strlen(codes);
        snprintf(codes + used, sizeof codes - used, "%s%.5s", used ? " " : "", at + 6);
        at += 7;
    }
    assert_string_equal(codes, expected);
}

// ---- state

TEST_WITH(the_version_is_three_numbers, new_state, free_state)
{
    int major, minor, patch, used = 0;
    assert_int_equal(sscanf(contra_version(), "%d.%d.%d%n", &major, &minor, &patch, &used), 3);
    assert_int_equal(contra_version()[used], 0);
}

TEST_WITH(texts_are_measured, new_state, free_state)
{
    assert_int_equal(contra_text("abc").length, 3);
    assert_int_equal(contra_text("").length, 0);
}

TEST_WITH(nothing_may_be_freed, new_state, free_state)
{
    contra_free(NULL);
    Contra *contra = contra_new();
    assert_int_equal(contra_error_count(contra), 0);
    assert_text(contra_diagnostics(contra, CONTRA_PLAIN), "");
    assert_text(contra_diagnostics(contra, CONTRA_DIAGNOSTICS_JSON), "[]");
    contra_free(contra);
}

TEST_WITH(states_are_independent, new_state, free_state)
{
    Contra *contra = *state, *other = contra_new();
    declare(contra, "A=8");
    declare(other, "A=3");
    ContraMapping *here = parse(contra, "A"), *there = parse(other, "A");
    assert_int_equal(contra_use_machine(other, contra_text("nothing")), CONTRA_INVALID);
    assert_int_equal(contra_error_count(contra), 0);
    assert_int_equal(contra_mapping_size(there), 3);
    contra_free(other);
    assert_int_equal(contra_mapping_size(here), 8);
}

// ---- machines

static ContraStatus cast_i16_to_i9(Contra *contra)
{
    ContraSequence sequence = contra_sequence_info();
    ContraSequenceRequest request = contra_sequence_request();
    request.engine = CONTRA_FETCH;
    request.buffer = parse(contra, "A");
    request.packet = parse(contra, "A");
    request.type = contra_text("i16");
    request.cast = contra_text("i9");
    return contra_sequence(contra, &request, &sequence);
}

TEST_WITH(machines_are_switched, new_state, free_state)
{
    Contra *contra = *state;
    declare(contra, "A=8");
    assert_int_equal(cast_i16_to_i9(contra), CONTRA_INVALID);
    assert_codes(contra, "E0212");
    contra_clear_diagnostics(contra);
    assert_int_equal(contra_use_machine(contra, contra_text("rngd-s")), CONTRA_OK);
    assert_int_equal(cast_i16_to_i9(contra), CONTRA_OK);
    assert_int_equal(contra_use_machine(contra, contra_text("rngd")), CONTRA_OK);
    assert_int_equal(cast_i16_to_i9(contra), CONTRA_INVALID);
}

TEST_WITH(unknown_machines_change_nothing, new_state, free_state)
{
    Contra *contra = *state;
    declare(contra, "A=8");
    assert_int_equal(contra_use_machine(contra, contra_text("rngd-s")), CONTRA_OK);
    assert_int_equal(contra_use_machine(contra, contra_text("tpu")), CONTRA_INVALID);
    assert_int_equal(contra_use_machine(contra, contra_text("")), CONTRA_INVALID);
    assert_int_equal(contra_use_machine(contra, (ContraText){NULL, 0}), CONTRA_INVALID);
    assert_int_equal(contra_use_machine(contra, contra_text("./no/such/file.json")),
                     CONTRA_INVALID);
    assert_codes(contra, "E0305 E0305 E0305 E0001");
    assert_int_equal(cast_i16_to_i9(contra), CONTRA_OK);
}

TEST_WITH(machines_come_from_files, new_state, free_state)
{
    Contra *contra = *state;
    char path[] = P_tmpdir "/contra-XXXXXX.json";
    int file = mkstemps(path, 5);
    const char text[] = "{\"fetch_casts_extended\": true, \"name\": \"mine\"}";
    assert_true(file >= 0);
    assert_int_equal(write(file, text, sizeof text - 1), sizeof text - 1);
    close(file);
    declare(contra, "A=8");
    ContraStatus status = contra_use_machine(contra, contra_text(path));
    remove(path);
    assert_int_equal(status, CONTRA_OK);
    assert_int_equal(cast_i16_to_i9(contra), CONTRA_OK);
}

TEST_WITH(machines_are_printed, new_state, free_state)
{
    ContraText table, json;
    assert_int_equal(contra_machine_table(*state, CONTRA_TABLE, &table), CONTRA_OK);
    assert_int_equal(contra_machine_table(*state, CONTRA_JSON, &json), CONTRA_OK);
    assert_non_null(strstr(table.data, "sequencer_entries"));
    assert_non_null(strstr(json.data, "\"sequencer_entries\""));
    assert_int_equal(json.data[0], '{');
    assert_int_equal(strlen(table.data), table.length);
}

// ---- diagnostics

TEST_WITH(diagnostics_add_up_until_cleared, new_state, free_state)
{
    Contra *contra = *state;
    ContraMapping *mapping = (ContraMapping *)state;
    declare(contra, "A=8");
    for (int i = 1; i <= 3; i++) {
        assert_int_equal(
            contra_mapping_parse(contra, contra_text("X"), contra_text("A / 3"), &mapping),
            CONTRA_INVALID);
        assert_null(mapping);
        assert_int_equal(contra_error_count(contra), i);
    }
    assert_codes(contra, "E0107 E0107 E0107");
    assert_null(strchr(contra_diagnostics(contra, CONTRA_PLAIN).data, '\033'));
    assert_non_null(strchr(contra_diagnostics(contra, CONTRA_COLOUR).data, '\033'));
    assert_int_equal(contra_diagnostics(contra, CONTRA_DIAGNOSTICS_JSON).data[0], '[');
    contra_clear_diagnostics(contra);
    assert_int_equal(contra_error_count(contra), 0);
    assert_text(contra_diagnostics(contra, CONTRA_PLAIN), "");
    contra_mapping_parse(contra, contra_text("name"), contra_text("A /"), &mapping);
    assert_non_null(strstr(contra_diagnostics(contra, CONTRA_PLAIN).data, "--> name:1:4"));
    assert_codes(contra, "E0101");
}

TEST_WITH(codes_are_listed_and_explained, new_state, free_state)
{
    Contra *contra = *state;
    const char *title = NULL, *code;
    int64_t count = 0;
    for (; (code = contra_code(count, &title)); count++) {
        ContraText text;
        assert_int_equal(contra_explain(contra, contra_text(code), &text), CONTRA_OK);
        assert_non_null(strstr(text.data, code));
        assert_non_null(strstr(text.data, title));
    }
    assert_true(count > 40);
    assert_null(contra_code(-1, &title));
    assert_null(contra_code(count + 1, &title));
    ContraText text;
    assert_int_equal(contra_explain(contra, contra_text("e0107"), &text), CONTRA_OK);
    assert_int_equal(contra_explain(contra, contra_text("E9999"), &text), CONTRA_INVALID);
    assert_int_equal(contra_explain(contra, contra_text(""), &text), CONTRA_INVALID);
    assert_int_equal(contra_explain(contra, (ContraText){NULL, 0}, &text), CONTRA_INVALID);
    assert_int_equal(contra_error_count(contra), 0);
}

// ---- names

TEST_WITH(axes_are_declared_once, new_state, free_state)
{
    Contra *contra = *state;
    static const struct {
        const char *axes, *code;
    } cases[] = {
        {"A=9", "E0103"},
        {"B=0", "E0104"},
        {"b=4", "E0105"},
        {"B", "E0101"},
        {"B=99999999999999999999", "E0109"},
        {"B=C-A", "E0115"},
    };
    declare(contra, "A=8");
    declare(contra, "");
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        assert_int_equal(contra_declare_axes(contra, contra_text(cases[i].axes)), CONTRA_INVALID);
        assert_codes(contra, cases[i].code);
        contra_clear_diagnostics(contra);
    }
    declare(contra, "B=512,B'=B-A");
    assert_int_equal(contra_mapping_size(parse(contra, "A, B'")), 4096);
}

TEST_WITH(definitions_name_mappings, new_state, free_state)
{
    Contra *contra = *state;
    declare(contra, "A=8,B=4");
    assert_int_equal(contra_define(contra, contra_text("L=A, B # 8")), CONTRA_OK);
    assert_int_equal(contra_mapping_size(parse(contra, "{ L } / 16")), 4);
    assert_int_equal(contra_define(contra, contra_text("L=A")), CONTRA_INVALID);
    assert_codes(contra, "E0103");
}

// A definition is wrong until what it lacks is there, and that is said each time.
TEST_WITH(a_wrong_definition_is_read_again, new_state, free_state)
{
    Contra *contra = *state;
    ContraMapping *mapping;
    declare(contra, "A=8");
    assert_int_equal(contra_define(contra, contra_text("L=A, B")), CONTRA_OK);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(contra_mapping_parse(contra, contra_text("m"), contra_text("A"), &mapping),
                         CONTRA_INVALID);
        assert_codes(contra, "E0102");
        contra_clear_diagnostics(contra);
    }
    declare(contra, "B=4");
    assert_int_equal(contra_mapping_size(parse(contra, "{ L }")), 32);
}

// A text need not outlive the call.
TEST_WITH(texts_are_copied, new_state, free_state)
{
    Contra *contra = *state;
    char axes[] = "A=8", text[] = "A / 4, A % 4", name[] = "X";
    ContraMapping *mapping;
    declare(contra, axes);
    memset(axes, '?', sizeof axes - 1);
    assert_int_equal(contra_mapping_parse(contra, contra_text(name), contra_text(text), &mapping),
                     CONTRA_OK);
    memset(text, '?', sizeof text - 1);
    memset(name, '?', sizeof name - 1);
    assert_text(contra_mapping_text(mapping), "A / 4, A % 4");
    assert_text(contra_mapping_normal(mapping), "A");
    assert_int_equal(contra_mapping_split(contra, mapping, 3, &mapping, &mapping), CONTRA_INVALID);
    assert_non_null(strstr(contra_diagnostics(contra, CONTRA_PLAIN).data, "A / 4, A % 4"));
}

// ---- mappings

TEST_WITH(malformed_mappings_are_refused, new_state, free_state)
{
    Contra *contra = *state;
    static const struct {
        ContraText text;
        const char *codes;
    } cases[] = {
        {{"", 0}, "E0101"},      {{NULL, 0}, "E0101"},
        {{"A,", 2}, "E0101"},    {{"Q, R", 4}, "E0102 E0102"},
        {{"2", 1}, "E0106"},     {{"A / 0", 5}, "E0112"},
        {{"A # 4", 5}, "E0108"}, {{"A, A", 4}, "E0111"},
        {{"A\0A", 3}, "E0101"}, // a byte like any other
        {{"A\0", 2}, "E0101"},   {{"A \xFF", 3}, "E0101"},
    };
    declare(contra, "A=8");
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        ContraMapping *mapping = (ContraMapping *)state;
        ContraStatus status =
            contra_mapping_parse(contra, contra_text("X"), cases[i].text, &mapping);
        if (status != CONTRA_INVALID)
            fail_msg("case %zu is accepted", i);
        assert_null(mapping);
        assert_codes(contra, cases[i].codes);
        contra_clear_diagnostics(contra);
    }
}

TEST_WITH(factors_and_axes_are_listed, new_state, free_state)
{
    Contra *contra = *state;
    declare(contra, "B=5,A=8,C=2");
    ContraMapping *mapping = parse(contra, "B # 8, A / 4");
    ContraFactor factor;
    int64_t size;
    assert_text(contra_mapping_text(mapping), "B # 8, A / 4");
    assert_text(contra_mapping_normal(mapping), "B # 8, A / 4");
    assert_int_equal(contra_mapping_factor_count(mapping), 3);
    assert_int_equal(contra_mapping_factor(contra, mapping, 0, &factor), CONTRA_OK);
    assert_text(factor.text, "A / 4");
    assert_true(!factor.is_padding && factor.size == 2 && factor.block == 1);
    assert_int_equal(contra_mapping_factor(contra, mapping, 1, &factor), CONTRA_OK);
    assert_text(factor.text, "B");
    assert_true(!factor.is_padding && factor.size == 5 && factor.block == 2);
    assert_int_equal(contra_mapping_factor(contra, mapping, 2, &factor), CONTRA_OK);
    assert_true(factor.is_padding && factor.size == 16 && factor.block == 10);
    assert_int_equal(contra_mapping_factor(contra, mapping, 3, &factor), CONTRA_INVALID);
    assert_int_equal(contra_mapping_factor(contra, mapping, -1, &factor), CONTRA_INVALID);
    assert_int_equal(contra_mapping_axis_count(mapping), 2);
    // in the order in which the mapping names them
    assert_string_equal(contra_mapping_axis(mapping, 0, &size), "B");
    assert_int_equal(size, 5);
    assert_string_equal(contra_mapping_axis(mapping, 1, &size), "A");
    assert_int_equal(size, 8);
    assert_null(contra_mapping_axis(mapping, 2, &size));
    assert_null(contra_mapping_axis(mapping, -1, &size));
    assert_int_equal(contra_error_count(contra), 0);
}

TEST_WITH(cells_have_a_value_per_axis, new_state, free_state)
{
    Contra *contra = *state;
    declare(contra, "A=2,B=3,N=5,F=3,Z=100000");
    ContraMapping *mapping = parse(contra, "A, B # 4");
    ContraCell cell;
    for (int64_t at = 0; at < 8; at++) {
        assert_int_equal(contra_mapping_cell(contra, mapping, at, &cell), CONTRA_OK);
        assert_int_equal(cell.count, at % 4 < 3);
        if (cell.count) {
            assert_int_equal(cell.values[0], at / 4);
            assert_int_equal(cell.values[1], at % 4);
        }
    }
    assert_int_equal(contra_mapping_cell(contra, mapping, 8, &cell), CONTRA_INVALID);
    assert_int_equal(contra_mapping_cell(contra, mapping, -1, &cell), CONTRA_INVALID);
    ContraMapping *window = parse(contra, "$(N:1, F:2)"); // 4 = 0 + 4 = 2 + 2 = 4 + 0
    assert_int_equal(contra_mapping_cell(contra, window, 4, &cell), CONTRA_OK);
    assert_int_equal(cell.count, 3);
    for (int64_t i = 0; i < 3; i++) // axes N, F
        assert_int_equal(cell.values[2 * i] + 2 * cell.values[2 * i + 1], 4);
    ContraMapping *crowd = parse(contra, "$(Z / 100:1, Z % 100:1)");
    assert_int_equal(contra_mapping_cell(contra, crowd, 50, &cell), CONTRA_OK);
    assert_int_equal(cell.count, 51);
    assert_int_equal(contra_error_count(contra), 0);
}

TEST_WITH(shared_positions_are_listed_up_to_a_limit, new_state, free_state)
{
    Contra *contra = *state;
    ContraCell cell;
    declare(contra, "P=5000,Q=5000");
    ContraMapping *crowd = parse(contra, "$(P:1, Q:1)");
    assert_int_equal(contra_mapping_cell(contra, crowd, 4095, &cell), CONTRA_OK);
    assert_int_equal(cell.count, 4096);
    assert_int_equal(contra_mapping_cell(contra, crowd, 4096, &cell), CONTRA_INVALID);
    assert_codes(contra, "E0002");
}

TEST_WITH(equality_tells_where, new_state, free_state)
{
    Contra *contra = *state;
    bool equal;
    int64_t difference;
    declare(contra, "A=63,B=4,C=8");
    ContraMapping *whole = parse(contra, "A # 64"), *cut = parse(contra, "A # 64 / 8, A # 64 % 8");
    assert_int_equal(contra_mapping_equal(contra, whole, cut, &equal, &difference), CONTRA_OK);
    assert_true(equal);
    assert_int_equal(difference, -1);
    assert_int_equal(contra_mapping_equal(contra, whole, cut, &equal, NULL), CONTRA_OK);
    ContraMapping *left = parse(contra, "B, C"), *right = parse(contra, "C, B");
    assert_int_equal(contra_mapping_equal(contra, left, right, &equal, &difference), CONTRA_OK);
    assert_false(equal);
    assert_int_equal(difference, 1);
    ContraMapping *part = parse(contra, "A = 32");
    assert_int_equal(contra_mapping_equal(contra, part, whole, &equal, &difference), CONTRA_OK);
    assert_false(equal);
    assert_int_equal(difference, 32); // the smaller size where one is the start of the other
    assert_int_equal(contra_mapping_is_prefix(contra, part, whole, &equal), CONTRA_OK);
    assert_true(equal);
    assert_int_equal(contra_mapping_is_prefix(contra, left, whole, &equal), CONTRA_OK);
    assert_false(equal);
}

TEST_WITH(splits_give_both_parts, new_state, free_state)
{
    Contra *contra = *state;
    static const int64_t refused[] = {0, -1, 3, 64, INT64_MAX, INT64_MIN};
    ContraMapping *outer, *inner;
    declare(contra, "A=8,B=4");
    ContraMapping *mapping = parse(contra, "A, B");
    assert_int_equal(contra_mapping_split(contra, mapping, 8, &outer, &inner), CONTRA_OK);
    assert_text(contra_mapping_normal(outer), "A / 2");
    assert_text(contra_mapping_normal(inner), "A % 2, B");
    assert_text(contra_mapping_text(outer), "A / 2"); // a result is written in its normal form
    for (size_t i = 0; i < COUNT_OF(refused); i++) {
        assert_int_equal(contra_mapping_split(contra, mapping, refused[i], &outer, &inner),
                         CONTRA_INVALID);
        assert_codes(contra, "E0121");
        contra_clear_diagnostics(contra);
    }
}

TEST_WITH(tiles_shorten_one_dimension, new_state, free_state)
{
    Contra *contra = *state;
    static const struct {
        int64_t length, start;
        const char *code;
    } refused[] = {{9, 0, "E0123"},  {0, 0, "E0123"},         {4, 5, "E0123"},
                   {4, -1, "E0123"}, {1, INT64_MAX, "E0123"}, {INT64_MAX, 1, "E0123"}};
    ContraMapping *tile;
    declare(contra, "A=8,B=4,C=2");
    ContraMapping *mapping = parse(contra, "A, B"), *index = parse(contra, "A");
    assert_int_equal(contra_mapping_tile(contra, mapping, index, 2, 4, &tile, NULL), CONTRA_OK);
    assert_text(contra_mapping_normal(tile), "A = 2 # 8, B"); // the strides stay
    for (size_t i = 0; i < COUNT_OF(refused); i++) {
        assert_int_equal(contra_mapping_tile(contra, mapping, index, refused[i].length,
                                             refused[i].start, &tile, NULL),
                         CONTRA_INVALID);
        assert_codes(contra, refused[i].code);
        contra_clear_diagnostics(contra);
    }
    assert_int_equal(contra_mapping_tile(contra, mapping, parse(contra, "C"), 1, 0, &tile, NULL),
                     CONTRA_INVALID);
    assert_codes(contra, "E0122");
}

TEST_WITH(canonical_axes_are_joined_and_sorted, new_state, free_state)
{
    Contra *contra = *state;
    const ContraTerm *terms;
    int64_t count;
    declare(contra, "A=8,B=4");
    ContraMapping *mapping = parse(contra, "B, A % 4, A / 4");
    assert_int_equal(contra_mapping_canonical_axes(contra, mapping, &terms, &count), CONTRA_OK);
    assert_int_equal(count, 2);
    assert_text(terms[0].text, "A");
    assert_int_equal(terms[0].size, 8);
    assert_text(terms[1].text, "B");
    mapping = parse(contra, "1");
    assert_int_equal(contra_mapping_canonical_axes(contra, mapping, &terms, &count), CONTRA_OK);
    assert_int_equal(count, 0);
}

TEST_WITH(divisions_find_terms, new_state, free_state)
{
    Contra *contra = *state;
    ContraDivision division = contra_division();
    declare(contra, "A=8,B=4,C=2");
    ContraMapping *mapping = parse(contra, "A, B"), *divisor = parse(contra, "A % 2, C");
    for (ContraDivideKind kind = CONTRA_DIVIDE_RELAXED; kind <= CONTRA_DIVIDE_STRICT; kind++) {
        assert_int_equal(contra_mapping_divide(contra, mapping, divisor, kind, 0, &division),
                         CONTRA_OK);
        assert_false(division.exact);
        assert_int_equal(division.term_count, 2);
        assert_true(division.terms[0].found);
        assert_text(division.terms[0].text, "A % 2");
        assert_int_equal(division.terms[0].size, 2);
        assert_int_equal(division.terms[0].dividend_stride, 4);
        assert_int_equal(division.terms[0].divisor_stride, 2);
        assert_false(division.terms[1].found);
        assert_text(division.terms[1].text, "C");
        assert_int_equal(contra_mapping_size(division.dividend_residue), 32);
    }
    assert_int_equal(contra_mapping_divide(contra, mapping, parse(contra, "A"), CONTRA_DIVIDE_SPAN,
                                           2, &division),
                     CONTRA_OK);
    assert_true(division.exact);
    assert_int_equal(contra_error_count(contra), 0);
}

TEST_WITH(pictures_are_drawn, new_state, free_state)
{
    Contra *contra = *state;
    ContraText picture;
    declare(contra, "A=8,B=1000000");
    ContraMapping *mapping = parse(contra, "B, A # 10");
    assert_int_equal(contra_mapping_picture(contra, mapping, CONTRA_PICTURE_TEXT, 20, &picture),
                     CONTRA_OK);
    assert_true(picture.length > 20 && picture.length < 10000);
    assert_int_equal(contra_mapping_picture(contra, mapping, CONTRA_PICTURE_TEXT, 0, &picture),
                     CONTRA_OK);
    assert_true(picture.length < 100000);
    assert_int_equal(contra_mapping_picture(contra, mapping, CONTRA_PICTURE_SVG, 20, &picture),
                     CONTRA_OK);
    assert_non_null(strstr(picture.data, "<svg"));
    assert_non_null(strstr(picture.data, "</svg>"));
}

// ---- sequencers

TEST_WITH(sequences_are_derived, new_state, free_state)
{
    Contra *contra = *state;
    ContraSequence sequence = contra_sequence_info();
    declare(contra, "A=8,B=8,C=8");
    ContraSequenceRequest request = contra_sequence_request();
    request.buffer = parse(contra, "A, B, C # 32");
    request.time = parse(contra, "B, A");
    request.packet = parse(contra, "C # 16");
    assert_int_equal(contra_sequence(contra, &request, &sequence), CONTRA_OK);
    assert_text(sequence.config, "[8:32, 8:256, 16:1]:16");
    assert_int_equal(sequence.entry_count, 3);
    assert_text(sequence.entries[0].term, "B");
    assert_true(sequence.entries[0].size == 8 && sequence.entries[0].stride == 32);
    assert_null(sequence.entries[0].offsets);
    assert_int_equal(sequence.step_count, 3);
    assert_text(sequence.steps[1].term, "A");
    assert_text(sequence.steps[1].entry, "8 : 256");
    assert_true(!sequence.merged && sequence.walks_all && sequence.base_offset == 0);
    assert_true(sequence.time_steps == 64 && sequence.packet_elements == 16);
    assert_true(sequence.packet_bytes == 16 && sequence.access_bytes == 16);
    assert_true(sequence.accesses_per_packet == 1 && sequence.cycles == 64);
    // Only the buffer: one element.
    request.time = request.packet = NULL;
    assert_int_equal(contra_sequence(contra, &request, &sequence), CONTRA_OK);
    assert_true(sequence.time_steps == 1 && sequence.packet_bytes == 1 && sequence.cycles == 1);
    assert_false(sequence.walks_all);
    // What was given back before lives on.
    ContraText config = sequence.config;
    for (int i = 0; i < 100; i++)
        parse(contra, "A, B, C");
    assert_int_equal(strlen(config.data), config.length);
}

TEST_WITH(sequences_list_offsets, new_state, free_state)
{
    Contra *contra = *state;
    ContraSequence sequence = contra_sequence_info();
    declare(contra, "A=8,B=4");
    ContraSequenceRequest request = contra_sequence_request();
    request.buffer = parse(contra, "A, B");
    request.time = parse(contra, "A @ [5, 0, 2]");
    request.packet = parse(contra, "B");
    assert_int_equal(contra_sequence(contra, &request, &sequence), CONTRA_OK);
    assert_non_null(sequence.entries[0].offsets);
    assert_int_equal(sequence.entries[0].offsets[0], 20);
    assert_int_equal(sequence.entries[0].offsets[2], 8);
}

// The parts of a split are mappings like any other.
TEST_WITH(sequences_take_results_of_operations, new_state, free_state)
{
    Contra *contra = *state;
    ContraSequence sequence = contra_sequence_info();
    ContraMapping *outer, *inner;
    declare(contra, "A=8,B=8");
    ContraMapping *mapping = parse(contra, "A, B");
    assert_int_equal(contra_mapping_split(contra, mapping, 8, &outer, &inner), CONTRA_OK);
    ContraSequenceRequest request = contra_sequence_request();
    request.buffer = mapping;
    request.time = outer;
    request.packet = inner;
    assert_int_equal(contra_sequence(contra, &request, &sequence), CONTRA_OK);
    assert_text(sequence.config, "[8:8, 8:1]:8");
    request.buffer = inner;
    request.time = NULL;
    request.packet = parse(contra, "B");
    assert_int_equal(contra_sequence(contra, &request, &sequence), CONTRA_OK);
    assert_text(sequence.config, "[8:1]:8");
}

TEST_WITH(sequences_have_reasons_to_be_refused, new_state, free_state)
{
    Contra *contra = *state;
    ContraSequence sequence = contra_sequence_info();
    declare(contra, "A=15,B=8");
    ContraSequenceRequest request = contra_sequence_request();
    request.buffer = parse(contra, "A % 5, A / 5");
    request.packet = parse(contra, "A % 3");
    assert_int_equal(contra_sequence(contra, &request, &sequence), CONTRA_INVALID);
    assert_codes(contra, "E0202");
    contra_clear_diagnostics(contra);
    request.type = contra_text("i7");
    assert_int_equal(contra_sequence(contra, &request, &sequence), CONTRA_INVALID);
    assert_codes(contra, "E0004");
    contra_clear_diagnostics(contra);
    request = contra_sequence_request();
    request.engine = CONTRA_COMMIT;
    request.context = CONTRA_SUB;
    request.buffer = parse(contra, "B");
    request.packet = parse(contra, "B # 32");
    request.base_bytes = 4;
    assert_int_equal(contra_sequence(contra, &request, &sequence), CONTRA_INVALID);
    assert_codes(contra, "E0209");
}

TEST_WITH(types_are_known_by_name, new_state, free_state)
{
    assert_true(contra_is_type(contra_text("i8")));
    assert_true(contra_is_type(contra_text("bf16")));
    assert_false(contra_is_type(contra_text("i7")));
    assert_false(contra_is_type(contra_text("")));
    assert_false(contra_is_type((ContraText){NULL, 0}));
}

// What was rendered stays until it is rendered again, whatever else is asked.
TEST(rendered_diagnostics_stay)
{
    Contra *contra = contra_new();
    ContraMapping *a, *b;
    ContraCell cell;
    bool equal;
    contra_declare_axes(contra, contra_text("A=8,B=512"));
    assert_int_equal(contra_mapping_parse(contra, contra_text("it"), contra_text("Q"), &a),
                     CONTRA_INVALID);
    const char *said = contra_diagnostics(contra, CONTRA_PLAIN).data;
    char before[512];
    snprintf(before, sizeof before, "%s", said);
    contra_mapping_parse(contra, contra_text("it"), contra_text("A, B # 1024"), &a);
    contra_mapping_parse(contra, contra_text("it"), contra_text("A, B"), &b);
    contra_mapping_equal(contra, a, b, &equal, NULL);
    contra_mapping_cell(contra, a, 5, &cell);
    assert_string_equal(said, before);
    contra_free(contra);
}
