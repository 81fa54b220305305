// A matrix times a vector: one row of the matrix in every slice. The vector has no I: written to a
// layout with I in the slices, every slice gets a copy.
#include "example.h"

enum { I = 256, J = 512 };

static ContraStatus build(Contra *contra, int64_t *kernel)
{
    ContraProgram *program;
    ContraTensor *matrix, *vector, *rows, *copies, *waiting, *sums, *result;
    ContraStream *stream;

    contra_program_new(contra, "gemv", 1, NULL, &program);
    contra_axis(program, "I", I);
    contra_axis(program, "J", J);
    contra_param(program, "matrix", contra_hbm("bf16", "1", "I, J", CONTRA_UNKNOWN), &matrix);
    contra_param(program, "vector", contra_hbm("bf16", "1", "J", CONTRA_UNKNOWN), &vector);
    contra_to_dm(matrix, "tdma", "rows", contra_dm(NULL, NULL, "1 # 2", "I", "J", 0), &rows);
    contra_to_dm(vector, "tdma", "copies", contra_dm(NULL, NULL, "1 # 2", "I", "J", 0x1000),
                 &copies);

    contra_begin(copies, "sub", &stream);
    contra_fetch(stream, "bf16", "1", "J", NULL);
    contra_collect(stream, "J / 16", "J % 16");
    contra_to_trf(stream, "vector", contra_trf_result("1", "J", "Full"), &waiting);

    contra_begin(rows, "main", &stream);
    contra_fetch(stream, "bf16", "J / 16", "J % 16", NULL);
    contra_collect(stream, "J / 16", "J % 16");
    contra_align(stream, waiting, "J / 32", "J % 32");
    contra_contract(stream, "1");
    contra_accumulate(stream, "Interleaved", "1", "1 # 8");
    contra_commit(stream, "sums", contra_dm_result("1 # 2", 0x2000), &sums);

    contra_to_hbm(sums, "tdma", NULL, contra_hbm_result("I", CONTRA_UNKNOWN), &result);
    contra_return(program, result);
    return contra_program_finish(program, kernel);
}

int main(void)
{
    static uint16_t matrix_bits[I * J], vector_bits[J];
    static float matrix[I * J], vector[J];
    const int64_t matrix_count = I * J, vector_count = J;
    int64_t kernel, wrong = 0;
    Contra *contra = contra_new();
    if (!contra || build(contra, &kernel) != CONTRA_OK)
        return example_fail(contra);
    example_fill_bf16(matrix_bits, matrix, I * J);
    example_fill_bf16(vector_bits, vector, J);
    ContraInput inputs[2];
    inputs[0] = example_input("matrix", CONTRA_BF16, &matrix_count, matrix_bits);
    inputs[1] = example_input("vector", CONTRA_BF16, &vector_count, vector_bits);
    const float *sums = (const float *)example_run(contra, kernel, inputs, 2);
    if (!sums)
        return example_fail(contra);
    for (int i = 0; i < I; i++) {
        float expected = 0;
        for (int j = 0; j < J; j++)
            expected += matrix[i * J + j] * vector[j];
        wrong += sums[i] != expected;
    }
    return example_report(contra, "gemv", I, wrong);
}
