// The work of the kernels of bench/device.rs in plain C, as people write it, compiled with -O3; and
// the product of OpenBLAS.
#include "bench.h"

#include <dlfcn.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 1024, WIDTH = 4096, COLUMNS = 64, MIB_64 = 64 << 20 };

typedef struct {
    const char *from;
    char *to;
} Half;

static void *copy_half(void *own)
{
    const Half *half = own;
    memcpy(half->to, half->from, MIB_64 / 2);
    return NULL;
}

// On two threads, like the kernel.
void plain_copy_64_mib(const void *first, const void *second, void *out)
{
    Half low = {first, out}, high = {low.from + MIB_64 / 2, low.to + MIB_64 / 2};
    pthread_t thread;
    (void)second;
    bool has_thread = pthread_create(&thread, NULL, copy_half, &high) == 0;
    copy_half(&low);
    if (has_thread)
        pthread_join(thread, NULL);
    else
        copy_half(&high);
}

int64_t plain_squares(int64_t count)
{
    int64_t *numbers = malloc((size_t)count * sizeof *numbers), total = 0;
    if (!numbers)
        return 0;
    for (int64_t x = 0; x < count; x++)
        numbers[x] = x % 7 - 3;
    for (int64_t i = 0; i < count; i++)
        total += numbers[i] * numbers[i];
    free(numbers);
    return total;
}

void plain_softmax(const void *first, const void *second, void *out)
{
    (void)second;
    for (int r = 0; r < ROWS; r++) {
        const float *x = (const float *)first + (size_t)r * WIDTH;
        float *y = (float *)out + (size_t)r * WIDTH, largest = x[0], sum = 0;
        for (int i = 1; i < WIDTH; i++)
            largest = x[i] > largest ? x[i] : largest;
        for (int i = 0; i < WIDTH; i++) {
            y[i] = expf(x[i] - largest);
            sum += y[i];
        }
        for (int i = 0; i < WIDTH; i++)
            y[i] /= sum;
    }
}

void plain_rms_norm(const void *first, const void *second, void *out)
{
    const float *gain = second;
    for (int r = 0; r < ROWS; r++) {
        const float *x = (const float *)first + (size_t)r * WIDTH;
        float *y = (float *)out + (size_t)r * WIDTH, sum = 0;
        for (int i = 0; i < WIDTH; i++)
            sum += x[i] * x[i];
        float root = sqrtf(sum / WIDTH + 1e-5F);
        for (int i = 0; i < WIDTH; i++)
            y[i] = x[i] * gain[i] / root;
    }
}

void plain_slice_sum(const void *first, const void *second, void *out)
{
    (void)second;
    memset(out, 0, sizeof(float) * ROWS * COLUMNS);
    for (int r = 0; r < ROWS; r++) {
        const float *x = (const float *)first + (size_t)r * WIDTH;
        float *y = (float *)out + (size_t)r * COLUMNS;
        for (int i = 0; i < WIDTH; i += COLUMNS)
            for (int k = 0; k < COLUMNS; k++)
                y[k] += x[i + k];
    }
}

// ---- OpenBLAS, if this machine has it: nothing else of Contra needs it

// cblas_sgemm and its constants, as the standard of BLAS numbers them.
enum { BLAS_ROW_MAJOR = 101, BLAS_AS_IS = 111, BLAS_TRANSPOSED = 112 };
typedef void Sgemm(int order, int transpose_a, int transpose_b, int m, int n, int k, float alpha,
                   const float *a, int lda, const float *b, int ldb, float beta, float *c, int ldc);
typedef void SetThreads(int count);

// A function out of a library: ISO C has no cast for it.
static bool find(void *library, const char *name, void *function)
{
    void *found = library ? dlsym(library, name) : NULL;
    memcpy(function, &found, sizeof found);
    return found != NULL;
}

bool blas_multiply(int64_t rows, int64_t columns, int64_t depth, const float *a, const float *b,
                   float *c, int threads)
{
    static void *library; // stays open: its threads do, too
    Sgemm *sgemm;
    SetThreads *set_threads;
    if (!library)
        library = dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL);
    if (!find(library, "cblas_sgemm", &sgemm) ||
        !find(library, "openblas_set_num_threads", &set_threads))
        return false;
    set_threads(threads);
    sgemm(BLAS_ROW_MAJOR, BLAS_AS_IS, BLAS_TRANSPOSED, (int)rows, (int)columns, (int)depth, 1, a,
          (int)depth, b, (int)depth, 0, c, (int)columns);
    return true;
}
