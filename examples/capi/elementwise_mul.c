// Multiplies two tensors element by element: one waits in the register file of the Vector Engine,
// where a pass in the sub context has put it, while the other streams past it.
#include "example.h"

enum { N = 4096 };

static ContraStatus build(Contra *contra, int64_t *kernel)
{
    ContraProgram *program;
    ContraTensor *left, *right, *left_rows, *right_rows, *factor, *product, *result;
    ContraStream *stream;

    contra_program_new(contra, "elementwise_mul", 1, NULL, &program);
    contra_axis(program, "N", N);
    contra_param(program, "left", contra_hbm("i32", "1", "N", CONTRA_UNKNOWN), &left);
    contra_param(program, "right", contra_hbm("i32", "1", "N", CONTRA_UNKNOWN), &right);
    contra_to_dm(left, "tdma", "left", contra_dm(NULL, NULL, "1 # 2", "N / 16", "N % 16", 0),
                 &left_rows);
    contra_to_dm(right, "tdma", "right", contra_dm(NULL, NULL, "1 # 2", "N / 16", "N % 16", 0x1000),
                 &right_rows);

    contra_begin(right_rows, "sub", &stream);
    contra_fetch(stream, "i32", "N / 8 % 2", "N % 8", NULL);
    contra_collect(stream, "N / 8 % 2", "N % 8");
    contra_to_vrf(stream, "factor", contra_vrf_result("N % 16", 0), &factor);

    contra_begin(left_rows, "main", &stream);
    contra_fetch(stream, "i32", "N / 8 % 2", "N % 8", NULL);
    contra_collect(stream, "N / 8 % 2", "N % 8");
    contra_vector_init(stream);
    contra_vector_intra_slice_branch(stream, contra_branch("Unconditional"));
    contra_vector_fxp(stream, "MulInt", contra_operand_vrf(factor));
    contra_vector_final(stream);
    contra_commit(stream, "product", contra_dm_result("N % 16", 0x2000), &product);

    contra_to_hbm(product, "tdma", NULL, contra_hbm_result("N", CONTRA_UNKNOWN), &result);
    contra_return(program, result);
    return contra_program_finish(program, kernel);
}

int main(void)
{
    static int32_t left[N], right[N];
    const int64_t count = N;
    int64_t kernel, wrong = 0;
    Contra *contra = contra_new();
    if (!contra || build(contra, &kernel) != CONTRA_OK)
        return example_fail(contra);
    example_fill_i32(left, N);
    example_fill_i32(right, N);
    ContraInput inputs[2];
    inputs[0] = example_input("left", CONTRA_I32, &count, left);
    inputs[1] = example_input("right", CONTRA_I32, &count, right);
    const int32_t *products = (const int32_t *)example_run(contra, kernel, inputs, 2);
    if (!products)
        return example_fail(contra);
    for (int i = 0; i < N; i++)
        wrong += products[i] != left[i] * right[i];
    return example_report(contra, "elementwise_mul", N, wrong);
}
