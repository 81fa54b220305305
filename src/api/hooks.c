// What a caller may put into a Contra: memory and threads, somebody who listens, somebody who ends.
#include "api/state.h"

#include "base/checked.h"

#ifdef _OPENMP
#include <omp.h>
#include <pthread.h>
#endif
#include <stdarg.h>
#include <stdio.h>

// ---- forks

#ifdef _OPENMP
// The threads of OpenMP stay behind in the parent, and who waits for them waits forever: in a child
// the thread that forked works alone. Those that begin there have threads of their own.
static void work_alone(void)
{
    omp_set_max_active_levels(0);
}

static void expect_forks(void)
{
    pthread_atfork(NULL, NULL, work_alone);
}
#endif

void survive_forks(void)
{
#ifdef _OPENMP
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, expect_forks);
#endif
}

// ---- the way in and out

// OpenMP counts threads for each thread that asks for them, so the number is set on the way in.
static int use_threads(int64_t threads)
{
#ifdef _OPENMP
    int before = omp_get_max_threads();
    if (threads && threads < before)
        omp_set_num_threads((int)threads);
    return before;
#else
    (void)threads;
    return 1;
#endif
}

Outside enter_contra(Contra *contra)
{
    Outside outside = {heap_source, use_threads(contra->threads)};
    heap_source = contra->memory.allocate ? &contra->memory : NULL;
    atomic_store_explicit(&contra->refused, false, memory_order_relaxed);
    contra->cancel.seen = false;
    contra->cancel.request = (Canceller){0};
    return outside;
}

void leave_contra(Outside *outside)
{
    heap_source = outside->memory;
#ifdef _OPENMP
    omp_set_num_threads(outside->threads);
#endif
}

// ---- an end

void contra_set_cancel(Contra *contra, ContraCancelled *is_cancelled, void *own)
{
    if (contra)
        contra->cancel.always = (Canceller){is_cancelled, own};
}

ContraStatus status_of(const Contra *contra, ContraStatus status)
{
    return contra->cancel.seen && status != CONTRA_NO_MEMORY ? CONTRA_CANCELLED : status;
}

// ---- a log

void contra_set_log(Contra *contra, ContraLog *log, void *own)
{
    if (!contra)
        return;
    contra->log = log;
    contra->log_own = own;
}

void log_say(const Contra *contra, ContraLogLevel level, const char *format, ...)
{
    char line[512]; // no memory of the Contra: results are not to move for a log
    if (!contra->log)
        return;
    va_list args;
    va_start(args, format);
    int length = vsnprintf(line, sizeof line, format, args);
    va_end(args);
    if (length > 0)
        contra->log(contra->log_own, level,
                    (ContraText){line, min_i64(length, (int64_t)sizeof line - 1)});
}
