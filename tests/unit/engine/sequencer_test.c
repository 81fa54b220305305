// The examples of the manual's chapters on the sequencer, fetch and commit, with every number they
// give.
#include "sequencer_support.h"

typedef struct {
    const char *name;
    Row row;
    const char *config; // as sequencer_print writes it, the base offset included
    int64_t contiguous, access, in, cycles;
} Example;

static void check_examples(const Example *examples, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const Example *example = &examples[i];
        Case c;
        case_run(&c, &example->row);
        if (!c.ok)
            fail_msg("%s is refused:\n%s", example->name, case_summary(&c));
        assert_int_equal(c.diags.count, 0);
        StrBuf config = {.arena = &c.arena};
        sequencer_print(&config, &c.sequence, c.request.engine);
        StrBuf got = {.arena = &c.arena}, want = {.arena = &c.arena};
        buf_format(&got, "{}: {} contiguous {} access {} in {} cycles {}", example->name,
                   buf_str(&config), c.sequence.contiguous_bytes, c.sequence.access_bytes,
                   c.sequence.commit_in_bytes, c.sequence.cycles);
        buf_format(&want, "{}: {} contiguous {} access {} in {} cycles {}", example->name,
                   example->config, example->contiguous, example->access, example->in,
                   example->cycles);
        assert_string_equal(got.data, want.data);
        assert_int_equal(c.sequence.cycles, c.sequence.time_steps * c.sequence.accesses_per_packet);
        arena_release(&c.arena);
    }
}

#define CHECK(examples) check_examples(examples, COUNT_OF(examples))

// ---- Manual: Sequencer

#define EIGHT "A=8,B=512,N=4,C=3,H=8,W=8,T=4,P=4"

TEST(examples_of_the_interface)
{
    static const Example examples[] = {
        {"strided_read",
         {EIGHT, NULL, "A, B", "A, B / 32", "B % 32", "bf16", READ},
         "[8:512, 16:32, 32:1]:32",
         8192,
         32,
         0,
         256},
        {"strided_write",
         {EIGHT, NULL, "A, B", "A, B / 32", "B % 32", "bf16", WRITE},
         "[8:512, 16:32, 32:1]:32",
         8192,
         32,
         64,
         256},
        {"axis_reordering_read",
         {EIGHT, NULL, "N, C, H, W", "W, H, C, N", "1", "bf16", READ},
         "[8:1, 8:8, 3:64, 4:192]:1",
         2,
         2,
         0,
         768},
        // The suffix of a write counts bytes (erratum E012).
        {"axis_reordering_write",
         {EIGHT, NULL, "N, C, H, W", "W, H, C, N", "1", "bf16", WRITE},
         "[8:1, 8:8, 3:64, 4:192]:2",
         2,
         2,
         2,
         768},
        {"tiling_read",
         {EIGHT, NULL, "A, B, C # 8", "A % 2, B % 4, A / 2, B / 4", "C # 32", READ},
         "[2:4096, 4:8, 4:8192, 128:32, 32:1]:32",
         4096,
         32,
         0,
         4096},
        // A write covers the innermost footprint only (erratum E057).
        {"tiling_write",
         {EIGHT, NULL, "A, B, C # 8", "A % 2, B % 4, A / 2, B / 4", "C # 32", WRITE},
         "[2:4096, 4:8, 4:8192, 128:32, 8:1]:8",
         8,
         8,
         8,
         4096},
        {"broadcasting_read",
         {EIGHT, NULL, "A", "T, A", "P", READ},
         "[4:0, 8:1, 4:0]:4",
         4,
         4,
         0,
         32},
    };
    CHECK(examples);
}

TEST(configuration_examples)
{
    static const Example examples[] = {
        {"rearranging",
         {"A=8,B=8,C=8", NULL, "A, B, C # 32", "B, A", "C # 16", READ},
         "[8:32, 8:256, 16:1]:16",
         16,
         16,
         0,
         64},
        {"splitting",
         {"A=8,B=8,C=4", NULL, "A, B, C # 8", "A % 2, B % 4, A / 2, B / 4", "C # 32", READ},
         "[2:64, 4:8, 4:128, 2:32, 32:1]:32",
         64,
         32,
         0,
         64},
        {"slicing",
         {"A=16,B=8,C=8", NULL, "A, B, C", "A / 4, A % 4 = 3, B / 4, B % 4 = 2", "C", READ},
         "[4:256, 3:64, 2:32, 2:8, 8:1]:8",
         16,
         8,
         0,
         48},
        {"broadcasting",
         {"A=16,T=4,P=4", NULL, "A", "T, A", "P", READ},
         "[4:0, 16:1, 4:0]:4",
         4,
         4,
         0,
         64},
        // The fetch stays inside the packet (erratum E053).
        {"merging",
         {"N=8,C=8,H=8,W=32", NULL, "N, C, H, W",
          "W / 16, H % 2, H / 2, C / 2, C % 2, N / 2, N % 2, W / 8 % 2", "W % 8", READ},
         "[2:16, 2:32, 4:64, 8:256, 8:2048, 16:1]:16",
         16,
         8,
         0,
         2048},
        // Indirect Access: an entry of offsets in place of a stride.
        {"indirect",
         {"A=8,B=4", NULL, "A, B", "A @ [5, 0, 2]", "B", READ},
         "[3:[20, 0, 8], 4:1]:4",
         4,
         4,
         0,
         3},
    };
    CHECK(examples);
}

// What one entry walks, and what of the buffer is then left.
TEST(derivations_go_term_by_term)
{
    static const struct {
        Row row;
        const char *steps;
    } cases[] = {
        {{"A=8,B=8,C=8", NULL, "A, B, C # 32", "B, A", "C # 16", READ},
         "B -> 8:32 | A, 1 # 8, C # 32\n"
         "A -> 8:256 | 1 # 64, C # 32\n"
         "C # 16 -> 16:1 | 1 # 2048\n"},
        {{"A=8,B=8,C=4", NULL, "A, B, C # 8", "A % 2, B % 4, A / 2, B / 4", "C # 32", READ},
         "A % 2 -> 2:64 | A / 2, 1 # 2, B, C # 8\n"
         "B % 4 -> 4:8 | A / 2, 1 # 2, B / 4, 1 # 4, C # 8\n"
         "A / 2 -> 4:128 | 1 # 8, B / 4, 1 # 4, C # 8\n"
         "B / 4 -> 2:32 | 1 # 64, C # 8\n"
         "C # 32 -> 32:1 | 1 # 512\n"},
        {{"A=16,B=8,C=8", NULL, "A, B, C", "A / 4, A % 4 = 3, B / 4, B % 4 = 2", "C", READ},
         "A / 4 -> 4:256 | 1 # 4, A % 4, B, C\n"
         "A % 4 = 3 -> 3:64 | 1 # 16, B, C\n"
         "B / 4 -> 2:32 | 1 # 32, B % 4, C\n"
         "B % 4 = 2 -> 2:8 | 1 # 128, C\n"
         "C -> 8:1 | 1 # 1024\n"},
        {{"A=16,T=4,P=4", NULL, "A", "T, A", "P", READ},
         "T -> 4:0 | A\nA -> 16:1 | 1 # 16\nP -> 4:0 | 1 # 16\n"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        Case c;
        case_run(&c, &cases[i].row);
        assert_true(c.ok);
        // What is left means what the manual prints, however it is written.
        StrBuf steps = {.arena = &c.arena};
        const char *rest = cases[i].steps;
        for (int64_t k = 0; k < c.sequence.steps.count; k++) {
            const SequenceStep *step = &c.sequence.steps.items[k];
            assert_int_equal(step->entry_count, 1);
            const SequenceEntry *entry = &c.sequence.written.items[step->first_entry];
            const char *after = strstr(rest, "| ") + 2;
            Str printed = {after, strchr(after, '\n') - after};
            const Expr *want = mapping_parse(&c.scope, &c.diags, SOURCE_LET, printed);
            const Expr *have = mapping_parse(&c.scope, &c.diags, SOURCE_LET, step->buffer_after);
            Mapping a = mapping_of_expr(&c.arena, want), b = mapping_of_expr(&c.arena, have);
            assert_int_equal(mapping_equal(&c.arena, &a, &b), MAPPINGS_EQUAL);
            buf_format(&steps, "{} -> {}:{} | {}\n", step->term, entry->size, entry->stride,
                       printed);
            rest = after + printed.len + 1;
        }
        assert_string_equal(steps.data, cases[i].steps);
        assert_true(c.sequence.walks_all);
        arena_release(&c.arena);
    }
}

TEST(entries_merge_only_when_there_are_too_many)
{
    Case c;
    case_run(&c, &(Row){"A=64", NULL, "A", "A / 16, A / 8 % 2", "A % 8", READ});
    assert_true(c.ok && !c.sequence.merged);
    assert_int_equal(c.sequence.entries.count, 3);
    arena_release(&c.arena);

    case_run(&c,
             &(Row){"N=8,C=8,H=8,W=32", NULL, "N, C, H, W",
                    "W / 16, H % 2, H / 2, C / 2, C % 2, N / 2, N % 2, W / 8 % 2", "W % 8", READ});
    static const struct {
        int64_t size, stride;
    } written[] = {{2, 16},   {2, 32},   {4, 64}, {4, 512}, {2, 256},
                   {4, 4096}, {2, 2048}, {2, 8},  {8, 1}};
    static const char *const terms[] = {"W / 16", "H % 2", "H / 2", "C", "N", "W % 16"};
    assert_true(c.ok && c.sequence.merged);
    assert_int_equal(c.sequence.written.count, COUNT_OF(written));
    for (size_t i = 0; i < COUNT_OF(written); i++) {
        assert_int_equal(c.sequence.written.items[i].size, written[i].size);
        assert_int_equal(c.sequence.written.items[i].stride, written[i].stride);
    }
    assert_int_equal(c.sequence.entries.count, COUNT_OF(terms));
    for (size_t i = 0; i < COUNT_OF(terms); i++)
        assert_true(str_equal(c.sequence.entries.items[i].term, str_from(terms[i])));
    arena_release(&c.arena);

    // Eight loops of two and 65,536 iterations of one: merging stops at the limit of an entry.
    case_run(&c, &(Row){"A=131072,B=2", NULL, "A, B",
                        "A / 65536, A / 32768 % 2, A / 16384 % 2, A / 8192 % 2, A / 4096 % 2, "
                        "A / 2048 % 2, A / 1024 % 2, A % 1024",
                        "B", READ});
    assert_true(c.ok && c.sequence.merged);
    for (int64_t i = 0; i < c.sequence.entries.count; i++)
        assert_true(c.sequence.entries.items[i].size <= 65536);
    assert_true(c.sequence.entries.count <= 8);
    arena_release(&c.arena);
}

// ---- Manual: Fetch Engine

#define NCHW "N=4,C=3,H=4,W=8"

TEST(fetch_examples)
{
    static const Example examples[] = {
        {"fetch_matrix", // erratum E064
         {"A=512,B=32", NULL, "A, B", "A", "B", "i8", "i32", FETCH},
         "[512:32, 32:1]:32",
         16384,
         8,
         0,
         2048},
        {"fully_contiguous",
         {NCHW, NULL, "N, C, H, W", "N, C, H", "W", FETCH},
         "[4:96, 3:32, 4:8, 8:1]:8",
         384,
         8,
         0,
         48},
        {"three_axes_non_contiguous",
         {NCHW, NULL, "N, C, H, W", "C", "N, H, W", FETCH},
         "[3:32, 4:96, 4:8, 8:1]:8",
         32,
         32,
         0,
         12},
        {"four_axes_non_contiguous",
         {NCHW, NULL, "N, C, H, W", "1", "N, H, C, W", FETCH},
         "[4:96, 4:8, 3:32, 8:1]:8",
         8,
         8,
         0,
         48},
        // Refused as a fetch (erratum E061); the sequencer alone reads it.
        {"fetch_packet_C",
         {"A=3,B=5,C=2", NULL, "A, B, C", "A, B", "C", "f8e4m3", READ},
         "[3:10, 5:2, 2:1]:2",
         30,
         2,
         0,
         15},
        {"fetch_packet_BC",
         {"A=3,B=5,C=2", NULL, "A, B, C", "A", "[B, C] # 16", "f8e4m3", FETCH},
         "[3:10, 16:1]:16",
         16,
         16,
         0,
         3},
        {"fetch_packet_ABC",
         {"A=3,B=5,C=2", NULL, "A, B, C", "1", "[A, B, C] # 32", "f8e4m3", FETCH},
         "[32:1]:32",
         32,
         32,
         0,
         1},
        {"fetch_with_masking",
         {"A=63", NULL, "A", "1", "A # 64", FETCH},
         "[64:1]:64",
         64,
         32,
         0,
         2},
        {"padding case 1",
         {"A=32,B=90", "B'=# 2 + B + # 4", "A, B # 96", "A, {B'} / 32", "{B'} % 32", FETCH},
         "[32:96, 3:32, 32:1]:32 @ -2",
         3072,
         32,
         0,
         96},
        {"padding case 2",
         {"A=32,B=90", "B'=# 2 + B + # 4", "A, B # 96", "{B'} / 32, A", "{B'} % 32", FETCH},
         "[3:32, 32:96, 32:1]:32 @ -2",
         32,
         32,
         0,
         96},
        {"padding case 3", // erratum E071
         {"A=32,B=97", "B'=B + # 31", "A, B # 128", "A, {B'} / 16, 1", "{B'} % 16", "f32", FETCH},
         "[32:128, 8:16, 1:0, 16:1]:16",
         16384,
         32,
         0,
         512},
        {"fetch_with_type_cast",
         {"A=8", NULL, "A", "1", "A", "i8", "i32", FETCH},
         "[8:1]:8",
         8,
         8,
         0,
         1},
        {"i4 to i32, 8 elements a read",
         {"A=8", NULL, "A", "1", "A", "i4", "i32", FETCH},
         "[8:1]:8",
         4,
         4,
         0,
         1},
        {"i4 to i32, not 16",
         {"A=16", NULL, "A", "1", "A", "i4", "i32", FETCH},
         "[16:1]:16",
         8,
         4,
         0,
         2},
        {"i8 to i32, not 16",
         {"A=16", NULL, "A", "1", "A", "i8", "i32", FETCH},
         "[16:1]:16",
         16,
         8,
         0,
         2},
        {"the sub context reads 8 bytes",
         {"A=4,B=32", NULL, "A, B", "A", "B", FETCH, SUB},
         "[4:32, 32:1]:32",
         128,
         8,
         0,
         16},
        {"and 4 of i4 to i32",
         {"A=4,B=32", NULL, "A, B", "A", "B", "i4", "i32", FETCH, SUB},
         "[4:32, 32:1]:32",
         64,
         4,
         0,
         16},
    };
    CHECK(examples);
}

TEST(batching_examples)
{
    static const Example examples[] = {
        {"fetch_batch_1",
         {NCHW, NULL, "N, C, H, W", "N, C, H", "W", FETCH},
         "[4:96, 3:32, 4:8, 8:1]:8",
         384,
         8,
         0,
         48},
        {"fetch_batch_2",
         {NCHW, NULL, "N, C, H, W", "N, C, H / 2", "H % 2, W", FETCH},
         "[4:96, 3:32, 2:16, 2:8, 8:1]:8",
         384,
         16,
         0,
         24},
        {"fetch_batch_3",
         {NCHW, NULL, "N, C, H, W", "N, C", "H, W", FETCH},
         "[4:96, 3:32, 4:8, 8:1]:8",
         384,
         32,
         0,
         12},
        {"fetch_batch_4",
         {NCHW, NULL, "N, C, H, W", "N", "C, H, W", FETCH},
         "[4:96, 3:32, 4:8, 8:1]:8",
         384,
         32,
         0,
         12},
        // With the printed type, i4, every number of bytes is half of it (erratum E067).
        {"fetch_batch_2 of i4",
         {NCHW, NULL, "N, C, H, W", "N, C, H / 2", "H % 2, W", "i4", FETCH},
         "[4:96, 3:32, 2:16, 2:8, 8:1]:8",
         192,
         8,
         0,
         24},
        {"fetch_batch_3 of i4",
         {NCHW, NULL, "N, C, H, W", "N, C", "H, W", "i4", FETCH},
         "[4:96, 3:32, 4:8, 8:1]:8",
         192,
         16,
         0,
         12},
        {"fetch_batch_4 of i4",
         {NCHW, NULL, "N, C, H, W", "N", "C, H, W", "i4", FETCH},
         "[4:96, 3:32, 4:8, 8:1]:8",
         192,
         16,
         0,
         12},
    };
    CHECK(examples);
}

// ---- Manual: Commit Engine

#define MKWN "M=4,K=2,W=8,N=16,J=64"

TEST(commit_examples)
{
    static const Example examples[] = {
        {"cast_commit",
         {"M=16,N=8", NULL, "M, N # 16", "M", "N # 16", "bf16", COMMIT},
         "[16:16, 16:1]:32",
         512,
         32,
         32,
         16},
        {"i8_padding_truncation, no_transpose",
         {MKWN, NULL, "M, K, W", "M, K", "W # 32", COMMIT},
         "[4:16, 2:8, 8:1]:8",
         64,
         8,
         8,
         8},
        {"f32_non_padding_truncation", // erratum E084
         {MKWN, NULL, "M, K, W = 4", "M, K", "W", "f32", COMMIT},
         "[4:8, 2:4, 4:1]:16",
         128,
         16,
         16,
         8},
        {"transpose_with_truncation",
         {MKWN, NULL, "K, M, N = 8", "M, K", "N", "bf16", COMMIT},
         "[4:8, 2:32, 8:1]:16",
         16,
         16,
         16,
         8},
        {"i4_no_truncation_with_transpose",
         {MKWN, NULL, "K, M, J", "M, K", "J", "i4", COMMIT},
         "[4:64, 2:256, 64:1]:32",
         32,
         32,
         32,
         8},
        {"transpose",
         {MKWN, NULL, "K, M, W", "M, K", "W", "f32", COMMIT},
         "[4:8, 2:32, 8:1]:32",
         32,
         32,
         32,
         8},
        {"padding_chunking",
         {MKWN, NULL, "K, M, W # 16", "K", "M, W", COMMIT},
         "[2:64, 4:16, 8:1]:8",
         8,
         8,
         32,
         8},
        {"24 bytes are a size", // erratum E081
         {"M=4,W=24", NULL, "M, W", "M", "W # 32", COMMIT},
         "[4:24, 24:1]:24",
         96,
         24,
         24,
         4},
        {"the sub context writes 8 bytes",
         {"M=4,W=32", NULL, "M, W", "M", "W", COMMIT, SUB},
         "[4:32, 32:1]:8",
         128,
         8,
         32,
         16},
    };
    CHECK(examples);
}

// ---- Manual: Fetch and Commit Engine

TEST(fetch_and_commit_examples)
{
    static const Example examples[] = {
        {"example 1, fetch",
         {"A=3,B=5,C=2", NULL, "A, B, C", "A, B", "C # 8", "f8", FETCH},
         "[3:10, 5:2, 8:1]:8",
         8,
         8,
         0,
         15},
        {"example 1, commit",
         {"A=3,B=5,C=2", NULL, "B, A, C # 8", "A, B", "C # 32", "f8", COMMIT, .base_bytes = 1024},
         "[3:8, 5:24, 8:1]:8",
         8,
         8,
         8,
         15},
        {"example 2, fetch",
         {"A=3,B=5,C=2", NULL, "A, B, C", "A", "[B, C] # 32", "f8", FETCH},
         "[3:10, 32:1]:32",
         32,
         32,
         0,
         3},
        {"example 2, commit",
         {"A=3,B=5,C=2", NULL, "A, [B, C] # 32", "A", "[B, C] # 32", "f8", COMMIT,
          .base_bytes = 1024},
         "[3:32, 32:1]:32",
         96,
         32,
         32,
         3},
        // No 24-byte fetch (erratum E065); 24 is a commit size.
        {"example 3, 7 dummies, fetch",
         {"A=65,B=2", NULL, "B, A # 72", "B, A # 72 / 24", "A # 72 % 24", "f8", FETCH},
         "[2:72, 3:24, 24:1]:24",
         144,
         8,
         0,
         18},
        {"example 3, 7 dummies, commit",
         {"A=65,B=2", NULL, "B, A # 72", "B, A # 72 / 24", "A # 72 % 24 # 32", "f8", COMMIT},
         "[2:72, 3:24, 24:1]:24",
         144,
         24,
         24,
         6},
        {"example 3, 15 dummies, fetch",
         {"A=65,B=2", NULL, "B, A # 72", "B, A # 80 / 16", "A # 80 % 16", "f8", FETCH},
         "[2:72, 5:16, 16:1]:16",
         80,
         16,
         0,
         10},
        {"example 3, 15 dummies, commit",
         {"A=65,B=2", NULL, "B, A # 80", "B, A # 80 / 16", "A # 80 % 16 # 32", "f8", COMMIT},
         "[2:80, 5:16, 16:1]:16",
         160,
         16,
         16,
         10},
        {"example 3, 23 dummies, fetch",
         {"A=65,B=2", NULL, "B, A # 72", "B, A # 88 / 8", "A # 88 % 8", "f8", FETCH},
         "[2:72, 11:8, 8:1]:8",
         88,
         8,
         0,
         22},
        {"example 3, 23 dummies, commit",
         {"A=65,B=2", NULL, "B, A # 88", "B, A # 88 / 8", "A # 88 % 8 # 32", "f8", COMMIT},
         "[2:88, 11:8, 8:1]:8",
         176,
         8,
         8,
         22},
        {"example 3, 31 dummies, fetch",
         {"A=65,B=2", NULL, "B, A # 72", "B, A # 96 / 32", "A # 96 % 32", "f8", FETCH},
         "[2:72, 3:32, 32:1]:32",
         96,
         32,
         0,
         6},
        {"example 3, 31 dummies, commit",
         {"A=65,B=2", NULL, "B, A # 96", "B, A # 96 / 32", "A # 96 % 32", "f8", COMMIT},
         "[2:96, 3:32, 32:1]:32",
         192,
         32,
         32,
         6},
        {"example 4, execution 0",
         {"A=2048,B=32", NULL, "A, B", "A % 1024", "B", "f8", COMMIT, .base_bytes = 262144},
         "[1024:32, 32:1]:32",
         32768,
         32,
         32,
         1024},
        {"example 4, execution 1",
         {"A=2048,B=32", NULL, "A, B", "A @ 1024", "B", "f8", COMMIT, .base_bytes = 262144},
         "[1024:32, 32:1]:32 @ 32768",
         32768,
         32,
         32,
         1024},
        {"example 4, fetch of the second half",
         {"A=2048,B=32", NULL, "A, B", "A @ 1024", "B", "f8", FETCH},
         "[1024:32, 32:1]:32 @ 32768",
         32768,
         32,
         0,
         1024},
    };
    CHECK(examples);
}

// A composite that buffer and stream cut at the same places, or that only one of them cuts, is
// walked as it lies; a shifted axis keeps its start, however it is cut.
TEST(cuts_meet_again)
{
    static const Example examples[] = {
        {"the same cuts",
         {"A=8,B=6", NULL, "[A, B] / 8, [A, B] % 8", "[A, B] / 8", "[A, B] % 8", READ},
         "[6:8, 8:1]:8",
         48,
         8,
         0,
         6},
        {"a cut in the stream",
         {"A=3,B=4", NULL, "A, B", "[A, B] / 6", "[A, B] % 6", READ},
         "[2:6, 6:1]:6",
         12,
         2,
         0,
         6},
        {"the same padding",
         {"A=4,B=8", "L=[A, B] # 36", "{L} / 18, {L} % 18", "{L} / 18", "{L} % 18", READ},
         "[2:18, 18:1]:18",
         36,
         2,
         0,
         18},
        {"a shifted axis in two pieces",
         {"A=8", NULL, "# 2 + A", "A / 2", "A % 2", READ},
         "[4:2, 2:1]:2 @ 2",
         8,
         2,
         0,
         4},
        {"a shifted axis in one",
         {"A=8", NULL, "# 2 + A", "1", "A", READ},
         "[8:1]:8 @ 2",
         8,
         8,
         0,
         1},
    };
    CHECK(examples);
}
