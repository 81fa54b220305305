// The parts of `contra bench`.
#ifndef CONTRA_TOOLS_BENCH_H
#define CONTRA_TOOLS_BENCH_H

#include <stdbool.h>
#include <stdint.h>

double bench_now_us(void);

// Checking a crate of many kernels, beside a C compiler that only checks C of the same length.
typedef struct {
    int64_t kernels, lines, operations;
    double check_us;   // the whole process, with what it starts up
    double compile_us; // negative: there is no compiler here
} CheckBench;

// False: it could not be measured.
bool bench_check(CheckBench *bench);

#endif
