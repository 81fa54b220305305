// What lives where, and when. Errata E022, E023, E024, E027.
#include "memory_support.h"

// ---- programs

#define ON_SLICES "1 | 1 # 2 | I | "

static const Setting usual = {.axes = "I=256,J=2048,K=64,L=64,X=4"};

static const Tensor *tensor(Bench *bench, Tier tier, const char *name, const char *type,
                            const char *element, int64_t address, TensorOrigin origin)
{
    StrBuf dims = {.arena = &bench->arena};
    buf_format(&dims, "{}{}", tier == TIER_HBM ? "1 | " : ON_SLICES, element);
    return add_tensor(bench, (TensorRow){.name = name,
                                         .tier = tier,
                                         .type = type,
                                         .shape = str_terminated(&bench->arena, buf_str(&dims)),
                                         .address = {true, address},
                                         .origin = origin});
}

static const Tensor *dm(Bench *bench, const char *name, const char *element, int64_t address)
{
    return tensor(bench, TIER_DM, name, "bf16", element, address, ORIGIN_RESULT);
}

// Fills a DM tensor from an HBM tensor whose address is not known.
static void fill(Bench *bench, const Tensor *target)
{
    TensorRow row = {.name = "input", .tier = TIER_HBM, .type = "bf16", .shape = "1 | I, J, K, L"};
    row.type = scalar_name(target->type);
    Tensor source = tensor_of(bench, &row);
    source.dims[LEVEL_ELEMENT] = target->dims[LEVEL_ELEMENT];
    const Tensor *input = builder_tensor(bench->builder, &source);
    move(bench, view(bench, input), view_mut(bench, target), CONTEXT_TDMA);
}

static void store(Bench *bench, const Tensor *source)
{
    Tensor target = tensor_of(bench, &(TensorRow){TENSOR(HBM, scalar_name(source->type), "1 | 1")});
    Mapping all = mapping_pair(&bench->arena, &source->dims[LEVEL_SLICE]->mapping,
                               &source->dims[LEVEL_ELEMENT]->mapping);
    Dim *element = arena_new(&bench->arena, Dim, 1);
    *element = (Dim){.expr = target.dims[LEVEL_ELEMENT]->expr, .mapping = all};
    target.dims[LEVEL_ELEMENT] = element;
    const Tensor *output = builder_tensor(bench->builder, &target);
    move(bench, view(bench, source), view_mut(bench, output), CONTEXT_TDMA);
}

typedef struct {
    const View *source;
    const char *fetch_time, *fetch_packet, *time, *packet;
    const Tensor *result; // commit, to_trf, to_vrf
    const View *target;   // commit_view
    const Tensor *trf, *vrf;
    StageKind sink;
} PassRow;

static void add_stage(Bench *bench, Pass *pass, Stage stage, const char *time, const char *packet)
{
    stage.span = stage.call_span = next_span(bench);
    if (time)
        stage.dims[LEVEL_TIME] = dim(bench, time);
    if (packet)
        stage.dims[LEVEL_PACKET] = dim(bench, packet);
    builder_stage(bench->builder, pass, &stage);
}

static void pass(Bench *bench, const PassRow *row)
{
    Scalar type = row->source->tensor->type;
    Pass *made = builder_pass(bench->builder, CONTEXT_MAIN, true, next_span(bench));
    add_stage(bench, made, (Stage){.kind = STAGE_BEGIN, .sources = {row->source}}, NULL, NULL);
    add_stage(bench, made, (Stage){.kind = STAGE_FETCH, .type = type}, row->fetch_time,
              row->fetch_packet);
    add_stage(bench, made, (Stage){.kind = STAGE_COLLECT}, row->time, row->packet);
    if (row->trf)
        add_stage(bench, made, (Stage){.kind = STAGE_ALIGN, .trf = row->trf}, row->time,
                  row->packet);
    if (row->vrf)
        add_stage(bench, made,
                  (Stage){.kind = STAGE_VECTOR_FXP,
                          .operand_count = 1,
                          .operands = {{.kind = OPERAND_VRF, .vrf = row->vrf}}},
                  NULL, NULL);
    StageKind sink = row->sink ? row->sink : row->target ? STAGE_COMMIT_VIEW : STAGE_COMMIT;
    add_stage(bench, made, (Stage){.kind = sink, .result = row->result, .target = row->target},
              NULL, NULL);
}

#define FETCH(t, p)  .fetch_time = (t), .fetch_packet = (p)
#define STREAM(t, p) .time = (t), .packet = (p)
#define FLITS        FETCH("J / 32", "J % 32"), STREAM("J / 16", "J % 16")

static void done(Bench *bench, const char *what, const char *wanted, const char *text)
{
    builder_close(bench->builder);
    expect(bench, what, wanted, text);
    bench_close(bench);
}

// ---- one tensor over another

TEST(a_tensor_stays_until_it_is_read)
{
    static const struct {
        int64_t address;
        const char *codes, *text;
    } rows[] = {
        {4096, "", NULL},
        {4088, "E0571", "over bytes 0xff8..0x1000 of `a` (DM 0x0..0x1000), which is read later"},
        {4088, "E0571", "put `b` at 0x1000"},
        {0, "E0571", "`b` (DM 0x0..0x1000)"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        Bench bench;
        bench_open(&bench, &usual);
        const Tensor *a = dm(&bench, "a", "J", 0), *b = dm(&bench, "b", "J", rows[i].address);
        fill(&bench, a);
        fill(&bench, b);
        store(&bench, a);
        store(&bench, b);
        done(&bench, "a and b", rows[i].codes, rows[i].text);
    }
}

TEST(bytes_of_the_dead_are_free)
{
    Bench bench;
    bench_open(&bench, &usual);
    const Tensor *a = dm(&bench, "a", "J", 0), *b = dm(&bench, "b", "J", 0);
    const Tensor *c = dm(&bench, "c", "J", 2048);
    fill(&bench, a);
    store(&bench, a);
    fill(&bench, b);
    store(&bench, b);
    fill(&bench, c);
    fill(&bench, a); // written again: what c had of it is lost, what a lost is back
    store(&bench, a);
    done(&bench, "in turn", "", NULL);
}

// The suggested place is free for as long as the tensor lives, and no longer.
TEST(the_free_place_is_the_lowest)
{
    Bench bench;
    bench_open(&bench, &usual);
    const Tensor *early = dm(&bench, "early", "J", 4096), *a = dm(&bench, "a", "J", 0);
    const Tensor *late = dm(&bench, "late", "J", 8192), *b = dm(&bench, "b", "K", 8);
    fill(&bench, early);
    store(&bench, early); // gone before b comes
    fill(&bench, a);
    fill(&bench, b);
    fill(&bench, late);
    store(&bench, a);
    store(&bench, b);
    store(&bench, late);
    done(&bench, "between", "E0571", "put `b` at 0x1000");
}

// Erratum E022: the operand was read before.
TEST(parameters_may_be_used_up)
{
    Bench bench;
    bench_open(&bench, &usual);
    const Tensor *rhs = tensor(&bench, TIER_HBM, "rhs", "bf16", "I, J", 4096, ORIGIN_PARAM);
    const Tensor *out = tensor(&bench, TIER_HBM, "out", "bf16", "I, J", 4096, ORIGIN_RESULT);
    const Tensor *in_dm = dm(&bench, "x", "J", 0);
    move(&bench, view(&bench, rhs), view_mut(&bench, in_dm), CONTEXT_TDMA);
    move(&bench, view(&bench, in_dm), view_mut(&bench, out), CONTEXT_TDMA);
    builder_result(bench.builder, out);
    done(&bench, "rhs", "", NULL);
}

TEST(results_stay_to_the_end)
{
    for (int given = 0; given < 2; given++) {
        Bench bench;
        bench_open(&bench, &usual);
        const Tensor *out = tensor(&bench, TIER_HBM, "out", "bf16", "I, J", 0,
                                   given ? ORIGIN_PARAM : ORIGIN_RESULT);
        const Tensor *temp = tensor(&bench, TIER_HBM, "temp", "bf16", "I, J", 256, ORIGIN_RESULT);
        const Tensor *in_dm = dm(&bench, "x", "J", 0);
        fill(&bench, in_dm);
        move(&bench, view(&bench, in_dm), view_mut(&bench, out), CONTEXT_TDMA);
        move(&bench, view(&bench, in_dm), view_mut(&bench, temp), CONTEXT_TDMA);
        if (!given)
            builder_result(bench.builder, out);
        done(&bench, "temp over out", "E0571", "which is given back");
    }
}

// from_addr names whatever lies there; it has something to lose only once it was written.
TEST(names_for_addresses_own_what_they_wrote)
{
    for (int writes = 0; writes < 2; writes++) {
        Bench bench;
        bench_open(&bench, &usual);
        const Tensor *a = dm(&bench, "a", "J", 0);
        const Tensor *same = tensor(&bench, TIER_DM, "same", "bf16", "J", 0, ORIGIN_ADDRESS);
        if (writes)
            fill(&bench, same);
        fill(&bench, a);
        store(&bench, same);
        done(&bench, "alias", writes ? "E0571" : "", NULL);
    }
}

TEST(a_reshape_has_the_bytes_of_its_tensor)
{
    Bench bench;
    bench_open(&bench, &usual);
    const Tensor *a = dm(&bench, "a", "K, L", 0), *b = dm(&bench, "b", "K", 0);
    Tensor other = tensor_of(&bench, &(TensorRow){TENSOR(DM, "bf16", ON_SLICES "L, K")});
    fill(&bench, a);
    const Tensor *reshaped = builder_reshape(bench.builder, a, &other);
    store(&bench, reshaped);
    fill(&bench, b);
    store(&bench, reshaped);
    done(&bench, "reshape", "E0571", "of `a` (DM 0x0..0x2000)");
}

TEST(addresses_that_are_not_known_are_left_out)
{
    Bench bench;
    bench_open(&bench, &usual);
    const Tensor *a = dm(&bench, "a", "J", 0);
    const Tensor *b = add_tensor(&bench, (TensorRow){TENSOR(DM, "bf16", ON_SLICES "J")});
    fill(&bench, a);
    fill(&bench, b);
    store(&bench, a);
    store(&bench, b);
    done(&bench, "somewhere", "", NULL);
}

// Rows of a tile have gaps between them, which are not read.
TEST(tiles_read_their_own_bytes)
{
    static const struct {
        int64_t start, at;
        const char *codes;
    } rows[] = {
        {0, 64, ""}, {0, 48, "E0571"}, {32, 0, ""}, {32, 64, "E0571"}, {0, 128, "E0571"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        Bench bench;
        bench_open(&bench, &usual);
        // rows of 128 bytes, of which the tile has 64; b has 8 bytes
        const Tensor *a = dm(&bench, "a", "K, L", 0), *b = dm(&bench, "b", "X", rows[i].at);
        fill(&bench, a);
        fill(&bench, b);
        const View *part = tile(&bench, view(&bench, a), LEVEL_ELEMENT, "L", 32,
                                KNOWN(rows[i].start), "K, L = 32 # 64");
        pass(&bench, &(PassRow){.source = part,
                                FETCH("K", "L = 32"),
                                STREAM("K, L / 16 = 2", "L % 16"),
                                .result = dm(&bench, "c", "K, L = 32", 32768)});
        done(&bench, "gaps", rows[i].codes, NULL);
    }
}

// ---- an operation over its own input

// Block 007: the result at 0 while the matrix at 0..4096 is being read.
TEST(a_pass_does_not_write_into_its_input)
{
    Bench bench;
    bench_open(&bench, &usual);
    const Tensor *matrix = dm(&bench, "matrix", "J", 0), *vector = dm(&bench, "vector", "J", 4096);
    const Tensor *result = dm(&bench, "result", "1", 0);
    fill(&bench, matrix);
    fill(&bench, vector);
    pass(&bench, &(PassRow){.source = view(&bench, matrix), FLITS, .result = result});
    store(&bench, vector);
    store(&bench, result);
    done(&bench, "007", "E0572",
         "commit writes `result` (DM 0..2) while it is still reading `matrix` (DM 0x0..0x1000)");
}

TEST(results_may_replace_what_they_are_made_of)
{
    static const struct {
        const char *type, *element;
        int64_t address;
        const char *time, *packet;
        const char *codes;
    } rows[] = {
        {"bf16", "J", 0, "J / 16", "J % 16", ""},
        {"bf16", "J", 0, "J / 32", "J % 32", ""},
        {"bf16", "J", 0, "J / 32", "J % 32 # 64", ""},
        {"bf16", "J", 0, "J % 128", "J / 128", "E0573"},
        {"f16", "J", 0, "J / 16", "J % 16", ""},
        {"i8", "J", 0, "J / 16", "J % 16", "E0572"},
        {"bf16", "J", 8, "J / 16", "J % 16", "E0572"},
        {"bf16", "J % 32, J / 32", 0, "J / 16", "J % 16", "E0572"},
        {"bf16", "J", 4096, "J % 128", "J / 128", ""},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        Bench bench;
        bench_open(&bench, &usual);
        const Tensor *a = dm(&bench, "a", "J", 0);
        const Tensor *b = tensor(&bench, TIER_DM, "b", rows[i].type, rows[i].element,
                                 rows[i].address, ORIGIN_RESULT);
        fill(&bench, a);
        pass(&bench, &(PassRow){.source = view(&bench, a),
                                FETCH("J / 32", "J % 32"),
                                STREAM(rows[i].time, rows[i].packet),
                                .result = b});
        done(&bench, rows[i].element, rows[i].codes, NULL);
    }
}

TEST(but_not_where_the_input_is_read_again)
{
    Bench bench;
    bench_open(&bench, &usual);
    const Tensor *a = dm(&bench, "a", "J", 0), *b = dm(&bench, "b", "J", 0);
    fill(&bench, a);
    pass(&bench, &(PassRow){.source = view(&bench, a), FLITS, .result = b});
    store(&bench, a);
    done(&bench, "again", "E0571", "put `b` at 0x1000");
}

TEST(tiles_of_one_tensor_are_told_apart)
{
    static const struct {
        const char *read, *read_tile; // NULL: all of it
        int64_t from, to;             // starts; -1: not known
        const char *codes;
    } rows[] = {
        {"L", "K, L = 16 # 64", 0, 16, ""},  {"L", "K, L = 16 # 64", 8, 16, "E0572"},
        {"L", "K, L = 16 # 64", 16, 16, ""}, // in place
        {"L", "K, L = 16 # 64", -1, 16, ""}, {NULL, NULL, 0, 16, "E0572"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        Bench bench;
        bench_open(&bench, &usual);
        const Tensor *a = dm(&bench, "a", "K, L", 0);
        fill(&bench, a);
        MaybeInt from = {rows[i].from >= 0, rows[i].from};
        const View *source = view(&bench, a);
        if (rows[i].read)
            source = tile(&bench, source, LEVEL_ELEMENT, rows[i].read, 16, from, rows[i].read_tile);
        const View *target = tile(&bench, view_mut(&bench, a), LEVEL_ELEMENT, "L", 16,
                                  KNOWN(rows[i].to), "K, L = 16 # 64");
        pass(&bench,
             &(PassRow){
                 .source = source, FETCH("K", "L = 16"), STREAM("K", "L = 16"), .target = target});
        done(&bench, "tiles", rows[i].codes, NULL);
    }
}

// A move streams as well; between chips it is never in place.
TEST(moves_do_not_write_into_their_source)
{
    Bench bench;
    bench_open(&bench, &usual);
    const Tensor *a = dm(&bench, "a", "K, L", 0), *b = dm(&bench, "b", "L, K", 4096);
    fill(&bench, a);
    move(&bench, view(&bench, a), view_mut(&bench, b), CONTEXT_TDMA);
    builder_close(bench.builder);
    expect(&bench, "half over itself", "E0537 E0572", "bytes 0x1000..0x2000 belong to both");
    bench_close(&bench);
}

// Units that exchange their data must not do so where it lies.
TEST(shuffles_are_never_in_place)
{
    Bench bench;
    bench_open(&bench, &usual);
    TensorRow row = {TENSOR(DM, "bf16", "X | 1 # 2 | I | J"), AT(0), .origin = ORIGIN_RESULT};
    const Tensor *a = add_tensor(&bench, row), *b = add_tensor(&bench, row);
    Op op = {.kind = OP_CHIP_SHUFFLE,
             .method = "dm_chip_shuffle",
             .context = CONTEXT_TDMA,
             .span = next_span(&bench),
             .source = view(&bench, a),
             .target = view_mut(&bench, b),
             .pattern = (const int64_t[]){1, 2, 3, 0},
             .pattern_count = 4};
    builder_op(bench.builder, &op);
    done(&bench, "shuffle", "E0572", NULL);
}

// ---- registers

TEST(halves_of_the_trf_are_two)
{
    static const struct {
        TrfAddress first, second;
        const char *codes, *text;
    } rows[] = {
        {TRF_FIRST_HALF, TRF_SECOND_HALF, "", NULL},
        {TRF_FIRST_HALF, TRF_FIRST_HALF, "E0571",
         "give `second` `TrfAddress::SecondHalf`, which is free"},
        {TRF_FULL, TRF_SECOND_HALF, "E0571", "`first` (TRF Full)"},
        {TRF_FULL, TRF_FIRST_HALF, "E0571", "give `first` `TrfAddress::SecondHalf`, which is"},
        {TRF_SECOND_HALF, TRF_FULL, "E0571", "give `second` `TrfAddress::FirstHalf`, which is"},
        {TRF_FULL, TRF_FULL, "E0571", "each fits into a half"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        Bench bench;
        bench_open(&bench, &usual);
        TensorRow row = {.name = "first",
                         .tier = TIER_TRF,
                         .type = "bf16",
                         .shape = ON_SLICES "1 | J",
                         .origin = ORIGIN_RESULT,
                         .trf = rows[i].first};
        const Tensor *a = dm(&bench, "a", "J", 0), *first = add_tensor(&bench, row);
        row.name = "second";
        row.trf = rows[i].second;
        const Tensor *second = add_tensor(&bench, row);
        fill(&bench, a);
        PassRow load = {.source = view(&bench, a), FLITS, .sink = STAGE_TO_TRF, .result = first};
        pass(&bench, &load);
        load.result = second;
        pass(&bench, &load);
        pass(&bench, &(PassRow){.source = view(&bench, a),
                                FLITS,
                                .trf = first,
                                .result = dm(&bench, "b", "J", 4096)});
        done(&bench, "TRF", rows[i].codes, rows[i].text);
    }
}

TEST(operands_stay_in_the_vrf)
{
    for (int64_t address = 0; address <= 256; address += 256) {
        Bench bench;
        bench_open(&bench, &usual);
        const Tensor *a = tensor(&bench, TIER_DM, "a", "f32", "K", 0, ORIGIN_RESULT);
        const Tensor *x = tensor(&bench, TIER_VRF, "x", "f32", "K", 0, ORIGIN_RESULT);
        const Tensor *y = tensor(&bench, TIER_VRF, "y", "f32", "K", address, ORIGIN_RESULT);
        PassRow load = {.source = view(&bench, a),
                        FETCH("K / 8", "K % 8"),
                        STREAM("K / 8", "K % 8"),
                        .sink = STAGE_TO_VRF,
                        .result = x};
        fill(&bench, a);
        pass(&bench, &load);
        load.result = y;
        pass(&bench, &load);
        load.result = tensor(&bench, TIER_DM, "b", "f32", "K", 4096, ORIGIN_RESULT);
        load.sink = STAGE_COMMIT;
        load.vrf = x;
        pass(&bench, &load);
        done(&bench, "VRF", address ? "" : "E0571", address ? NULL : "put `y` at 256");
    }
}

// ---- modes

TEST(detached_memory_warns)
{
    static const struct {
        RuleSet rules;
        MemoryMode memory;
        const char *codes;
    } rows[] = {
        {RULES_CONTRA, MEMORY_REAL, "E0572 E0571"},
        {RULES_CONTRA, MEMORY_DETACHED, "E0574 E0574"},
        {RULES_REFERENCE, MEMORY_REAL, ""},
        {RULES_REFERENCE, MEMORY_DETACHED, ""},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        Bench bench;
        Setting setting = usual;
        setting.rules = rows[i].rules;
        setting.memory = rows[i].memory;
        bench_open(&bench, &setting);
        const Tensor *a = dm(&bench, "a", "J", 0), *b = dm(&bench, "b", "J", 8);
        const Tensor *c = dm(&bench, "c", "J", 16);
        fill(&bench, a);
        pass(&bench, &(PassRow){.source = view(&bench, a), FLITS, .result = b});
        fill(&bench, c);
        store(&bench, b);
        bool refused = rows[i].rules == RULES_CONTRA && rows[i].memory == MEMORY_REAL;
        builder_close(bench.builder);
        expect(&bench, "modes", rows[i].codes, NULL);
        assert_int_equal(bench.diags.error_count, refused ? 2 : 0);
        bench_close(&bench);
    }
}

// Each round of a loop is an operation of its own; what is wrong with all of them is said once.
TEST(loops_are_fast_and_told_once)
{
    enum { ROUNDS = 10000 };
    Bench bench;
    bench_open(&bench, &usual);
    const Tensor *a = dm(&bench, "a", "J", 0), *b = dm(&bench, "b", "J", 0);
    const View *from = view(&bench, a), *to = view_mut(&bench, b);
    Op op = {.kind = OP_MOVE, .method = "to_dm", .context = CONTEXT_TDMA, .span = {1, 1, 2}};
    const Tensor *input = add_tensor(&bench, (TensorRow){TENSOR(HBM, "bf16", "1 | J")});
    const Tensor *output = add_tensor(&bench, (TensorRow){TENSOR(HBM, "bf16", "1 | I, J")});
    fill(&bench, a);
    for (int i = 0; i < ROUNDS; i++) {
        op.source = view(&bench, input);
        op.target = to;
        builder_op(bench.builder, &op);
        op.source = from;
        op.target = view_mut(&bench, output);
        builder_op(bench.builder, &op);
    }
    builder_close(bench.builder);
    expect(&bench, "rounds", "E0571", NULL);
    bench_close(&bench);
}
