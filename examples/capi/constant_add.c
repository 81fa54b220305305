// Adds 5 to every element: the shortest way through the Tensor Unit.
//
// 4096 numbers lie in 256 slices, 16 in each; a packet holds 8 of them, so that a slice sends two.
#include "example.h"

enum { N = 4096 };

static ContraStatus build(Contra *contra, int64_t *kernel)
{
    ContraProgram *program;
    ContraTensor *input, *rows, *sum, *result;
    ContraStream *stream;

    contra_program_new(contra, "constant_add", 1, NULL, &program);
    contra_axis(program, "N", N);
    contra_param(program, "input", contra_hbm("i32", "1", "N", CONTRA_UNKNOWN), &input);
    contra_to_dm(input, "tdma", "rows", contra_dm(NULL, NULL, "1 # 2", "N / 16", "N % 16", 0),
                 &rows);

    contra_begin(rows, "main", &stream);
    contra_fetch(stream, "i32", "N / 8 % 2", "N % 8", NULL);
    contra_collect(stream, "N / 8 % 2", "N % 8");
    contra_vector_init(stream);
    contra_vector_intra_slice_branch(stream, contra_branch("Unconditional"));
    contra_vector_fxp(stream, "AddFxp", contra_operand_i32(5));
    contra_vector_final(stream);
    contra_commit(stream, "sum", contra_dm_result("N % 16", 0x1000), &sum);

    contra_to_hbm(sum, "tdma", NULL, contra_hbm_result("N", CONTRA_UNKNOWN), &result);
    contra_return(program, result);
    return contra_program_finish(program, kernel); // says so if any of the calls was refused
}

int main(void)
{
    static int32_t numbers[N];
    const int64_t count = N;
    int64_t kernel, wrong = 0;
    Contra *contra = contra_new();
    if (!contra || build(contra, &kernel) != CONTRA_OK)
        return example_fail(contra);
    example_fill_i32(numbers, N);
    ContraInput input = example_input("input", CONTRA_I32, &count, numbers);
    const int32_t *sums = (const int32_t *)example_run(contra, kernel, &input, 1);
    if (!sums)
        return example_fail(contra);
    for (int i = 0; i < N; i++)
        wrong += sums[i] != numbers[i] + 5;
    return example_report(contra, "constant_add", N, wrong);
}
