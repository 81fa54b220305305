// The replacements that switch offers. Its rules are tested by tests/rules/switch.case.
#include "stream_support.h"

typedef struct {
    SwitchConfig config;
    const char *out_slice, *out_time;
    const char *help; // is in what is said
} Row;

static void run(Chain *c, const Row *row)
{
    chain_open(c, "A=8,B=64,C=256,D=64", RULES_CONTRA, CONTEXT_MAIN);
    chain_input(c, POSITION_FETCH, (Shape){.slice = "C", .time = "A", .packet = "1 # 8"});
    chain_add(c, (Stage){.kind = STAGE_SWITCH, .config = row->config},
              (Shape){.slice = row->out_slice, .time = row->out_time});
}

TEST(helps)
{
    static const Row rows[] = {
        {{SWITCH_BROADCAST01, 2, 2, 2, 0},
         "C / 4, D % 4",
         "A, C % 4",
         "write Time as `m![A / 2, C / 2 % 2, A % 2, C % 2]`"},
        {{SWITCH_BROADCAST01, 2, 2, 2, 0},
         "C / 4, D % 4",
         "A, C % 4",
         "configure `Broadcast01 { slice1: 1, slice0: 4, time0: 1 }`"},
        {{SWITCH_BROADCAST1, 4, 8, 0, 0},
         "C / 16, 1 # 4, C % 4",
         "A, C / 4 % 4",
         "configure `Broadcast1 { slice1: 4, slice0: 4 }`"},
        {{SWITCH_TRANSPOSE, 32, 2, 0, 0}, "C", "A", "makes Slice `m![C / 64, C % 2, C / 2 % 32]`"},
        {{SWITCH_BROADCAST1, 4, 4, 0, 0},
         "C / 64, 1 # 4, C % 16",
         "A, C / 4 % 4",
         "makes Slice `m![C / 16, 1 # 4, C % 4]`; a new axis"},
        {{SWITCH_CUSTOM_BROADCAST, 0, 0, 0, 8}, "C / 4, D % 4", "A, C % 4", "ring_size: 4"},
        {{SWITCH_CUSTOM_BROADCAST, 0, 0, 0, 4},
         "C / 4, D % 4",
         "C % 4, A",
         "write Time as `m![A, C % 4]`"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        Chain c;
        run(&c, &rows[i]);
        if (!strstr(chain_text(&c), rows[i].help))
            fail_msg("row %zu: no \"%s\" in\n%s", i, rows[i].help, chain_text(&c));
        chain_close(&c);
    }
}
