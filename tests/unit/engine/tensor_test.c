// Tensors at rest. Each row is a tensor and the rules it breaks.
#include "memory_support.h"

#define CHIP1 .chips = {true, 1}

typedef struct {
    Setting setting;
    TensorRow tensor;
    const char *codes; // "": none
    const char *text;  // something that is said
} Row;

// Wrong numbers of chips, clusters and slices do not make a tensor unsound: the rest of it is
// right.
static bool is_about_size(const char *code)
{
    return strcmp(code, "E0502") == 0 || strcmp(code, "E0503") == 0 || strcmp(code, "E0504") == 0;
}

static bool is_sound(const DiagList *diags)
{
    for (int64_t i = 0; i < diags->count; i++)
        if (diags->items[i]->severity == SEVERITY_ERROR &&
            !is_about_size(diag_infos[diags->items[i]->code].code))
            return false;
    return true;
}

static void check_rows(const Row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        Bench bench;
        bench_open(&bench, &rows[i].setting);
        const Tensor *tensor = add_tensor(&bench, rows[i].tensor);
        expect(&bench, rows[i].tensor.shape, rows[i].codes, rows[i].text);
        assert_int_equal(tensor->sound, is_sound(&bench.diags));
        bench_close(&bench);
    }
}

// Manual: Memory and Stream, Size Constraint.
TEST(dimensions_count_units)
{
    static const Row rows[] = {
        {.setting = {.axes = "A=2048", CHIP1},
         .tensor = {TENSOR(DM, "bf16", "1 | 1 # 2 | A / 8 # 256 | A % 8")},
         .codes = ""},
        {.setting = {.axes = "A=2048"},
         .tensor = {TENSOR(DM, "bf16", "1 # 4 | 1 # 2 | A / 8 | A % 8")},
         .codes = ""},
        {.setting = {.axes = "A=8"},
         .tensor = {TENSOR(DM, "i8", "1 | 1 | A | 1 # 8")},
         .codes = "E0502 E0503",
         .text = "`m![A # 256]`"},
        {.setting = {.axes = "A=8"},
         .tensor = {TENSOR(DM, "i8", "1 | 1 | A | 1 # 8")},
         .codes = "E0502 E0503",
         .text = "`m![1 # 2]`"},
        {.setting = {.axes = "A=8,B=4"},
         .tensor = {TENSOR(DM, "i8", "1 | 1 # 2 | A, B | 1 # 8")},
         .codes = "E0503",
         .text = "`m![[A, B] # 256]`"},
        {.setting = {.axes = "A=8"},
         .tensor = {TENSOR(DM, "i8", "1 | 1 # 2 | A # 64 | 1 # 8")},
         .codes = "E0503",
         .text = "`m![A # 256]`"},
        {.setting = {.axes = "A=8"},
         .tensor = {TENSOR(DM, "i8", "1 | 1 # 2 | A | 1 # 8")},
         .codes = "E0503",
         .text = "`cluster-size,slice-size` relaxed"},
        {.setting = {.axes = "A=512"},
         .tensor = {TENSOR(DM, "i8", "1 | 1 # 2 | A | 1 # 8")},
         .codes = "E0505",
         .text = "256 slices"},
        {.setting = {.axes = "A=4"},
         .tensor = {TENSOR(DM, "i8", "1 | A | 1 # 256 | 1 # 8")},
         .codes = "E0505",
         .text = "2 clusters"},
        {.setting = {.axes = "A=512", .relaxed = "slice-size"},
         .tensor = {TENSOR(DM, "i8", "1 | 1 # 2 | A | 1 # 8")},
         .codes = "E0505"},
        {.setting = {.axes = "A=8", CHIP1},
         .tensor = {TENSOR(HBM, "i8", "A | 1")},
         .codes = "E0504",
         .text = "#[device(chip = 8)]"},
        {.setting = {.axes = "A=8", .chips = {true, 8}},
         .tensor = {TENSOR(HBM, "i8", "1 | A")},
         .codes = "E0504",
         .text = "`m![1 # 8]`"},
        {.setting = {.axes = "A=8"}, .tensor = {TENSOR(HBM, "i8", "A | 1")}, .codes = ""},
        {.setting = {.axes = "A=8", .rules = RULES_REFERENCE, CHIP1},
         .tensor = {TENSOR(DM, "i8", "A | A | A | A"), AT(-3)},
         .codes = ""},
    };
    check_rows(rows, COUNT_OF(rows));
}

// Relaxed, a size below the hardware's is a warning, and the tensor is sound.
TEST(sizes_can_be_relaxed)
{
    Bench bench;
    bench_open(&bench, &(Setting){.axes = "A=8", .relaxed = "cluster-size,slice-size"});
    const Tensor *tensor = add_tensor(&bench, (TensorRow){TENSOR(DM, "i8", "1 | 1 | A | 1 # 8")});
    expect(&bench, "relaxed", "E0502 E0503", NULL);
    assert_int_equal(bench.diags.error_count, 0);
    assert_true(tensor->sound);
    bench_close(&bench);
}

// Manual: Memory and Stream, Formal Definition; erratum E010.
TEST(no_axis_is_given_twice)
{
    static const Row rows[] = {
        {.setting = {.axes = "A=8,B=512"},
         .tensor = {TENSOR(DM, "i8", "A | 1 # 2 | A # 256 | B")},
         .codes = "E0501",
         .text = "Chip `A` and Slice `A # 256` both give a part of `A`"},
        {.setting = {.axes = "A=256"},
         .tensor = {TENSOR(DM, "i8", "1 | 1 # 2 | A / 4 # 256 | A % 8")},
         .codes = "E0501",
         .text = "`A % 8`"},
        {.setting = {.axes = "A=256"},
         .tensor = {TENSOR(DM, "i8", "1 | 1 # 2 | A / 8 # 256 | A % 8")},
         .codes = ""},
        {.setting = {.axes = "A=256,B=8"},
         .tensor = {TENSOR(HBM, "i8", "A / 2 % 2 | B, A % 2, A / 4")},
         .codes = ""},
    };
    check_rows(rows, COUNT_OF(rows));
}

// Manual: Memory and Stream, HBM and SRAM; Hello, TCP!, Memory.
TEST(memories_hold_types_they_know)
{
    static const Row rows[] = {
        {.setting = {.axes = "A=8"},
         .tensor = {TENSOR(HBM, "i5", "1 | A")},
         .codes = "E0506",
         .text = "i4"},
        {.setting = {.axes = "A=8"},
         .tensor = {TENSOR(HOST, "i9", "A")},
         .codes = "E0506",
         .text = "i8"},
        {.setting = {.axes = "A=8"},
         .tensor = {TENSOR(TRF, "i5", "1 | 1 # 2 | 1 # 256 | 1 | A")},
         .codes = ""},
        {.setting = {.axes = "A=8"},
         .tensor = {TENSOR(VRF, "bf16", "1 | 1 # 2 | 1 # 256 | A")},
         .codes = "E0506",
         .text = "i32 or f32"},
        {.setting = {.axes = "A=8"},
         .tensor = {TENSOR(VRF, "f32", "1 | 1 # 2 | 1 # 256 | A")},
         .codes = ""},
        {.setting = {.axes = "A=63"},
         .tensor = {TENSOR(HBM, "i4", "1 | A")},
         .codes = "E0507",
         .text = "`m![A # 64]`"},
        {.setting = {.axes = "A=63"}, .tensor = {TENSOR(HBM, "i4", "1 | A # 64")}, .codes = ""},
        {.setting = {.axes = "A=63"}, .tensor = {TENSOR(HOST, "i4", "A")}, .codes = ""},
    };
    check_rows(rows, COUNT_OF(rows));
}

// Manual: Memory and Stream, Alignment Constraint, Size Constraint; errata E014, E046, E051.
TEST(tensors_lie_inside_their_memory)
{
#define DM_OF(text) "1 | 1 # 2 | 1 # 256 | " text
    static const Row rows[] = {
        {.setting = {.axes = "A=8"},
         .tensor = {TENSOR(DM, "i8", DM_OF("A")), AT(-8)},
         .codes = "E0508",
         .text = "-8"},
        {.setting = {.axes = "A=8"},
         .tensor = {TENSOR(VRF, "i32", DM_OF("A")), AT(-8), .origin = ORIGIN_RESULT},
         .codes = "E0508"},
        {.setting = {.axes = "A=8"},
         .tensor = {TENSOR(DM, "f32", DM_OF("A")), AT(6)},
         .codes = "E0509",
         .text = "or put it at 8"},
        {.setting = {.axes = "A=8"},
         .tensor = {TENSOR(DM, "f32", DM_OF("A")), AT(4), .origin = ORIGIN_ADDRESS},
         .codes = ""},
        {.setting = {.axes = "A=8"},
         .tensor = {TENSOR(DM, "f32", DM_OF("A")), AT(4), .origin = ORIGIN_RESULT},
         .codes = "E0509",
         .text = "or put it at 8"},
        {.setting = {.axes = "A=8"},
         .tensor = {TENSOR(DM, "i4", DM_OF("A")), AT(1), .origin = ORIGIN_ADDRESS},
         .codes = ""},
        {.setting = {.axes = "A=8"},
         .tensor = {TENSOR(HBM, "bf16", "1 | A"), AT(2), .origin = ORIGIN_RESULT},
         .codes = ""},
        {.setting = {.axes = "A=8"},
         .tensor = {TENSOR(HBM, "bf16", "1 | A"), AT(3)},
         .codes = "E0509",
         .text = "or put it at 8"}, // 4 would do for a tensor that is not moved to DM
        {.setting = {.axes = "A=524288"},
         .tensor = {TENSOR(DM, "i8", DM_OF("A")), AT(0)},
         .codes = ""},
        {.setting = {.axes = "A=524288"}, .tensor = {TENSOR(DM, "i8", DM_OF("A"))}, .codes = ""},
        {.setting = {.axes = "A=524288"},
         .tensor = {TENSOR(DM, "i8", DM_OF("A")), AT(8)},
         .codes = "E0510",
         .text = "up to 0"},
        {.setting = {.axes = "A=524288"},
         .tensor = {TENSOR(DM, "i8", DM_OF("A")), AT(8)},
         .codes = "E0510",
         .text = "reach 8 bytes past the end"},
        {.setting = {.axes = "A=524288"},
         .tensor = {TENSOR(DM, "bf16", DM_OF("A"))},
         .codes = "E0510",
         .text = "more slices"},
        {.setting = {.axes = "A=2048"},
         .tensor = {TENSOR(VRF, "f32", DM_OF("A")), AT(0)},
         .codes = ""},
        {.setting = {.axes = "A=2048"},
         .tensor = {TENSOR(VRF, "f32", DM_OF("A")), AT(4)},
         .codes = "E0510"},
        {.setting = {.axes = "A=1024"},
         .tensor = {TENSOR(HBM, "i8", "1 | A"), AT(51539607552 - 1024)},
         .codes = ""},
        {.setting = {.axes = "A=1024"},
         .tensor = {TENSOR(HBM, "i8", "1 | A"), AT(51539607552 - 1023)},
         .codes = "E0510"},
        {.setting = {.axes = "A=1023"},
         .tensor = {TENSOR(HBM, "i8", "1 | A"), AT(51539607552 - 1022)},
         .codes = "E0510",
         .text = "up to 0xbfffffc00"},
        {.setting = {.axes = "A=1023"},
         .tensor = {TENSOR(HBM, "i8", "1 | A"), AT(51539607552 - 1022)},
         .codes = "E0510",
         .text = "reach 1 byte past the end"},
        {.setting = {.axes = "A=1024"},
         .tensor = {TENSOR(HBM, "i8", "1 | A"), AT(INT64_MAX)},
         .codes = "E0510"},
        {.setting = {.axes = "A=4611686018427387904"},
         .tensor = {TENSOR(HBM, "f32", "1 | A"), AT(0)},
         .codes = "E0510",
         .text = "4611686018427387904 elements of f32 in each chip; HBM has 51539607552 bytes"},
        {.setting = {.axes = "A=9223372036854775806"},
         .tensor = {TENSOR(HBM, "i4", "1 | A"), AT(0)},
         .codes = "E0510",
         .text = "9223372036854775806 elements of i4"},
        {.setting = {.axes = "A=8,B=1152921504606846975", .relaxed = "cluster-size,slice-size"},
         .tensor = {TENSOR(TRF, "i32", "1 | 1 | 1 | A | B"), .trf = TRF_FULL},
         .codes = "E0502 E0503 E0512",
         .text = "1152921504606846975 elements of i32 in each row; TRF has"},
        {.setting = {.axes = "A=8,B=8192"},
         .tensor = {TENSOR(TRF, "i8", "1 | 1 # 2 | 1 # 256 | A | B"), .trf = TRF_FULL},
         .codes = ""},
        {.setting = {.axes = "A=8,B=8192"},
         .tensor = {TENSOR(TRF, "i8", "1 | 1 # 2 | 1 # 256 | A | B"), .trf = TRF_SECOND_HALF},
         .codes = "E0512",
         .text = "TrfAddress::Full"},
        {.setting = {.axes = "B=65536"},
         .tensor = {TENSOR(TRF, "i8", "1 | 1 # 2 | 1 # 256 | 1 | B"), .trf = TRF_FULL},
         .codes = ""},
        {.setting = {.axes = "A=8,B=16384"},
         .tensor = {TENSOR(TRF, "i8", "1 | 1 # 2 | 1 # 256 | A | B"), .trf = TRF_FULL},
         .codes = "E0512",
         .text = "8 rows of 16384"},
        {.setting = {.axes = "A=3"},
         .tensor = {TENSOR(TRF, "i8", "1 | 1 # 2 | 1 # 256 | A | 1")},
         .codes = "E0511",
         .text = "1, 2, 4 or 8"},
        {.setting = {.axes = "A=3"},
         .tensor = {TENSOR(TRF, "i8", "1 | 1 # 2 | 1 # 256 | A | 1"), .origin = ORIGIN_RESULT},
         .codes = ""},
    };
    check_rows(rows, COUNT_OF(rows));
}

// What the fetch stage asks: the reference library counts clusters and slices there, chips never.
TEST(streams_have_the_same_sizes)
{
    for (RuleSet rules = RULES_CONTRA; rules <= RULES_REFERENCE; rules++) {
        Bench bench;
        bench_open(&bench, &(Setting){.axes = "A=8", CHIP1});
        const Dim *dims[LEVEL_COUNT];
        Verify verify = {.arena = &bench.arena,
                         .diags = &bench.diags,
                         .machine = &machine_rngd,
                         .program = bench.program,
                         .rules = rules};
        shape(&bench, TIER_DM, "A | 1 | A # 16 | A", dims);
        sizes_verify(&verify, dims, SPAN_NOWHERE);
        expect(&bench, "sizes", rules == RULES_CONTRA ? "E0504 E0502 E0503" : "E0502 E0503", NULL);
        bench.diags.count = 0;
        assert_false(shared_axis_verify(&verify, dims, SPAN_NOWHERE));
        expect(&bench, "axes", "E0501 E0501 E0501", "Slice `A # 16` and Element `A`");
        bench_close(&bench);
    }
}
