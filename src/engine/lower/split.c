#include "engine/lower/split.h"

#include "base/checked.h"
#include "engine/report.h"
#include "engine/shape.h"
#include "engine/stream/stream.h"

#include <stdlib.h>

// Commands that one pass may become, and plans that are tried before giving up.
enum { MOST_COMMANDS = 4096, MOST_TRIALS = 2000, MOST_REASONS = 4 };

// ---- digits

// A digit of an axis that no dimension of the pass cuts.
typedef struct {
    Term term;
    int64_t size;
    Str reason; // why it cannot be split off; empty: it was not tried
} Piece;

typedef struct {
    const Verify *verify;
    const Pass *pass;
    struct {
        ARRAY(Piece);
    } pieces; // outermost first
    struct {
        ARRAY(SplitPlan);
    } plans;
} Splitter;

// Where the dimensions cut an axis.
typedef struct {
    Arena *arena;
    const Atom *atom;
    struct {
        ARRAY(int64_t);
    } at; // ascending
} Cuts;

static void add_cut(Cuts *cuts, int64_t at)
{
    int64_t i = cuts->at.count;
    for (int64_t k = 0; k < cuts->at.count; k++)
        if (cuts->at.items[k] == at)
            return;
    *array_push(cuts->arena, &cuts->at, int64_t) = at;
    for (; i > 0 && cuts->at.items[i - 1] > at; i--)
        cuts->at.items[i] = cuts->at.items[i - 1];
    cuts->at.items[i] = at;
}

static void cut_at_dim(Cuts *cuts, const Dim *dim)
{
    if (!dim)
        return;
    Mapping normal = mapping_normalise(cuts->arena, &dim->mapping);
    for (int64_t i = 0; i < normal.count; i++) {
        const Factor *factor = &normal.factors[i];
        if (factor->is_padding || !atom_equal(factor->term.atom, cuts->atom))
            continue;
        add_cut(cuts, factor->term.stride);
        add_cut(cuts, factor->term.stride * factor->resize);
    }
}

static void cut_at_tensor(Cuts *cuts, const Tensor *tensor)
{
    for (Level level = 0; level < LEVEL_COUNT && tensor; level++)
        cut_at_dim(cuts, tensor->dims[level]);
}

static Cuts cuts_of(Arena *arena, const Pass *pass, const Atom *atom)
{
    Cuts cuts = {.arena = arena, .atom = atom};
    for (int64_t i = 0; i < pass->stages.count; i++) {
        const Stage *stage = pass->stages.items[i];
        for (Level level = 0; level < LEVEL_COUNT; level++)
            cut_at_dim(&cuts, stage->dims[level]);
        for (Level level = 0; level < LEVEL_COUNT && stage->target; level++)
            cut_at_dim(&cuts, stage->target->dims[level]);
        cut_at_tensor(&cuts, stage->trf);
        cut_at_tensor(&cuts, stage->result);
        cut_at_tensor(&cuts, stage->branch_vrf);
        for (int32_t k = 0; k < stage->operand_count; k++)
            cut_at_tensor(&cuts, stage->operands[k].vrf);
    }
    return cuts;
}

// The values of a digit do not decide what is padding along the rest of its axis.
static bool is_even(const Cuts *cuts, int64_t low, int64_t high)
{
    bool outermost = high >= cuts->at.items[cuts->at.count - 1];
    return cuts->atom->size % low == 0 && high <= cuts->atom->size &&
           (outermost || cuts->atom->size % high == 0);
}

// A term of Time as pieces, the outermost first.
static void add_pieces(Splitter *splitter, const PlacedTerm *term)
{
    Arena *arena = splitter->verify->arena;
    Cuts cuts = cuts_of(arena, splitter->pass, term->term.atom);
    int64_t end = term->term.stride * term->resize, high = end;
    for (int64_t i = cuts.at.count - 1; i >= 0; i--) {
        int64_t low = cuts.at.items[i];
        if (low >= high || low < term->term.stride || high % low)
            continue;
        if (is_even(&cuts, low, high))
            *array_push(arena, &splitter->pieces, Piece) =
                (Piece){.term = {term->term.atom, low, high / low}, .size = high / low};
        high = low;
    }
}

// What Time has at the end.
static void find_pieces(Splitter *splitter)
{
    const Pass *pass = splitter->pass;
    const Stage *last = pass->stages.items[pass->stages.count - 1];
    last = last->position == POSITION_SINK ? last->before : last;
    PlacedTerms terms = shape_terms(splitter->verify->arena, &last->dims[LEVEL_TIME]->mapping);
    for (int64_t i = terms.count - 1; i >= 0; i--)
        if (terms.items[i].term.atom->kind == ATOM_AXIS)
            add_pieces(splitter, &terms.items[i]);
}

// ---- plans

static void add_plan(Splitter *splitter, const SplitPlan *before, const Piece *piece,
                     int64_t length)
{
    SplitPlan plan = *before;
    int64_t parts = ceil_div(piece->size, length);
    if (parts > MOST_COMMANDS / plan.commands)
        return;
    plan.digits[plan.count] = (Narrowing){piece->term, piece->size, 0, length};
    plan.parts[plan.count++] = parts;
    plan.commands *= parts;
    plan.order = splitter->plans.count; // those of fewer digits come first
    *array_push(splitter->verify->arena, &splitter->plans, SplitPlan) = plan;
}

// One value a command, or for long loops as many as one entry or two can count.
static void add_plans_of(Splitter *splitter, const SplitPlan *before, const Piece *piece)
{
    int64_t most = splitter->verify->machine->sequencer_iterations, twice;
    add_plan(splitter, before, piece, 1);
    if (piece->size <= most)
        return;
    if (checked_mul(most, min_i64(most, (piece->size - 1) / most), &twice) && twice > most)
        add_plan(splitter, before, piece, twice);
    add_plan(splitter, before, piece, most);
}

static bool has_piece(const SplitPlan *plan, const Piece *piece)
{
    for (int32_t i = 0; i < plan->count; i++)
        if (atom_equal(plan->digits[i].term.atom, piece->term.atom) &&
            plan->digits[i].term.stride == piece->term.stride)
            return true;
    return false;
}

static int by_commands(const void *a, const void *b)
{
    const SplitPlan *x = a, *y = b;
    return compare_by(compare_i64(x->commands, y->commands), compare_i64(x->order, y->order));
}

// All plans of one more digit than those from `from` on.
static void extend_plans(Splitter *splitter, int64_t from, int64_t to)
{
    for (int64_t i = from; i < to; i++) {
        int64_t next = 0;
        for (int64_t k = 0; k < splitter->pieces.count; k++)
            if (has_piece(&splitter->plans.items[i], &splitter->pieces.items[k]))
                next = k + 1;
        for (int64_t k = next; k < splitter->pieces.count; k++) {
            SplitPlan before = splitter->plans.items[i];
            if (splitter->plans.count < MOST_TRIALS)
                add_plans_of(splitter, &before, &splitter->pieces.items[k]);
        }
    }
}

static void find_plans(Splitter *splitter)
{
    *array_push(splitter->verify->arena, &splitter->plans, SplitPlan) = (SplitPlan){.commands = 1};
    for (int64_t from = 0, digits = 0; digits < SPLIT_DIGITS; digits++) {
        int64_t to = splitter->plans.count;
        extend_plans(splitter, from, to);
        from = to;
    }
    qsort(splitter->plans.items, (size_t)splitter->plans.count, sizeof(SplitPlan), by_commands);
}

Narrowing split_digit(const SplitPlan *plan, int32_t which, int64_t number)
{
    Narrowing digit = plan->digits[which];
    for (int32_t i = plan->count - 1; i > which; i--)
        number /= plan->parts[i];
    digit.start = number % plan->parts[which] * digit.length;
    digit.length = min_i64(digit.length, digit.size - digit.start);
    return digit;
}

const Pass *split_part(Narrower *narrower, const Pass *pass, const SplitPlan *plan, int64_t number)
{
    for (int32_t i = 0; i < plan->count && pass; i++) {
        Narrowing digit = split_digit(plan, i, number);
        pass = narrow_pass(narrower, pass, &digit);
    }
    return pass;
}

// ---- which of them are right

// Wide reads start on whole rows of both bank columns.
// Manual: TRF Sequencer, TRF Read Mechanism.
static bool reads_aligned(const Verify *verify, const Pass *pass)
{
    for (int64_t i = 0; i < pass->stages.count; i++) {
        const Stage *stage = pass->stages.items[i];
        const Machine *machine = verify->machine;
        if (stage->kind != STAGE_ALIGN)
            continue;
        const AlignPlan *plan = align_plan(verify->arena, machine, stage);
        if (plan->is_read && plan->read_bytes == machine->mac_bytes &&
            stage->trf->address.value % machine->trf_wide_read_align_bytes)
            return false;
    }
    return true;
}

// The rules about every stage; a load of TRF is one of flits, and what they hold was asked before.
static bool is_right(const Verify *verify, const Pass *pass, Str *reason)
{
    DiagList found = {.arena = verify->arena, .treatments = verify->diags->treatments};
    Verify quiet = *verify;
    quiet.diags = &found;
    quiet.kept = verify->arena;
    for (int64_t i = 0; i < pass->stages.count && !found.error_count; i++) {
        Stage *stage = pass->stages.items[i];
        stage->facts = arena_new(verify->arena, StageFacts, 1);
        stage->facts->machine = verify->machine;
        if (stage->kind != STAGE_TO_TRF)
            stage_verify(&quiet, pass, stage);
    }
    for (int64_t i = 0; i < found.count; i++)
        if (found.items[i]->severity == SEVERITY_ERROR) {
            *reason = str_format(verify->arena, "even then {}", found.items[i]->message);
            return false;
        }
    *reason = STR("a read of TRF would start inside a row");
    return reads_aligned(verify, pass);
}

// The first part, the second, which tells how far apart they are, and the last, which may be
// shorter.
static bool plan_is_right(const Splitter *splitter, const SplitPlan *plan, Str *reason)
{
    int64_t second = 0;
    for (int32_t i = 0; i < plan->count; i++)
        second = second * plan->parts[i] + min_i64(1, plan->parts[i] - 1);
    int64_t numbers[] = {0, second, plan->commands - 1};
    for (size_t i = 0; i < COUNT_OF(numbers); i++) {
        Narrower narrower = {splitter->verify->arena, splitter->verify->machine, {0}};
        const Pass *part = split_part(&narrower, splitter->pass, plan, numbers[i]);
        *reason = narrower.reason;
        if (!part || !is_right(splitter->verify, part, reason))
            return false;
    }
    return true;
}

static void note_reason(Splitter *splitter, const SplitPlan *plan, Str reason)
{
    for (int64_t i = 0; i < splitter->pieces.count; i++)
        if (plan->count == 1 && has_piece(plan, &splitter->pieces.items[i]))
            splitter->pieces.items[i].reason = reason;
}

static bool try_plans(Splitter *splitter, SplitPlan *found)
{
    for (int64_t i = 1; i < splitter->plans.count; i++) {
        const SplitPlan *plan = &splitter->plans.items[i];
        Str reason;
        if (plan_is_right(splitter, plan, &reason)) {
            *found = *plan;
            return true;
        }
        note_reason(splitter, plan, reason);
    }
    return false;
}

// ---- limits

static bool has_limits(StageKind kind)
{
    return kind == STAGE_FETCH || kind == STAGE_ALIGN || kind == STAGE_COMMIT ||
           kind == STAGE_COMMIT_VIEW;
}

// As the rules left them with the stages; of stages that they have not seen they are asked now.
static void find_limits(const Verify *verify, const Pass *pass, DiagList *limits)
{
    for (int64_t i = 0; i < pass->stages.count; i++) {
        const Stage *stage = pass->stages.items[i];
        const StageFacts *facts = stage_facts(stage, verify->machine);
        DiagList found = {.arena = verify->arena, .treatments = verify->diags->treatments};
        Verify quiet = *verify;
        quiet.diags = &found;
        if (!facts && has_limits(stage->kind))
            stage_verify(&quiet, pass, stage);
        const DiagList *known = facts ? &facts->limits : &found;
        for (int64_t k = 0; k < known->count; k++)
            if (known->items[k]->of_command)
                report_as_is(limits, known->items[k]);
    }
}

static const Stage *last_stage(const Pass *pass)
{
    return pass->stages.items[pass->stages.count - 1];
}

// What was found when the pass ended, in the arena of the program as the digits are. Which parts of
// a tile are right may depend on where it starts, which chains of stages are not told apart by.
static void keep_plan(const Verify *verify, const Pass *pass, const SplitPlan *plan)
{
    Arena *arena = stage_arena(verify, last_stage(pass));
    if (arena && (plan->commands == 1 || !pass_has_tiles(pass)))
        last_stage(pass)->facts->split = arena_copy(arena, plan, sizeof *plan);
}

static const SplitPlan *known_plan(const Verify *verify, const Pass *pass)
{
    const StageFacts *facts = stage_facts(last_stage(pass), verify->machine);
    return facts ? facts->split : NULL;
}

static void explain_limit(const Splitter *splitter, Diag *limit)
{
    int64_t reasons = 0;
    for (int64_t i = 0; i < splitter->pieces.count && reasons < MOST_REASONS; i++) {
        const Piece *piece = &splitter->pieces.items[i];
        Str text = shape_term_text(splitter->verify->arena, &piece->term, piece->size);
        reasons++;
        if (piece->reason.len)
            diag_note(limit, SPAN_NOWHERE, "no command for each `{}`: {}", text, piece->reason);
        else
            diag_note(limit, SPAN_NOWHERE,
                      "no command for each `{}`: there would be {}, at most {}", text, piece->size,
                      MOST_COMMANDS);
    }
    if (!reasons)
        diag_note(limit, SPAN_NOWHERE,
                  "several commands cannot share the work: no axis goes through Time whole");
}

bool split_find(const Verify *verify, const Pass *pass, DiagList *limits, SplitPlan *plan)
{
    Splitter splitter = {.verify = verify, .pass = pass};
    const SplitPlan *known = known_plan(verify, pass);
    *plan = known ? *known : (SplitPlan){.commands = 1};
    if (known)
        return true;
    find_limits(verify, pass, limits);
    if (!limits->count)
        return true;
    find_pieces(&splitter);
    find_plans(&splitter);
    if (try_plans(&splitter, plan))
        return true;
    for (int64_t i = 0; i < limits->count; i++)
        explain_limit(&splitter, limits->items[i]);
    return false;
}

// Warns of a pass that one command cannot walk, for the reason in `limit`.
static void warn_of_commands(const Verify *verify, const Pass *pass, const Diag *limit,
                             const SplitPlan *plan)
{
    Diag *diag = diag_add(verify->diags, DIAG_PASS_COMMANDS, report_at(limit->span, pass->span),
                          "this pass takes {} commands: {}", plan->commands, limit->message);
    diag_copy_notes(diag, limit);
    StrBuf axes = {.arena = verify->arena};
    for (int32_t i = 0; i < plan->count; i++) {
        const Narrowing *digit = &plan->digits[i];
        buf_format(&axes, "{}`{}`", i ? ", " : "",
                   shape_term_text(verify->arena, &digit->term, digit->size));
    }
    diag_note(diag, SPAN_NOWHERE, "each command walks a part of {}", buf_str(&axes));
    diag_copy_helps(diag, limit);
}

void split_verify(const Verify *verify, const Pass *pass)
{
    DiagList limits = {.arena = verify->arena};
    SplitPlan plan;
    if (split_find(verify, pass, &limits, &plan)) {
        keep_plan(verify, pass, &plan);
        if (limits.count)
            warn_of_commands(verify, pass, limits.items[0], &plan);
        return;
    }
    for (int64_t i = 0; i < limits.count; i++)
        report_as_is(verify->diags, limits.items[i]);
}

// ---- padding

const Pass *split_padding(const Verify *verify, const Pass *pass)
{
    Narrower narrower = {verify->arena, verify->machine, {0}};
    const View *target = pass->stages.items[pass->stages.count - 1]->target;
    const Pass *shorter = target && target->tiles.count ? narrow_padding(&narrower, pass) : NULL;
    Str reason;
    return shorter && is_right(verify, shorter, &reason) ? shorter : pass;
}
