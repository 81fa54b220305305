// The first contraction: sum over K of x[K] * y[K]. y waits in the register file of the Contraction
// Engine; x meets it 32 elements at a time, a tree adds their products, and the accumulator adds
// what the tree gives over time.
#include "example.h"

enum { K = 1024 };

static ContraStatus build(Contra *contra, int64_t *kernel)
{
    ContraProgram *program;
    ContraTensor *x, *y, *x_row, *y_row, *waiting, *sum, *result;
    ContraStream *stream;

    contra_program_new(contra, "dot_product", 1, NULL, &program);
    contra_axis(program, "K", K);
    contra_param(program, "x", contra_hbm("bf16", "1", "K", CONTRA_UNKNOWN), &x);
    contra_param(program, "y", contra_hbm("bf16", "1", "K", CONTRA_UNKNOWN), &y);
    contra_to_dm(x, "tdma", "x", contra_dm(NULL, NULL, "1 # 2", "1 # 256", "K", 0), &x_row);
    contra_to_dm(y, "tdma", "y", contra_dm(NULL, NULL, "1 # 2", "1 # 256", "K", 0x1000), &y_row);

    contra_begin(y_row, "sub", &stream);
    contra_fetch(stream, "bf16", "1", "K", NULL);
    contra_collect(stream, "K / 16", "K % 16");
    contra_to_trf(stream, "y", contra_trf_result("1", "K", "Full"), &waiting);

    contra_begin(x_row, "main", &stream);
    contra_fetch(stream, "bf16", "1", "K", NULL);
    contra_collect(stream, "K / 16", "K % 16");
    contra_align(stream, waiting, "K / 32", "K % 32");
    contra_contract(stream, "1");
    contra_accumulate(stream, "Interleaved", "1", "1 # 8");
    contra_commit(stream, "sum", contra_dm_result("1 # 2", 0x2000), &sum);

    contra_to_hbm(sum, "tdma", NULL, contra_hbm_result("1", CONTRA_UNKNOWN), &result);
    contra_return(program, result);
    return contra_program_finish(program, kernel);
}

int main(void)
{
    static uint16_t x_bits[K], y_bits[K];
    static float x[K], y[K];
    const int64_t count = K;
    int64_t kernel;
    float expected = 0;
    Contra *contra = contra_new();
    if (!contra || build(contra, &kernel) != CONTRA_OK)
        return example_fail(contra);
    example_fill_bf16(x_bits, x, K);
    example_fill_bf16(y_bits, y, K);
    ContraInput inputs[2];
    inputs[0] = example_input("x", CONTRA_BF16, &count, x_bits);
    inputs[1] = example_input("y", CONTRA_BF16, &count, y_bits);
    const float *sum = (const float *)example_run(contra, kernel, inputs, 2);
    if (!sum)
        return example_fail(contra);
    for (int k = 0; k < K; k++)
        expected += x[k] * y[k];
    return example_report(contra, "dot_product", 1, *sum != expected);
}
