// What verification leaves with a stage is what lowering uses, and equal chains share it.
#include "../program/program_support.h"

#include "engine/stream/stream.h"

static const char two_passes[] = "program p\n"
                                 "axis A = 8192\n"
                                 "%0 = param dm i8 chip [1] cluster [1 # 2] slice [A / 32] "
                                 "element [A % 32] at 0x0\n"
                                 "pass main\n"
                                 "  begin %0\n"
                                 "  fetch i8 time [1] packet [A % 32]\n"
                                 "  collect time [1] packet [A % 32]\n"
                                 "  commit -> %1 = dm element [A % 32] at 0x1000\n"
                                 "pass main\n"
                                 "  begin %0\n"
                                 "  fetch i8 time [1] packet [A % 32]\n"
                                 "  collect time [1] packet [A % 32]\n"
                                 "  commit -> %2 = dm element [A % 32] at 0x2000\n"
                                 "return %2\n"
                                 "end\n";

static int64_t asked; // stages

static void count_stage(const Verify *verify, const Pass *pass, const Stage *stage)
{
    asked++;
    engine_rules.stage(verify, pass, stage);
}

static const Stage *stage_of(const Pass *pass, StageKind kind)
{
    const Stage *stage = pass_stage(pass, kind);
    assert_non_null(stage);
    return stage;
}

TEST(equal_chains_share_what_was_derived)
{
    Rules rules = engine_rules;
    rules.stage = count_stage;
    Desk *desk = desk_new(&rules);
    const Program *program = desk_program(desk, str_from(two_passes));
    const Pass *first = program->ops.items[0]->pass, *second = program->ops.items[1]->pass;
    const Stage *fetch = stage_of(first, STAGE_FETCH), *again = stage_of(second, STAGE_FETCH);
    Machine other = machine_rngd;
    Arena arena = {0};
    DiagList diags = {.arena = &arena};
    assert_int_equal(asked, 4);
    assert_non_null(fetch->facts->derived);
    assert_ptr_equal(fetch->facts, again->facts);
    assert_ptr_equal(fetch_sequence(&arena, &machine_rngd, first, fetch, &diags),
                     fetch->facts->derived);
    other.sequencer_entries--;
    assert_ptr_not_equal(fetch_sequence(&arena, &other, first, fetch, &diags),
                         fetch->facts->derived);
    arena_release(&arena);
    desk_free(desk);
}
