// What the examples share: random numbers, bf16, and the way from arrays through a kernel.
#ifndef EXAMPLE_H
#define EXAMPLE_H

#include <contra.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Says what is wrong, and what main gives back then.
static inline int example_fail(Contra *contra)
{
    fputs(contra_diagnostics(contra, CONTRA_PLAIN).data, stderr);
    contra_free(contra);
    return 1;
}

// The same numbers every time: small ones, whose products and sums are exact in every type.
static inline int example_random(void)
{
    static uint64_t seed = 1;
    seed = seed * 6364136223846793005U + 1442695040888963407U;
    return (int)(seed >> 33) % 9 - 4;
}

// The bits of a small number in bf16: the upper half of those in f32.
static inline uint16_t example_bf16(int number)
{
    float value = (float)number;
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return (uint16_t)(bits >> 16);
}

static inline void example_fill_i32(int32_t *numbers, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        numbers[i] = example_random();
}

// The same numbers twice: as the kernel takes them, and for plain C.
static inline void example_fill_bf16(uint16_t *bits, float *numbers, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        int number = example_random();
        bits[i] = example_bf16(number);
        numbers[i] = (float)number;
    }
}

// An array without dimensions of its own: its elements in the order of the parameter's axes.
static inline ContraInput example_input(const char *name, ContraElement type, const int64_t *count,
                                        const void *data)
{
    ContraInput input;
    memset(&input, 0, sizeof input);
    input.name = contra_text(name);
    input.array.type = type;
    input.array.rank = 1;
    input.array.shape = count;
    input.array.data = data;
    return input;
}

// Runs a kernel that gives one tensor back. NULL: it was refused.
static inline const void *example_run(Contra *contra, int64_t kernel, const ContraInput *inputs,
                                      int64_t count)
{
    const ContraOutput *outputs;
    int64_t output_count;
    ContraStatus status =
        contra_run_kernel(contra, kernel, inputs, count, NULL, &outputs, &output_count);
    return status == CONTRA_OK && output_count == 1 ? outputs[0].array.data : NULL;
}

static inline int example_report(Contra *contra, const char *name, int64_t count, int64_t wrong)
{
    printf("%s: %lld of %lld elements as in plain C\n", name, (long long)(count - wrong),
           (long long)count);
    contra_free(contra);
    return wrong ? 1 : 0;
}

#endif
