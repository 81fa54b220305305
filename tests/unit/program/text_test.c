// The text of programs: lines that print as they were written, every diagnostic with its place and
// a neighbour that passes, the documentation, and texts made to break a reader.
#include "program_support.h"

#include <stdio.h>

// ---- lines that survive

static const char *const head = "program test chip=4\n"
                                "axis A = 4096\n"
                                "axis B = 8\n"
                                "axis I = 2\n"
                                "\n"
                                "%0 x = param dm i32 chip [1] cluster [1 # 2] slice [A / 16] "
                                "element [A % 16, B / 2, B % 2, I] at 0x100\n"
                                "%1 = param dm i32 chip [1] cluster [1 # 2] slice [A / 16] "
                                "element [A % 16] at ?\n"
                                "%2 = param hbm i32 chip [1] element [A, I] at 0x0\n"
                                "%3 w = param trf i8 chip [1] cluster [1 # 2] slice [A / 16] "
                                "row [B] element [A % 16 # 64] at SecondHalf\n"
                                "%4 = param vrf i32 chip [1] cluster [1 # 2] slice [A / 16] "
                                "element [B] at 0x0\n"
                                "%5 = param host i32 element [A]\n\n";

#define INPUT(position, rest)                                                               \
    "pass main\n  input " position " i32 chip [1] cluster [1 # 2] slice [A / 16] time [B] " \
    "packet [A % 8]" rest "\n"
#define VECTOR INPUT("VectorTensor", " stage Branch entry i32")
#define NARROW                                                                              \
    "pass main\n  input VectorTensor f32 chip [1] cluster [1 # 2] slice [A / 16] time [B] " \
    "packet [A % 4] stage Narrow entry f32 way4\n"
#define PAIR INPUT("VectorTensorPair", " stage Branch entry i32")
#define OPEN "  open\n"

// Bodies that print as they are.
static const char *const bodies[] = {
    // streams and views
    "pass sub\n  begin %0\n" OPEN,
    "pass main?\n  begin mut %0\n" OPEN,
    "pass main\n  begin %1.tile<[A % 16 / 8], 1, [1 # 2, A % 8]>(1)\n" OPEN,
    "pass main\n  begin %1.slice_tile<[A / 64], 3, [A / 64 = 3 # 64, A / 16 % 4]>(?)"
    ".tile<[A % 16], 4, [A % 16 = 4 # 16]>(12)\n" OPEN,
    "pass main\n  begin_interleaved I %1 %1.tile<[A % 16], 1, [1 # 16]>(3)\n" OPEN,
    "pass main\n  begin %1\n  fetch f32 time [A % 16 / 8] packet [A % 8]\n" OPEN,
    "pass main\n  begin %1\n  fetch i8 time [1] packet [A % 16] table i8 (-1, 0, 127)\n" OPEN,
    "pass main\n  begin %1\n  fetch bf16 time [1] packet [A % 16] table bf16 (0x0, 0x3f80) "
    "zero_points (-3, 4)\n" OPEN,
    "pass main\n  begin %1\n  fetch i32 time [1] packet [A % 16] table i8 ()\n" OPEN,
    // engines
    INPUT("FetchTensor", "") "  switch Broadcast01 slice1=4 slice0=2 time0=1 slice [A / 16] "
                             "time [B]\n" OPEN,
    INPUT("FetchTensor", "") "  switch CustomBroadcast ring_size=16 slice [A / 16] time [B]\n" OPEN,
    INPUT("CollectTensor", "") "  align %3 time [B] packet [A % 16]\n"
                               "  contract packet [1]\n"
                               "  accumulate Sequential time [1] packet [B]\n" OPEN,
    INPUT("CollectTensor", "") "  cast i8 packet [A % 8 # 32]\n" OPEN,
    INPUT("CollectTensor", "") "  transpose time [A % 8] packet [B]\n" OPEN,
    // sinks
    INPUT("CastTensor", "") "  commit -> %6 y = dm element [A % 8] at 0x20\n",
    INPUT("CastTensor", "") "  commit -> %6 = dm i8 chip [1 # 4] element [A % 8] at ?\n",
    INPUT("CastTensor", "") "  commit_view -> %1\n",
    INPUT("CastTensor", "") "  commit_view -> const %1.tile<[A % 16], 1, [1 # 16]>(0)\n",
    INPUT("CollectTensor", "") "  to_trf -> %6 = trf row [B] element [A % 8] at FirstHalf\n",
    INPUT("VectorFinalTensor", "") "  to_vrf -> %6 = vrf element [A % 8] at 0x40\n",
    // the Vector Engine
    INPUT("CollectTensor", "") "  vector_init\n  vector_intra_slice_branch AxisToggle I\n" OPEN,
    INPUT("VectorInitTensor", " stage Branch entry i32") "  vector_intra_slice_branch Comparison "
                                                         "Less -5, GreaterUnsigned 0.5, True i32, "
                                                         "False f32\n" OPEN,
    INPUT("VectorInitTensor", " stage Branch entry i32") "  vector_intra_slice_branch Comparison "
                                                         "Equal f32:0x7fc00001, Less 1e-45, "
                                                         "Greater -0.0, True f32:1e-45\n" OPEN,
    INPUT("VectorInitTensor",
          " stage Branch entry i32") "  vector_intra_slice_branch ValidCount\n" OPEN,
    INPUT("VectorInitTensor",
          " stage Branch entry i32") "  vector_intra_slice_branch Vrf %4\n" OPEN,
    INPUT("VectorInitTensor", " stage Branch entry i32") "  vector_intra_slice_branch Vrf _\n" OPEN,
    INPUT("VectorInitTensor",
          " stage Branch entry i32") "  vector_intra_slice_branch AxisToggle _\n" OPEN,
    INPUT("VectorInitTensor", " stage Branch entry i32") "  vector_intra_slice_unzip I tile_time "
                                                         "[B, 1 # 2] time [B]\n" OPEN,
    VECTOR "  vector_inter_slice_reduce AddSat slice [1 # 256] time [B]\n" OPEN,
    VECTOR "  vector_logic BitAnd 3\n  vector_logic BitOr Mode10 4 group Zero, %4 group One\n" OPEN,
    VECTOR "  vector_logic LogicBinaryOpF32::BitAnd 3\n" OPEN,
    VECTOR "  vector_fxp AddFxp 1, 2 group Zero, -2147483648 group One, stash, %4\n" OPEN,
    VECTOR "  vector_fxp SubFxp\n" OPEN,
    VECTOR "  vector_fxp AddFxp u8:7\n" OPEN,
    VECTOR "  vector_fxp_to_fp 31\n  vector_clip Min 0.1\n" OPEN,
    VECTOR "  vector_filter group One time [1]\n" OPEN,
    VECTOR "  vector_filter time [1]\n" OPEN,
    VECTOR "  vector_stash\n  vector_final\n" OPEN,
    NARROW "  vector_fp_unary Tanh\n  vector_fp_unary Exp Mode1\n" OPEN,
    NARROW "  vector_fp_binary MulF(Mul0) 0.5\n  vector_fp_binary MulF stash\n" OPEN,
    NARROW "  vector_fp_ternary FmaF Mode120 %4 with 2.5 group One, 0.5 with f32:0x7f800000\n" OPEN,
    NARROW "  vector_intra_slice_reduce A Max time [B] packet [1 # 4]\n" OPEN,
    NARROW "  vector_fp_div DivF Mode10 1.0\n" OPEN,
    NARROW "  vector_concat time [B / 2] packet [B % 2, A % 4]\n" OPEN,
    NARROW "  vector_pad_way8 packet [A % 4 # 8]\n  vector_fp_to_fxp 7\n" OPEN,
    PAIR "  vector_fxp AddFxp 1, _\n  vector_fxp_zip AddFxp Mode11\n" OPEN,
    PAIR "  vector_fxp_to_fp 31\n  vector_split time [B] packet [A % 4]\n"
         "  vector_fp_unary Exp true, false\n" OPEN,
    // operations
    "tdma to_dm %2 -> %6 z = dm cluster [1 # 2] slice [A / 16] element [A % 16] at 0x0\n"
    "tdma to_hbm_view %6 -> %2.tile<[I], 1, [A, 1 # 2]>(0)\n",
    "pdma to_host %2 -> %6 = host element [A]\n",
    "pdma to_hbm %5 -> %6 = hbm chip [1] element [A] at 0x1000\n",
    "pdma move %5 -> %2\n",
    "pdma move.dma_copy %5 -> %2\n",
    "pdma move.\"to be\" %5 -> %2\n",
    "sub to_dm_pcopy %0 -> %1\n",
    "tdma dm_cluster_shuffle %0 pattern (1, 0) count 2 -> %6 = dm element [A % 16] at 0x0\n",
    "tdma dm_chip_shuffle %0 pattern (1, -2, 0) -> %6 = dm element [A % 16] at 0x0\n",
    "sub parallel_copy_cluster_slice %0 key [B] sliced [A % 16, 1 # 8] pattern (0, 1) count 2 "
    "-> %6 = dm element [A % 16] at 0x0\n",
    "tdma dma_scatter %1 index %2 key [A % 16] scaled -> %2\n",
    "tdma dma_gather %2 index mut %2 -> %6 = dm cluster [1 # 2] slice [A / 16] element [I] "
    "at 0x0\n",
};

static const char *body_text(Desk *desk, const char *body)
{
    StrBuf text = {.arena = &desk->arena};
    buf_format(&text, "{}{}end\n", head, body);
    return str_terminated(&desk->arena, buf_str(&text));
}

TEST(lines_print_as_they_are_written)
{
    for (size_t i = 0; i < COUNT_OF(bodies); i++) {
        Desk *desk = desk_new(NULL);
        const char *text = body_text(desk, bodies[i]);
        const Program *program = desk_program(desk, str_from(text));
        assert_string_equal(desk_printed(desk, program), text);
        desk_free(desk);
    }
}

// ---- texts that print differently

#define SMALL "axis A = 8\n%0 = param host i8 element [A]\n"

TEST(texts_have_one_printed_form)
{
    static const struct {
        const char *text, *printed;
    } cases[] = {
        {"program p\nend", "program p\nend\n"},
        {"  program\t\"p\"\r\n// nothing\n\n end // over\r\n", "program p\nend\n"},
        {"program \"two words\" chip=0x10\nend\n", "program \"two words\" chip=16\nend\n"},
        {"program \"\"\nend\n", "program \"\"\nend\n"},
        {"program a::b\nend\n", "program a::b\nend\n"},
        {"program \"a\\x22\\x5c\\xc3\xa9\"\nend\n", "program \"a\\x22\\x5c\xc3\xa9\"\nend\n"},
        {"program \"// a \"\nend\n", "program \"// a \"\nend\n"},
        // labels are numbered; a word is a name, too
        {"program p\naxis A = 8\n%w = param host i8 element [A]\n%7=param host i8 element [ A/2 ]\n"
         "end\n",
         "program p\naxis A = 8\n\n%0 w = param host i8 element [A]\n"
         "%1 = param host i8 element [A / 2]\nend\n"},
        {"program p\naxis A = 8\n%w v = param host i8 element [A]\n%x \"\" = param host i8 element "
         "[1]\nend\n",
         "program p\naxis A = 8\n\n%0 v = param host i8 element [A]\n"
         "%1 \"\" = param host i8 element [1]\nend\n"},
        // axes: only those that are used, by name and size; aliases; skewed ones
        {"program p\naxis Z = 3\naxis B = 4\naxis A = 8\n%0 = param host i8 element [B, A]\nend\n",
         "program p\naxis A = 8\naxis B = 4\n\n%0 = param host i8 element [B, A]\nend\n"},
        {"program p\naxis A = 8\naxis Other = 4 named A\n"
         "%0 = param host i8 element [Other, A / 2]\nend\n",
         "program p\naxis A = 4\naxis A_8 = 8 named A\n\n"
         "%0 = param host i8 element [A, A_8 / 2]\nend\n"},
        {"program p\naxis A = 8\naxis X = 4 named A\naxis A_8 = 2\n"
         "%0 = param host i8 element [X, A, A_8]\nend\n",
         "program p\naxis A = 4\naxis A_8_2 = 8 named A\naxis A_8 = 2\n\n"
         "%0 = param host i8 element [A, A_8_2, A_8]\nend\n"},
        {"program p\naxis X = 4 named \"no name\"\n%0 = param host i8 element [X]\nend\n",
         "program p\naxis X_4 = 4 named \"no name\"\n\n%0 = param host i8 element [X_4]\nend\n"},
        {"program p\naxis A = 8\naxis B = 4\naxis A' = A - B\n%0 = param host i8 element [A', B]\n"
         "end\n",
         "program p\naxis A = 8\naxis B = 4\naxis A' = A - B\n\n"
         "%0 = param host i8 element [A', B]\nend\n"},
        // definitions are expanded
        {"program p\naxis A = 8\nlet L = [A / 2, 1 # 3]\n"
         "%0 = param host i8 element [{L} # 16]\n%1 = param host i8 element [L, A % 2]\nend\n",
         "program p\naxis A = 8\n\n%0 = param host i8 element [[A / 2, 1 # 3] # 16]\n"
         "%1 = param host i8 element [[A / 2, 1 # 3], A % 2]\nend\n"},
        // views under a name, too, and views of them; borrowed as they are where they are used
        {"program p\naxis A = 8\naxis B = 4\n%0 = param host i8 element [A, B]\n"
         "%v = view %0.tile<[A], 2, [A = 2 # 8, B]>(2)\n%w = view %v.tile<[B], 1, [A = 2 # 8, "
         "1 # 4]>(?)\npdma move %v -> %w\npdma move mut %v.tile<[B], 1, [A = 2 # 8, 1 # 4]>(1) -> "
         "const %0\nend\n",
         "program p\naxis A = 8\naxis B = 4\n\n%0 = param host i8 element [A, B]\n\n"
         "pdma move %0.tile<[A], 2, [A = 2 # 8, B]>(2) -> %0.tile<[A], 2, [A = 2 # 8, B]>(2)"
         ".tile<[B], 1, [A = 2 # 8, 1 # 4]>(?)\n"
         "pdma move mut %0.tile<[A], 2, [A = 2 # 8, B]>(2).tile<[B], 1, [A = 2 # 8, 1 # 4]>(1) -> "
         "const %0\nend\n"},
        // dimensions come in any order; parameters first
        {"program p\naxis A = 8\n%0 = from_addr hbm i8 element [A] chip [1] at 16\n"
         "%1 = param host i8 element [A]\npdma to_host %0 -> %1\nreturn %1, %0\nend\n",
         "program p\naxis A = 8\n\n%0 = param host i8 element [A]\n"
         "%1 = from_addr hbm i8 chip [1] element [A] at 0x10\n\n"
         "pdma to_host %1 -> %0\n\nreturn %0, %1\nend\n"},
        // what is needed later is declared first, where it is older
        {"program p\naxis A = 8\n%0 = param host i8 element [A]\n"
         "%1 = from_addr hbm i8 chip [1] element [A] at 0\n"
         "%2 = from_addr hbm i8 chip [1] element [A] at 16\n"
         "pdma to_hbm %0 -> %2\npdma to_hbm %0 -> %1\nend\n",
         "program p\naxis A = 8\n\n%0 = param host i8 element [A]\n"
         "%1 = from_addr hbm i8 chip [1] element [A] at 0x0\n"
         "%2 = from_addr hbm i8 chip [1] element [A] at 0x10\n\n"
         "pdma to_hbm %0 -> %2\npdma to_hbm %0 -> %1\nend\n"},
        // a declared result is made where it is made; one that nothing makes stays
        {"program p\naxis A = 8\n%0 = param host i8 element [A]\n"
         "%1 = result hbm i8 chip [1] element [A] at -8\n"
         "%2 = result hbm i8 chip [1] element [A] at 0\npdma to_hbm %0 -> %1\nend\n",
         "program p\naxis A = 8\n\n%0 = param host i8 element [A]\n\n"
         "pdma to_hbm %0 -> %1 = hbm chip [1] element [A] at -8\n\n"
         "%2 = result hbm i8 chip [1] element [A] at 0x0\nend\n"},
        // one that is read before it is made is declared first
        {"program p\naxis A = 8\n%1 = result hbm i8 chip [1] element [A] at 0\n"
         "pdma to_hbm %1 -> %1\nend\n",
         "program p\naxis A = 8\n\n%0 = result hbm i8 chip [1] element [A] at 0x0\n\n"
         "pdma to_hbm %0 -> %0\nend\n"},
        {"program p\naxis A = 8\n%d = from_addr dm i8 chip [1] cluster [1] slice [1] element [A] "
         "at 0\n%e = reshape %d chip [1] cluster [1] slice [1] element [A / 2, A % 2]\nend\n",
         "program p\naxis A = 8\n\n"
         "%0 d = from_addr dm i8 chip [1] cluster [1] slice [1] element [A] at 0x0\n"
         "%1 e = reshape %0 chip [1] cluster [1] slice [1] element [A / 2, A % 2]\nend\n"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        Desk *desk = desk_new(NULL);
        const Program *program = desk_program(desk, str_from(cases[i].text));
        assert_string_equal(desk_printed(desk, program), cases[i].printed);
        const Program *again = desk_program(desk, str_from(cases[i].printed));
        assert_string_equal(desk_printed(desk, again), cases[i].printed);
        desk_free(desk);
    }
}

// Names of things that are not in the text are those that were given.
TEST(names_survive)
{
    Desk *desk = desk_new(NULL);
    const Program *program = desk_program(
        desk, STR("program \"a \\x0a\" chip=2\naxis X = 4 named A\n"
                  "%w = param host i8 element [X]\n%1 = param host i8 element [X]\nend\n"));
    assert_string_equal(program->name, "a \n");
    assert_true(program->chips.known && program->chips.value == 2);
    assert_string_equal(program->tensors.items[0]->name, "w");
    assert_null(program->tensors.items[1]->name);
    const Expr *expr = program->tensors.items[0]->dims[LEVEL_ELEMENT]->expr;
    assert_string_equal(expr->atom->name, "A");
    desk_free(desk);
}

TEST(a_text_holds_any_number_of_programs)
{
    Desk *desk = desk_new(NULL);
    assert_true(desk_read(desk, STR("")));
    assert_true(desk_read(desk, STR(" // nothing\n\n")));
    assert_int_equal(desk->programs.count, 0);
    // each has its own axes and labels
    assert_true(desk_read(desk, STR("program a\n" SMALL "end\nprogram b\n" SMALL "end\n")));
    assert_int_equal(desk->programs.count, 2);
    assert_string_equal(desk->programs.items[1]->name, "b");
    assert_int_equal(desk->programs.items[1]->tensors.items[0]->id, 0);
    desk_free(desk);
}

// ---- mistakes

// "3:4-5 E0801": line and columns, from 1
static const char *summary(Desk *desk, Str text)
{
    StrBuf out = {.arena = &desk->arena};
    for (int64_t i = 0; i < desk->diags.count; i++) {
        const Diag *diag = desk->diags.items[i];
        int64_t line = 1, start = 0;
        assert_true(diag->span.start >= 0 && diag->span.start <= diag->span.end);
        assert_true(diag->span.end <= text.len);
        for (int64_t at = 0; at < diag->span.start; at++) {
            line += text.data[at] == '\n';
            start = text.data[at] == '\n' ? at + 1 : start;
        }
        buf_format(&out, "{}{}:{}-{} {}", i ? ", " : "", line, diag->span.start - start + 1,
                   diag->span.end - start + 1, diag_infos[diag->code].code);
    }
    return str_terminated(&desk->arena, buf_str(&out));
}

typedef struct {
    const char *text, *reports;
} Mistake;

static void check_mistakes(const Mistake *mistakes, size_t count, const char *before,
                           const char *after)
{
    for (size_t i = 0; i < count; i++) {
        Desk *desk = desk_new(NULL);
        StrBuf text = {.arena = &desk->arena};
        buf_format(&text, "{}{}{}", before, mistakes[i].text, after);
        bool right = desk_read(desk, buf_str(&text));
        const char *found = summary(desk, buf_str(&text));
        if (strcmp(found, mistakes[i].reports) != 0)
            fail_msg("`%s`\nis reported as %s\n%s", mistakes[i].text, found, desk_reports(desk));
        assert_int_equal(right, !*mistakes[i].reports);
        assert_int_equal(desk->programs.count, right);
        desk_free(desk);
    }
}

TEST(mistakes_of_the_frame_are_reported)
{
    static const Mistake mistakes[] = {
        {"program p\nend", ""},
        {"axis A = 8\nend\n%0 = param\nprogram p\nend", "1:1-5 E0810"},
        {"%0 = param host i8 element [1]", "1:1-2 E0810"},
        {"program p\naxis A = 8\n", "1:1-8 E0810"},
        {"program p\npass main\n", "2:6-10 E0809, 1:1-8 E0810"},
        {"program p\nprogram q\nend", "1:1-8 E0810"},
        {"program\nend", "1:8-8 E0801"},
        {"program 5\nend", "1:9-10 E0801"},
        {"program p q\nend", "1:11-12 E0801"},
        {"program p chip 4\nend", "1:16-17 E0801"},
        {"program p chip=x\nend", "1:16-17 E0801"},
        {"program p chip=99999999999999999999\nend", "1:16-36 E0811"},
        {"program p chip=0x\nend", "1:16-18 E0811"},
        {"program \"p\nend", "1:11-11 E0801"},
        {"program \"\\q\"\nend", "1:10-11 E0801"},
        {"program \"\\x00\"\nend", "1:10-11 E0801"},
        {"program p\nend end", "2:5-8 E0801"},
        {"program p\n!\nend", "2:1-2 E0801"},
        {"program p\n\xc3\xa9\nend", "2:1-3 E0801"},
        {"program p\nfoo\nbar\nend", "2:1-4 E0802, 3:1-4 E0802"},
    };
    for (size_t i = 0; i < COUNT_OF(mistakes); i++) {
        Desk *desk = desk_new(NULL);
        Str text = str_from(mistakes[i].text);
        bool right = desk_read(desk, text);
        assert_string_equal(summary(desk, text), mistakes[i].reports);
        assert_int_equal(right, !*mistakes[i].reports);
        desk_free(desk);
    }
}

TEST(mistakes_of_declarations_are_reported)
{
    static const Mistake mistakes[] = {
        {"axis C = 3", ""},
        {"axis C", "3:7-7 E0801"},
        {"axis C = 0", "3:6-7 E0104"},
        {"axis C = 3x", "3:10-12 E0811"},
        {"axis C = 0\n%0 = param host i8 element [C, A]\npass main\nbegin_interleaved C %0 "
         "%0\nopen",
         "3:6-7 E0104"},
        {"axis C = 3 3", "3:12-13 E0801"},
        {"axis c = 3", "3:6-7 E0105"},
        {"axis A = 3", "3:6-7 E0103"},
        {"axis C = 3 named", "3:17-17 E0801"},
        {"axis C = A", "3:6-7 E0115"},
        {"axis C = A - Z", "3:14-15 E0115"},
        {"axis C = A - ", "3:14-14 E0801"},
        {"let L = [A]", ""},
        {"let L = A", "3:9-10 E0801"},
        {"let A = [1]", "3:5-6 E0103"},
        {"let L = [Z]\n%0 = param host i8 element [L]", "3:10-11 E0102"},
        {"%0 = param host i8 element [A]", ""},
        {"%0 param host i8 element [A]", "3:10-14 E0801"},
        {"% = param host i8 element [A]", "3:3-4 E0801"},
        {"%0 = foo host i8 element [A]", "3:6-9 E0803"},
        {"%0 = param sram i8 element [A]", "3:12-16 E0803"},
        {"%0 = param host i7 element [A]", "3:17-19 E0004"},
        {"%0 = param host i8", "3:19-19 E0807"},
        {"%0 = param host i8 chip [1] element [A]", "3:20-24 E0807"},
        {"%0 = param host i8 element [A] element [A]", "3:32-39 E0807"},
        {"%0 = param dm i8 element [A] at 0", "3:29-29 E0807"},
        {"%0 = param host i8 element [A] at 0", "3:32-34 E0801"},
        {"%0 = param hbm i8 chip [1] element [A]", "3:39-39 E0801"},
        {"%0 = param hbm i8 chip [1] element [A] at x", "3:43-44 E0801"},
        {"%0 = param trf i8 chip [1] cluster [1] slice [1] row [1] element [A] at 0",
         "3:73-74 E0801"},
        {"%0 = param trf i8 chip [1] cluster [1] slice [1] row [1] element [A] at Half",
         "3:73-77 E0803"},
        {"%0 = param host i8 element A", "3:28-29 E0801"},
        {"%0 = param host i8 element [A", "3:30-30 E0801"},
        {"%0 = param host i8 element [A // ]", "3:31-31 E0801"},
        {"%0 = param host i8 element []", "3:29-29 E0101"},
        {"%0 = param host i8 element [A / 3] // twice as wrong", "3:29-34 E0107"},
        {"%0 = param hbm i8 chip [Z] element [A / 3] at q",
         "3:25-26 E0102, 3:37-42 E0107, 3:47-48 E0801"},
        // a wrong tensor is reported once, however often it is used
        {"%0 = param host i7 element [A]\nreturn %0\npdma move %0 -> %0", "3:17-19 E0004"},
        {"%0 = param host i8 element [A]\n%0 = param host i8 element [A]", "4:1-3 E0805"},
        {"return", "3:7-7 E0801"},
        {"return %0", "3:8-10 E0804"},
        {"choice 0", "3:9-9 E0801"},
        {"choice 0 0x1, two", "3:15-18 E0801"},
        {"choice 0 0x1 0", "3:14-15 E0801"},
        {"%0 = reshape %1 chip [1]", "3:14-16 E0804"},
    };
    check_mistakes(mistakes, COUNT_OF(mistakes), "program p\naxis A = 8\n", "\nend\n");
}

#define TENSORS                                                                      \
    "program p\naxis A = 8\naxis I = 2\n"                                            \
    "%0 = param dm i32 chip [1] cluster [1 # 2] slice [1 # 256] element [A] at 0\n"  \
    "%1 = param hbm i32 chip [1] element [A] at 0\n"                                 \
    "%2 = param vrf i32 chip [1] cluster [1 # 2] slice [1 # 256] element [A] at 0\n" \
    "%3 = param trf i8 chip [1] cluster [1 # 2] slice [1 # 256] row [1] element [A] at Full\n"

TEST(mistakes_of_operations_are_reported)
{
    static const Mistake mistakes[] = {
        {"tdma to_dm_view %1 -> %0", ""},
        {"tdma to_dn %1 -> %0", "8:6-11 E0803"},
        {"tdma", "8:5-5 E0801"},
        {"tdma to_dm_view", "8:16-16 E0801"},
        {"tdma to_dm_view %1", "8:19-19 E0801"},
        {"tdma to_dm_view %1 ->", "8:22-22 E0801"},
        {"tdma to_dm_view %1 -> %0 %2", "8:26-27 E0801"},
        {"tdma to_dm_view %1 -> %9", "8:23-25 E0804"},
        {"tdma to_dm_view %9 -> %8", "8:17-19 E0804, 8:23-25 E0804"},
        {"tdma to_dm_view %2 -> %0", "8:17-19 E0806"},
        {"tdma to_dm_view %1 -> %3", "8:23-25 E0806"},
        {"tdma move. %1 -> %0", "8:12-13 E0801"},
        {"tdma to_dm %1 -> %0 = dm element [A] at 0", "8:18-20 E0805, 8:37-37 E0807"},
        {"tdma to_dm %1 -> %9 = dm element [A] at 0\nreturn %9", "8:37-37 E0807"},
        {"tdma to_dm %1 -> %9 = vrf element [A] at 0", "8:23-26 E0806, 8:38-38 E0807"},
        {"tdma to_dm %1 key [A] -> %0", "8:15-18 E0814"},
        {"tdma dma_scatter %0 index %1 index %1 key [A] -> %1", "8:30-35 E0814"},
        {"tdma dma_scatter %0 -> %1", "8:20-20 E0814"},
        {"tdma to_hbm_view %1 -> %0", "8:24-26 E0806"},
        {"tdma dma_scatter %0 index %0 key [A] -> %1", "8:27-29 E0806"},
        {"tdma dm_chip_shuffle %0 pattern 1 -> %0", "8:33-34 E0801"},
        {"tdma dm_chip_shuffle %0 pattern (1 2) -> %0", "8:36-37 E0801"},
        {"tdma to_dm_view %1.tile<[A], 1, [1 # 8]>(0) -> %0", ""},
        {"tdma to_dm_view %1.tilt<[A], 1, [1 # 8]>(0) -> %0", "8:20-24 E0803"},
        {"tdma to_dm_view %1.slice_tile<[A], 1, [1 # 8]>(0) -> %0", "8:20-30 E0807"},
        {"tdma to_dm_view %1.tile<A, 1, [1 # 8]>(0) -> %0", "8:25-26 E0801"},
        {"tdma to_dm_view %1.tile<[A], x, [1 # 8]>(0) -> %0", "8:30-31 E0801"},
        {"tdma to_dm_view %1.tile<[A], 1, [1 # 8]> -> %0", "8:42-43 E0801"},
        {"tdma to_dm_view %1.tile<[A], 1, [A # 7]>(0) -> %0", "8:34-39 E0108"},
    };
    check_mistakes(mistakes, COUNT_OF(mistakes), TENSORS, "\nend\n");
}

TEST(mistakes_of_passes_are_reported)
{
    static const Mistake mistakes[] = {
        {"pass main\nbegin %0\nopen", ""},
        {"pass tdma\nbegin %0\nopen", "8:6-10 E0803"},
        {"pass all\nbegin %0\nopen", "8:6-9 E0803"},
        {"begin %0\nfetch\ncommit\nreturn %0", "8:1-6 E0809"},
        {"open", "8:1-5 E0809"},
        {"pass main\nopen", "9:1-5 E0809"},
        {"pass main\nbegin %0\nreturn %0", "8:6-10 E0809"},
        {"pass main\nbegin %0\npass main\nbegin %0\nopen", "8:6-10 E0809"},
        {"pass main\nbegin %1\nopen", "9:7-9 E0806"},
        {"pass main\nfetch i32 time [1] packet [A]\nopen", "9:1-6 E0808"},
        {"pass main\nbegin %0\nbegin %0\nopen", "10:1-6 E0808"},
        {"pass main\nbegin %0\ncollect time [1] packet [A]\nopen", "10:1-8 E0808"},
        // what follows a wrong stage is read, but not judged by it
        {"pass main\nbegin %9\nfetch i32 time [1] packet [A]\nvector_init\nfoo\nopen",
         "9:7-9 E0804, 12:1-4 E0802"},
        {"pass main\nbegin %0\nfetsh i32\ncollect time [1]\ncommit -> %4 = dm element [A] at 0\n"
         "return %4",
         "10:1-6 E0802, 11:17-17 E0807"},
        {"pass main\nbegin %9\nfetch i7 time [1]\ncommit -> %4 = dm element [A] at 0\nreturn %4",
         "9:7-9 E0804, 10:7-9 E0004, 10:18-18 E0807"},
        {"pass main\nbegin %0\nfetch i32\nopen", "10:10-10 E0807"},
        {"pass main\nbegin %0\nfetch i32 time [1] packet [A] slice [1]\nopen", "10:31-36 E0807"},
        {"pass main\nbegin %0\nfetch i32 time [1] packet [A] table i8 (300)\nopen",
         "10:41-44 E0811"},
        {"pass main\nbegin %0\nfetch i32 time [1] packet [A] zero_points (1, 2, 3)\nopen",
         "10:48-49 E0801"},
        {"pass main\nbegin %0\ncommit\n", "10:7-7 E0801"},
        {"pass main\nbegin %0\ncommit -> %0\n", "10:11-13 E0813"},
        {"pass main\nbegin %0\ncommit -> %4 = vrf element [A] at 0\n", "10:16-19 E0806"},
        {"pass main\nbegin %0\ncommit -> %4 = dm at 0\nreturn %4", "10:18-18 E0807"},
        {"pass main\nbegin %0\ncommit_view -> %1\n", "10:16-18 E0806"},
        {"pass main\ninput FooTensor i32\nopen", "9:7-16 E0803"},
        {"pass main\ninput FetchTensor i32 time [1]\nopen", "9:31-31 E0807"},
        {"pass main\nbegin_interleaved Z %0 %0\nopen", "9:19-20 E0102"},
    };
    check_mistakes(mistakes, COUNT_OF(mistakes), TENSORS, "\nend\n");
}

TEST(mistakes_of_engines_are_reported)
{
    static const Mistake mistakes[] = {
        {"VectorTensor\nvector_fxp AddFxp 1\n", ""},
        {"VectorTensor\nvector_fxp AddF 1\n", "10:12-16 E0803"},
        {"VectorTensor\nvector_fxp FooOp::AddFxp 1\n", "10:12-25 E0803"},
        {"VectorTensor\nvector_fxp FpBinaryOp::AddFxp 1\n", "10:12-30 E0803"},
        {"VectorTensor\nvector_fxp\n", "10:11-11 E0801"},
        {"VectorTensor\nvector_fxp AddFxp Mode7 1\n", "10:19-24 E0803"},
        {"VectorTensor\nvector_fxp AddFxp 1,\n", "10:21-21 E0801"},
        {"VectorTensor\nvector_fxp AddFxp 2147483648\n", "10:19-29 E0811"},
        {"VectorTensor\nvector_fxp AddFxp 1e99\n", "10:19-23 E0811"},
        {"VectorTensor\nvector_fxp AddFxp 0x100000000\n", "10:19-30 E0811"},
        {"VectorTensor\nvector_fxp AddFxp i7:1\n", "10:19-21 E0004"},
        {"VectorTensor\nvector_fxp AddFxp %0\n", "10:19-21 E0806"},
        {"VectorTensor\nvector_fxp AddFxp stahs\n", "10:19-24 E0801"},
        {"VectorTensor\nvector_fxp AddFxp(Mul0) 1\n", "10:19-23 E0803"},
        {"VectorTensor\nvector_fxp AddFxp 1 group Two\n", "10:27-30 E0803"},
        {"VectorTensor\nvector_fxp AddFxp 1, 2, 3, 4, 5, 6\n", "10:19-35 E0812"},
        {"VectorTensor\nvector_fp_binary MulF(Mul9) 1.0\n", "10:23-27 E0803"},
        {"VectorTensor\nvector_fp_binary MulF(Mul0 1.0\n", "10:28-29 E0801"},
        {"VectorTensor\nvector_fp_ternary FmaF 1.0\n", "10:27-27 E0801"},
        {"VectorTensor\nvector_fxp_to_fp x\n", "10:18-19 E0801"},
        {"VectorTensor\nvector_intra_slice_reduce Z Max time [1] packet [1]\n", "10:27-28 E0102"},
        {"VectorTensor\nvector_intra_slice_branch Sometimes 5\n", "10:27-36 E0803"},
        {"VectorTensor\nvector_intra_slice_branch Comparison Less 5, Less 6\n", "10:52-52 E0801"},
        {"VectorTensor\nvector_intra_slice_branch Vrf %0\n", "10:31-33 E0806"},
        {"VectorTensor\nvector_intra_slice_branch AxisToggle Z\n", "10:38-39 E0102"},
        {"VectorTensorPair\nvector_fp_unary Exp\n", "10:20-20 E0801"},
        {"VectorTensorPair\nvector_fp_unary Exp true false\n", "10:26-31 E0801"},
        {"VectorTensor\nvector_fp_unary Exp true, false\n", "10:21-25 E0801"},
        {"VectorInitTensor\nvector_intra_slice_unzip I time [1]\n", "10:28-32 E0801"},
        {"FetchTensor\nswitch Broadcast2 slice1=1 slice [1 # 256] time [1]\n", "10:8-18 E0803"},
        {"FetchTensor\nswitch Transpose slice0=1 slice1=1 slice [1 # 256] time [1]\n",
         "10:18-24 E0801"},
        {"FetchTensor\nswitch Transpose slice1=1 slice0 1 slice [1 # 256] time [1]\n",
         "10:34-35 E0801"},
        {"ContractionTensor\naccumulate Soon time [1] packet [1]\n", "10:12-16 E0803"},
        {"CollectTensor\nalign %2 time [1] packet [A]\n", "10:7-9 E0806"},
    };
    for (size_t i = 0; i < COUNT_OF(mistakes); i++) {
        Desk *desk = desk_new(NULL);
        StrBuf text = {.arena = &desk->arena};
        const char *rest = strchr(mistakes[i].text, '\n');
        Str position = {mistakes[i].text, rest - mistakes[i].text};
        buf_format(&text,
                   "{}pass main\ninput {} i32 chip [1] cluster [1] slice [1] {} time [1] packet "
                   "[A]{}open\nend\n",
                   TENSORS, position, strstr(mistakes[i].text, "Contraction") ? "row [1]" : "",
                   rest);
        desk_read(desk, buf_str(&text));
        if (strcmp(summary(desk, buf_str(&text)), mistakes[i].reports) != 0)
            fail_msg("`%s`\n%s", mistakes[i].text, desk_reports(desk));
        desk_free(desk);
    }
}

// ---- texts made to break a reader

TEST(any_piece_of_a_text_is_read)
{
    for (size_t i = 0; i < COUNT_OF(bodies); i++) {
        Desk *desk = desk_new(NULL);
        Str text = str_from(body_text(desk, bodies[i]));
        int64_t start = (int64_t)strlen(head);
        for (int64_t end = start; end + 1 < text.len; end++) {
            char *piece = arena_copy(&desk->arena, text.data, (size_t)end + 1);
            assert_false(desk_read(desk, (Str){piece, end}));
            piece[end] = '\x01';
            desk_read(desk, (Str){piece, end + 1});
        }
        desk_reports(desk);
        desk_free(desk);
    }
}

TEST(deep_and_long_texts_are_refused)
{
    Desk *desk = desk_new(NULL);
    StrBuf text = {.arena = &desk->arena};
    buf_add(&text, STR("program p\naxis A = 8\n%0 = param host i8 element "));
    buf_repeat(&text, STR("["), 100000);
    buf_add(&text, STR("A"));
    buf_repeat(&text, STR("]"), 100000);
    buf_add(&text, STR("\n%1 = param host i8 element ["));
    buf_repeat(&text, STR("A, "), 100000);
    buf_add(&text, STR("A]\nend\n"));
    assert_false(desk_read(desk, buf_str(&text)));
    assert_int_equal(desk->diags.count, 2);
    desk_free(desk);
}

// ---- the documentation

static Str read_file(Arena *arena, const char *path)
{
    FILE *file = fopen(path, "rb");
    StrBuf text = {.arena = arena};
    char piece[4096];
    size_t count;
    if (!file)
        fail_msg("%s cannot be read", path);
    while ((count = fread(piece, 1, sizeof piece, file)) > 0)
        buf_add(&text, (Str){piece, (int64_t)count});
    fclose(file);
    return buf_str(&text);
}

// Every block of docs/program-text.md that starts with `program` is a text that is right.
TEST(the_documentation_is_right)
{
    Desk *desk = desk_new(NULL);
    Str doc = read_file(&desk->arena, "docs/program-text.md");
    const char *text = str_terminated(&desk->arena, doc);
    int blocks = 0;
    for (const char *at = strstr(text, "```text\nprogram "); at;
         at = strstr(at, "```text\nprogram ")) {
        at += strlen("```text\n");
        const char *end = strstr(at, "```");
        assert_non_null(end);
        int64_t before = desk->programs.count;
        if (!desk_read(desk, (Str){at, end - at}))
            fail_msg("%s", desk_reports(desk));
        assert_true(desk->programs.count > before);
        blocks++;
    }
    assert_true(blocks > 0);
    desk_free(desk);
}
