// Arguments of objects: the positions that are data are those of the mapping, and arrays fit them.
#include "run/run.h"

#include "../command/walk_argument.h"
#include "test.h"
#include "worlds.h"

static void check_mapping(const char *axes, const char *text)
{
    World *world = world_new(axes);
    const Expr *expr = world_expr(world, text);
    Dim dim = {.expr = expr, .mapping = mapping_of_expr(&world->arena, expr)};
    const Expr *one = world_expr(world, "1");
    Dim chip = {.expr = one, .mapping = mapping_of_expr(&world->arena, one)};
    Tensor tensor = {.tier = TIER_HBM, .type = SCALAR_I8, .address = {true, 64}};
    tensor.dims[LEVEL_CHIP] = &chip;
    tensor.dims[LEVEL_ELEMENT] = &dim;
    Argument argument = {.param = {.name = "x", .is_tensor = true}, .is_input = true};
    argument.shape = shape_describe(&world->arena, tensor.dims);
    HwArgument out, place = tensor_place(&world->arena, &machine_rngd, &tensor);
    object_argument(&world->arena, &argument, &tensor, &place, &out);
    int64_t size = dim.mapping.size, next = 0;
    ArgumentPositions found = walk_argument(&world->arena, &out, size);
    for (int64_t at = 0; at < size; at++) {
        if (!mapping_cell(&world->arena, &dim.mapping, at).count)
            continue;
        if (next == found.count || found.items[next] != at)
            fail_msg("%s: data at %lld, found %lld", text, (long long)at,
                     (long long)(next < found.count ? found.items[next] : -1));
        next++;
    }
    assert_int_equal(found.count, next);
    assert_int_equal(out.live, next);
    assert_int_equal(out.elements, size);
    assert_int_equal(out.address, 64);
    for (int64_t i = 0; i < out.forms.count; i++) {
        int64_t product = 1;
        for (int64_t k = 0; k < out.forms.items[i].axes.count; k++)
            product *= out.forms.items[i].axes.items[k].size;
        assert_int_equal(product, out.forms.items[i].padded ? size : out.live);
    }
    world_free(world);
}

TEST(data_is_where_the_mapping_says)
{
    static const char *const cases[][2] = {
        {"A=8,B=5", "A, B"},
        {"A=8,B=5", "B, A"},
        {"A=8,B=5", "A, B # 8"},
        {"A=8,B=5", "A # 10, B"},
        {"A=64,B=5", "A % 8, B # 8, A / 8"},
        {"A=63", "A # 64 / 8, A # 64 % 8"},
        {"A=63,B=3", "A # 64 % 8, B, A # 64 / 8"},
        {"A=61,B=3", "A # 64 % 4, B # 4, A # 64 / 16, A # 64 / 4 % 4"},
        {"A=6,B=3", "[A, B] # 32 / 8, [A, B] # 32 % 8"},
        {"A=16", "A = 5 # 8"},
        {"A=16", "A @ [3, 1, 2]"},
        {"A=16", "A @ 3"},
        {"A=1", "A"},
        {"A=1", "1 # 4"},
        {"A=4", "1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check_mapping(cases[i][0], cases[i][1]);
}
