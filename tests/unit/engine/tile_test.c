// Tiles. Manual: Mapping Expressions, Resize; errata E036, E037.
#include "memory_support.h"

typedef struct {
    Tier tier;
    const char *shape;
    bool is_mut;
    Level level;
    const char *index;
    int64_t length;
    MaybeInt start;
    const char *tile;
    RuleSet rules;
    const char *codes, *text;
} Row;

#define HBM(dims)            .tier = TIER_HBM, .shape = (dims), .level = LEVEL_ELEMENT
#define DM(dims)             .tier = TIER_DM, .shape = (dims)
#define FROM(at)             .start = {.known = true, .value = (at)}
#define LEVEL(of)            .level = LEVEL_##of
#define BY(along, count, to) .index = (along), .length = (count), .tile = (to)
#define CODES(list)          .codes = (list)

static void check_row(const Row *row)
{
    Bench bench;
    bench_open(&bench, &(Setting){.axes = "A=8,B=512,C=4,G=1", .rules = row->rules});
    const Tensor *tensor = add_tensor(
        &bench, (TensorRow){.name = "x", .tier = row->tier, .type = "bf16", .shape = row->shape});
    const View *whole = row->is_mut ? view_mut(&bench, tensor) : view(&bench, tensor);
    tile(&bench, whole, row->level, row->index, row->length, row->start, row->tile);
    expect(&bench, row->tile, row->codes, row->text);
    bench_close(&bench);
}

static void check_rows(const Row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++)
        check_row(&rows[i]);
}

TEST(a_tile_keeps_the_rest_in_place)
{
    static const Row rows[] = {
        // the manual's own example, whose footprint is too small, and the right one
        {HBM("1 | A, B"), BY("B", 2, "A, B = 2 # 4"), FROM(0), CODES("E0521"),
         .text = "`m![A, B = 2 # 512]`"},
        {HBM("1 | A, B"), BY("B", 2, "A, B = 2 # 512"), FROM(510), CODES("")},
        {HBM("1 | A, B"), BY("B / 32", 2, "A, B / 32 = 2 # 16, B % 32"), FROM(14), CODES("")},
        {HBM("1 | A, B"), BY("B", 1, "A, 1 # 512"), FROM(511), CODES("")},
        {HBM("1 | A, B"), BY("B", 1, "A"), FROM(511), CODES("E0521"), .text = "`m![A, 1 # 512]`"},
        {HBM("1 | A, B"), BY("A", 3, "A = 3 # 8, B"), FROM(0), CODES("")},
        {HBM("1 | A, B"), BY("A", 3, "A = 3, B"), FROM(0), CODES("E0521"),
         .text = "`m![A = 3 # 8, B]`"},
        {HBM("1 | A, B"), BY("A", 8, "A, B"), FROM(0), CODES("")},
        {HBM("1 | A, B"), BY("C", 1, "A, B"), FROM(0), CODES("E0122"), .text = "`C`"},
        {HBM("1 | A, B"), BY("A, B", 2, "A, B = 2 # 512"), FROM(0), CODES("E0122")},
        {HBM("1 | A, B"), BY("A, B", 1, "1 # 4096"), FROM(9), CODES("")},
        {HBM("1 | B / 256, A"), BY("B / 256", 1, "1 # 2, A"), FROM(1), CODES("")},
    };
    check_rows(rows, COUNT_OF(rows));
}

TEST(a_tile_lies_inside_its_dimension)
{
    static const Row rows[] = {
        {HBM("1 | A, B"), BY("B", 2, "A, B = 2 # 512"), FROM(511), CODES("E0123"),
         .text = "0 to 510"},
        {HBM("1 | A, B"), BY("B", 2, "A, B = 2 # 512"), FROM(-1), CODES("E0123")},
        {HBM("1 | A, B"), BY("B", 2, "A, B = 2 # 512"), CODES("")}, // not known
        {HBM("1 | A, B"), BY("B", 0, "A, B"), FROM(0), CODES("E0123")},
        {HBM("1 | A, B"), BY("B", 513, "A, B"), FROM(0), CODES("E0123")},
        {HBM("1 | A, G # 4"), BY("A, G # 4", 1, "1 # 32"), FROM(4), CODES("")},
        {HBM("1 | A, G # 4"), BY("A, G # 4", 1, "1 # 32"), FROM(5), CODES("E0123"),
         .text = "multiples of 4"},
        {HBM("1 | A # 12, B"), BY("A # 12", 1, "1 # 12, B"), FROM(9), CODES("")},
        {HBM("1 | A, B"), BY("B", 2, "A, B = 2 # 512"), FROM(511), CODES(""),
         .rules = RULES_REFERENCE},
        {HBM("1 | A, B"), BY("B", 2, "A, B = 2 # 4"), FROM(0), CODES("E0521"),
         .rules = RULES_REFERENCE},
    };
    check_rows(rows, COUNT_OF(rows));
}

TEST(views_have_the_tiles_of_their_tier)
{
#define DM_SHAPE "A | 1 # 2 | B / 2 | B % 2"
    static const Row rows[] = {
        {DM(DM_SHAPE), LEVEL(CHIP), BY("A", 1, "1 # 8"), FROM(7), CODES("")},
        {DM(DM_SHAPE), LEVEL(CLUSTER), BY("1 # 2", 1, "1 # 2"), FROM(0), CODES("")},
        {DM(DM_SHAPE), LEVEL(CLUSTER), BY("1 # 2", 1, "1 # 2"), FROM(1), CODES("E0123")},
        {DM(DM_SHAPE), LEVEL(SLICE), BY("B / 4", 1, "1 # 128, B / 2 % 2"), FROM(0), CODES("")},
        {DM(DM_SHAPE), LEVEL(SLICE), .is_mut = true, BY("B / 4", 1, "1 # 128, B / 2 % 2"), FROM(0),
         CODES("E0522")},
        {DM(DM_SHAPE), LEVEL(CHIP), .is_mut = true, BY("A", 1, "1 # 8"), FROM(7), CODES("")},
        {DM(DM_SHAPE), LEVEL(ELEMENT), .is_mut = true, BY("B % 2", 1, "1 # 2"), FROM(1), CODES("")},
        {.tier = TIER_HBM,
         .shape = "A | B",
         LEVEL(CHIP),
         BY("A", 1, "1 # 8"),
         FROM(0),
         CODES("E0522")},
    };
    check_rows(rows, COUNT_OF(rows));
}

// A tile of a tile: the offset adds up, and what is gone cannot be tiled again.
TEST(tiles_nest)
{
    Bench bench;
    bench_open(&bench, &(Setting){.axes = "A=8,B=512"});
    const Tensor *tensor = add_tensor(&bench, (TensorRow){TENSOR(HBM, "bf16", "1 | A, B")});
    const View *row =
        tile(&bench, view(&bench, tensor), LEVEL_ELEMENT, "A", 1, KNOWN(3), "1 # 8, B");
    const View *part = tile(&bench, row, LEVEL_ELEMENT, "B", 2, KNOWN(5), "1 # 8, B = 2 # 512");
    expect(&bench, "nested", "", NULL);
    assert_true(part->sound && part->offsets[LEVEL_ELEMENT].known);
    assert_int_equal(part->offsets[LEVEL_ELEMENT].value, 3 * 512 + 5);
    tile(&bench, part, LEVEL_ELEMENT, "A", 1, KNOWN(0), "1 # 8, B = 2 # 512");
    expect(&bench, "again", "E0122", NULL);
    bench_close(&bench);
}
