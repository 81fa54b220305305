// One pool per process. A list has the jobs that workers may still join. A worker joins the first
// one, takes parts of it until none is left, and looks for the next job. The mutex of the pool
// guards all fields of a job except `next` and `working`.
//
// A job lives on the stack of its caller. The caller takes it off the list, so that no worker can
// join any more, and returns when no worker is left on it.
#define _GNU_SOURCE // sched_getaffinity
#include "base/workers.h"

#include "base/heap.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <unistd.h>

enum {
    MOST_WORKERS = 256,
    SPINS = 1000, // of 10 to 50 ns each: together about as long as waking a thread
};

typedef struct Job {
    WorkersTask *task;
    void *own;
    int64_t count, part;
    const HeapSource *memory;
    int helpers, most_helpers; // workers that joined, and how many may
    atomic_int_fast64_t next;  // the first item that nobody took
    atomic_int working;        // helpers that have not finished
    struct Job *after;
} Job;

static struct {
    pthread_mutex_t mutex;
    pthread_cond_t posted, finished;
    Job *jobs;
    int workers;
    atomic_uint posts; // number of jobs so far
} pool = {.mutex = PTHREAD_MUTEX_INITIALIZER,
          .posted = PTHREAD_COND_INITIALIZER,
          .finished = PTHREAD_COND_INITIALIZER};

static _Thread_local int own_number, own_limit;
static _Thread_local bool is_inside; // this thread is running a task

static inline void relax(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

// ---- workers

static void take_parts(Job *job)
{
    int64_t from;
    is_inside = true;
    while ((from = atomic_fetch_add_explicit(&job->next, job->part, memory_order_relaxed)) <
           job->count)
        job->task(job->own, from, from + job->part < job->count ? from + job->part : job->count);
    is_inside = false;
}

// Requires the mutex; releases it while it works, and holds it again at the end.
static void help(Job *job)
{
    own_number = ++job->helpers;
    atomic_fetch_add_explicit(&job->working, 1, memory_order_relaxed);
    pthread_mutex_unlock(&pool.mutex);
    heap_source = job->memory;
    take_parts(job);
    heap_source = NULL;
    pthread_mutex_lock(&pool.mutex);
    // the caller may return as soon as this is 0, and then the job is gone
    if (atomic_fetch_sub_explicit(&job->working, 1, memory_order_release) == 1)
        pthread_cond_broadcast(&pool.finished);
}

static Job *find_job(void)
{
    Job *job = pool.jobs;
    while (job && (job->helpers == job->most_helpers ||
                   atomic_load_explicit(&job->next, memory_order_relaxed) >= job->count))
        job = job->after;
    return job;
}

static void *work(void *unused)
{
    pthread_mutex_lock(&pool.mutex);
    for (;;) {
        Job *job = find_job();
        if (job) {
            help(job);
            continue;
        }
        unsigned posts = atomic_load_explicit(&pool.posts, memory_order_relaxed);
        pthread_mutex_unlock(&pool.mutex);
        for (int i = 0;
             i < SPINS && atomic_load_explicit(&pool.posts, memory_order_relaxed) == posts; i++)
            relax();
        pthread_mutex_lock(&pool.mutex);
        if (!find_job())
            pthread_cond_wait(&pool.posted, &pool.mutex);
    }
    return unused;
}

// Workers exist only in the parent: a forked child starts its own.
static void forget_workers(void)
{
    pthread_mutex_init(&pool.mutex, NULL);
    pthread_cond_init(&pool.posted, NULL);
    pthread_cond_init(&pool.finished, NULL);
    pool.jobs = NULL;
    pool.workers = 0;
}

// Registers the fork handler when the library is loaded. Registering it on the first use of the
// workers would be too late for a fork at the same moment.
__attribute__((constructor)) static void expect_forks(void)
{
    pthread_atfork(NULL, NULL, forget_workers);
}

// Signals are for the threads of the program, except those of a crash: a worker that blocked them
// would end the process without the program's handler, and without a sanitizer's report.
static void block_signals(sigset_t *before)
{
    static const int crashes[] = {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS};
    sigset_t blocked;
    sigfillset(&blocked);
    for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++)
        sigdelset(&blocked, crashes[i]);
    pthread_sigmask(SIG_SETMASK, &blocked, before);
}

// Starts workers until there are `count`, or as many as the system allows.
static void have_workers(int count)
{
    sigset_t before;
    if (pool.workers >= count)
        return;
    block_signals(&before);
    for (pthread_t thread; pool.workers < count; pool.workers++) {
        if (pthread_create(&thread, NULL, work, NULL) != 0)
            break;
        pthread_detach(thread);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

// ---- callers

static void post(Job *job)
{
    pthread_mutex_lock(&pool.mutex);
    have_workers(job->most_helpers);
    job->after = pool.jobs;
    pool.jobs = job;
    atomic_fetch_add_explicit(&pool.posts, 1, memory_order_relaxed);
    for (int i = 0; i < job->most_helpers; i++)
        pthread_cond_signal(&pool.posted);
    pthread_mutex_unlock(&pool.mutex);
}

static void wait_for_helpers(Job *job)
{
    pthread_mutex_lock(&pool.mutex);
    Job **link = &pool.jobs;
    while (*link != job)
        link = &(*link)->after;
    *link = job->after;
    pthread_mutex_unlock(&pool.mutex);
    for (int i = 0; i < SPINS && atomic_load_explicit(&job->working, memory_order_acquire); i++)
        relax();
    pthread_mutex_lock(&pool.mutex);
    while (atomic_load_explicit(&job->working, memory_order_acquire))
        pthread_cond_wait(&pool.finished, &pool.mutex);
    pthread_mutex_unlock(&pool.mutex);
}

void workers_run(int64_t count, int64_t part, int64_t threads, WorkersTask *task, void *own)
{
    int64_t parts = (count + part - 1) / part, most = threads < parts ? threads : parts;
    if (most <= 1 || is_inside) {
        if (count > 0)
            task(own, 0, count);
        return;
    }
    Job job = {.task = task,
               .own = own,
               .count = count,
               .part = part,
               .memory = heap_source,
               .most_helpers = (int)(most < MOST_WORKERS ? most : MOST_WORKERS) - 1};
    post(&job);
    take_parts(&job);
    wait_for_helpers(&job);
}

int workers_thread(void)
{
    return is_inside ? own_number : 0;
}

int workers_most(void)
{
    cpu_set_t cores;
    int count = sched_getaffinity(0, sizeof cores, &cores) == 0
                    ? CPU_COUNT(&cores)
                    : (int)sysconf(_SC_NPROCESSORS_ONLN);
    count = count < 1 ? 1 : count > MOST_WORKERS ? MOST_WORKERS : count;
    return own_limit && own_limit < count ? own_limit : count;
}

int workers_limit(int most)
{
    int before = own_limit;
    own_limit = most;
    return before;
}
