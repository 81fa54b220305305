// What the engines are told, for small passes: fields that follow from the text by hand.
#include "../program/program_support.h"

#include "command/form.h"
#include "engine/engine.h"

#define HEAD                                                                             \
    "program p chip=1\naxis K = 20\naxis M = 3\naxis S = 256\naxis R = 8\naxis B = 64\n" \
    "axis T = 200\n"
#define SLICES " chip [1] cluster [1 # 2] slice [S] "
#define REDUCED(op)                                                             \
    "  collect time [M, K # 24 / 8] packet [K # 24 % 8]\n"                      \
    "  vector_init\n"                                                           \
    "  vector_intra_slice_branch Unconditional\n"                               \
    "  vector_split time [M, K # 24 / 8, K # 24 % 8 / 4] packet [K # 24 % 4]\n" \
    "  vector_intra_slice_reduce K " op " time [M] packet [1 # 4]\n"            \
    "  vector_pad_way8 packet [1 # 8]\n"                                        \
    "  vector_final\n"                                                          \
    "  commit -> %1 = dm element [M, 1 # 2] at 0x1000\n"

enum { MOST_FIELDS = 12 };

typedef struct {
    const char *text;
    const char *fields[MOST_FIELDS]; // of the JSON, in order; no more: NULL
} Row;

static const Row rows[] = {
    // no 8-bit integer becomes INT32_MIN: the least there is serves; of each packet 20 are data
    {"%0 = param dm i8" SLICES "element [M, K # 24] at 0x100\n"
     "pass main\n"
     "  begin %0\n"
     "  fetch i32 time [M] packet [K # 24]\n" REDUCED("Max"),
     {"\"access_bytes\":8", "\"bases\":[256]", "\"packet_bytes\":24", "\"stream_packet_bytes\":96",
      "\"fetches_per_packet\":3", "\"last_dim\":1,\"left_pad\":0", "\"valid_counts\":[20]",
      "\"pad_value\":4294967168", "\"packet_stride\":8,\"packet_valid\":20", "\"tree_depth\":2",
      "\"identity_bits\":2147483648", "\"commit_in_size\":8"}},
    // -0 changes no float, not even -0
    {"%0 = param dm f32" SLICES "element [M, K # 24] at 0x100\n"
     "pass main\n"
     "  begin %0\n"
     "  fetch f32 time [M] packet [K # 24]\n" REDUCED("Add"),
     {"\"access_bytes\":32", "\"contiguous_bytes\":288", "\"pad_value\":2147483648",
      "\"pad_registers\":[2147483648]", "\"limit\":3,\"stride\":8,\"dim\":0",
      "\"limit\":3,\"stride\":0,\"dim\":-1", "\"size\":3,\"reduced\":false,\"slot_stride\":0",
      "\"size\":3,\"reduced\":true", "\"size\":2,\"reduced\":true", "\"identity_bits\":0",
      "\"base\":4096,\"access_bytes\":8", "\"writes_per_packet\":1"}},
    // whole flits in the order in which they lie in DM, on the sub context: nothing is masked
    {"%0 = param dm i8" SLICES "element [R, B] at 0x100\n"
     "pass sub\n"
     "  begin %0\n"
     "  fetch i8 time [R, B / 32] packet [B % 32]\n"
     "  collect time [R, B / 32] packet [B % 32]\n"
     "  to_trf -> %1 = trf row [R] element [B] at SecondHalf\n",
     {"\"masks\":[]", "\"in_packet_bytes\":32,\"flits_per_packet\":1,\"pad_bytes\":0,\"flits\":16",
      "\"rows\":8", "\"first_row\":64,\"rows_in_bank\":64,\"row_address_bits\":6",
      "\"reg_type\":1,\"slots_per_element\":2,\"elements_per_bank_row\":32,\"row_bytes\":64",
      "\"size\":8,\"row_stride\":1,\"byte_stride\":0",
      "\"size\":2,\"row_stride\":0,\"byte_stride\":32", "\"short_command\":true"}},
    // other flits than those that lie side by side: not short
    {"%0 = param dm i8" SLICES "element [R, B] at 0x100\n"
     "pass sub\n"
     "  begin %0\n"
     "  fetch i8 time [B / 32, R] packet [B % 32]\n"
     "  collect time [B / 32, R] packet [B % 32]\n"
     "  to_trf -> %1 = trf row [B / 32] element [R, B % 32] at FirstHalf\n",
     {"\"rows\":2,\"bank_rows_per_row\":4", "\"first_row\":0,\"rows_in_bank\":64",
      "\"row_bytes\":256", "\"size\":2,\"row_stride\":1", "\"size\":8,\"row_stride\":0",
      "\"short_command\":false"}},
    // K outside M in VRF, padding and all: a step of K is three elements, one of 8 of them 24
    {"%0 = param dm i32" SLICES "element [M, K # 24] at 0x100\n"
     "pass sub\n"
     "  begin %0\n"
     "  fetch i32 time [M] packet [K # 24]\n"
     "  collect time [M, K # 24 / 8] packet [K # 24 % 8]\n"
     "  to_vrf -> %1 = vrf element [K # 24, M] at 0x40\n",
     {"\"size\":3,\"stride\":1,\"offsets\":[],\"packet\":false", "\"size\":3,\"stride\":24",
      "\"size\":8,\"stride\":3,\"offsets\":[],\"packet\":true", "\"base\":64,\"access_bytes\":4",
      "\"time\":9,\"packet_elements\":8", "\"modulo\":24,\"place\":1", "\"limit\":20",
      "\"bytes\":288"}},
};

static void remove_blanks(char *text)
{
    char *end = text;
    for (; *text; text++)
        if (*text != ' ' && *text != '\n')
            *end++ = *text;
    *end = 0;
}

static char *lowered_json(Desk *desk, const Program *program)
{
    Arena *arena = &desk->arena;
    Lower lower = {arena, arena, &desk->diags, &machine_rngd, program};
    HwCommands commands = {0};
    StrBuf out = {.arena = arena};
    assert_true(lower_op(&lower, program->ops.items[0], &commands));
    assert_int_equal(commands.count, 1);
    record_print_json(&out, &record_of_Pipeline, commands.items[0].pass);
    char *text = arena_copy(arena, str_terminated(arena, buf_str(&out)), (size_t)out.len + 1);
    remove_blanks(text);
    return text;
}

TEST(engines_are_told_what_follows_from_the_text)
{
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        Desk *desk = desk_new(&engine_rules);
        Str text = str_format(&desk->arena, HEAD "{}end\n", rows[i].text);
        const Program *program = desk_program(desk, text);
        assert_string_equal(desk_reports(desk), "");
        const char *json = lowered_json(desk, program), *at = json;
        for (size_t k = 0; k < MOST_FIELDS && rows[i].fields[k]; k++) {
            const char *found = strstr(at, rows[i].fields[k]);
            if (!found)
                fail_msg("row %zu: no %s in\n%s", i, rows[i].fields[k], at);
            at = found;
        }
        desk_free(desk);
    }
}
