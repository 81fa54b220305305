#include "trial.h"

#include "base/checked.h"
#include "engine/engine.h"
#include "program/text.h"
#include "reduce_text.h"
#include "test.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_OPS = 5, ALL_WAYS_IN = 8, FILLED_IN = 5, UNWRITTEN = 10 };

static const char machine_path[] = "tests/support/few_slices.json";

void trials_open(Trials *trials)
{
    SourceList sources = {0};
    DiagList diags = {.arena = &trials->arena};
    assert_true(
        machine_load(&trials->arena, &sources, str_from(machine_path), &diags, &trials->few));
    trials->few.hbm_bytes_per_chip = INT64_C(1) << 28; // every device has a table of its pages
    trials->draft = arena_new(&trials->arena, Draft, 1);
}

void trials_close(Trials *trials)
{
    arena_release(&trials->scratch);
    arena_release(&trials->arena);
}

// ---- one text

typedef struct {
    Trials *trials;
    const Machine *machine;
    uint64_t seed;
    SourceList sources;
    DiagList diags;
    Builder *builder;
    Program *program; // NULL: the text is not a program
    bool is_neutral;  // padding holds what the reductions of the program leave as it is
} Reading;

// Where it is warned that padding takes part, it does on the device and does not in the oracle,
// unless it holds neutral elements.
static bool is_refusal(const Reading *reading, const Diag *diag)
{
    return diag->severity == SEVERITY_ERROR || diag->code == DIAG_VECTOR_FILTER_PADDING ||
           (diag->code == DIAG_INTER_REDUCE_PADDING && !reading->is_neutral);
}

static bool is_refused(const Reading *reading)
{
    for (int64_t i = 0; i < reading->diags.count; i++)
        if (is_refusal(reading, reading->diags.items[i]))
            return true;
    return false;
}

// Who pads with neutral elements says so with --relax=valid-count.
static const DiagTreatment *relaxed(void)
{
    static DiagTreatment treatments[DIAG_CODE_COUNT];
    for (DiagCode code = 0; code < DIAG_CODE_COUNT; code++)
        if (!strcmp(diag_infos[code].group, "valid-count"))
            treatments[code] = TREAT_AS_WARNING;
    return treatments;
}

static bool read_text(Reading *reading, Arena *arena, Str text)
{
    BuilderOptions options = {.machine = reading->machine, .rules = &engine_rules};
    ProgramList programs = {0};
    reading->sources = (SourceList){0};
    reading->diags =
        (DiagList){.arena = arena, .treatments = reading->is_neutral ? relaxed() : NULL};
    *array_push(arena, &reading->sources, Source) = (Source){STR("program"), text, NULL};
    reading->builder = builder_new(arena, &reading->diags, &options);
    bool is_right = program_parse(reading->builder, 0, text, &programs);
    reading->program = programs.count ? programs.items[0] : NULL;
    builder_free(reading->builder);
    return is_right && reading->program && !is_refused(reading);
}

static Agreement compare(Reading *reading, Arena *arena, StrBuf *why)
{
    AgreeOptions options = {.machine = reading->machine,
                            .sources = &reading->sources,
                            .seed = reading->seed,
                            .unwritten =
                                reading->seed % 4 == 0 && !reading->is_neutral ? UNWRITTEN : 0,
                            .specials = reading->seed % 2 == 0,
                            .all_ways = reading->seed % ALL_WAYS_IN == 0,
                            .wide = reading->seed % 3 == 0,
                            .sequential = reading->seed % 4 == 1,
                            .neutral = reading->is_neutral,
                            .exact = reading->is_neutral || reading->seed % FILLED_IN > 0};
    return agree_program(arena, reading->program, &options, why);
}

static bool is_wrong(Agreement found)
{
    return found == AGREE_DIFFERENT || found == AGREE_REFUSED;
}

// ---- refusals

// The operation in which the first error is; the text of the draft ends with "end\n".
static int64_t refused_op(const Trials *trials, const Reading *reading, Str text, int64_t ops)
{
    const Diag *first = NULL;
    for (int64_t i = 0; i < reading->diags.count && !first; i++)
        if (is_refusal(reading, reading->diags.items[i]))
            first = reading->diags.items[i];
    int64_t start = text.len - (int64_t)sizeof "end\n" + 1;
    while (first && ops > 0 && start > first->span.start)
        start -= trials->draft->ops[--ops].len;
    return first && start <= first->span.start ? ops : 0;
}

static void note_refusal(Trials *trials, const Reading *reading)
{
    StrBuf out = {.arena = &trials->scratch};
    for (int64_t i = 0; i < reading->diags.count; i++)
        if (is_refusal(reading, reading->diags.items[i]))
            trials->refusals[reading->diags.items[i]->code]++;
    if (!trials->explains)
        return;
    diag_render_text(&out, &reading->sources, &reading->diags, DIAG_PLAIN);
    printf("seed %" PRIu64 " refused:\n%.*s", reading->seed, STR_ARG(buf_str(&out)));
}

static void count_features(const Reading *reading, int64_t from, int64_t to, int64_t *counts)
{
    for (int64_t i = from; reading->program && i < to && i < reading->program->ops.count; i++) {
        FeatureSet set = features_of(reading->program->ops.items[i]);
        set.has[FEATURE_NEUTRAL] = reading->is_neutral;
        for (Feature feature = 0; feature < FEATURE_COUNT; feature++)
            counts[feature] += set.has[feature];
    }
}

static void count_agreed(Trials *trials, const Reading *reading)
{
    int64_t counts[FEATURE_COUNT] = {0};
    count_features(reading, 0, reading->program->ops.count, counts);
    for (Feature feature = 0; feature < FEATURE_COUNT; feature++)
        trials->agreed[feature] += counts[feature] > 0;
}

// Cuts off what is refused until the rest is accepted. False: nothing is left.
static bool accept_some(Trials *trials, Reading *reading, Str *text)
{
    for (int64_t ops = trials->draft->op_count; ops > 0;) {
        *text = draft_text(trials->draft, &trials->scratch, ops);
        trials->drafts++;
        if (read_text(reading, &trials->scratch, *text)) {
            trials->accepted++;
            trials->operations += ops;
            count_features(reading, 0, ops, trials->tried);
            count_features(reading, 0, ops, trials->kept);
            return true;
        }
        note_refusal(trials, reading);
        int64_t refused = refused_op(trials, reading, *text, ops);
        count_features(reading, refused, refused + 1, trials->tried);
        ops = min_i64(ops - 1, refused);
    }
    return false;
}

// ---- shrinking

static bool still_differs(void *own, Str text)
{
    Reading *from = own;
    Arena arena = {0};
    Reading reading = {
        .machine = from->machine, .seed = from->seed, .is_neutral = from->is_neutral};
    StrBuf why = {.arena = &arena};
    bool differs = read_text(&reading, &arena, text) && is_wrong(compare(&reading, &arena, &why));
    arena_release(&arena);
    return differs;
}

// What an operation leaves comes with the call instead.
static Str without_op(Reading *reading, Arena *arena, int64_t number)
{
    StrBuf out = {.arena = arena};
    Program *program = reading->program;
    assert(program); // the text was accepted
    const Op *op = program->ops.items[number];
    const Stage *last = op->pass ? op->pass->stages.items[op->pass->stages.count - 1] : NULL;
    const Tensor *made = last ? last->result : op->target ? op->target->tensor : NULL;
    for (int64_t i = number; i + 1 < program->ops.count; i++)
        program->ops.items[i] = program->ops.items[i + 1];
    program->ops.count--;
    for (int64_t i = 0; i < program->tensors.count; i++)
        if (made && program->tensors.items[i] == made && made->origin == ORIGIN_RESULT)
            program->tensors.items[i]->origin = ORIGIN_PARAM;
    program_print(&out, program);
    return buf_str(&out);
}

static Str drop_ops(Trials *trials, Reading *reading, Str text)
{
    read_text(reading, &trials->scratch, text);
    assert(reading->program); // the text was accepted
    for (int64_t i = reading->program->ops.count - 1; i >= 0; i--) {
        Str less = without_op(reading, &trials->scratch, i);
        if (still_differs(reading, less))
            text = less;
        read_text(reading, &trials->scratch, text);
    }
    return text;
}

// `found`: what differs in the whole text.
static void tell(Trials *trials, Reading *reading, Str text, Str found, StrBuf *report)
{
    StrBuf why = {.arena = &trials->scratch};
    if (trials->explains)
        printf("%.*s%.*s", STR_ARG(text), STR_ARG(found));
    Str small = drop_ops(trials, reading, text);
    small = reduce_text(&trials->scratch, small, still_differs, reading);
    read_text(reading, &trials->scratch, small);
    compare(reading, &trials->scratch, &why);
    buf_format(report, "seed {}{}{}:\n{}{}to see it again: scripts/random 1 {}\n", reading->seed,
               reading->machine == &trials->few ? ", --machine=" : "",
               reading->machine == &trials->few ? machine_path : "", small, buf_str(&why),
               reading->seed);
}

bool trial_run(Trials *trials, Choices *choices, uint64_t seed, StrBuf *report)
{
    bool few = !chance(choices, 1);
    Reading reading = {
        .trials = trials, .machine = few ? &trials->few : &machine_rngd, .seed = seed};
    int64_t ops = 1 + choose(choices, MOST_OPS);
    Str text;
    arena_clear(&trials->scratch);
    draft_program(trials->draft, &trials->scratch, choices, reading.machine->slices_per_cluster,
                  ops);
    reading.is_neutral = trials->draft->is_neutral;
    trials->programs++;
    if (!accept_some(trials, &reading, &text))
        return true;
    StrBuf why = {.arena = &trials->scratch};
    cover_program(&trials->cover, reading.program);
    Agreement found = compare(&reading, &trials->scratch, &why);
    trials->ended += found == AGREE_ENDED;
    trials->left_out += found == AGREE_LEFT_OUT;
    if (found == AGREE_SAME)
        count_agreed(trials, &reading);
    if (is_wrong(found))
        tell(trials, &reading, text, buf_str(&why), report);
    return !is_wrong(found);
}

const HwObject *trial_object(Trials *trials, const Machine *machine, Choices *choices, int64_t ops)
{
    Reading reading = {.trials = trials, .machine = machine};
    HwObject *object = arena_new(&trials->scratch, HwObject, 1);
    AgreeOptions options = {.machine = machine, .sources = &reading.sources};
    Str text;
    draft_program(trials->draft, &trials->scratch, choices, machine->slices_per_cluster, ops);
    reading.is_neutral = trials->draft->is_neutral;
    trials->programs++;
    if (!accept_some(trials, &reading, &text) ||
        !agree_lower(&trials->scratch, reading.program, &options, object))
        return NULL;
    return object;
}
