#include "lang/eval/check.h"

#include "base/checked.h"
#include "lang/eval/kernel.h"
#include "lang/eval/trace_internal.h"
#include "lang/types/infer.h"

#include <stdlib.h>
#include <string.h>

// Kernels first: what they call is checked where it is called, with what it is called with.
typedef enum { ROUND_KERNELS, ROUND_HOST, ROUND_REST, ROUND_UNCALLED, ROUND_COUNT } Round;

static Round round_of(Decl *decl)
{
    return is_kernel(decl) ? ROUND_KERNELS : is_host_function(decl) ? ROUND_HOST : ROUND_REST;
}

static void check_function(Lang *lang, Builder *builder, Decl *decl, CheckResult *result)
{
    Program *program = trace_function(lang, builder, decl);
    result->functions++;
    result->kernels += is_kernel(decl);
    if (!program)
        return;
    result->operations += program->ops.count;
    *array_push(lang->arena, &result->programs, Program *) = program;
}

static void check_type(Lang *lang, Decl *decl)
{
    signature_of(lang, decl);
    for (int64_t i = 0; decl->kind == DECL_ENUM && i < decl->item->variants.count; i++)
        signature_of(lang, enum_variant(decl, decl->item->variants.items[i].name.text));
}

// One without a name is there for what it asserts, which is worked out though nobody asks for it.
static void check_constant(Lang *lang, Builder *builder, Decl *decl)
{
    if (!decl->item->constant.value)
        return;
    infer_constant(lang, decl, NULL);
    if (strcmp(decl->name, "_") == 0)
        trace_constant(lang, builder, decl);
}

// Declarations that no function uses are looked at, too.
static void check_types(Lang *lang, Builder *builder, const Module *module)
{
    for (int64_t i = 0; i < module->types.count; i++)
        check_type(lang, module->types.items[i]);
    for (int64_t i = 0; i < module->constants.count; i++)
        check_constant(lang, builder, module->constants.items[i]);
}

bool lang_assertions_hold(Lang *lang, Builder *builder, const Module *crate)
{
    bool hold = true;
    for (int64_t i = 0; i < lang->modules.count; i++) {
        const Module *module = lang->modules.items[i];
        for (int64_t k = 0; module->crate == crate && k < module->constants.count; k++)
            if (strcmp(module->constants.items[k]->name, "_") == 0)
                hold &= trace_constant(lang, builder, module->constants.items[k]);
    }
    return hold;
}

void lang_check_modules(Lang *lang, Builder *builder)
{
    while (lang->checked_modules < lang->modules.count) {
        Module *module = lang->modules.items[lang->checked_modules++];
        if (!module->is_block) // of a block they are checked when it is entered
            module_check_uses(lang, module);
        check_types(lang, builder, module);
    }
}

// ---- the order of diagnostics

static int compare_spans(const Span *a, const Span *b)
{
    return compare_by(compare_i64(a->source, b->source), compare_i64(a->start, b->start),
                      compare_i64(a->end, b->end));
}

typedef struct {
    Diag *diag;
    int64_t index;
} Ranked;

static int compare_ranked(const void *left, const void *right)
{
    const Ranked *a = left, *b = right;
    return compare_by(compare_spans(&a->diag->span, &b->diag->span),
                      compare_i64(a->index, b->index));
}

static bool same_diag(const Diag *a, const Diag *b)
{
    return a->code == b->code && compare_spans(&a->span, &b->span) == 0 &&
           (a->span.source >= 0 || str_equal(a->message, b->message));
}

// The declaration at fault, or else the place that the first help edits, if that is outside the
// diagnostic: it is the declaration of the name that was used.
static bool cause_of(const Diag *diag, Span *cause)
{
    *cause = diag->cause;
    if (cause->source >= 0)
        return true;
    if (!diag->helps.count || !diag->helps.items[0].edits.count)
        return false;
    *cause = diag->helps.items[0].edits.items[0].span;
    return cause->source >= 0 && !span_inside(*cause, diag->span);
}

// A diagnostic with a cause, and where it stands in the list.
typedef struct {
    Diag *diag;
    Span cause;
    int64_t index;
} Caused;

static int compare_causes(const Caused *a, const Caused *b)
{
    int order = compare_spans(&a->cause, &b->cause);
    if (order)
        return order;
    if (a->diag->code != b->diag->code)
        return a->diag->code < b->diag->code ? -1 : 1;
    if (a->diag->severity != b->diag->severity)
        return a->diag->severity < b->diag->severity ? -1 : 1;
    bool is_declared = a->diag->cause.source >= 0 && b->diag->cause.source >= 0;
    return is_declared ? 0 : str_compare(a->diag->message, b->diag->message);
}

static int compare_caused(const void *left, const void *right)
{
    const Caused *a = left, *b = right;
    return compare_by(compare_causes(a, b), compare_i64(a->index, b->index));
}

static void note_use(Diag *diag, const Diag *use)
{
    enum { MOST_USES = 3 };
    static const char more[] = "and in more places";
    int64_t uses = 0;
    for (int64_t i = 0; i < diag->notes.count; i++) {
        if (span_same(diag->notes.items[i].span, use->span))
            return;
        Str text = diag->notes.items[i].words.text;
        uses += str_starts_with(text, STR("and here")) || str_equal(text, str_from(more));
    }
    if (!uses && diag->cause.source >= 0)
        diag_note(diag, diag->cause, "declared here");
    bool is_same = str_equal(diag->label, use->label);
    if (uses < MOST_USES)
        diag_note(diag, use->span, "and here{}{}", is_same ? "" : ": ",
                  ((Str){use->label.data, is_same ? 0 : (int)use->label.len}));
    else if (uses == MOST_USES)
        diag_note(diag, SPAN_NOWHERE, "{}", more);
}

// Takes one out of the list, which keeps a hole in its place.
static void drop_diag(DiagList *diags, int64_t index)
{
    diags->error_count -= diags->items[index]->severity == SEVERITY_ERROR;
    diags->items[index] = NULL;
}

// What is wrong with a name is said where it is first used, and where else it is. Requires: sorted.
static void join_causes(Lang *lang, int64_t first)
{
    DiagList *diags = lang->diags;
    Caused *caused = arena_new(lang->arena, Caused, (size_t)(diags->count - first + 1));
    int64_t count = 0, kept = first;
    for (int64_t i = first; i < diags->count; i++) {
        caused[count] = (Caused){.diag = diags->items[i], .index = i};
        count += cause_of(diags->items[i], &caused[count].cause);
    }
    qsort(caused, (size_t)count, sizeof *caused, compare_caused);
    for (int64_t i = 1, said = 0; i < count; i++) {
        if (compare_causes(&caused[said], &caused[i]) != 0) {
            said = i;
            continue;
        }
        note_use(caused[said].diag, caused[i].diag);
        drop_diag(diags, caused[i].index);
    }
    for (int64_t i = first; i < diags->count; i++)
        if (diags->items[i])
            diags->items[kept++] = diags->items[i];
    diags->count = kept;
}

static int compare_messages(const void *left, const void *right)
{
    const Diag *a = *(Diag *const *)left, *b = *(Diag *const *)right;
    return compare_by(compare_i64(a->span.source, b->span.source),
                      str_compare(a->message, b->message));
}

static bool is_repeat(const Diag *diag, Severity severity)
{
    return diag->code == DIAG_FACTORS_OVERLAP && diag->severity == severity;
}

// Drops the warning about a mapping that repeats an axis if there is an error where it is used. The
// errors are sorted by file and message, and each warning is looked up among them.
static void drop_used_repeats(Lang *lang, int64_t first)
{
    DiagList *diags = lang->diags;
    size_t error_count = 0;
    int64_t kept = first;
    Diag **errors = arena_new(lang->arena, Diag *, (size_t)(diags->count - first + 1));
    for (int64_t i = first; i < diags->count; i++)
        if (is_repeat(diags->items[i], SEVERITY_ERROR))
            errors[error_count++] = diags->items[i];
    qsort(errors, error_count, sizeof *errors, compare_messages);
    for (int64_t i = first; i < diags->count; i++) {
        Diag *diag = diags->items[i];
        bool is_used = is_repeat(diag, SEVERITY_WARNING) &&
                       bsearch(&diag, errors, error_count, sizeof *errors, compare_messages);
        if (!is_used)
            diags->items[kept++] = diag;
    }
    diags->count = kept;
}

// Which of those in [first, end) says the same: it is among the last, which are at the same place.
static Diag **find_same(const DiagList *diags, int64_t first, int64_t end, const Diag *diag)
{
    for (int64_t i = end - 1; i >= first && compare_spans(&diags->items[i]->span, &diag->span) == 0;
         i--)
        if (same_diag(diags->items[i], diag))
            return &diags->items[i];
    return NULL;
}

static void sort_diags(Lang *lang, int64_t first)
{
    DiagList *diags = lang->diags;
    int64_t count = diags->count - first, kept = first;
    Ranked *ranked = arena_new(lang->arena, Ranked, (size_t)(count > 0 ? count : 1));
    for (int64_t i = 0; i < count; i++)
        ranked[i] = (Ranked){diags->items[first + i], i};
    qsort(ranked, (size_t)count, sizeof *ranked, compare_ranked);
    for (int64_t i = 0; i < count; i++) {
        Diag *diag = ranked[i].diag;
        Diag **said = find_same(diags, first, kept, diag);
        if (!said)
            diags->items[kept++] = diag;
        else if (diag->severity == SEVERITY_ERROR && (*said)->severity != SEVERITY_ERROR)
            *said = diag;
        else
            diags->error_count -= diag->severity == SEVERITY_ERROR;
    }
    diags->count = kept;
    drop_used_repeats(lang, first);
    join_causes(lang, first);
}

void lang_sort_diags(Lang *lang)
{
    sort_diags(lang, lang->checked_diags);
    lang->checked_diags = lang->diags->count;
}

static bool is_of_round(const Lang *lang, Decl *decl, Round round)
{
    if (round == ROUND_UNCALLED)
        return !map_get(&lang->called, decl);
    return round_of(decl) == round && !(round == ROUND_REST && map_get(&lang->called, decl));
}

static bool is_of_unfinished(const Lang *lang, const Diag *diag)
{
    if (diag->span.source < 0 || diag->span.source >= lang->unfinished.count)
        return false;
    const AstSpans *spans = &lang->unfinished.items[diag->span.source];
    int64_t low = 0, high = spans->count; // the first that begins behind it
    while (low < high) {
        int64_t middle = (low + high) / 2;
        if (spans->items[middle].start <= diag->span.start)
            low = middle + 1;
        else
            high = middle;
    }
    return low && span_inside(diag->span, spans->items[low - 1]);
}

// What is said of a statement that is not written to its end most likely follows from that.
static void drop_followers(Lang *lang, int64_t first)
{
    DiagList *diags = lang->diags;
    int64_t kept = first;
    if (!lang->has_unfinished)
        return;
    for (int64_t i = first; i < diags->count; i++) {
        Diag *diag = diags->items[i];
        bool follows = is_of_unfinished(lang, diag);
        diags->error_count -= follows && diag->severity == SEVERITY_ERROR;
        if (!follows)
            diags->items[kept++] = diag;
    }
    diags->count = kept;
}

// Generic functions have no meaning of their own, but their bodies have mistakes of their own.
static void check_in_round(Check *check, Decl *decl)
{
    int64_t before = check->lang->diags->count;
    if (check->is_known && check->is_known(check->own, decl))
        return;
    if (check->round == ROUND_UNCALLED)
        trace_uncalled(check->lang, decl);
    else
        check_function(check->lang, check->builder, decl, check->result);
    drop_followers(check->lang, before);
    if (check->learn)
        check->learn(check->own, decl, before);
}

bool lang_check_types(Lang *lang, Builder *builder)
{
    int64_t errors = lang->diags->error_count;
    lang_check_modules(lang, builder);
    for (int64_t i = 0; i < lang->functions.count && !diag_cancelled(lang->diags);
         i++) { // blocks may declare more
        Decl *decl = lang->functions.items[i];
        const Signature *signature = signature_of(lang, decl);
        Type **generics = arena_new(lang->arena, Type *, (size_t)signature->generic_count + 1);
        bool open = false; // over any context
        if (decl->item->function.body && choose_generics(lang, signature, generics, &open))
            body_of(lang, decl, generics);
    }
    return lang->diags->error_count == errors;
}

typedef struct {
    Lang *lang;
    Map seen;
    Decls queue;
} Reach;

static void reach(Reach *reach, Decl *decl)
{
    if (decl->kind != DECL_FN || decl->is_builtin || map_get(&reach->seen, decl) ||
        (!decl->item->function.body && is_trait_member(decl)))
        return;
    map_put(&reach->seen, decl, reach);
    *array_push(reach->lang->arena, &reach->queue, Decl *) = decl;
}

bool lang_check_reachable(Lang *lang, Decl *decl)
{
    Reach reached = {.lang = lang, .seen = {.arena = lang->arena}};
    bool sound = true;
    int64_t errors = lang->diags->error_count;
    reach(&reached, decl);
    for (int64_t i = 0; i < reached.queue.count; i++) {
        Decl *next = reached.queue.items[i];
        if (!check_function_form(lang, next)) {
            sound = false;
            continue;
        }
        const Signature *signature = signature_of(lang, next);
        Type **generics = arena_new(lang->arena, Type *, (size_t)signature->generic_count + 1);
        bool open = false; // over any context
        if (!next->item->function.body || !choose_generics(lang, signature, generics, &open))
            continue;
        Body *body = body_of(lang, next, generics);
        sound &= !body_recall(lang, body);
        for (int32_t k = 0; k < body->expr_count; k++)
            if (body->uses[k] && body->uses[k]->decl)
                reach(&reached, body->uses[k]->decl);
    }
    return sound && lang->diags->error_count == errors;
}

// Functions in blocks are declared while their block is looked at: then there is another turn.
static bool open_turn(Check *check)
{
    Lang *lang = check->lang;
    lang_check_modules(lang, check->builder);
    check->first = check->at = lang->checked_functions;
    check->count = lang->functions.count;
    check->round = ROUND_KERNELS;
    check->is_open = check->first < check->count;
    if (!check->is_open)
        lang_sort_diags(lang);
    return check->is_open;
}

bool lang_check_step(Check *check)
{
    Lang *lang = check->lang;
    if (!check->is_open && !open_turn(check))
        return false;
    for (; check->round < ROUND_COUNT; check->round++, check->at = check->first)
        while (check->at < check->count) {
            Decl *decl = lang->functions.items[check->at++];
            if (!is_of_round(lang, decl, (Round)check->round))
                continue;
            check_in_round(check, decl);
            return true;
        }
    lang->checked_functions = check->count;
    check->is_open = false;
    return true;
}

void lang_check(Lang *lang, Builder *builder, CheckResult *result)
{
    Check check = {.lang = lang, .builder = builder, .result = result};
    while (!diag_cancelled(lang->diags) && lang_check_step(&check))
        ;
}
