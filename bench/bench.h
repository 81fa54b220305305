// The parts of `contra bench`.
#ifndef CONTRA_BENCH_H
#define CONTRA_BENCH_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

// Measures, and prints a table or, not NULL, adds to the JSON. False: something did not succeed,
// which was said.
typedef struct {
    const char *name, *what;
    bool (*measure)(json_t *json);
} BenchPart;

bool bench_mappings(json_t *json);
bool bench_check(json_t *json);
bool bench_host(json_t *json);
bool bench_device(json_t *json);
bool bench_schedule(json_t *json);
bool bench_capi(json_t *json);
bool bench_long(json_t *json); // a part of capi, whose JSON is an array
bool bench_lsp(json_t *json);  // lsp/bench.c

// How many microseconds a launch of a small product takes: alone, and while every core is busy.
// False: it failed.
bool bench_busy(double *alone_us, double *busy_us);

double bench_now_us(void);
double bench_median(double *values, int count); // sorts them

// A new file with a name of its own, which is written to `path`. NULL: there is none.
enum { BENCH_PATH_BYTES = 64 };
FILE *bench_create(char path[BENCH_PATH_BYTES], const char *ending);

// ---- what is run (bench/*.rs) and what it is compared with

extern const char bench_device_source[], bench_launch_source[], bench_schedule_source[],
    bench_product_source[];

// Plain C for the work of a kernel, on arrays in the order of its inputs.
typedef void BenchPlain(const void *first, const void *second, void *out);
BenchPlain plain_copy_64_mib, plain_softmax, plain_rms_norm, plain_slice_sum;
// The sum of the squares of x % 7 - 3 for x in 0..count, kept in an array between; 0: no memory.
int64_t plain_squares(int64_t count);

// A product of f32 by OpenBLAS on `threads` threads: c[i][j] = sum of a[i][k] b[j][k]. False: it is
// not installed.
bool blas_multiply(int64_t rows, int64_t columns, int64_t depth, const float *a, const float *b,
                   float *c, int threads);

#endif
