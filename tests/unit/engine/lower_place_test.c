// Addresses for tensors that have none.
#include "../program/program_support.h"
#include "engine/engine.h"
#include "engine/lower/lower.h"
#include "engine/memory/access.h"

#define AXES "axis S = 256\naxis A = 8\naxis H = 1024\naxis G = 512\n"
#define DIMS "chip [1] cluster [1 # 2] slice [S] element "

typedef struct {
    Desk *desk;
    Program *program;
} Placed;

static bool place(Placed *placed, const char *body)
{
    Desk *desk = placed->desk = desk_new(&engine_rules);
    StrBuf text = {.arena = &desk->arena};
    buf_format(&text, "program p chip=1\n" AXES "{}end\n", body);
    Arena *scratch = arena_new(&desk->arena, Arena, 1);
    desk_program(desk, buf_str(&text));
    placed->program = desk->programs.items[0];
    Lower lower = {&desk->arena, scratch, &desk->diags, &machine_rngd, placed->program};
    bool ok = lower_place(&lower, placed->program);
    assert_int_equal(ok, desk->diags.error_count == 0);
    arena_release(scratch);
    return ok;
}

static int64_t address_of(const Placed *placed, int64_t tensor)
{
    const Tensor *found = placed->program->tensors.items[tensor];
    assert_true(found->address.known);
    return found->address.value;
}

TEST(arguments_lie_beside_each_other)
{
    Placed placed;
    assert_true(place(&placed, "%0 = param hbm i8 chip [1] element [S, A] at ?\n"
                               "%1 = param hbm i8 chip [1] element [S, A] at ?\n"
                               "%2 = param hbm i8 chip [1] element [S, A] at 0x800\n"
                               "%3 = param hbm i8 chip [1] element [A] at ?\n"));
    assert_int_equal(address_of(&placed, 0), 0);
    assert_int_equal(address_of(&placed, 1), 0x1000);
    assert_int_equal(address_of(&placed, 2), 0x800);
    assert_int_equal(address_of(&placed, 3), 0x1800);
    desk_free(placed.desk);
}

// What is not in use at the same time may share its place; what is said to lie somewhere stays.
TEST(results_get_what_is_free_while_they_live)
{
    Placed placed;
    assert_true(place(&placed,
                      "%0 = param hbm i8 chip [1] element [S, A] at 0x0\n"
                      "tdma to_dm %0 -> %1 = dm cluster [1 # 2] slice [S] element [A] at ?\n"
                      "tdma to_hbm %1 -> %2 = hbm element [S, A] at 0x10000\n"
                      "tdma to_dm %2 -> %3 = dm cluster [1 # 2] slice [S] element [A] at ?\n"
                      "tdma to_dm %2 -> %4 = dm cluster [1 # 2] slice [S] element [A] at ?\n"
                      "tdma to_hbm %3 -> %5 = hbm element [S, A] at 0x20000\n"
                      "tdma to_hbm %4 -> %6 = hbm element [S, A] at 0x30000\n"
                      "return %5, %6\n"));
    assert_int_equal(address_of(&placed, 1), 0);
    assert_int_equal(address_of(&placed, 3), 0);
    assert_int_equal(address_of(&placed, 4), 128);
    desk_free(placed.desk);
}

TEST(a_full_memory_is_reported)
{
    Placed placed;
    assert_false(place(&placed, "%0 = param dm i8 " DIMS "[H, G] at 0x0\n"
                                "%1 = param dm i8 " DIMS "[A] at ?\n"));
    assert_int_equal(placed.desk->diags.items[0]->code, DIAG_COMPILE_NO_ROOM);
    desk_free(placed.desk);
}

TEST(somewhere_unknown_is_reported)
{
    Placed placed;
    assert_false(place(&placed, "%0 = from_addr hbm i8 chip [1] element [S, A] at ?\n"));
    assert_int_equal(placed.desk->diags.items[0]->code, DIAG_COMPILE_ADDRESS);
    desk_free(placed.desk);
}
