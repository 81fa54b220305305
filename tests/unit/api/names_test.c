// The lists of names: the call that a name is for knows it. What else it lacks does not matter
// here.
#include "build_support.h"

// A diagnostic about a name: a word, type, context or anything else that nobody knows.
static void assert_name_is_known(Bench *bench, const char *name)
{
    static const char *const codes[] = {"E0004", "E0801", "E0802", "E0803"};
    const char *shown = contra_diagnostics(bench->contra, CONTRA_PLAIN).data;
    for (size_t i = 0; i < COUNT_OF(codes); i++)
        if (strstr(shown, codes[i]))
            fail_msg("%s: %s", name, shown);
    contra_clear_diagnostics(bench->contra);
}

#define EACH(name, list, of) \
    for (int64_t i_##name = 0; (name = contra_name(list, of, i_##name)); i_##name++)

static int64_t count(ContraNames names, const char *of)
{
    int64_t n = 0;
    while (contra_name(names, of, n))
        n++;
    return n;
}

TEST_WITH(tensors_know_the_names, new_bench, free_bench)
{
    Bench *bench = *state;
    ContraTensor *t;
    const char *name;
    EACH(name, CONTRA_NAMES_TYPES, NULL)
    {
        contra_param(bench->program, NULL, contra_hbm(name, "1", "A", CONTRA_UNKNOWN), &t);
        assert_name_is_known(bench, name);
        assert_true(contra_is_type(contra_text(name)));
    }
    EACH(name, CONTRA_NAMES_HALVES, NULL)
    {
        assert_int_equal(
            contra_param(bench->program, NULL,
                         contra_trf("i8", "1", "1 # 2", "A / 16", "B", "A % 16 # 64", name), &t),
            CONTRA_OK);
    }
    EACH(name, CONTRA_NAMES_CONTEXTS, NULL)
    {
        contra_to_dm(bench->hbm, name, NULL,
                     contra_dm(NULL, NULL, "1 # 2", "A / 16", "A % 16, I", CONTRA_UNKNOWN), &t);
        assert_name_is_known(bench, name);
    }
    EACH(name, CONTRA_NAMES_PASS_CONTEXTS, NULL)
    assert_int_equal(contra_begin(bench->other, name, &bench->stream), CONTRA_OK);
    assert_int_equal(count(CONTRA_NAMES_CONTEXTS, NULL), 4);
    assert_int_equal(count(CONTRA_NAMES_PASS_CONTEXTS, NULL), 2);
    assert_int_equal(count(CONTRA_NAMES_HALVES, NULL), 3);
}

TEST_WITH(streams_know_the_names, new_bench, free_bench)
{
    Bench *bench = *state;
    const char *name, *call;
    begin_at(bench, "CollectTensor", "i32", "A % 8");
    ContraStreamType type = contra_stream_type();
    contra_stream_describe(bench->stream, &type);
    EACH(name, CONTRA_NAMES_STREAMS, NULL)
    {
        type.kind = name;
        contra_input(bench->program, "main", &type, &bench->stream);
        assert_name_is_known(bench, name);
    }
    type.kind = "VectorTensor";
    EACH(name, CONTRA_NAMES_VECTOR_STAGES, NULL)
    {
        type.stage = name;
        assert_int_equal(contra_input(bench->program, "main", &type, &bench->stream), CONTRA_OK);
    }
    // every call is one for some stream, but those that begin a pass
    EACH(call, CONTRA_NAMES_CALLS, NULL)
    {
        bool taken = !strncmp(call, "begin", 5);
        EACH(name, CONTRA_NAMES_STREAMS, NULL)
        {
            static const struct {
                const char *type, *stage;
                bool way4;
            } cases[] = {{"i32", "Branch", false}, {"f32", "Branch", false}, {"f32", "Fp", true}};
            bool has_rows = !strcmp(name, "AlignedPair") || !strncmp(name, "Contraction", 11);
            bool inside = !strncmp(name, "Vector", 6) && strcmp(name, "VectorFinalTensor");
            for (size_t k = 0; k < COUNT_OF(cases); k++) {
                type.kind = name;
                type.row = has_rows ? "I" : NULL;
                type.type = cases[k].type;
                type.stage = inside ? cases[k].stage : NULL;
                type.entry = inside ? cases[k].type : NULL;
                type.way4 = inside && cases[k].way4;
                contra_input(bench->program, "main", &type, &bench->stream);
                taken |= contra_stream_takes(bench->stream, call);
            }
        }
        if (!taken)
            fail_msg("no stream takes %s", call);
    }
}

TEST_WITH(engines_know_the_names, new_bench, free_bench)
{
    Bench *bench = *state;
    const char *name;
    const int64_t ones[] = {1, 1, 1};
    EACH(name, CONTRA_NAMES_TOPOLOGIES, NULL)
    {
        begin_at(bench, "FetchTensor", "i32", "A % 8");
        contra_switch(bench->stream, name, ones, count(CONTRA_NAMES_FIELDS, name), "A / 16", "B");
        assert_name_is_known(bench, name); // a field too many or too few is E0801
    }
    EACH(name, CONTRA_NAMES_ACCUMULATIONS, NULL)
    {
        begin_at(bench, "CollectTensor", "i32", "A % 8");
        contra_accumulate(bench->stream, name, "B", "A % 8");
        assert_non_null(strstr(contra_diagnostics(bench->contra, CONTRA_PLAIN).data, "E0808"));
        assert_name_is_known(bench, name);
    }
    EACH(name, CONTRA_NAMES_BRANCHES, NULL)
    {
        ContraInputCompare compare = contra_input_compare_i32("Less", 1);
        ContraBranch branch = contra_branch(name);
        branch.axis = strcmp(name, "AxisToggle") ? NULL : "I";
        branch.vrf = bench->vrf;
        for (size_t i = 0; i < COUNT_OF(branch.compares); i++)
            branch.compares[i] = compare;
        begin_at(bench, "VectorInitTensor", "i32", "A % 8");
        contra_vector_intra_slice_branch(bench->stream, branch);
        assert_name_is_known(bench, name);
    }
    EACH(name, CONTRA_NAMES_COMPARISONS, NULL)
    {
        ContraInputCompare compare = contra_input_compare_i32(name, 0);
        begin_at(bench, "VectorInitTensor", "i32", "A % 8");
        assert_int_equal(
            contra_vector_intra_slice_branch(
                bench->stream, contra_branch_comparison(compare, compare, compare, compare)),
            CONTRA_OK);
    }
    assert_string_equal(contra_name(CONTRA_NAMES_FIELDS, "Broadcast01", 2), "time0");
}

// ---- the Vector Engine

typedef ContraStatus WithOperands(ContraStream *stream, const char *op, const char *mode,
                                  const ContraOperand *operands, int64_t count);
typedef ContraStatus WithMode(ContraStream *stream, const char *op, const char *mode);

static ContraStatus inter(ContraStream *stream, const char *op, const char *mode)
{
    (void)mode;
    return contra_vector_inter_slice_reduce(stream, op, "1 # 256", "B");
}

static ContraStatus intra(ContraStream *stream, const char *op, const char *mode)
{
    (void)mode;
    return contra_vector_intra_slice_reduce(stream, "A", op, "B", "1 # 4");
}

static const struct {
    const char *name;
    WithOperands *operate;
    WithMode *apply;
    bool on_pairs;
    int operations, modes; // of both types; of one of them
} calls[] = {
    {"vector_inter_slice_reduce", NULL, inter, false, 8, 0},
    {"vector_intra_slice_reduce", NULL, intra, false, 6, 0},
    {"vector_logic", contra_vector_logic_with, NULL, false, 9, 4},
    {"vector_fxp", contra_vector_fxp_with, NULL, false, 11, 4},
    {"vector_fp_unary", NULL, contra_vector_fp_unary, false, 9, 2},
    {"vector_fp_binary", contra_vector_fp_binary_with, NULL, false, 5, 4},
    {"vector_fp_ternary", contra_vector_fp_ternary_with, NULL, false, 2, 7},
    {"vector_fp_div", contra_vector_fp_div_with, NULL, false, 1, 4},
    {"vector_clip", contra_vector_clip_with, NULL, false, 11, 4},
    {"vector_logic_zip", NULL, contra_vector_logic_zip, true, 9, 4},
    {"vector_fxp_zip", NULL, contra_vector_fxp_zip, true, 11, 4},
    {"vector_fp_zip", NULL, contra_vector_fp_zip, true, 5, 4},
    {"vector_clip_zip", NULL, contra_vector_clip_zip, true, 11, 4},
};

// Calls number `call` with these names, as far as they are known.
static ContraStatus operate(Bench *bench, size_t call, const char *type, const char *op,
                            const char *mode)
{
    bool is_float = !strcmp(type, "f32");
    ContraOperand operand = is_float ? contra_operand_f32(1) : contra_operand_i32(1);
    if (!strcmp(calls[call].name, "vector_fp_ternary"))
        operand = contra_operand_with(operand, 2);
    begin_at(bench, calls[call].on_pairs ? "VectorTensorPair" : "VectorTensor", type,
             is_float ? "A % 4" : "A % 8");
    return calls[call].operate ? calls[call].operate(bench->stream, op, mode, &operand, 1)
                               : calls[call].apply(bench->stream, op, mode);
}

TEST_WITH(operations_and_modes_are_known, new_bench, free_bench)
{
    static const struct {
        ContraNames names;
        const char *type;
    } lists[] = {{CONTRA_NAMES_OPERATIONS_I32, "i32"}, {CONTRA_NAMES_OPERATIONS_F32, "f32"}};
    Bench *bench = *state;
    const char *op, *mode;
    for (size_t c = 0; c < COUNT_OF(calls); c++) {
        int64_t operations = 0;
        for (size_t k = 0; k < COUNT_OF(lists); k++) {
            operations += count(lists[k].names, calls[c].name);
            EACH(op, lists[k].names, calls[c].name)
            {
                operate(bench, c, lists[k].type, op, NULL);
                assert_name_is_known(bench, op);
                EACH(mode, CONTRA_NAMES_MODES, calls[c].name)
                {
                    operate(bench, c, lists[k].type, op, mode);
                    assert_name_is_known(bench, mode);
                }
            }
        }
        assert_int_equal(operations, calls[c].operations);
        assert_int_equal(count(CONTRA_NAMES_MODES, calls[c].name), calls[c].modes);
    }
}

TEST_WITH(multipliers_are_known, new_bench, free_bench)
{
    Bench *bench = *state;
    const char *name;
    EACH(name, CONTRA_NAMES_MULTIPLIERS, NULL)
    {
        char op[32];
        snprintf(op, sizeof op, "MulF(%s)", name);
        begin_at(bench, "VectorTensor", "f32", "A % 4");
        assert_int_equal(contra_vector_fp_binary(bench->stream, op, contra_operand_f32(2)),
                         CONTRA_OK);
    }
    assert_int_equal(count(CONTRA_NAMES_MULTIPLIERS, NULL), 3);
}

TEST(there_are_no_other_names)
{
    assert_null(contra_name(CONTRA_NAMES_TYPES, NULL, -1));
    assert_null(contra_name(CONTRA_NAMES_TYPES, NULL, INT64_MAX));
    assert_null(contra_name((ContraNames)99, NULL, 0));
    assert_null(contra_name(CONTRA_NAMES_MODES, NULL, 0));
    assert_null(contra_name(CONTRA_NAMES_MODES, "fetch", 0));
    assert_null(contra_name(CONTRA_NAMES_OPERATIONS_I32, "commit", 0));
    assert_null(contra_name(CONTRA_NAMES_OPERATIONS_F32, "vector_fxp", 0));
    assert_null(contra_name(CONTRA_NAMES_OPERATIONS_I32, "nothing", 0));
    assert_null(contra_name(CONTRA_NAMES_FIELDS, "Broadcast", 0));
    assert_null(contra_name(CONTRA_NAMES_FIELDS, "CustomBroadcast", 1));
    assert_null(contra_name(CONTRA_NAMES_FIELDS, "Broadcast01", 3));
}
