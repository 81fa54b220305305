// How long a launch takes while every core is busy. The bench makes that load itself: one process
// per core that counts forever.
#include "bench.h"

#include "contra.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SIDE = 64, LAUNCHES = 101, MOST_OTHERS = 64, SECONDS_MOST = 60 };

// ---- the others

typedef struct {
    pid_t pids[MOST_OTHERS];
    int count;
} Others;

static void count_forever(void)
{
    alarm(SECONDS_MOST); // even if nobody ends it
    for (volatile uint64_t number = 0;; number++)
        ;
}

static bool start_others(Others *others)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    others->count = 0;
    while (others->count < cores && others->count < MOST_OTHERS) {
        pid_t pid = fork();
        if (pid < 0)
            return false;
        if (!pid)
            count_forever();
        others->pids[others->count++] = pid;
    }
    return true;
}

static void end_others(const Others *others)
{
    for (int i = 0; i < others->count; i++)
        kill(others->pids[i], SIGKILL);
    for (int i = 0; i < others->count; i++)
        waitpid(others->pids[i], NULL, 0);
}

// ---- the product

static ContraLaunch *open_product(Contra *contra)
{
    static const uint16_t zeros[SIDE * SIDE]; // bf16; the time does not depend on the numbers
    static const int64_t shape[] = {SIDE, SIDE};
    ContraRunOptions options = contra_run_options();
    ContraInput inputs[] = {
        {.name = contra_text("a"), .array = {CONTRA_BF16, 2, shape, zeros}},
        {.name = contra_text("b"), .array = {CONTRA_BF16, 2, shape, zeros}},
    };
    ContraLaunch *launch = NULL;
    int64_t kernel;
    bool ok = contra_check_text(contra, contra_text("product.rs"),
                                contra_text(bench_product_source), NULL, NULL) == CONTRA_OK &&
              contra_kernel_find(contra, contra_text("gemm"), &kernel) == CONTRA_OK &&
              contra_launch_open(contra, kernel, inputs, 2, &options, &launch) == CONTRA_OK &&
              contra_launch_run(launch) == CONTRA_OK; // plans are made the first time
    return ok ? launch : NULL;
}

// The median, in microseconds; negative: a launch failed.
static double time_launches(ContraLaunch *launch)
{
    double took[LAUNCHES];
    for (int i = 0; i < LAUNCHES; i++) {
        double start = bench_now_us();
        if (contra_launch_run(launch) != CONTRA_OK)
            return -1;
        took[i] = bench_now_us() - start;
    }
    return bench_median(took, LAUNCHES);
}

bool bench_busy(double *alone_us, double *busy_us)
{
    Contra *contra = contra_new();
    ContraLaunch *launch = contra ? open_product(contra) : NULL;
    Others others = {.count = 0};
    *alone_us = launch ? time_launches(launch) : -1;
    *busy_us = launch && start_others(&others) ? time_launches(launch) : -1;
    end_others(&others);
    if (launch)
        contra_launch_close(launch);
    contra_free(contra);
    return *alone_us >= 0 && *busy_us >= 0;
}
