// What the Vector Engine is told, walked step by step as the records say, and compared with the
// cells of the mappings. Knows the records and the cells, nothing of the lowering.
#include "../engine/vector/vector_support.h"

#include "lowered.h"
#include "mapping/cell.h"
#include <stdio.h>

#define INIT   "vector_init; "
#define BRANCH "vector_init; vector_intra_slice_branch Unconditional; "
#define TRIM   "vector_trim_way4 packet [B # 4]; "

typedef struct {
    Desk *desk;
    const Pass *pass;
    HwVector vector;
} Bench;

static Bench bench_open(const Row *row)
{
    Bench bench = {.desk = desk_new(RULES_CONTRA)};
    Arena *arena = &bench.desk->arena;
    ProgramList programs = {0};
    Str text = row_text(arena, row);
    *array_push(arena, &bench.desk->sources, Source) = (Source){STR("row"), text, NULL};
    program_parse(bench.desk->builder, 0, text, &programs);
    if (bench.desk->diags.count)
        fail_msg("%.*s\n%s", STR_ARG(text), desk_reports(bench.desk));
    const Program *program = programs.items[0];
    bench.pass = program->open.items[0];
    Lower lower = {arena, arena, &bench.desk->diags, &machine_rngd, program};
    if (!vector_lower(&lower, bench.pass, bench.pass->stages.items[1], &bench.vector))
        fail_msg("%.*s\n%s", STR_ARG(text), desk_reports(bench.desk));
    return bench;
}

static const Stage *stage_of(const Bench *bench, StageKind kind)
{
    for (int64_t i = 0; i < bench->pass->stages.count; i++)
        if (bench->pass->stages.items[i]->kind == kind)
            return bench->pass->stages.items[i];
    fail_msg("no such stage");
    return NULL;
}

static const HwVectorStep *step_of(const Bench *bench, StageKind kind)
{
    for (int64_t i = 0; i < bench->vector.steps.count; i++)
        if (bench->vector.steps.items[i].call == kind)
            return &bench->vector.steps.items[i];
    fail_msg("no such step");
    return NULL;
}

// The index at a place of a stream; false: padding.
static bool index_at(Arena *arena, const Stage *stage, int64_t slice, int64_t time, int64_t lane,
                     Index *index)
{
    const Dim *const dims[LEVEL_COUNT] = {[LEVEL_SLICE] = stage->dims[LEVEL_SLICE],
                                          [LEVEL_TIME] = stage->dims[LEVEL_TIME],
                                          [LEVEL_PACKET] = stage->dims[LEVEL_PACKET]};
    Mapping whole = shape_of(arena, dims);
    int64_t times = dims[LEVEL_TIME]->mapping.size, lanes = dims[LEVEL_PACKET]->mapping.size;
    Cell cell = mapping_cell(arena, &whole, (slice * times + time) * lanes + lane);
    if (cell.count != 1)
        return false;
    *index = cell.items[0];
    return true;
}

// ---- operands

// What a nest reads for a lane of a packet, in elements from its base.
static int64_t nest_offset(const HwNest *nest, int64_t time, int64_t lane)
{
    int64_t offset = 0;
    for (int64_t i = nest->loops.count - 1; i >= 0; i--) {
        const HwLoop *loop = &nest->loops.items[i];
        int64_t *count = loop->packet ? &lane : &time;
        offset += *count % loop->size * loop->stride;
        *count /= loop->size;
    }
    return offset;
}

static void check_operand(const Bench *bench, const Stage *stage, const HwNest *nest,
                          const Mapping *buffer)
{
    Arena *arena = &bench->desk->arena;
    AtomList axes = {0};
    mapping_axes(arena, buffer, &axes);
    int64_t times = stage->dims[LEVEL_TIME]->mapping.size, found = 0;
    int64_t lanes = stage->dims[LEVEL_PACKET]->mapping.size;
    for (int64_t at = 0; at < times * lanes; at++) {
        Index index;
        if (!index_at(arena, stage, 0, at / lanes, at % lanes, &index))
            continue;
        int64_t offset = nest_offset(nest, at / lanes, at % lanes);
        Cell cell = mapping_cell(arena, buffer, offset);
        assert_int_equal(cell.count, 1);
        for (int64_t i = 0; i < axes.count; i++)
            assert_int_equal(index_value(&cell.items[0], axes.items[i]),
                             index_value(&index, axes.items[i]));
        found++;
    }
    assert_true(found > 0);
}

TEST(operands_from_vrf)
{
    static const Row rows[] = {
        {"A=4,B=8", "CollectTensor i32", .time = "A", .packet = "B",
         .vrf = "i32 slice [1] element [B]", .calls = BRANCH "vector_fxp AddFxp %0"},
        {"A=4,B=8", "CollectTensor i32", .time = "A", .packet = "B",
         .vrf = "i32 slice [1] element [A, B]", .calls = BRANCH "vector_fxp AddFxp %0"},
        {"A=4,B=8", "CollectTensor i32", .time = "A", .packet = "B",
         .vrf = "i32 slice [1] element [B, A]", .calls = BRANCH "vector_fxp AddFxp %0"},
        {"A=4,B=8", "CollectTensor i32", .time = "A", .packet = "B",
         .vrf = "i32 slice [1] element [A # 8]", .calls = BRANCH "vector_fxp AddFxp %0"},
        {"A=12,B=16", "CollectTensor i32", .time = "A / 3, B / 8, A % 3", .packet = "B % 8",
         .vrf = "i32 slice [1] element [B, A]", .calls = BRANCH "vector_fxp AddFxp %0"},
        {"A=13,B=5", "CollectTensor i32", .time = "A # 16, B", .packet = "1 # 8",
         .vrf = "i32 slice [1] element [A # 16]", .calls = BRANCH "vector_fxp AddFxp %0"},
        {"A=13,B=5", "CollectTensor i32", .time = "B, A # 16 / 8", .packet = "A # 16 % 8",
         .vrf = "i32 slice [1] element [A # 16]", .calls = BRANCH "vector_fxp AddFxp %0"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        Bench bench = bench_open(&rows[i]);
        const Stage *stage = stage_of(&bench, STAGE_VECTOR_FXP);
        const HwVectorStep *step = step_of(&bench, STAGE_VECTOR_FXP);
        check_operand(&bench, stage, step->operands.items[0].nest,
                      &stage->operands[0].vrf->dims[LEVEL_ELEMENT]->mapping);
        desk_free(bench.desk);
    }
}

TEST(operands_from_the_stash)
{
    static const Row rows[] = {
        {"A=4,B=8", "CollectTensor f32", .time = "A", .packet = "B",
         .calls = BRANCH "vector_stash; vector_split time [A, B / 4] packet [B % 4]; "
                         "vector_fp_binary MulF(Mul0) stash"},
        {"A=4,B=3", "CollectTensor f32", .time = "A", .packet = "B # 8",
         .calls = BRANCH "vector_stash; " TRIM "vector_fp_binary MulF(Mul0) stash"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        Bench bench = bench_open(&rows[i]);
        const Stage *taken = stage_of(&bench, STAGE_VECTOR_STASH);
        Mapping held = mapping_pair(&bench.desk->arena, &taken->dims[LEVEL_TIME]->mapping,
                                    &taken->dims[LEVEL_PACKET]->mapping);
        check_operand(&bench, stage_of(&bench, STAGE_VECTOR_FP_BINARY),
                      step_of(&bench, STAGE_VECTOR_FP_BINARY)->operands.items[0].nest, &held);
        assert_true(bench.vector.has_stash);
        desk_free(bench.desk);
    }
}

// ---- ids and groups

TEST(toggled_ids)
{
    static const Row rows[] = {
        {"A=4,B=8", "CollectTensor i32", .time = "A", .packet = "B",
         .calls = INIT "vector_intra_slice_branch AxisToggle A"},
        {"A=4,B=8", "CollectTensor i32", .time = "A", .packet = "B",
         .calls = INIT "vector_intra_slice_branch AxisToggle B"},
        {"A=12,B=8", "CollectTensor i32", .slice = "A / 6", .time = "A % 2, A / 2 % 3",
         .packet = "B", .calls = INIT "vector_intra_slice_branch AxisToggle A"},
    };
    static const char *const axes[] = {"A", "B", "A"};
    for (size_t r = 0; r < COUNT_OF(rows); r++) {
        Bench bench = bench_open(&rows[r]);
        Arena *arena = &bench.desk->arena;
        const Stage *stage = stage_of(&bench, STAGE_VECTOR_BRANCH);
        const HwBranch *branch = step_of(&bench, STAGE_VECTOR_BRANCH)->branch;
        int64_t slices = stage->dims[LEVEL_SLICE]->mapping.size;
        int64_t times = stage->dims[LEVEL_TIME]->mapping.size;
        for (int64_t at = 0; at < slices * times * 8; at++) {
            int64_t places[LEVEL_COUNT] = {[LEVEL_SLICE] = at / 8 / times,
                                           [LEVEL_TIME] = at / 8 % times,
                                           [LEVEL_PACKET] = at % 8};
            Index index;
            if (!index_at(arena, stage, places[LEVEL_SLICE], places[LEVEL_TIME],
                          places[LEVEL_PACKET], &index))
                continue;
            int64_t sum = 0, wanted = -1;
            for (int64_t i = 0; i < branch->toggles.count; i++) {
                const HwToggleDigit *digit = &branch->toggles.items[i];
                sum += places[digit->level] / digit->place % digit->size * digit->weight;
            }
            for (int64_t i = 0; i < index.count; i++)
                if (strcmp(index.items[i].axis->name, axes[r]) == 0)
                    wanted = index.items[i].value;
            assert_int_equal(sum % 2, (wanted < 0 ? 0 : wanted) % 2);
        }
        desk_free(bench.desk);
    }
}

TEST(pairs)
{
    static const Row row = {"A=4,C=3,I=2,B=8", "CollectTensor i32", .time = "A, I, C",
                            .packet = "B",
                            .calls = INIT "vector_intra_slice_unzip I tile_time [A, 1 # 2, C] "
                                          "time [A, C]; vector_fxp_zip AddFxp"};
    Bench bench = bench_open(&row);
    Arena *arena = &bench.desk->arena;
    const Stage *stage = stage_of(&bench, STAGE_VECTOR_UNZIP);
    int64_t inside = step_of(&bench, STAGE_VECTOR_UNZIP)->pair->inside;
    for (int64_t t = 0; t < 24; t++) {
        Index before = {0}, behind = {0};
        assert_true(index_at(arena, stage->before, 0, t, 5, &before));
        assert_true(index_at(arena, stage, 0, t / (2 * inside) * inside + t % inside, 5, &behind));
        assert_int_equal(index_value(&before, stage->axis), t / inside % 2);
        for (int64_t i = 0; i < behind.count; i++)
            assert_int_equal(behind.items[i].value, index_value(&before, behind.items[i].axis));
    }
    desk_free(bench.desk);
}

// ---- reductions

// The packet behind a reduction that packet `time` goes into.
static int64_t reduced_time(const HwLaneReduce *reduce, int64_t time)
{
    int64_t out = 0, scale = 1;
    for (int64_t i = reduce->loops.count - 1; i >= 0; i--) {
        const HwReduceLoop *loop = &reduce->loops.items[i];
        int64_t digit = i ? time % loop->size : time;
        time /= loop->size;
        if (loop->reduced)
            continue;
        out += digit * scale;
        scale *= loop->size;
    }
    return out;
}

TEST(lanes_and_slots)
{
    static const struct {
        Row row;
        bool lanes;
        int64_t depth, slots;
    } rows[] = {
        {{"A=3,R=4,B=4", "CollectTensor f32", .time = "R, A", .packet = "B # 8",
          .calls = BRANCH TRIM "vector_intra_slice_reduce R Add time [A] packet [B # 4]"},
         false,
         0,
         3},
        {{"A=3,R=4,B=4", "CollectTensor f32", .time = "A, R", .packet = "B # 8",
          .calls = BRANCH TRIM "vector_intra_slice_reduce R Add time [A] packet [B # 4]"},
         false,
         0,
         1},
        {{"A=3,B=3", "CollectTensor f32", .time = "A", .packet = "B # 8",
          .calls = BRANCH TRIM "vector_intra_slice_reduce B Max time [A] packet [1 # 4]"},
         true,
         2,
         1},
        {{"A=2,R=24,S=2", "CollectTensor f32", .time = "R / 12, A, R / 4 % 3, S",
          .packet = "R % 4 # 8",
          .calls = BRANCH "vector_trim_way4 packet [R % 4]; vector_intra_slice_reduce R Add "
                          "time [A, S] packet [1 # 4]"},
         true,
         2,
         4},
    };
    for (size_t r = 0; r < COUNT_OF(rows); r++) {
        Bench bench = bench_open(&rows[r].row);
        Arena *arena = &bench.desk->arena;
        const Stage *stage = stage_of(&bench, STAGE_VECTOR_INTRA_REDUCE);
        const HwLaneReduce *reduce = step_of(&bench, STAGE_VECTOR_INTRA_REDUCE)->lanes;
        assert_int_equal(reduce->lanes, rows[r].lanes);
        assert_int_equal(reduce->tree_depth, rows[r].depth);
        assert_int_equal(reduce->slots, rows[r].slots);
        for (int64_t at = 0; at < reduce->in_time * 4; at++) {
            Index before = {0}, behind = {0};
            if (!index_at(arena, stage->before, 0, at / 4, at % 4, &before))
                continue;
            int64_t time = reduced_time(reduce, at / 4);
            assert_true(index_at(arena, stage, 0, time, reduce->lanes ? 0 : at % 4, &behind));
            for (int64_t i = 0; i < before.count; i++)
                if (!atom_equal(before.items[i].axis, stage->axis))
                    assert_int_equal(before.items[i].value,
                                     index_value(&behind, before.items[i].axis));
        }
        desk_free(bench.desk);
    }
}

// Whether what slice `from` holds at `time` goes into packet `out_time` of slice `to`.
static bool is_combined(const HwSliceReduce *reduce, int64_t from, int64_t time, int64_t to,
                        int64_t out_time)
{
    for (int64_t i = 0; i < reduce->slices.count; i++) {
        const HwSliceDigit *digit = &reduce->slices.items[i];
        int64_t mine = from / digit->place % digit->size, its = to / digit->place % digit->size;
        if (digit->reduced ? mine >= digit->data : mine != its)
            return false;
    }
    int64_t left = 0;
    for (int64_t i = 0; i < reduce->time.count; i++) {
        const HwTimeDigit *digit = &reduce->time.items[i];
        int64_t step = time / digit->place % digit->size;
        if (!digit->slice_place)
            left = left * digit->size + step;
        else if (to / digit->slice_place % digit->slice_size != step)
            return false;
    }
    return left == out_time;
}

static bool same_where_both(const Index *before, const Index *behind, const AtomList *kept)
{
    for (int64_t i = 0; i < kept->count; i++)
        if (index_value(before, kept->items[i]) != index_value(behind, kept->items[i]))
            return false;
    return true;
}

TEST(between_slices)
{
    static const struct {
        Row row;
        int64_t group;
    } rows[] = {
        {{"A=4,R=4,B=8", "CollectTensor i32", .slice = "A, R", .time = "1", .packet = "B",
          .calls = INIT "vector_inter_slice_reduce Add slice [A, 1 # 4] time [1]"},
         4},
        {{"A=4,R=4,B=8", "CollectTensor i32", .slice = "R, A", .time = "1", .packet = "B",
          .calls = INIT "vector_inter_slice_reduce Add slice [1 # 4, A] time [1]"},
         4},
        {{"A=4,R=4,X=4,B=8", "CollectTensor i32", .slice = "A, R", .time = "1", .packet = "B",
          .calls = INIT "vector_inter_slice_reduce Add slice [A, X] time [1]"},
         4},
        {{"A=4,R=4,C=8,B=8", "CollectTensor i32", .slice = "A, R", .time = "C", .packet = "B",
          .calls = INIT "vector_inter_slice_reduce Add slice [A, C % 4] time [C / 4]"},
         4},
        {{"A=4,R=4,C=4,D=3,B=8", "CollectTensor i32", .slice = "R, A", .time = "C, D",
          .packet = "B", .calls = INIT "vector_inter_slice_reduce Add slice [C, A] time [D]"},
         4},
        {{"A=3,R=2,S=2,B=8", "CollectTensor i32", .slice = "R, A # 4, S", .time = "1",
          .packet = "B",
          .calls = INIT "vector_inter_slice_reduce Add slice [1 # 2, A # 4, 1 # 2] time [1]"},
         4},
    };
    for (size_t r = 0; r < COUNT_OF(rows); r++) {
        Bench bench = bench_open(&rows[r].row);
        Arena *arena = &bench.desk->arena;
        const Stage *stage = stage_of(&bench, STAGE_VECTOR_INTER_REDUCE);
        const HwSliceReduce *reduce = step_of(&bench, STAGE_VECTOR_INTER_REDUCE)->slices;
        assert_int_equal(reduce->group, rows[r].group);
        Mapping in = shape_of(arena, stage->before->dims), out = shape_of(arena, stage->dims);
        AtomList axes = {0}, kept = {0}, old = {0};
        mapping_axes(arena, &out, &axes);
        mapping_axes(arena, &in, &old);
        for (int64_t i = 0; i < axes.count; i++)
            for (int64_t k = 0; k < old.count; k++)
                if (atom_equal(axes.items[i], old.items[k]))
                    *array_push(arena, &kept, const Atom *) = axes.items[i];
        int64_t slices = stage->dims[LEVEL_SLICE]->mapping.size;
        for (int64_t to = 0; to < slices * reduce->out_time; to++) {
            Index behind, before;
            if (!index_at(arena, stage, to / reduce->out_time, to % reduce->out_time, 3, &behind))
                continue;
            int64_t found = 0;
            for (int64_t from = 0; from < slices * reduce->in_time; from++) {
                int64_t slice = from / reduce->in_time, time = from % reduce->in_time;
                bool data = index_at(arena, stage->before, slice, time, 3, &before);
                bool combined =
                    is_combined(reduce, slice, time, to / reduce->out_time, to % reduce->out_time);
                bool wanted = data && same_where_both(&before, &behind, &kept);
                if (combined != wanted && (data || combined))
                    fail_msg("row %zu: slice %lld time %lld into %lld", r, (long long)slice,
                             (long long)time, (long long)to);
                found += combined;
            }
            assert_int_equal(found, reduce->group);
        }
        desk_free(bench.desk);
    }
}

// ---- valid counts

TEST(valid_counts)
{
    static const char *const ends[] = {"", "; vector_pad_way8 packet [1 # 8]; vector_final"};
    Bench bench;
    for (size_t i = 0; i < COUNT_OF(ends); i++) {
        char calls[256];
        snprintf(calls, sizeof calls, "%s%s%s", BRANCH "vector_trim_way4 packet [R # 12 % 4]; ",
                 "vector_intra_slice_reduce R Add time [A] packet [1 # 4]", ends[i]);
        Row row = {"A=3,R=11", "CollectTensor f32", .time = "A, R # 12 / 4",
                   .packet = "R # 12 % 4 # 8", .calls = calls};
        bench = bench_open(&row);
        assert_non_null(bench.vector.vcg);
        assert_int_equal(bench.vector.vcg->packet_stride, 4);
        assert_int_equal(bench.vector.vcg->packet_valid, 11);
        desk_free(bench.desk);
    }
    static const Row full = {"A=3,R=4", "CollectTensor f32", .time = "A", .packet = "R # 8",
                             .calls =
                                 BRANCH "vector_trim_way4 packet [R]; vector_intra_slice_reduce "
                                        "R Add time [A] packet [1 # 4]"};
    bench = bench_open(&full);
    assert_true(!bench.vector.vcg || bench.vector.vcg->packet_valid == 4);
    desk_free(bench.desk);
}
