// What a generator can ask about the tensors and streams of a program instead of keeping book.
#include "build_support.h"

// ---- tensors

#define assert_text(have, want)                                  \
    do {                                                         \
        const char *text = (have), *expected = (want);           \
        if (expected)                                            \
            assert_string_equal(text ? text : "NULL", expected); \
        else if (text)                                           \
            fail_msg("expected no text, found \"%s\"", text);    \
    } while (0)

static void assert_layout(const ContraLayout *have, const ContraLayout *want)
{
    assert_int_equal(have->tier, want->tier);
    assert_text(have->type, want->type);
    assert_text(have->chip, want->chip);
    assert_text(have->cluster, want->cluster);
    assert_text(have->slice, want->slice);
    assert_text(have->row, want->row);
    assert_text(have->element, want->element);
    assert_true(have->address == want->address);
    assert_text(have->half, want->half);
}

static void assert_tensor(const ContraTensor *tensor, ContraLayout layout, const char *name,
                          int64_t bytes, bool is_view)
{
    ContraTensorInfo info = contra_tensor_info();
    assert_int_equal(contra_tensor_describe(tensor, &info), CONTRA_OK);
    assert_layout(&info.layout, &layout);
    assert_text(info.name, name);
    assert_int_equal(info.bytes, bytes);
    assert_int_equal(info.is_view, is_view);
}

TEST_WITH(a_tensor_says_what_it_is, new_bench, free_bench)
{
    Bench *bench = *state;
    const char *slice = "A / 16";
    ContraTensor *t, *view;
    assert_tensor(bench->dm,
                  contra_dm("i32", "1", "1 # 2", slice, "A % 16, B / 2, B % 2, I", 0x100), "x",
                  1024, false);
    assert_tensor(bench->hbm, contra_hbm("i32", "1", "A, I", 0), NULL, 4096 * 2 * 4, false);
    assert_tensor(bench->trf,
                  contra_trf("i8", "1", "1 # 2", slice, "B", "A % 16 # 64", "SecondHalf"), "w", 512,
                  false);
    assert_tensor(bench->vrf, contra_vrf("i32", "1", "1 # 2", slice, "B", 0), NULL, 32, false);
    assert_tensor(bench->host, contra_host("i32", "A"), NULL, 4096 * 4, false);
    // what a line leaves out is there
    contra_to_dm(bench->hbm, "tdma", "rows", contra_dm(NULL, NULL, "1 # 2", slice, "A%16,I", 0x800),
                 &t);
    assert_tensor(t, contra_dm("i32", "1", "1 # 2", slice, "A % 16, I", 0x800), "rows", 128, false);
    contra_tile(t, "I", 1, "A % 16, 1 # 2", 1, &view);
    assert_tensor(view, contra_dm("i32", "1", "1 # 2", slice, "A % 16, 1 # 2", 0x800), "rows", 128,
                  true);
    contra_uninit(bench->program, "acc",
                  contra_dm("i4", "1", "1 # 2", slice, "A % 16", CONTRA_UNKNOWN), &t);
    assert_tensor(t, contra_dm("i4", "1", "1 # 2", slice, "A % 16", CONTRA_UNKNOWN), "acc", 8,
                  false);
    assert_readable(bench->contra);
    assert_int_equal(contra_tensor_describe(t, NULL), CONTRA_OK);
}

// Axes are called as this program calls them, so that the text can be given back to it.
TEST_WITH(mappings_are_in_the_words_of_the_program, new_bench, free_bench)
{
    Bench *bench = *state;
    ContraTensor *t, *again;
    ContraTensorInfo info = contra_tensor_info();
    contra_axis_named(bench->program, "A_8", 8, "A");
    contra_let(bench->program, "L", "A_8, B");
    contra_param(bench->program, NULL, contra_hbm("i32", "1", "{ L } # 80", CONTRA_UNKNOWN), &t);
    assert_int_equal(contra_tensor_describe(t, &info), CONTRA_OK);
    assert_string_equal(info.layout.element, "[A_8, B] # 80");
    assert_int_equal(contra_param(bench->program, "again", info.layout, &again), CONTRA_OK);
    assert_tensor(again, info.layout, "again", 320, false);
}

// ---- streams

static void assert_same_stream(const ContraStreamType *have, const ContraStreamType *want)
{
    assert_text(have->kind, want->kind);
    assert_text(have->type, want->type);
    assert_text(have->chip, want->chip);
    assert_text(have->cluster, want->cluster);
    assert_text(have->slice, want->slice);
    assert_text(have->row, want->row);
    assert_text(have->time, want->time);
    assert_text(have->packet, want->packet);
    assert_text(have->stage, want->stage);
    assert_text(have->entry, want->entry);
    assert_int_equal(have->stash, want->stash);
    assert_int_equal(have->way4, want->way4);
    assert_int_equal(have->inter_first, want->inter_first);
    assert_int_equal(have->zipped, want->zipped);
}

static ContraStreamType described(const ContraStream *stream)
{
    ContraStreamType type = contra_stream_type();
    assert_int_equal(contra_stream_describe(stream, &type), CONTRA_OK);
    return type;
}

// Another stream that comes in as this one is now is the same.
static void assert_goes_in_again(Bench *bench)
{
    ContraStreamType type = described(bench->stream), again;
    ContraStream *copy;
    if (contra_input(bench->program, "main", &type, &copy) != CONTRA_OK)
        fail_msg("%s", contra_diagnostics(bench->contra, CONTRA_PLAIN).data);
    again = described(copy);
    assert_same_stream(&again, &type);
    contra_leave_open(copy);
}

static void assert_stream(Bench *bench, const char *kind, const char *type, const char *time,
                          const char *packet, const char *stage)
{
    ContraStreamType have = described(bench->stream);
    assert_string_equal(have.kind, kind);
    assert_string_equal(have.type, type);
    assert_string_equal(have.chip, "1");
    assert_string_equal(have.cluster, "1 # 2");
    assert_string_equal(have.slice, "A / 16");
    assert_string_equal(have.time, time);
    assert_string_equal(have.packet, packet);
    assert_text(have.stage, stage);
    assert_goes_in_again(bench);
}

TEST_WITH(a_stream_says_what_it_is, new_bench, free_bench)
{
    Bench *bench = *state;
    ContraTensor *t;
    const char *time = "A / 8 % 2", *packet = "A % 8";
    contra_begin(bench->other, "main", &bench->stream);
    assert_stream(bench, "BeginTensor", "i32", "1", "A % 16", NULL);
    contra_fetch(bench->stream, "i32", time, packet, NULL);
    assert_stream(bench, "FetchTensor", "i32", time, packet, NULL);
    contra_collect(bench->stream, time, packet);
    assert_stream(bench, "CollectTensor", "i32", time, packet, NULL);
    contra_vector_init(bench->stream);
    assert_stream(bench, "VectorInitTensor", "i32", time, packet, "Branch");
    contra_vector_intra_slice_branch(bench->stream, contra_branch("Unconditional"));
    contra_vector_fxp(bench->stream, "AddFxp", contra_operand_i32(1));
    assert_stream(bench, "VectorTensor", "i32", time, packet, "Fxp");
    contra_vector_stash(bench->stream);
    assert_true(described(bench->stream).stash);
    contra_vector_fxp_to_fp(bench->stream, 31);
    assert_stream(bench, "VectorTensor", "f32", time, packet, "FxpToFp");
    assert_string_equal(described(bench->stream).entry, "i32");
    contra_vector_split(bench->stream, "A / 8 % 2, A / 4 % 2", "A % 4");
    assert_stream(bench, "VectorTensor", "f32", "A / 8 % 2, A / 4 % 2", "A % 4", "Narrow");
    assert_true(described(bench->stream).way4);
    contra_vector_concat(bench->stream, time, packet);
    contra_vector_final(bench->stream);
    assert_stream(bench, "VectorFinalTensor", "f32", time, packet, NULL);
    assert_int_equal(contra_commit(bench->stream, NULL, contra_dm_result("A % 16", 0x800), &t),
                     CONTRA_OK);
    assert_tensor(t, contra_dm("f32", "1", "1 # 2", "A / 16", "A % 16", 0x800), NULL, 64, false);
}

TEST_WITH(rows_are_there_while_the_stream_has_them, new_bench, free_bench)
{
    Bench *bench = *state;
    ContraTensor *trf;
    contra_axis(bench->program, "K", 64);
    contra_param(bench->program, NULL,
                 contra_trf("i8", "1", "1 # 2", "A / 16", "B", "K", "FirstHalf"), &trf);
    begin_at(bench, "CollectTensor", "i32", "A % 8");
    ContraStreamType type = described(bench->stream);
    type.type = "i8";
    type.time = "K / 32";
    type.packet = "K % 32";
    contra_input(bench->program, "main", &type, &bench->stream);
    contra_align(bench->stream, trf, "1", "K");
    assert_text(described(bench->stream).row, "B");
    assert_goes_in_again(bench);
    contra_contract(bench->stream, "1");
    assert_string_equal(described(bench->stream).type, "i32");
    assert_text(described(bench->stream).row, "B");
    contra_accumulate(bench->stream, "Interleaved", "1", "B");
    assert_text(described(bench->stream).row, NULL);
    assert_goes_in_again(bench);
}

// ---- refused

TEST_WITH(nothing_is_said_about_what_was_refused, new_bench, free_bench)
{
    Bench *bench = *state;
    ContraTensor *t;
    ContraTensorInfo info = contra_tensor_info();
    ContraStreamType type = contra_stream_type();
    contra_param(bench->program, "bad", contra_hbm("i32", "1", "Q", 0), &t);
    begin_at(bench, "FetchTensor", "i32", "A % 8");
    contra_collect(bench->stream, "1", "A % 7");
    contra_clear_diagnostics(bench->contra);
    info.bytes = 7;
    type.kind = "left";
    assert_int_equal(contra_tensor_describe(t, &info), CONTRA_INVALID);
    assert_int_equal(contra_stream_describe(bench->stream, &type), CONTRA_INVALID);
    assert_int_equal(info.bytes, 0);
    assert_null(type.kind);
    assert_false(contra_stream_takes(bench->stream, "commit"));
    begin_at(bench, "CollectTensor", "i32", "A % 8");
    contra_commit(bench->stream, NULL, contra_dm_result("B, A % 8", 0x800), &t);
    assert_int_equal(contra_stream_describe(bench->stream, &type), CONTRA_INVALID);
    assert_false(contra_stream_takes(bench->stream, "commit"));
    assert_codes(bench->contra, "");
    info.size = 3;
    assert_int_equal(contra_tensor_describe(t, &info), CONTRA_INVALID);
    assert_codes(bench->contra, "E0007");
}

// ---- what comes next

// The calls that a stream takes, in the order of the pipeline.
static void assert_takes(const Bench *bench, const char *expected)
{
    char calls[512] = "";
    const char *call;
    for (int64_t i = 0; (call = contra_name(CONTRA_NAMES_CALLS, NULL, i)); i++) {
        size_t used = strlen(calls);
        if (contra_stream_takes(bench->stream, call))
            snprintf(calls + used, sizeof calls - used, "%s%s", used ? " " : "", call);
    }
    assert_string_equal(calls, expected);
}

TEST_WITH(a_stream_knows_what_may_come, new_bench, free_bench)
{
    Bench *bench = *state;
    contra_begin(bench->other, "sub", &bench->stream);
    assert_takes(bench, "fetch");
    contra_fetch(bench->stream, "i32", "A / 8 % 2", "A % 8", NULL);
    assert_takes(bench, "switch collect commit commit_view");
    contra_collect(bench->stream, "A / 8 % 2", "A % 8");
    assert_takes(bench, "align cast transpose commit commit_view to_trf to_vrf vector_init");
    contra_vector_init(bench->stream);
    assert_takes(bench, "vector_intra_slice_branch vector_intra_slice_unzip "
                        "vector_inter_slice_reduce");
    contra_vector_intra_slice_branch(bench->stream, contra_branch("Unconditional"));
    contra_vector_clip(bench->stream, "Max", contra_operand_i32(0));
    assert_takes(bench, "vector_inter_slice_reduce vector_clip vector_stash vector_filter "
                        "vector_final");
    contra_vector_final(bench->stream);
    assert_takes(bench, "cast transpose to_vrf"); // the sub context commits only what was fetched
    begin_at(bench, "VectorTensor", "f32", "A % 4");
    assert_takes(bench, "vector_fp_unary vector_fp_binary vector_fp_ternary "
                        "vector_intra_slice_reduce vector_fp_div vector_concat vector_pad_way8 "
                        "vector_stash");
    begin_at(bench, "CollectTensor", "i8", "A % 8 # 32");
    assert_takes(bench, "align cast transpose commit commit_view to_trf to_vrf");
    begin_at(bench, "CastTensor", "i8", "A % 8 # 32");
    assert_takes(bench, "transpose commit commit_view");
    begin_at(bench, "AccumulationTensor", "i32", "A % 8");
    assert_takes(bench, "cast transpose commit commit_view vector_init");
    assert_false(contra_stream_takes(bench->stream, "input"));
    assert_false(contra_stream_takes(bench->stream, "vector_fpx"));
    assert_readable(bench->contra);
}

// A call without arguments of its own is taken if the stream is said to take it, and only then.
TEST_WITH(what_may_come_is_accepted, new_bench, free_bench)
{
    static const struct {
        const char *name;
        ContraStatus (*call)(ContraStream *stream);
    } calls[] = {{"vector_init", contra_vector_init},
                 {"vector_stash", contra_vector_stash},
                 {"vector_final", contra_vector_final}};
    Bench *bench = *state;
    const char *kind, *stage;
    int taken = 0;
    for (int64_t k = 0; (kind = contra_name(CONTRA_NAMES_STREAMS, NULL, k)); k++) {
        for (int64_t s = 0; (stage = contra_name(CONTRA_NAMES_VECTOR_STAGES, NULL, s)); s++) {
            for (size_t i = 0; i < COUNT_OF(calls); i++) {
                begin_at(bench, "CollectTensor", "i32", "A % 8");
                ContraStreamType type = described(bench->stream);
                contra_leave_open(bench->stream);
                type.kind = kind;
                type.stage = strncmp(kind, "Vector", 6) ? NULL : stage;
                type.row =
                    !strcmp(kind, "AlignedPair") || !strncmp(kind, "Contraction", 11) ? "I" : NULL;
                if (!strcmp(kind, "VectorFinalTensor"))
                    type.stage = NULL;
                assert_int_equal(contra_input(bench->program, "main", &type, &bench->stream),
                                 CONTRA_OK);
                bool takes = contra_stream_takes(bench->stream, calls[i].name);
                assert_int_equal(calls[i].call(bench->stream) == CONTRA_OK, takes);
                taken += takes;
            }
        }
    }
    assert_true(taken > 20);
}

// ---- mappings

TEST_WITH(mappings_of_a_program_are_computed_with, new_bench, free_bench)
{
    Bench *bench = *state;
    Contra *contra = bench->contra;
    ContraMapping *element, *outer, *inner, *elsewhere;
    bool equal;
    int64_t kernel;
    contra_axis_named(bench->program, "A_8", 8, "A");
    contra_let(bench->program, "L", "A % 16, A_8");
    assert_int_equal(contra_program_mapping(bench->program, "L", &element), CONTRA_OK);
    assert_int_equal(contra_mapping_size(element), 128);
    assert_string_equal(contra_mapping_normal(element).data, "A % 16, A_8");
    assert_int_equal(contra_mapping_split(contra, element, 8, &outer, &inner), CONTRA_OK);
    assert_string_equal(contra_mapping_text(outer).data, "A % 16");
    assert_string_equal(contra_mapping_text(inner).data, "A_8");
    // those of the Contra are the same where they have name and size in common
    contra_declare_axes(contra, contra_text("A=4096"));
    contra_mapping_parse(contra, contra_text("m"), contra_text("A % 16"), &elsewhere);
    assert_int_equal(contra_mapping_equal(contra, outer, elsewhere, &equal, NULL), CONTRA_OK);
    assert_true(equal);
    // one that is wrong is reported, and does the program no harm
    assert_int_equal(contra_program_mapping(bench->program, "A / 7", &element), CONTRA_INVALID);
    assert_null(element);
    assert_codes(contra, "E0107");
    assert_int_equal(contra_program_mapping(bench->program, "A, A", &element), CONTRA_INVALID);
    contra_clear_diagnostics(contra);
    assert_int_equal(contra_program_finish(bench->program, &kernel), CONTRA_OK);
    assert_int_equal(contra_program_mapping(bench->program, "A", &element), CONTRA_INVALID);
    assert_codes(contra, "E0008");
}

// The names that were meant, as far as they fit in a line.
TEST_WITH(a_few_of_many_names_are_shown, new_bench, free_bench)
{
    Bench *bench = *state;
    ContraMapping *mapping;
    char name[16];
    for (int i = 0; i < 40; i++) {
        snprintf(name, sizeof name, "N%d", i);
        contra_axis(bench->program, name, 8);
    }
    contra_clear_diagnostics(bench->contra);
    assert_int_equal(contra_program_mapping(bench->program, "Q", &mapping), CONTRA_INVALID);
    const char *shown = contra_diagnostics(bench->contra, CONTRA_PLAIN).data;
    assert_non_null(strstr(shown, "declared are: A, B, I, N0, "));
    assert_non_null(strstr(shown, "N20, ..\n"));
}
