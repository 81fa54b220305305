#include "shrink.h"

#include "base/checked.h"
#include "test.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

double test_scale(void)
{
    const char *text = getenv("CONTRA_TEST_SCALE");
    double scale = text ? strtod(text, NULL) : 1.0;
    return scale > 0 ? scale : 1.0;
}

int64_t test_share(int64_t count)
{
    double share = test_scale() * 4;
    return share >= 1 ? count : max_i64(1, (int64_t)((double)count * share));
}

uint64_t test_seed(void)
{
    const char *text = getenv("CONTRA_TEST_SEED");
    return text ? strtoull(text, NULL, 10) : 1;
}

// ---- a crash breaks a law like anything else, and is made smaller like anything else

enum { MOST_SECONDS = 20 };

static sigjmp_buf crash_target;
static volatile sig_atomic_t crash_expected;
static const int crash_signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM};

static void on_crash(int signal_number)
{
    if (crash_expected)
        siglongjmp(crash_target, signal_number);
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

typedef struct {
    struct sigaction old[COUNT_OF(crash_signals)];
    stack_t old_stack;
    void *stack;
} Guard;

static void guard_start(Guard *guard)
{
    enum { STACK_BYTES = 256 * 1024 }; // of its own: the usual one may be what ran out
    struct sigaction action = {.sa_handler = on_crash, .sa_flags = SA_ONSTACK | SA_NODEFER};
    guard->stack = malloc(STACK_BYTES);
    stack_t stack = {.ss_sp = guard->stack, .ss_size = STACK_BYTES};
    sigaltstack(&stack, &guard->old_stack);
    for (size_t i = 0; i < COUNT_OF(crash_signals); i++)
        sigaction(crash_signals[i], &action, &guard->old[i]);
}

static void guard_end(Guard *guard)
{
    for (size_t i = 0; i < COUNT_OF(crash_signals); i++)
        sigaction(crash_signals[i], &guard->old[i], NULL);
    sigaltstack(&guard->old_stack, NULL);
    free(guard->stack);
}

// Tells what is wrong, a crash too; the result is that of failure_of.
static int try_law(const Law *law, const Sample *sample, StrBuf *why)
{
    int crashed = sigsetjmp(crash_target, 1);
    if (crashed) {
        crash_expected = 0;
        alarm(0);
        buf_format(why, "{}: {}", crashed == SIGALRM ? "no end" : "crash", strsignal(crashed));
        return crashed;
    }
    crash_expected = 1;
    alarm(MOST_SECONDS);
    bool holds = law->holds(sample, why);
    alarm(0);
    crash_expected = 0;
    return holds ? 0 : -1;
}

// 0: the law holds. Otherwise how it broke: -1, or the signal of a crash.
static int failure_of(const Law *law, const Sample *sample)
{
    ArenaMark mark = arena_mark(sample->scratch);
    StrBuf why = {.arena = sample->scratch};
    int failure = try_law(law, sample, &why);
    arena_reset(sample->scratch, mark);
    return failure;
}

// A law, and the way it is broken: shrinking must not wander off to another one.
typedef struct {
    const Law *law;
    int failure;
} Shrinker;

static bool breaks(const Shrinker *shrinker, const Sample *sample)
{
    return failure_of(shrinker->law, sample) == shrinker->failure;
}

// ---- candidates: each is simpler than the sample it comes from

// Takes the candidate if it is valid and breaks the law, too.
static bool try_expr(const Shrinker *shrinker, Sample *sample, int64_t which, const Expr *candidate)
{
    if (candidate->kind == EXPR_POISON)
        return false;
    Sample next = *sample;
    next.exprs[which] = candidate;
    if (!breaks(shrinker, &next))
        return false;
    *sample = next;
    return true;
}

static bool try_node(const Shrinker *shrinker, Sample *sample, int64_t which, int64_t at,
                     const Expr *by)
{
    const Expr *candidate = tree_replace(sample->diags, sample->exprs[which], at, by);
    return try_expr(shrinker, sample, which, candidate);
}

static bool drop_items(const Shrinker *shrinker, Sample *sample, int64_t which, int64_t at)
{
    const Expr *node = tree_node(sample->exprs[which], at);
    for (int64_t drop = 0; node->items && node->count > 1 && drop < node->count; drop++) {
        ExprList items = {0};
        for (int64_t i = 0; i < node->count; i++)
            *array_push(sample->arena, &items, const Expr *) = i == drop ? NULL : node->items[i];
        const Expr *by = tree_with_children(sample->diags, node, &items);
        if (try_node(shrinker, sample, which, at, by))
            return true;
    }
    return false;
}

static bool lower_number(const Shrinker *shrinker, Sample *sample, int64_t which, int64_t at)
{
    const Expr *node = tree_node(sample->exprs[which], at);
    if (!node->inner || node->kind == EXPR_LIST)
        return false;
    for (int64_t n = 0; n < node->number; n = n < 64 ? n + 1 : n * 2)
        if (try_node(shrinker, sample, which, at, tree_with_number(sample->diags, node, n)))
            return true;
    return false;
}

static bool simplify_node(const Shrinker *shrinker, Sample *sample, int64_t which, int64_t at)
{
    const Expr *node = tree_node(sample->exprs[which], at);
    const Expr *one = expr_identity(sample->diags, SPAN_NOWHERE);
    if (node->kind != EXPR_IDENTITY && try_node(shrinker, sample, which, at, one))
        return true;
    for (int64_t k = 0; tree_child(node, k); k++)
        if (try_node(shrinker, sample, which, at, tree_child(node, k)))
            return true;
    return drop_items(shrinker, sample, which, at) || lower_number(shrinker, sample, which, at);
}

static bool simplify_exprs(const Shrinker *shrinker, Sample *sample)
{
    for (int64_t which = 0; which < sample->expr_count; which++)
        for (int64_t at = 0; at < tree_count(sample->exprs[which]); at++)
            if (simplify_node(shrinker, sample, which, at))
                return true;
    return false;
}

static const Atom *resized_atom(const Sample *sample, const Atom *atom, int64_t size,
                                const Atom *const *atoms)
{
    if (atom->kind == ATOM_AXIS)
        return atom_axis(sample->arena, atom->name, size);
    Atom *skew = arena_new(sample->arena, Atom, 1); // A' = A - B: the first two
    const Atom **other = arena_new(sample->arena, const Atom *, 1);
    *other = atoms[1];
    *skew = *atom;
    skew->base = atoms[0];
    skew->size = atoms[0]->size;
    skew->others = other;
    return skew;
}

static bool with_axis_size(const Shrinker *shrinker, Sample *sample, int64_t axis, int64_t size)
{
    Sample next = *sample;
    for (int64_t i = 0; i < next.atom_count; i++)
        next.atoms[i] = resized_atom(sample, sample->atoms[i],
                                     i == axis ? size : sample->atoms[i]->size, next.atoms);
    for (int64_t i = 0; i < next.expr_count; i++) {
        next.exprs[i] =
            tree_with_atoms(sample->diags, sample->exprs[i], next.atoms, next.atom_count);
        if (next.exprs[i]->kind == EXPR_POISON)
            return false;
    }
    if (!breaks(shrinker, &next))
        return false;
    *sample = next;
    return true;
}

static bool simplify_axes(const Shrinker *shrinker, Sample *sample)
{
    for (int64_t axis = 0; axis < sample->atom_count; axis++)
        for (int64_t size = 1;
             sample->atoms[axis]->kind == ATOM_AXIS && size < sample->atoms[axis]->size;
             size = size < 64 ? size + 1 : size * 2)
            if (with_axis_size(shrinker, sample, axis, size))
                return true;
    return false;
}

static bool simplify_number(const Shrinker *shrinker, Sample *sample)
{
    for (int64_t n = 0; n < sample->number; n++) {
        Sample next = *sample;
        next.number = n;
        if (breaks(shrinker, &next)) {
            *sample = next;
            return true;
        }
    }
    return false;
}

Sample law_shrink(const Law *law, const Sample *sample)
{
    Sample smallest = *sample;
    Guard guard;
    guard_start(&guard);
    Shrinker shrinker = {law, failure_of(law, sample)};
    while (simplify_exprs(&shrinker, &smallest) || simplify_axes(&shrinker, &smallest) ||
           simplify_number(&shrinker, &smallest))
        ;
    guard_end(&guard);
    return smallest;
}

// ---- telling

// Axes that no expression names are of no interest.
static bool is_named(const Sample *sample, const Atom *atom)
{
    for (int64_t i = 0; i < sample->expr_count; i++) {
        for (int64_t k = 0; k < tree_count(sample->exprs[i]); k++) {
            const Atom *used = tree_node(sample->exprs[i], k)->atom;
            if (used && (strcmp(used->name, atom->name) == 0 ||
                         (used->base && (used->base == atom || used->others[0] == atom))))
                return true;
        }
    }
    return false;
}

// As an argument of a shell.
static Str quoted(Arena *arena, const Expr *expr)
{
    Str text = expr_text(arena, expr);
    StrBuf buf = {.arena = arena};
    buf_add_char(&buf, '\'');
    for (int64_t i = 0; i < text.len; i++) {
        if (text.data[i] == '\'')
            buf_add(&buf, STR("'\\'"));
        buf_add_char(&buf, text.data[i]);
    }
    buf_add_char(&buf, '\'');
    return buf_str(&buf);
}

Str law_report(Arena *arena, const Law *law, const Sample *sample)
{
    StrBuf buf = {.arena = arena};
    Sample named = *sample;
    named.atom_count = 0;
    for (int64_t i = 0; i < sample->atom_count; i++)
        if (is_named(sample, sample->atoms[i]))
            named.atoms[named.atom_count++] = sample->atoms[i];
    Str axes = sample_axes_text(arena, &named);
    buf_format(&buf, "{}\n  contra map {} --axes \"{}\" {}", law->name,
               quoted(arena, sample->exprs[0]), axes, law->question ? law->question : "--cells");
    if (sample->expr_count > 1)
        buf_format(&buf, " {}", quoted(arena, sample->exprs[1]));
    if (law->question && sample->number) {
        bool tile = strcmp(law->question, "--tile") == 0;
        const char *option = sample->expr_count == 1 ? "" : tile ? " --len" : " --span";
        buf_format(&buf, "{} {}", option, sample->number);
    }
    buf_add(&buf, STR("\n  "));
    Guard guard;
    guard_start(&guard);
    try_law(law, sample, &buf);
    guard_end(&guard);
    return buf_str(&buf);
}

void law_check(const Law *law)
{
    Rng rng = {test_seed()};
    int64_t cases = (int64_t)((double)law->cases * test_scale());
    Arena arena = {0}, scratch = {0};
    arena_alloc(&arena, 1, 1, 1); // keeps a block from case to case
    arena_alloc(&scratch, 1, 1, 1);
    ArenaMark empty = arena_mark(&arena), clean = arena_mark(&scratch);
    struct timespec start, end;
    Guard guard;
    guard_start(&guard);
    clock_gettime(CLOCK_MONOTONIC, &start);
    bool failed = false;
    for (int64_t i = 0; i < cases && !failed; i++) {
        DiagList diags = {.arena = &arena};
        Sample sample = {.arena = &arena, .scratch = &scratch, .diags = &diags};
        law->fill(&sample, &rng);
        failed = failure_of(law, &sample) != 0;
        if (failed) {
            Sample smallest = law_shrink(law, &sample);
            Str text = law_report(&arena, law, &smallest);
            print_error("case %" PRId64 " of seed %" PRIu64 ": %.*s\n", i, test_seed(),
                        STR_ARG(text));
        }
        arena_reset(&arena, empty);
        arena_reset(&scratch, clean);
    }
    guard_end(&guard);
    clock_gettime(CLOCK_MONOTONIC, &end);
    arena_release(&arena);
    arena_release(&scratch);
    if (failed)
        fail();
    print_message("%9" PRId64 " cases, %5.1f s: %s\n", cases,
                  (double)(end.tv_sec - start.tv_sec) +
                      (double)(end.tv_nsec - start.tv_nsec) * 1e-9,
                  law->name);
}
