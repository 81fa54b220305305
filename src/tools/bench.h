// The parts of `contra bench`.
#ifndef CONTRA_TOOLS_BENCH_H
#define CONTRA_TOOLS_BENCH_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

double bench_now_us(void);

// A new file with a name of its own, which is written to `path`. NULL: there is none.
enum { BENCH_PATH_BYTES = 64 };
FILE *bench_create(char path[BENCH_PATH_BYTES], const char *ending);

// Checking a crate of many kernels, beside a C compiler that only checks C of the same length.
typedef struct {
    int64_t kernels, lines, operations;
    double check_us;   // the whole process, with what it starts up
    double compile_us; // negative: there is no compiler here
} CheckBench;

// False: it could not be measured.
bool bench_check(CheckBench *bench);

// Running: a kernel or a host program, beside plain C.
typedef struct {
    const char *name, *what;
    const char *unit; // of the work
    double work;
    double us;
    const char *reference; // NULL: none
    double reference_us;
} RunBench;

enum { RUN_BENCHES = 5 };

// False: one of them did not succeed.
bool bench_run(RunBench *benches);

#endif
