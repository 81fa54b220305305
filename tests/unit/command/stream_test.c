// Every pass of the examples and of the programs that are right: what the records of the Fetch,
// Switch and Commit Engine touch are the cells of the mappings, nothing missing, nothing twice,
// nothing outside.
#include "shrink.h"
#include "stream_support.h"

#include "api/state.h"
// A loop of a kernel makes the same passes many times: a few of each are enough, and one for
// sanitizers.
static int64_t most_repeats(void)
{
    return max_i64(1, (int64_t)(6 * test_scale()));
}

typedef struct {
    const Pass *pass;
    int64_t repeats;
} Seen;

typedef struct {
    ARRAY(Seen);
} SeenList;

static bool is_same(const Pass *a, const Pass *b)
{
    if (a->stages.count != b->stages.count)
        return false;
    for (int64_t i = 0; i < a->stages.count; i++)
        for (Level level = 0; level < LEVEL_COUNT; level++)
            if (a->stages.items[i]->dims[level] != b->stages.items[i]->dims[level])
                return false;
    return true;
}

static bool is_seen_enough(Arena *arena, SeenList *list, const Pass *pass)
{
    for (int64_t i = 0; i < list->count; i++)
        if (is_same(list->items[i].pass, pass))
            return ++list->items[i].repeats > most_repeats();
    *array_push(arena, list, Seen) = (Seen){pass, 1};
    return false;
}

static void compare_program(Compare *c, Contra *contra, const Program *program)
{
    DiagList diags = {.arena = &c->arena};
    Arena seen_arena = {0};
    SeenList seen = {0};
    c->name = program->name;
    c->lower = (Lower){.arena = &c->arena,
                       .scratch = &c->arena,
                       .diags = &diags,
                       .machine = &contra->machine,
                       .program = program};
    for (int64_t i = 0; i < program->ops.count; i++) {
        const Pass *pass = program->ops.items[i]->pass;
        if (pass && !is_seen_enough(&seen_arena, &seen, pass))
            compare_pass(c, pass);
    }
    arena_release(&seen_arena);
    for (int64_t i = 0; i < program->open.count; i++)
        compare_pass(c, program->open.items[i]);
    assert_int_equal(diags.count, 0);
    arena_clear(&c->arena);
}

static void compare_folder(const char *path, const char *relax)
{
    Contra *contra = contra_new();
    Compare c = {0};
    ContraCheckOptions options = contra_check_options();
    options.relax = contra_text(relax);
    ContraCheckResult result = contra_check_result();
    ContraText paths[] = {contra_text(path)};
    contra_check(contra, paths, 1, &options, &result);
    for (int64_t i = 0; i < contra->programs.count; i++)
        compare_program(&c, contra, contra->programs.items[i]);
    print_message("%s: %" PRId64 " passes, %" PRId64 " fetches, %" PRId64 " switches, %" PRId64
                  " commits, %" PRId64 " masks, %" PRId64 " of commits, %" PRId64 " passes split\n",
                  path, c.passes, c.fetches, c.switches, c.commits, c.masks, c.commit_masks,
                  c.split);
    assert_true(c.passes > 0);
    arena_release(&c.arena);
    arena_release(&c.scratch);
    contra_free(contra);
}

TEST(examples_meet_their_cells)
{
    compare_folder("examples", "");
}

TEST(kernels_meet_their_cells)
{
    compare_folder("tests/kernels", "");
}

TEST(programs_meet_their_cells)
{
    compare_folder("tests/positive", "");
}
