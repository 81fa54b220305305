// The records of register loads and of the Contraction Engine against the mappings: of all passes
// of the programs of this repository, and of passes drawn at random.
#include "../engine/stream_support.h"
#include "api/state.h"
#include "lowered.h"
#include "sample.h"
#include "shrink.h"
#include "walk_contract.h"

#include <contra.h>
#include <inttypes.h>

typedef struct {
    const Machine *machine;
    const Program *program;
    int64_t stores, pairs, looked;
    uint64_t seed;
    int64_t most;
} Tour;

// ---- one pass

static const Stage *stage_at(const Pass *pass, int64_t index)
{
    return index < pass->stages.count ? pass->stages.items[index] : NULL;
}

static bool walk_pair(Walker *walker, const Lower *lower, const Pass *pass, const Stage *align)
{
    HwStreamAdapt adapt;
    HwTrfRead read;
    HwReduce reduce;
    const Stage *contract = stage_at(pass, align->index + 1);
    const Stage *accumulate = stage_at(pass, align->index + 2);
    if (!align_lower(lower, align, &adapt, &read))
        return false;
    if (!accumulate || !accumulate->sound || !contract->sound)
        return walk_contraction(walker, align, NULL, &adapt, &read, NULL);
    return reduce_lower(lower, pass, accumulate, &reduce) &&
           walk_contraction(walker, align, accumulate, &adapt, &read, &reduce);
}

static bool walk_stage(Walker *walker, const Lower *lower, const Pass *pass, const Stage *stage)
{
    HwTrfStore trf;
    HwVrfStore vrf;
    switch (stage->kind) {
    case STAGE_TO_TRF:
        return to_trf_lower(lower, pass, stage, &trf) && walk_trf_store(walker, stage, &trf);
    case STAGE_TO_VRF:
        return to_vrf_lower(lower, pass, stage, &vrf) && walk_vrf_store(walker, stage, &vrf);
    case STAGE_ALIGN:
        return walk_pair(walker, lower, pass, stage);
    default:
        return true;
    }
}

// The pass up to where it breaks a rule.
static Pass sound_part(const Pass *pass)
{
    Pass part = *pass;
    part.stages.count = 0;
    while (part.stages.count < pass->stages.count && pass->stages.items[part.stages.count]->sound)
        part.stages.count++;
    return part;
}

// A command of a pass; a load of TRF is told from the whole.
static bool walk_part(Tour *tour, Walker *walker, const Lower *lower, const PassParts *parts,
                      int64_t number)
{
    const Pass *pass = parts->items[number];
    bool ok = true;
    for (int64_t i = 0; ok && i < pass->stages.count; i++) {
        const Stage *stage = pass->stages.items[i];
        bool mine = stage->kind == STAGE_TO_TRF || stage->kind == STAGE_TO_VRF ||
                    stage->kind == STAGE_ALIGN;
        if (!mine || !stage->sound || !stage->before->sound || (stage->trf && !stage->trf->sound))
            continue;
        tour->stores += stage->kind != STAGE_ALIGN;
        tour->pairs += stage->kind == STAGE_ALIGN;
        if (stage->kind != STAGE_TO_TRF || parts->count == 1)
            ok = walk_stage(walker, lower, pass, stage);
    }
    return ok;
}

// What is wrong with a pass, or NULL. Lives until the next call.
static const char *walk_pass(Tour *tour, const Pass *pass)
{
    static char problem[600];
    Arena arena = {0}, scratch = {0};
    DiagList diags = {.arena = &arena};
    Lower lower = {&arena, &scratch, &diags, tour->machine, tour->program};
    Walker walker = {.arena = &scratch, .seed = tour->seed++, .most = tour->most};
    Pass sound = sound_part(pass);
    PassParts parts = {0};
    bool ok = !sound.stages.count || lower_split(&lower, &sound, &parts);
    for (int64_t i = 0; i < parts.count && ok; i++)
        ok = walk_part(tour, &walker, &lower, &parts, i);
    tour->looked += walker.looked;
    Str said = diags.count ? diags.items[0]->message : STR("");
    snprintf(problem, sizeof problem, "%s%.*s", walker.problem, STR_ARG(said));
    arena_release(&scratch);
    arena_release(&arena);
    return ok ? NULL : problem;
}

// ---- programs of this repository

static void walk_program(Tour *tour, const Program *program)
{
    tour->program = program;
    for (int64_t i = 0; i < program->ops.count; i++) {
        const Pass *pass = program->ops.items[i]->pass;
        const char *problem = pass ? walk_pass(tour, pass) : NULL;
        if (problem)
            fail_msg("%s, operation %" PRId64 ": %s", program->name, i, problem);
    }
    for (int64_t i = 0; i < program->open.count; i++) {
        const char *problem = walk_pass(tour, program->open.items[i]);
        if (problem)
            fail_msg("%s, open pass %" PRId64 ": %s", program->name, i, problem);
    }
}

TEST(programs)
{
    static const char *const folders[] = {"examples", "tests/kernels", "tests/positive"};
    Tour tour = {.machine = &machine_rngd, .most = test_share(600)};
    for (size_t i = 0; i < COUNT_OF(folders); i++) {
        Contra *contra = contra_new();
        ContraText path = contra_text(folders[i]);
        ContraCheckResult result = contra_check_result();
        contra_check(contra, &path, 1, NULL, &result);
        for (int64_t k = 0; k < contra->programs.count; k++)
            walk_program(&tour, contra->programs.items[k]);
        contra_free(contra);
    }
    print_message("%" PRId64 " stores, %" PRId64 " pairs, %" PRId64 " positions\n", tour.stores,
                  tour.pairs, tour.looked);
    assert_true(tour.stores > 100 && tour.pairs > 100);
}

// ---- random passes

// Texts of mappings under construction.
typedef struct {
    Arena *arena;
    Rng *rng;
    const char *type;
    int64_t flit; // elements of one
    int64_t sizes[26];
} Draw;

#define say(draw, ...) str_terminated((draw)->arena, str_format((draw)->arena, __VA_ARGS__))

enum { MOST_TERMS = 8 };

typedef struct {
    const char *items[MOST_TERMS];
    int64_t count;
} Terms;

static void add(Terms *terms, const char *text)
{
    if (terms->count < MOST_TERMS)
        terms->items[terms->count++] = text;
}

static const char *joined(const Draw *draw, const Terms *terms)
{
    StrBuf text = {.arena = draw->arena};
    for (int64_t i = 0; i < terms->count; i++)
        buf_format(&text, "{}{}", i ? ", " : "", terms->items[i]);
    return terms->count ? str_terminated(draw->arena, buf_str(&text)) : "1";
}

static void shuffle(const Draw *draw, Terms *terms)
{
    for (int64_t i = terms->count - 1; i > 0; i--) {
        int64_t k = rng_below(draw->rng, i + 1);
        const char *swapped = terms->items[i];
        terms->items[i] = terms->items[k];
        terms->items[k] = swapped;
    }
}

// One or two terms of an axis, whole, padded or cut; or of two axes together.
static void add_axis(const Draw *draw, Terms *terms, char axis, char other)
{
    int64_t size = draw->sizes[axis - 'A'], both = size * draw->sizes[other - 'A'];
    int64_t at = 1 + rng_below(draw->rng, 3), padded = ceil_div(size, at) * at;
    switch (rng_below(draw->rng, 7)) {
    case 0:
        add(terms, say(draw, "{c} # {}", axis, size + rng_below(draw->rng, 3)));
        return;
    case 1:
        add(terms, say(draw, "{c} # {} / {}", axis, padded, at));
        add(terms, say(draw, "{c} # {} % {}", axis, padded, at));
        return;
    case 2:
        add(terms, say(draw, "[{c}, {c}] # {}", axis, other, both + rng_below(draw->rng, 4)));
        return;
    case 3:
        add(terms, say(draw, "{c}", other));
        add(terms, say(draw, "{c}", axis));
        return;
    default:
        add(terms, say(draw, "{c}", axis));
    }
}

// The same axes in another order, with other padding, or not all of them.
static const char *changed(const Draw *draw, const char *term)
{
    char axis = term[0] == '[' ? term[1] : term[0], other = term[0] == '[' ? term[4] : axis;
    int64_t size = draw->sizes[axis - 'A'];
    bool alone = axis == other;
    switch (rng_below(draw->rng, 6)) {
    case 0:
        return alone ? say(draw, "{c}", axis) : say(draw, "{c}, {c}", other, axis);
    case 1:
        return alone ? say(draw, "{c} # {}", axis, size + 1) : say(draw, "{c}", other);
    case 2:
        return alone ? say(draw, "{c} # {}", axis, size * 2) : say(draw, "{c}", axis);
    case 3: // weights that are not there: looked for one by one, so few of them
        return alone ? say(draw, "{c} = {}", axis, size - rng_chance(draw->rng, 10))
                     : say(draw, "{c}, {c} # {}", axis, other, draw->sizes[other - 'A'] + 1);
    case 4:
        return say(draw, "{} # 40", term);
    default:
        return term;
    }
}

static Terms with_changes(const Draw *draw, const Terms *terms, int64_t percent)
{
    Terms result = {0};
    for (int64_t i = 0; i < terms->count; i++) {
        bool fixed = strchr("LKT1", terms->items[i][0]) || strchr(terms->items[i], '/') ||
                     strchr(terms->items[i], '%');
        bool keep = fixed || !rng_chance(draw->rng, percent);
        add(&result, keep ? terms->items[i] : changed(draw, terms->items[i]));
    }
    return result;
}

typedef struct {
    Terms time, tiles, element;
    const char *flit, *weights; // innermost in the stream and in TRF
    const char *packet, *slice, *row;
} Plan;

// The innermost part: what a flit holds, and what a packet does with it.
static void draw_packet(const Draw *draw, Plan *plan)
{
    int64_t f = draw->flit, k = draw->sizes['K' - 'A'], j = draw->sizes['J' - 'A'];
    const char *whole = say(draw, "K # {}", f);
    plan->flit = plan->weights = whole;
    plan->slice = rng_chance(draw->rng, 30) ? "S" : "1";
    switch (rng_below(draw->rng, 8)) {
    case 0: // an axis cut between Time and Packet, collected
        plan->flit = say(draw, "K # {} % {}", 2 * f, f);
        plan->packet = plan->weights = say(draw, "K # {}", 2 * f);
        add(&plan->time, say(draw, "K # {} / {}", 2 * f, f));
        return;
    case 1: // cut between slices
        plan->slice = say(draw, "K # {} / {}", 4 * f, f);
        plan->flit = plan->weights = say(draw, "K # {} % {}", 4 * f, f);
        break;
    case 2: // two axes in a packet, of which TRF has one or both
        plan->flit = say(draw, "[J, K] # {}", f);
        plan->weights = rng_chance(draw->rng, 50) ? plan->flit : "K";
        if (k * j > f)
            plan->flit = plan->weights = whole;
        break;
    case 3:
        plan->flit = say(draw, "J, K # {}", f / 2);
        plan->weights = rng_chance(draw->rng, 50) ? say(draw, "K # {}", f / 2) : plan->flit;
        if (j != 2 || k > f / 2)
            plan->flit = plan->weights = whole;
        break;
    default:
        plan->weights = rng_chance(draw->rng, 30) ? "K" : whole;
    }
    if (rng_chance(draw->rng, 40)) { // two flits
        plan->packet = say(draw, "L, {}", plan->flit);
        if (rng_chance(draw->rng, 75))
            add(&plan->time, "L");
        if (rng_chance(draw->rng, 40))
            plan->weights = say(draw, "L, {}", plan->weights);
        return;
    }
    plan->packet = say(draw, "[{}] # {}", plan->flit, 2 * f);
}

static Plan draw_plan(const Draw *draw)
{
    static const char *const rows[] = {"N", "N", "N # 8", "1"};
    Plan plan = {.row = rows[rng_below(draw->rng, COUNT_OF(rows))]};
    static const char pairs[][2] = {{'A', 'E'}, {'B', 'F'}, {'C', 'G'}};
    for (int64_t i = rng_below(draw->rng, 4); i > 0; i--)
        add_axis(draw, &plan.time, pairs[i - 1][0], pairs[i - 1][1]);
    shuffle(draw, &plan.time);
    for (int64_t i = 0; i < plan.time.count; i++)
        if (rng_chance(draw->rng, 50))
            add(&plan.element, plan.time.items[i]);
    if (rng_chance(draw->rng, 30)) {
        add(&plan.tiles, "T");
        add(&plan.element, rng_chance(draw->rng, 50) ? "T" : "T # 8");
    }
    shuffle(draw, &plan.element);
    plan.element = with_changes(draw, &plan.element, 25);
    draw_packet(draw, &plan);
    add(&plan.element, plan.weights);
    return plan;
}

// A part of the terms, in order.
static Terms some(const Draw *draw, const Terms *terms, int64_t percent)
{
    Terms part = {0};
    for (int64_t i = 0; i < terms->count; i++)
        if (rng_chance(draw->rng, percent))
            add(&part, terms->items[i]);
    return part;
}

static void add_reduction(const Draw *draw, Chain *c, const Plan *plan, const Terms *time)
{
    bool interleaved = rng_chance(draw->rng, 50), all = rng_chance(draw->rng, 60);
    int64_t summed = INT64_C(1) << rng_below(draw->rng, 6);
    const char *columns = all ? "1" : say(draw, "[{}] / {}", plan->packet, summed);
    chain_add(c, (Stage){.kind = STAGE_CONTRACT}, (Shape){.packet = columns});
    Terms kept = some(draw, time, 60);
    kept = with_changes(draw, &kept, 10);
    if (interleaved) {
        if (!all)
            add(&kept, columns);
        chain_add(c, (Stage){.kind = STAGE_ACCUMULATE, .accumulate = ACCUMULATE_INTERLEAVED},
                  (Shape){.time = joined(draw, &kept), .packet = say(draw, "[{}] # 8", plan->row)});
        return;
    }
    add(&kept, plan->row);
    const Expr *expr = mapping_parse(&c->scope, &c->diags, -1, str_from(columns));
    bool wide = expr->size > 8;
    if (wide)
        add(&kept, say(draw, "[{}] / 8", columns));
    chain_add(
        c, (Stage){.kind = STAGE_ACCUMULATE, .accumulate = ACCUMULATE_SEQUENTIAL},
        (Shape){.time = joined(draw, &kept),
                .packet = wide ? say(draw, "[{}] % 8", columns) : say(draw, "[{}] # 8", columns)});
}

static Draw draw_world(Arena *arena, Rng *rng, const char **axes)
{
    static const struct {
        const char *type;
        int64_t flit;
    } types[] = {{"i8", 32}, {"bf16", 16}, {"i4", 64}, {"f8e4m3", 32}};
    size_t which = (size_t)rng_below(rng, COUNT_OF(types));
    Draw draw = {.arena = arena, .rng = rng, .type = types[which].type, .flit = types[which].flit};
    StrBuf text = {.arena = arena};
    for (int axis = 'A'; axis <= 'Z'; axis++) {
        int64_t size = 2 + rng_below(rng, 5);
        size = axis == 'L'   ? 2
               : axis == 'D' ? 4
               : axis == 'K' ? draw.flit
               : axis == 'N' ? 1 << rng_below(rng, 4)
                             : size;
        if (axis == 'K' && rng_chance(rng, 50))
            size = 1 + rng_below(rng, draw.flit);
        draw.sizes[axis - 'A'] = size;
        buf_format(&text, "{}{c}={}", axis == 'A' ? "" : ",", axis, size);
    }
    *axes = str_terminated(arena, buf_str(&text));
    return draw;
}

static bool has_flit_pair(const Plan *plan)
{
    return strncmp(plan->packet, "L, ", 3) == 0;
}

// Time of the pair: what the stream has but for what is collected, and what it is repeated over.
static Terms draw_time(const Draw *draw, const Plan *plan)
{
    Terms time = plan->time;
    bool collects = time.count && strchr("LK", time.items[time.count - 1][0]);
    if (collects)
        time.count--;
    time = with_changes(draw, &time, 10);
    for (int64_t i = 0; i < plan->tiles.count && (collects || !has_flit_pair(plan)); i++)
        add(&time, plan->tiles.items[i]);
    return time;
}

static void random_pair(Tour *tour, Rng *rng, int64_t *summed)
{
    Arena arena = {0};
    const char *axes;
    Draw draw = draw_world(&arena, rng, &axes);
    Plan plan = draw_plan(&draw);
    Terms time = draw_time(&draw, &plan);
    const char *stream = joined(&draw, &plan.time), *element = joined(&draw, &plan.element);
    Chain c;
    chain_open(&c, axes, RULES_CONTRA, CONTEXT_MAIN);
    chain_input(
        &c, POSITION_COLLECT,
        (Shape){.type = draw.type, .slice = plan.slice, .time = stream, .packet = plan.flit});
    const Tensor *trf = chain_tensor(
        &c, TIER_TRF, ORIGIN_PARAM,
        (Shape){.type = draw.type, .slice = plan.slice, .row = plan.row, .element = element});
    const Stage *align = chain_add(&c, (Stage){.kind = STAGE_ALIGN, .trf = trf},
                                   (Shape){.time = joined(&draw, &time), .packet = plan.packet});
    if (align->sound)
        add_reduction(&draw, &c, &plan, &time);
    const Stage *last = c.pass->stages.items[c.pass->stages.count - 1];
    *summed += last->kind == STAGE_ACCUMULATE && last->sound && last->before->sound;
    const char *problem = walk_pass(tour, c.pass);
    if (problem)
        fail_msg("%s: %s\n stream %s time %s packet %s\n trf row %s element %s\n pair time %s "
                 "packet %s\n sums %.*s\n%s",
                 problem, axes, draw.type, stream, plan.flit, plan.row, element,
                 joined(&draw, &time), plan.packet,
                 STR_ARG(expr_text(&c.arena, last->dims[LEVEL_TIME]->expr)), chain_text(&c));
    chain_close(&c);
    arena_release(&arena);
}

TEST(random_pairs)
{
    Rng rng = {test_seed() + 16};
    Tour tour = {.machine = &machine_rngd, .most = 2000};
    int64_t summed = 0;
    for (int64_t i = 0; i < (int64_t)(2000 * test_scale()); i++)
        random_pair(&tour, &rng, &summed);
    print_message("%" PRId64 " pairs, %" PRId64 " of them summed, %" PRId64 " positions\n",
                  tour.pairs, summed, tour.looked);
    assert_true((double)tour.pairs > 1000 * test_scale() && (double)summed > 500 * test_scale());
}

// ---- whatever mappings there are

static const Expr *paired(Chain *c, const Expr *outer, const Expr *inner)
{
    ExprList both = {0};
    *array_push(&c->arena, &both, const Expr *) = outer;
    *array_push(&c->arena, &both, const Expr *) = inner;
    return expr_pair(&c->diags, SPAN_NOWHERE, &both);
}

static const Expr *parsed(Chain *c, const char *text)
{
    return mapping_parse(&c->scope, &c->diags, -1, str_from(text));
}

static const Dim *dim_of(Chain *c, const Expr *expr)
{
    return builder_dim(c->builder, expr, SPAN_NOWHERE);
}

// Time is anything; Time of the pair and Element are the same, or written otherwise. All of it is
// kept, or summed: what is left of a composite that was cut does not say which of its axes it has.
static void any_pair(Tour *tour, Rng *rng, int64_t *summed)
{
    static const int kinds[] = {SAMPLE_DISJOINT, SAMPLE_DISJOINT | SAMPLE_RESIZE,
                                SAMPLE_DISJOINT | SAMPLE_SKEW, SAMPLE_DISJOINT | SAMPLE_SHIFT,
                                SAMPLE_DISJOINT | SAMPLE_RESIZE | SAMPLE_SKEW | SAMPLE_SHIFT};
    Arena scratch = {0};
    Chain c;
    chain_open(&c, "KK=20,NN=2", RULES_CONTRA, CONTEXT_MAIN);
    Sample sample = {.arena = &c.arena, .scratch = &scratch, .diags = &c.diags};
    int kind = kinds[rng_below(rng, COUNT_OF(kinds))];
    sample_axes(&sample, rng, kind);
    const Expr *time = sample_expr(&sample, rng, kind, 60);
    const Expr *out = rng_chance(rng, 50) ? sample_rewritten(&sample, rng, time) : time;
    const Expr *weights = rng_chance(rng, 50) ? sample_rewritten(&sample, rng, time) : time;
    weights = rng_chance(rng, 20) ? parsed(&c, "1") : weights;
    const Expr *element = paired(&c, weights, parsed(&c, "KK # 32"));
    const Expr *kept = rng_chance(rng, 50) ? out : parsed(&c, "1");
    if (element->kind == EXPR_POISON || out->kind == EXPR_POISON || kept->kind == EXPR_POISON)
        goto done;
    const Stage *input = chain_input(&c, POSITION_COLLECT, (Shape){.packet = "KK # 32"});
    ((Stage *)(uintptr_t)input)->dims[LEVEL_TIME] = dim_of(&c, time);
    Tensor tensor = *chain_tensor(&c, TIER_TRF, ORIGIN_PARAM, (Shape){.row = "NN", .element = "1"});
    tensor.dims[LEVEL_ELEMENT] = dim_of(&c, element);
    const Tensor *trf = builder_tensor(c.builder, &tensor);
    Stage align = {.kind = STAGE_ALIGN, .trf = trf};
    align.dims[LEVEL_TIME] = dim_of(&c, out);
    align.dims[LEVEL_PACKET] = chain_dim(&c, "KK # 64");
    builder_stage(c.builder, c.pass, &align);
    chain_add(&c, (Stage){.kind = STAGE_CONTRACT}, (Shape){0});
    Stage accumulate = {.kind = STAGE_ACCUMULATE, .accumulate = ACCUMULATE_INTERLEAVED};
    accumulate.dims[LEVEL_TIME] = dim_of(&c, kept);
    accumulate.dims[LEVEL_PACKET] = chain_dim(&c, "NN # 8");
    const Stage *last = builder_stage(c.builder, c.pass, &accumulate);
    *summed += last->sound && last->before->sound && last->before->before->sound;
    const char *problem = walk_pass(tour, c.pass);
    if (problem)
        fail_msg("%s\n axes %.*s time %.*s\n element %.*s\n pair time %.*s kept %.*s", problem,
                 STR_ARG(sample_axes_text(&c.arena, &sample)), STR_ARG(expr_text(&c.arena, time)),
                 STR_ARG(expr_text(&c.arena, element)), STR_ARG(expr_text(&c.arena, out)),
                 STR_ARG(expr_text(&c.arena, kept)));
done:
    arena_release(&scratch);
    chain_close(&c);
}

TEST(any_pairs)
{
    Rng rng = {test_seed() + 4};
    Tour tour = {.machine = &machine_rngd, .most = 2000};
    int64_t summed = 0;
    for (int64_t i = 0; i < (int64_t)(2000 * test_scale()); i++)
        any_pair(&tour, &rng, &summed);
    print_message("%" PRId64 " pairs, %" PRId64 " of them summed, %" PRId64 " positions\n",
                  tour.pairs, summed, tour.looked);
    assert_true((double)tour.pairs > 500 * test_scale() && (double)summed > 100 * test_scale());
}

// ---- random loads

static void random_store(Tour *tour, Rng *rng, bool vrf)
{
    Arena arena = {0};
    const char *axes;
    Draw draw = draw_world(&arena, rng, &axes);
    Plan plan = draw_plan(&draw);
    Terms element = {0};
    const char *flit = plan.flit;
    if (vrf) {
        static const char *const packets[] = {"D, L",  "D # 8",       "[D, L] # 8", "H # 8",
                                              "1 # 8", "[I, L] # 12", "[I, L] # 16"};
        draw.type = rng_chance(rng, 50) ? "i32" : "f32";
        flit = packets[rng_below(rng, COUNT_OF(packets))];
        plan.time.count -= plan.time.count && strchr("LK", plan.time.items[plan.time.count - 1][0]);
        element = plan.time;
        add(&element, rng_chance(rng, 50) || flit[0] != '[' ? flit : changed(&draw, flit));
        if (rng_chance(rng, 60))
            shuffle(&draw, &element);
        element = with_changes(&draw, &element, 20);
    } else {
        element = plan.time;
        add(&element, flit);
    }
    Terms time = {0};
    if (!vrf)
        add(&time, plan.row);
    for (int64_t i = 0; i < plan.time.count; i++)
        add(&time, plan.time.items[i]);
    Chain c;
    chain_open(&c, axes, RULES_CONTRA, CONTEXT_MAIN);
    chain_input(
        &c, POSITION_COLLECT,
        (Shape){
            .type = draw.type, .slice = plan.slice, .time = joined(&draw, &time), .packet = flit});
    const Tensor *tensor = chain_tensor(&c, vrf ? TIER_VRF : TIER_TRF, ORIGIN_RESULT,
                                        (Shape){.type = draw.type,
                                                .slice = plan.slice,
                                                .row = plan.row,
                                                .element = joined(&draw, &element)});
    if (tensor->sound)
        chain_add(&c, (Stage){.kind = vrf ? STAGE_TO_VRF : STAGE_TO_TRF, .result = tensor},
                  (Shape){0});
    const char *problem = walk_pass(tour, c.pass);
    if (problem)
        fail_msg("%s: %s\n time %s packet %s\n row %s element %s", problem, axes,
                 joined(&draw, &time), flit, plan.row, joined(&draw, &element));
    chain_close(&c);
    arena_release(&arena);
}

TEST(random_stores)
{
    Rng rng = {test_seed() + 2};
    Tour tour = {.machine = &machine_rngd, .most = 2000};
    for (int64_t i = 0; i < (int64_t)(2000 * test_scale()); i++)
        random_store(&tour, &rng, i % 2 == 0);
    print_message("%" PRId64 " stores, %" PRId64 " positions\n", tour.stores, tour.looked);
    assert_true((double)tour.stores > 1000 * test_scale());
}

// ---- the walker itself

// One number of a record is changed; the walker must see it.
TEST(notices)
{
    Arena arena = {0}, scratch = {0};
    DiagList diags = {.arena = &arena};
    Lower lower = {&arena, &scratch, &diags, &machine_rngd, NULL};
    Walker walker = {.arena = &scratch, .most = 100000};
    Chain c;
    HwStreamAdapt adapt;
    HwTrfRead read;
    HwReduce reduce;
    chain_open(&c, "A=3,B=4,K=25,N=4,T=2", RULES_CONTRA, CONTEXT_MAIN);
    chain_input(&c, POSITION_COLLECT, (Shape){.time = "A, B", .packet = "K # 32"});
    const Tensor *trf =
        chain_tensor(&c, TIER_TRF, ORIGIN_PARAM, (Shape){.row = "N", .element = "T, A, K # 32"});
    const Stage *align = chain_add(&c, (Stage){.kind = STAGE_ALIGN, .trf = trf},
                                   (Shape){.time = "A, B, T", .packet = "K # 64"});
    chain_add(&c, (Stage){.kind = STAGE_CONTRACT}, (Shape){0});
    const Stage *sums =
        chain_add(&c, (Stage){.kind = STAGE_ACCUMULATE, .accumulate = ACCUMULATE_INTERLEAVED},
                  (Shape){.time = "B, T", .packet = "N # 8"});
    chain_expect(&c, 0, "");
    assert_true(align_lower(&lower, align, &adapt, &read));
    assert_true(reduce_lower(&lower, c.pass, sums, &reduce));
    assert_int_equal(reduce.data.count, 1);
    int64_t *const fields[] = {&adapt.loops.items[0].stride,
                               &adapt.loops.items[0].size,
                               &adapt.collect_flits,
                               &read.nest.base,
                               &read.nest.loops.items[0].stride,
                               &read.nest.access_bytes,
                               &reduce.loops.items[0].stride,
                               &reduce.tree_depth,
                               &reduce.buffered,
                               &reduce.columns,
                               &reduce.data.items[0].limit};
    for (size_t i = 0; i < COUNT_OF(fields); i++) {
        assert_true(walk_contraction(&walker, align, sums, &adapt, &read, &reduce));
        *fields[i] -= 1;
        if (walk_contraction(&walker, align, sums, &adapt, &read, &reduce))
            fail_msg("field %zu is not looked at", i);
        *fields[i] += 1;
    }
    chain_close(&c);
    arena_release(&scratch);
    arena_release(&arena);
}
