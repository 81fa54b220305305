// A product of matrices: c[I, J] = sum over K of a[I, K] * b[J, K]. The slices are a grid of 16 by
// 16, each with a tile of 4 by 4 of the result: four rows of b wait in its register file, four rows
// of a stream past them.
#include "example.h"

enum { N = 64 };

static ContraStatus build(Contra *contra, int64_t *kernel)
{
    ContraProgram *program;
    ContraTensor *a, *b, *a_rows, *b_rows, *waiting, *tile, *result;
    ContraStream *stream;
    const char *grid = "I / 4, J / 4";

    contra_program_new(contra, "gemm", 1, NULL, &program);
    contra_axis(program, "I", N);
    contra_axis(program, "J", N);
    contra_axis(program, "K", N);
    contra_param(program, "a", contra_hbm("bf16", "1", "I, K", CONTRA_UNKNOWN), &a);
    contra_param(program, "b", contra_hbm("bf16", "1", "J, K", CONTRA_UNKNOWN), &b);
    contra_to_dm(a, "tdma", "a", contra_dm(NULL, NULL, "1 # 2", grid, "I % 4, K", 0), &a_rows);
    contra_to_dm(b, "tdma", "b", contra_dm(NULL, NULL, "1 # 2", grid, "J % 4, K", 0x1000), &b_rows);

    contra_begin(b_rows, "sub", &stream);
    contra_fetch(stream, "bf16", "J % 4", "K", NULL);
    contra_collect(stream, "J % 4, K / 16", "K % 16");
    contra_to_trf(stream, "b", contra_trf_result("J % 4", "K", "Full"), &waiting);

    contra_begin(a_rows, "main", &stream);
    contra_fetch(stream, "bf16", "I % 4", "K", NULL);
    contra_collect(stream, "I % 4, K / 16", "K % 16");
    contra_align(stream, waiting, "I % 4, K / 32", "K % 32");
    contra_contract(stream, "1");
    contra_accumulate(stream, "Interleaved", "I % 4", "J % 4 # 8");
    contra_commit(stream, "c", contra_dm_result("I % 4, J % 4", 0x2000), &tile);

    contra_to_hbm(tile, "tdma", NULL, contra_hbm_result("I, J", CONTRA_UNKNOWN), &result);
    contra_return(program, result);
    return contra_program_finish(program, kernel);
}

int main(void)
{
    static uint16_t a_bits[N * N], b_bits[N * N];
    static float a[N * N], b[N * N];
    const int64_t count = N * N;
    int64_t kernel, wrong = 0;
    Contra *contra = contra_new();
    if (!contra || build(contra, &kernel) != CONTRA_OK)
        return example_fail(contra);
    example_fill_bf16(a_bits, a, count);
    example_fill_bf16(b_bits, b, count);
    ContraInput inputs[2];
    inputs[0] = example_input("a", CONTRA_BF16, &count, a_bits);
    inputs[1] = example_input("b", CONTRA_BF16, &count, b_bits);
    const float *c = (const float *)example_run(contra, kernel, inputs, 2);
    if (!c)
        return example_fail(contra);
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            float expected = 0;
            for (int k = 0; k < N; k++)
                expected += a[i * N + k] * b[j * N + k];
            wrong += c[i * N + j] != expected;
        }
    }
    return example_report(contra, "gemm", count, wrong);
}
