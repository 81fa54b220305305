// What the Transpose Engine and the Cast Engine are told: the manual's own figures, and a walk over
// every element that is compared with the cells of the mappings.
#include "../engine/stream_support.h"

#include "command/bank.h"
#include "lowered.h"
#include "mapping/cell.h"

typedef struct {
    const char *type, *time, *packet, *out_time, *out_packet;
    int64_t in_rows, packets_per_col, out_rows;
    bool double_buffering;
    int64_t cycles;
} Row;

// Manual: Transpose Engine, Examples: the first four.
static const Row rows[] = {
    {"i8", "C, D", "E # 32", "C, E", "D # 32", 8, 1, 8, true, 72},
    {"i8", "A", "B # 32", "B", "A # 32", 4, 1, 2, true, 6},
    {"i8", "B, C, F", "E # 32", "B, F, E", "C # 32", 8, 4, 32, false, 128},
    {"bf16", "C, F", "E # 16", "C, E", "F # 16", 4, 1, 8, true, 68},
    {"bf16", "C, F", "H # 16", "C, H # 8", "F # 16", 4, 1, 8, true, 68},
    {"bf16", "C, F", "H # 16", "C, H", "F # 16", 4, 1, 3, true, 35},
    {"i4", "G, B", "W # 64", "B, W", "G # 64", 16, 2, 32, false, 64},
    {"f32", "C, B", "E", "C, E", "B # 8", 2, 1, 8, true, 66},
    {"i8", "C, F", "E # 32", "F, E", "C # 32", 8, 4, 32, false, 64},
    {"i8", "H # 8, B", "E # 32", "B, E", "H # 32", 8, 2, 16, true, 32},
};

static const char axes[] = "A=4,B=2,C=8,D=8,E=8,F=4,G=16,H=3,W=16";

static const Stage *last_stage(const Chain *c)
{
    return c->pass->stages.items[c->pass->stages.count - 1];
}

static Cell cell_at(Chain *c, const Stage *stage, int64_t time, int64_t element)
{
    const Mapping *packet = &stage->dims[LEVEL_PACKET]->mapping;
    Mapping whole = mapping_pair(&c->arena, &stage->dims[LEVEL_TIME]->mapping, packet);
    return mapping_cell(&c->arena, &whole, time * packet->size + element);
}

// Every element of the matrix that is put out is the one that the records say.
static void walk_transpose(Chain *c, const HwTranspose *hw)
{
    const Stage *stage = last_stage(c);
    int64_t live = 0;
    for (int64_t n = 0; n < hw->iterations; n++)
        for (int64_t r = 0; r < hw->in_rows; r++)
            for (int64_t p = 0; p < hw->packets_per_col; p++)
                for (int64_t e = 0; e < hw->kept_per_packet; e++) {
                    Cell in = cell_at(c, stage->before,
                                      (n * hw->in_rows + r) * hw->packets_per_col + p, e);
                    Cell out = cell_at(c, stage, n * hw->out_rows + p * hw->kept_per_packet + e, r);
                    assert_true(cell_equal(&in, &out));
                    live += in.count;
                }
    int64_t data = 0;
    for (int64_t t = 0; t < stage->before->dims[LEVEL_TIME]->mapping.size; t++)
        for (int64_t e = 0; e < stage->before->dims[LEVEL_PACKET]->mapping.size; e++)
            data += cell_at(c, stage->before, t, e).count;
    assert_int_equal(live, data);
}

TEST(transposes)
{
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        Chain c;
        chain_open(&c, axes, RULES_CONTRA, CONTEXT_MAIN);
        chain_input(&c, POSITION_COLLECT,
                    (Shape){.type = rows[i].type, .time = rows[i].time, .packet = rows[i].packet});
        chain_add(&c, (Stage){.kind = STAGE_TRANSPOSE},
                  (Shape){.time = rows[i].out_time, .packet = rows[i].out_packet});
        chain_expect(&c, i, "");
        Lower lower = {&c.arena, &c.arena, &c.diags, &machine_rngd, NULL};
        HwTranspose hw = {0};
        assert_true(transpose_lower(&lower, NULL, last_stage(&c), &hw));
        assert_int_equal(hw.in_rows, rows[i].in_rows);
        assert_int_equal(hw.packets_per_col, rows[i].packets_per_col);
        assert_int_equal(hw.out_rows, rows[i].out_rows);
        assert_int_equal(hw.trimmed_rows, hw.in_cols - hw.out_rows);
        assert_int_equal(hw.double_buffering, rows[i].double_buffering);
        assert_int_equal(transpose_cycles(&hw), rows[i].cycles);
        walk_transpose(&c, &hw);
        chain_close(&c);
    }
}

// Manual: Cast Engine, Packet Transformation: 8 elements of 32 bits.
TEST(casts)
{
    static const struct {
        const char *from, *to, *packet, *out_packet;
        int64_t valid, bytes, pad;
    } casted[] = {
        {"f32", "bf16", "E", "E # 16", 8, 16, 16}, {"f32", "f8e4m3", "E", "E # 32", 8, 8, 24},
        {"i32", "i8", "E", "E # 32", 8, 8, 24},    {"i32", "i4", "E", "E # 64", 8, 4, 28},
        {"i32", "i16", "E", "E # 16", 8, 16, 16},  {"f32", "f16", "H # 8", "H # 16", 3, 16, 16},
    };
    for (size_t i = 0; i < COUNT_OF(casted); i++) {
        Chain c;
        chain_open(&c, axes, RULES_CONTRA, CONTEXT_MAIN);
        chain_input(&c, POSITION_ACCUMULATE,
                    (Shape){.type = casted[i].from, .time = "A", .packet = casted[i].packet});
        chain_add(&c, (Stage){.kind = STAGE_CAST},
                  (Shape){.type = casted[i].to, .packet = casted[i].out_packet});
        chain_expect(&c, i, "");
        Lower lower = {&c.arena, &c.arena, &c.diags, &machine_rngd, NULL};
        HwCast hw = {0};
        assert_true(cast_lower(&lower, NULL, last_stage(&c), &hw));
        assert_int_equal(hw.valid, casted[i].valid);
        assert_int_equal(hw.bytes, casted[i].bytes);
        assert_int_equal(hw.pad_bytes, casted[i].pad);
        assert_int_equal(hw.time, 4);
        chain_close(&c);
    }
}
