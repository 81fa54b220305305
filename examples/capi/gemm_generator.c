// A generator of products: c[I, J] = sum over K of a[I, K] * b[J, K] in bf16, for the sizes that it
// is called with. It picks the mappings, builds the program call by call, has every rule checked on
// the way, and runs what came out on random numbers.
//
//     gemm_generator [I J K]
#include "example.h"

enum { SLICES = 256, ROWS = 8, PACKET = 32 };

typedef struct {
    int64_t i, j, k;        // sizes
    int64_t tile_i, tile_j; // of the result, in each slice
    int64_t a, b, c;        // bytes in the data memory of a slice
} Plan;

// Text for the next calls, which copy it.
typedef struct {
    char grid[96], a[64], b[64], c[96], packet[64];
} Mappings;

static int64_t blocks(int64_t size, int64_t tile)
{
    return size / tile;
}

// A register file has eight rows, so at most eight columns of the result are computed at once; then
// the tiles grow in I until there are enough slices for them.
static bool make_plan(Plan *plan)
{
    if (plan->i < 1 || plan->j < 1 || plan->k < PACKET || plan->k % PACKET) {
        fprintf(stderr, "sizes are positive, and K is a multiple of %d\n", PACKET);
        return false;
    }
    plan->tile_j = ROWS;
    while (plan->j % plan->tile_j)
        plan->tile_j /= 2;
    plan->tile_i = 1;
    while (blocks(plan->i, plan->tile_i) * blocks(plan->j, plan->tile_j) > SLICES ||
           plan->i % plan->tile_i)
        if (++plan->tile_i > plan->i) {
            fprintf(stderr, "J / %d is more than the %d slices hold\n", (int)plan->tile_j, SLICES);
            return false;
        }
    plan->a = 0;
    plan->b = plan->a + plan->tile_i * plan->k * 2;
    plan->c = plan->b + plan->tile_j * plan->k * 2;
    return true;
}

static Mappings make_mappings(const Plan *plan)
{
    Mappings text;
    int ti = (int)plan->tile_i, tj = (int)plan->tile_j;
    snprintf(text.grid, sizeof text.grid, "[I / %d, J / %d] # %d", ti, tj, SLICES);
    snprintf(text.a, sizeof text.a, "I %% %d", ti);
    snprintf(text.b, sizeof text.b, "J %% %d", tj);
    snprintf(text.c, sizeof text.c, "I %% %d, J %% %d # %d", ti, tj, tj < 2 ? 2 : tj);
    snprintf(text.packet, sizeof text.packet, "J %% %d # %d", tj, ROWS);
    return text;
}

// "outer, inner" in one of a few texts that live until it is called four times more.
static const char *pair(const char *outer, const char *inner)
{
    static char texts[4][128];
    static int next;
    char *text = texts[next++ % 4];
    snprintf(text, sizeof texts[0], "%s, %s", outer, inner);
    return text;
}

static ContraStatus build(Contra *contra, const Plan *plan, int64_t *kernel)
{
    ContraProgram *program;
    ContraTensor *a, *b, *a_rows, *b_rows, *waiting, *tile, *result;
    ContraStream *stream;
    Mappings text = make_mappings(plan);

    contra_program_new(contra, "gemm", 1, NULL, &program);
    contra_axis(program, "I", plan->i);
    contra_axis(program, "J", plan->j);
    contra_axis(program, "K", plan->k);
    contra_param(program, "a", contra_hbm("bf16", "1", "I, K", CONTRA_UNKNOWN), &a);
    contra_param(program, "b", contra_hbm("bf16", "1", "J, K", CONTRA_UNKNOWN), &b);
    contra_to_dm(a, "tdma", "a",
                 contra_dm(NULL, NULL, "1 # 2", text.grid, pair(text.a, "K"), plan->a), &a_rows);
    contra_to_dm(b, "tdma", "b",
                 contra_dm(NULL, NULL, "1 # 2", text.grid, pair(text.b, "K"), plan->b), &b_rows);

    contra_begin(b_rows, "sub", &stream);
    contra_fetch(stream, "bf16", text.b, "K", NULL);
    contra_collect(stream, pair(text.b, "K / 16"), "K % 16");
    contra_to_trf(stream, "b", contra_trf_result(text.b, "K", "Full"), &waiting);

    contra_begin(a_rows, "main", &stream);
    contra_fetch(stream, "bf16", text.a, "K", NULL);
    contra_collect(stream, pair(text.a, "K / 16"), "K % 16");
    contra_align(stream, waiting, pair(text.a, "K / 32"), "K % 32");
    contra_contract(stream, "1");
    contra_accumulate(stream, "Interleaved", text.a, text.packet);
    contra_commit(stream, "c", contra_dm_result(text.c, plan->c), &tile);

    contra_to_hbm(tile, "tdma", NULL, contra_hbm_result("I, J", CONTRA_UNKNOWN), &result);
    contra_return(program, result);
    return contra_program_finish(program, kernel);
}

// Elements that are not as in plain C; -1: it did not run.
static int64_t check(Contra *contra, const Plan *plan, int64_t kernel)
{
    int64_t a_count = plan->i * plan->k, b_count = plan->j * plan->k, wrong = -1;
    uint16_t *bits = (uint16_t *)calloc((size_t)(a_count + b_count), sizeof *bits);
    float *numbers = (float *)calloc((size_t)(a_count + b_count), sizeof *numbers);
    if (bits && numbers) {
        example_fill_bf16(bits, numbers, a_count + b_count);
        ContraInput inputs[2];
        inputs[0] = example_input("a", CONTRA_BF16, &a_count, bits);
        inputs[1] = example_input("b", CONTRA_BF16, &b_count, bits + a_count);
        const float *c = (const float *)example_run(contra, kernel, inputs, 2);
        wrong = c ? 0 : -1;
        for (int64_t e = 0; c && e < plan->i * plan->j; e++) {
            const float *row = numbers + e / plan->j * plan->k;
            const float *column = numbers + a_count + e % plan->j * plan->k;
            float expected = 0;
            for (int64_t k = 0; k < plan->k; k++)
                expected += row[k] * column[k];
            wrong += c[e] != expected;
        }
    }
    free(bits);
    free(numbers);
    return wrong;
}

int main(int argc, char **argv)
{
    Plan plan = {96, 128, 256, 0, 0, 0, 0, 0};
    int64_t kernel;
    if (argc == 4) {
        plan.i = atoll(argv[1]);
        plan.j = atoll(argv[2]);
        plan.k = atoll(argv[3]);
    }
    if (!make_plan(&plan))
        return 2;
    Contra *contra = contra_new();
    if (!contra || build(contra, &plan, &kernel) != CONTRA_OK)
        return example_fail(contra);
    printf("%lld x %lld x %lld: tiles of %lld x %lld in %lld slices\n", (long long)plan.i,
           (long long)plan.j, (long long)plan.k, (long long)plan.tile_i, (long long)plan.tile_j,
           (long long)(plan.i / plan.tile_i * (plan.j / plan.tile_j)));
    int64_t wrong = check(contra, &plan, kernel);
    return wrong < 0 ? example_fail(contra)
                     : example_report(contra, "gemm_generator", plan.i * plan.j, wrong);
}
