// Reshapes of DM tensors: four dimensions, one after the other.
#include "memory_support.h"

TEST(dimensions_are_renamed_one_by_one)
{
    static const struct {
        const char *from, *to, *codes, *text;
    } rows[] = {
        {"1 | 1 # 2 | A # 256 | M", "1 | 1 # 2 | A # 256 | M / 8, M % 8", "", NULL},
        {"1 | 1 # 2 | A # 256 | M", "1 | 1 # 2 | A # 256 | N", "", NULL},
        {"1 | 1 # 2 | A # 256 | M", "1 | 1 # 2 | C # 256 | N", "", NULL},
        {"1 | 1 # 2 | A, B | M", "1 | 1 # 2 | C, D | M", "", NULL},
        {"A | 1 # 2 | 1 # 256 | M", "C | 1 # 2 | 1 # 256 | M", "", NULL},
        {"1 | 1 # 2 | A # 256 | M", "1 | 1 # 2 | A # 256 | M # 128", "E0526",
         "128 positions instead of 64"},
        // padding is a factor: it helps where the source has one
        {"1 | 1 # 2 | A # 256 | C # 64", "1 | 1 # 2 | A # 256 | E", "E0526", "`m![E # 64]`"},
        {"1 | 1 # 2 | A # 256 | M", "1 | 1 # 2 | A # 256 | C", "E0526",
         "8 positions instead of 64"},
        {"1 | 1 # 2 | A # 256 | M", "1 | 1 # 2 | A # 256 | E, C", "E0527",
         "2 factors instead of 1"},
        {"1 | 1 # 2 | A # 256 | M", "1 | 1 # 2 | A # 256 | M % 8, M / 8", "E0527", NULL},
        {"1 | 1 # 2 | A, B | M", "1 | 1 # 2 | F | M", "E0527", NULL},
        // M / 8 and M % 8 belong together: neither goes alone
        {"1 | 1 # 2 | M / 8 # 256 | M % 8", "1 | 1 # 2 | C # 256 | M % 8", "", NULL},
        {"1 | 1 # 2 | C # 256 | M", "1 | 1 # 2 | M / 8 # 256 | M", "E0501", NULL},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        Bench bench;
        bench_open(&bench, &(Setting){.axes = "A=8,B=32,C=8,D=32,E=8,F=256,M=64,N=64"});
        const Tensor *from = add_tensor(
            &bench, (TensorRow){.name = "x", .tier = TIER_DM, .type = "i8", .shape = rows[i].from});
        Tensor to = tensor_of(&bench, &(TensorRow){TENSOR(DM, "i8", rows[i].to)});
        const Tensor *result = builder_reshape(bench.builder, from, &to);
        expect(&bench, rows[i].to, rows[i].codes, rows[i].text);
        assert_int_equal(result->sound, *rows[i].codes == 0);
        bench_close(&bench);
    }
}

// The steps see the dimensions outside already new: an axis may not come before it has gone.
TEST(the_order_is_that_of_the_dimensions)
{
    Bench bench;
    bench_open(&bench, &(Setting){.axes = "A=256,B=256,C=256"});
    const Tensor *from = add_tensor(&bench, (TensorRow){TENSOR(DM, "i8", "1 | 1 # 2 | A | B")});
    Tensor to = tensor_of(&bench, &(TensorRow){TENSOR(DM, "i8", "1 | 1 # 2 | B | C")});
    builder_reshape(bench.builder, from, &to);
    expect(&bench, "B comes to Slice while Element still has it", "E0528", "Slice `A` to `B`");
    bench_close(&bench);
}

TEST(only_dm_tensors_are_reshaped)
{
    Bench bench;
    bench_open(&bench, &(Setting){.axes = "M=64"});
    Verify verify = {.arena = &bench.arena, .diags = &bench.diags, .machine = &machine_rngd};
    const Tensor *hbm = add_tensor(&bench, (TensorRow){TENSOR(HBM, "i8", "1 | M")});
    const Tensor *dm = add_tensor(&bench, (TensorRow){TENSOR(DM, "i8", "1 | 1 # 2 | 1 # 256 | M")});
    const Tensor *other =
        add_tensor(&bench, (TensorRow){TENSOR(DM, "f32", "1 | 1 # 2 | 1 # 256 | M")});
    reshape_verify(&verify, hbm, hbm);
    reshape_verify(&verify, dm, other);
    reshape_verify(&verify, dm, dm);
    expect(&bench, "tiers and types", "E0529 E0529", NULL);
    bench_close(&bench);
}
