// Descriptors of random moves, shuffles, slices, gathers and scatters that the rules accept, walked
// step by step and compared with the cells of the mappings.
//
// A case is made from its number alone; a failure names it and shows it.
#include "../engine/dma_cases.h"
#include "walk_dma.h"

#include "engine/lower/lower.h"

enum { DESCRIPTORS_CASES = 6000, DESCRIPTORS_MOST = 8192 };

// ---- shapes

typedef struct {
    char axes[TEXT_BYTES];
    Pieces pieces[2];              // of source and target
    char texts[3][TEXT_BYTES * 5]; // of source, target and index
    Tier tiers[2];
    const char *type;
    OpKind kind;
    Context context;
    char key[TEXT_BYTES], sliced[TEXT_BYTES * 5];
    int64_t pattern[16];
    int64_t pattern_count;
    int64_t tile_start[2]; // of Y in the source, Z in the target; -1: not tiled
    bool scaled;
    int64_t entries;  // of T
    const char *tail; // of Element, on both sides
} Draft;

static void random_axes(Draft *draft)
{
    static const int64_t usual[] = {1, 2, 3, 4, 5, 6, 8, 12, 16, 15};
    int64_t sizes[AXES], x = chance(20) ? 2 + below(3) : 1;
    for (int i = 0; i < AXES; i++)
        sizes[i] = usual[below(COUNT_OF(usual))];
    draft->entries = 2 + below(11);
    snprintf(draft->axes, sizeof draft->axes, "A=%d,B=%d,C=%d,X=%d,K=%d,L=%d,Y=4,Z=3,V=7,W=16,T=%d",
             (int)sizes[0], (int)sizes[1], (int)sizes[2], (int)x, 1 + (int)below(3),
             1 + (int)below(2), (int)draft->entries);
    random_pieces(&draft->pieces[0], sizes);
    draft->pieces[1] = draft->pieces[0];
    if (chance(60)) {
        draft->pieces[1].count = 0;
        random_pieces(&draft->pieces[1], sizes);
    }
    add_piece(&draft->pieces[1], x, "X");
}

// The pieces of a side over its memory; chips and clusters are K and L, which both sides have.
static void side_text(Draft *draft, int side, const char *outer)
{
    char inner[TEXT_BYTES * 4];
    Tier tier = draft->tiers[side];
    spread(&draft->pieces[side], tier == TIER_DM ? TIER_HBM : TIER_HOST, inner, sizeof inner);
    char *text = draft->texts[side];
    size_t room = sizeof draft->texts[side];
    const char *bar = strchr(inner, '|');
    if (tier == TIER_DM)
        snprintf(text, room, "K | L | %.*s| %s%s%s", (int)(bar - inner), inner, outer, bar + 1,
                 draft->tail);
    else if (tier == TIER_HBM)
        snprintf(text, room, "K | %sL, %s%s", outer, inner, draft->tail);
    else
        snprintf(text, room, "%sK, L, %s%s", outer, inner, draft->tail);
}

static Context context_of(const Draft *draft)
{
    if (draft->kind == OP_PARALLEL_COPY || draft->kind == OP_CHIP_SLICE ||
        draft->kind == OP_CLUSTER_SLICE)
        return CONTEXT_SUB;
    bool host = draft->tiers[0] == TIER_HOST || draft->tiers[1] == TIER_HOST;
    return host ? CONTEXT_PDMA : CONTEXT_TDMA;
}

static void random_move(Draft *draft)
{
    static const Tier ways[][2] = {{TIER_HOST, TIER_HBM}, {TIER_HBM, TIER_HOST},
                                   {TIER_HBM, TIER_HBM},  {TIER_HBM, TIER_DM},
                                   {TIER_DM, TIER_HBM},   {TIER_DM, TIER_DM}};
    memcpy(draft->tiers, ways[below(COUNT_OF(ways))], sizeof draft->tiers);
    bool dm = draft->tiers[0] == TIER_DM && draft->tiers[1] == TIER_DM;
    draft->kind = dm && chance(50) ? OP_PARALLEL_COPY : OP_MOVE;
    for (int side = 0; side < 2; side++) {
        if (chance(20) && draft->tiers[side] != TIER_HOST)
            draft->tile_start[side] = below(3);
        const char *outer = draft->tile_start[side] < 0 ? "" : side ? "Z, " : "Y, ";
        side_text(draft, side, outer);
    }
}

static void random_shuffle(Draft *draft)
{
    bool chips = chance(50);
    draft->tiers[0] = draft->tiers[1] = chips && chance(30) ? TIER_HBM : TIER_DM;
    draft->kind = chips ? OP_CHIP_SHUFFLE : OP_CLUSTER_SHUFFLE;
    // any piece may be over the chips and clusters
    spread(&draft->pieces[0], draft->tiers[0], draft->texts[0], sizeof draft->texts[0]);
    memcpy(draft->texts[1], draft->texts[0], sizeof draft->texts[1]);
}

static void random_slice(Draft *draft)
{
    draft->tiers[0] = draft->tiers[1] = TIER_DM;
    draft->kind = chance(50) ? OP_CHIP_SLICE : OP_CLUSTER_SLICE;
    side_text(draft, 1, "");
    draft->pieces[0] = draft->pieces[1];
    if (!strcmp(draft->pieces[0].items[draft->pieces[0].count - 1].text, "X"))
        draft->pieces[0].count--; // it is for all
    side_text(draft, 0, "Y, ");
    snprintf(draft->key, sizeof draft->key, "Y");
    const char *element = strstr(draft->texts[0], "Y, ");
    snprintf(draft->sliced, sizeof draft->sliced, "1 # 4, %s", element + 3);
}

static void random_gather(Draft *draft)
{
    draft->tiers[0] = TIER_HBM;
    draft->tiers[1] = TIER_DM;
    draft->kind = OP_GATHER;
    add_piece(&draft->pieces[1], draft->entries, "T");
    side_text(draft, 0, "V, ");
    side_text(draft, 1, "");
    snprintf(draft->texts[2], sizeof draft->texts[2], chance(50) ? "K | T" : "K | T # 16");
}

static void random_scatter(Draft *draft)
{
    draft->tiers[0] = TIER_DM;
    draft->tiers[1] = TIER_HBM;
    draft->kind = OP_SCATTER;
    draft->scaled = chance(40);
    add_piece(&draft->pieces[0], draft->entries, "T");
    side_text(draft, 0, "");
    side_text(draft, 1, chance(50) ? "V, " : "1, V, ");
    snprintf(draft->key, sizeof draft->key, "T");
    snprintf(draft->texts[2], sizeof draft->texts[2], chance(50) ? "K | T" : "K | T # 16, 1 # 2");
}

static Draft random_draft(int64_t number)
{
    static void (*const kinds[])(Draft *) = {random_move,    random_move,   random_move,
                                             random_shuffle, random_slice,  random_slice,
                                             random_gather,  random_scatter};
    static const char *const types[] = {"i8", "bf16", "f32", "f32", "i4"};
    Draft draft = {.tile_start = {-1, -1}};
    random_state = (uint64_t)number * 0x2545F4914F6CDD1Du;
    draft.tail = chance(60) ? ", W" : "";
    draft.type = types[below(COUNT_OF(types))];
    random_axes(&draft);
    kinds[below(COUNT_OF(kinds))](&draft);
    draft.context = context_of(&draft);
    return draft;
}

// ---- operations

static const View *side_view(Bench *bench, const Draft *draft, int side)
{
    static const char *const names[2] = {"Y", "Z"};
    static const char *const rests[2] = {"1 # 4", "1 # 3"};
    TensorRow row = {.name = side ? "to" : "from",
                     .tier = draft->tiers[side],
                     .type = draft->type,
                     .shape = draft->texts[side],
                     .address = KNOWN(side ? 1 << 16 : 64)};
    const View *all = view_mut(bench, add_tensor(bench, row));
    if (draft->tile_start[side] < 0)
        return all;
    char element[TEXT_BYTES * 6];
    const char *text = strrchr(draft->texts[side], '|') + 2;
    snprintf(element, sizeof element, "%s, %s", rests[side], text + strcspn(text, "YZ") + 3);
    return tile(bench, all, LEVEL_ELEMENT, names[side], 1, KNOWN(draft->tile_start[side]), element);
}

static const Op *draft_op(Bench *bench, Draft *draft)
{
    Op op = {.kind = draft->kind,
             .method = "move",
             .span = next_span(bench),
             .context = draft->context,
             .source = side_view(bench, draft, 0),
             .target = side_view(bench, draft, 1),
             .scaled = draft->scaled};
    if (draft->texts[2][0]) {
        TensorRow row = {.name = "index",
                         .tier = TIER_HBM,
                         .type = "i32",
                         .shape = draft->texts[2],
                         .address = KNOWN(1 << 20)};
        op.index = view(bench, add_tensor(bench, row));
    }
    if (draft->key[0])
        op.key = dim(bench, draft->key);
    if (draft->sliced[0])
        op.sliced = dim(bench, draft->sliced);
    bool chips = draft->kind == OP_CHIP_SHUFFLE || draft->kind == OP_CHIP_SLICE;
    const Dim *units = op.source->dims[chips ? LEVEL_CHIP : LEVEL_CLUSTER];
    if (draft->kind == OP_CLUSTER_SHUFFLE || draft->kind == OP_CLUSTER_SLICE || chips) {
        op.pattern_count = draft->pattern_count = min_i64(units->mapping.size, 16);
        for (int64_t i = 0; i < op.pattern_count; i++)
            draft->pattern[i] = below(op.sliced ? 4 : op.pattern_count);
        op.pattern = draft->pattern;
    }
    return builder_op(bench->builder, &op);
}

// ---- cases

typedef struct {
    int64_t walked[OP_KIND_COUNT], descriptors, most;
} Tally;

static void check_case(Bench *bench, const Draft *draft, const Op *op, int64_t number, Tally *tally)
{
    Arena scratch = {0};
    Lower lower = {&bench->arena, &scratch, &bench->diags, &machine_rngd, bench->program};
    HwCommands commands = {0};
    bool skipped = false;
    const HwDmaCommand *command = NULL;
    const char *problem = "it has no command";
    if (lower_op(&lower, op, &commands)) {
        command = commands.items[0].dma;
        problem = walk_dma(&scratch, &machine_rngd, op, command, &skipped);
        tally->walked[op->kind] += !skipped;
        tally->descriptors += command->descriptors.count;
        tally->most = max_i64(tally->most, command->descriptors.count);
    }
    if (problem)
        fail_msg("case %d: %s\n  axes %s, %s, kind %d\n  %s %s\n  %s %s\n  index %s\n"
                 "  tiles %d %d\n  %.*s\n  %.*s\n%s",
                 (int)number, problem, draft->axes, draft->type, (int)draft->kind,
                 tiers[draft->tiers[0]].name, draft->texts[0], tiers[draft->tiers[1]].name,
                 draft->texts[1], draft->texts[2], (int)draft->tile_start[0],
                 (int)draft->tile_start[1], command ? (int)command->read.len : 0,
                 command ? command->read.data : "", command ? (int)command->write.len : 0,
                 command ? command->write.data : "", command ? "" : texts(bench));
    arena_release(&scratch);
}

static bool is_accepted(const Bench *bench)
{
    for (int64_t i = 0; i < bench->diags.count; i++)
        if (bench->diags.items[i]->severity == SEVERITY_ERROR)
            return false;
    return true;
}

TEST(every_element_is_moved_once)
{
    Tally tally = {0};
    for (int64_t number = 1; number <= DESCRIPTORS_CASES; number++) {
        Draft draft = random_draft(number);
        Bench bench;
        bench_open(&bench,
                   &(Setting){.axes = draft.axes, .relaxed = "cluster-size slice-size chip-count"});
        const Op *op = draft_op(&bench, &draft);
        int64_t size;
        if (is_accepted(&bench) && shape_size(op->target->dims, &size) &&
            size <= DESCRIPTORS_MOST && shape_size(op->source->dims, &size) &&
            size <= DESCRIPTORS_MOST * 8)
            check_case(&bench, &draft, op, number, &tally);
        bench_close(&bench);
    }
    for (OpKind kind = 0; kind < OP_KIND_COUNT; kind++)
        print_message("kind %d: %d\n", (int)kind, (int)tally.walked[kind]);
    print_message("%d descriptors, %d at most\n", (int)tally.descriptors, (int)tally.most);
    for (OpKind kind = 0; kind < OP_KIND_COUNT; kind++)
        assert_true(kind == OP_PASS || tally.walked[kind] >= 8);
}
