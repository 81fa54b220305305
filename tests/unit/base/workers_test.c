// Work on several threads: every item is done exactly once, and a caller does not wait for workers
// that took no part.
#include "base/workers.h"

#include "base/heap.h"
#include "test.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_ITEMS = 1000, MOST_THREADS = 4 };

typedef struct {
    atomic_int done[MOST_ITEMS];
    atomic_int of_thread[MOST_THREADS];
    atomic_bool wrong;
    const HeapSource *memory;
    int64_t part;
} Items;

static void do_items(void *own, int64_t from, int64_t to)
{
    Items *items = own;
    int thread = workers_thread();
    if (to - from > items->part || thread >= MOST_THREADS || heap_source != items->memory) {
        items->wrong = true;
        return;
    }
    items->of_thread[thread]++;
    for (int64_t i = from; i < to; i++)
        items->done[i]++;
}

static bool does_each_once(int64_t count, int64_t part, int64_t threads)
{
    Items *items = calloc(1, sizeof *items);
    items->memory = heap_source;
    items->part = threads > 1 && part < count ? part : count;
    workers_run(count, part, threads, do_items, items);
    bool ok = !items->wrong;
    for (int64_t i = 0; i < MOST_ITEMS; i++)
        ok = ok && items->done[i] == (i < count);
    for (int64_t i = threads; i < MOST_THREADS; i++)
        ok = ok && !items->of_thread[i];
    free(items);
    return ok;
}

static void do_nothing(void *own, int64_t from, int64_t to)
{
    (void)own, (void)from, (void)to;
}

static void *call_when_told(void *own)
{
    const atomic_bool *is_told = own;
    while (!*is_told)
        ;
    workers_run(MOST_ITEMS, 1, MOST_THREADS, do_nothing, NULL);
    return NULL;
}

// Forks in a process without workers while it starts them: the child must start its own.
static int fork_beside_first_use(int delay)
{
    static atomic_bool is_told;
    pthread_t thread;
    int end = -1;
    if (pthread_create(&thread, NULL, call_when_told, &is_told) != 0)
        return 1;
    is_told = true;
    for (volatile int i = 0; i < delay; i++)
        ;
    pid_t child = fork();
    if (!child) {
        alarm(30); // instead of waiting forever
        workers_run(MOST_ITEMS, 1, MOST_THREADS, do_nothing, NULL);
        _exit(0);
    }
    bool ok = waitpid(child, &end, 0) == child && end == 0;
    return pthread_join(thread, NULL) == 0 && ok ? 0 : 1;
}

// The first test of all: it needs a process without workers.
TEST(a_fork_beside_the_first_use)
{
    for (int i = 0; i < 400; i++) {
        int end = -1;
        pid_t trial = fork();
        if (!trial)
            _exit(fork_beside_first_use(i * 20 % 4000));
        assert_int_equal(waitpid(trial, &end, 0), trial);
        assert_int_equal(end, 0);
    }
}

TEST(each_item_is_done_once)
{
    static const int64_t counts[] = {0, 1, 2, 3, 17, 64, 999, MOST_ITEMS};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        for (int64_t threads = 1; threads <= MOST_THREADS; threads++)
            for (int64_t part = 1; part < 2000; part *= 3)
                assert_true(does_each_once(counts[i], part, threads));
    assert_int_equal(workers_thread(), 0);
}

// A calling thread. Several have work at the same time, each with its own memory.
static void *call_often(void *own)
{
    HeapSource source = {.own = own};
    bool *ok = own;
    heap_source = &source;
    for (int i = 0; i < 300; i++)
        *ok = *ok && does_each_once(1 + i, 1 + i % 5, MOST_THREADS);
    heap_source = NULL;
    return NULL;
}

TEST(many_callers)
{
    pthread_t threads[3];
    bool ok[3] = {true, true, true};
    for (int i = 0; i < 3; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, call_often, &ok[i]), 0);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    assert_true(ok[0] && ok[1] && ok[2]);
}

static void do_nested(void *own, int64_t from, int64_t to)
{
    atomic_bool *wrong = own;
    int thread = workers_thread();
    for (int64_t i = from; i < to; i++) {
        Items *items = calloc(1, sizeof *items);
        items->memory = heap_source;
        items->part = 50;
        workers_run(50, 1, MOST_THREADS, do_items, items);
        // the thread itself did everything
        if (items->wrong || items->of_thread[thread] != 1)
            *wrong = true;
        free(items);
    }
}

TEST(work_inside_of_work)
{
    atomic_bool wrong = false;
    workers_run(200, 1, MOST_THREADS, do_nested, &wrong);
    assert_false(wrong);
}

TEST(limits)
{
    int all = workers_most(), before = workers_limit(1);
    assert_true(all >= 1);
    assert_int_equal(workers_most(), 1);
    assert_int_equal(workers_limit(all + 1), 1);
    assert_int_equal(workers_most(), all);
    workers_limit(before);
}

static void look_at_signals(void *own, int64_t from, int64_t to)
{
    atomic_int *looked = own;
    sigset_t blocked;
    (void)from, (void)to;
    for (int i = 0; !workers_thread() && !*looked && i < 1000; i++)
        usleep(1000); // the caller leaves the next part to a worker
    if (!workers_thread() || pthread_sigmask(SIG_BLOCK, NULL, &blocked) != 0)
        return;
    bool ok = sigismember(&blocked, SIGINT) && sigismember(&blocked, SIGCHLD) &&
              !sigismember(&blocked, SIGSEGV) && !sigismember(&blocked, SIGABRT);
    *looked = ok ? 1 : 2;
}

// A crash is reported by whoever catches it in the program; nothing else interrupts a worker.
TEST(workers_block_other_signals)
{
    atomic_int looked = 0;
    workers_run(MOST_THREADS, 1, MOST_THREADS, look_at_signals, &looked);
    assert_int_equal(looked, 1);
}

TEST(a_child_starts_its_own)
{
    int end = -1;
    assert_true(does_each_once(100, 1, MOST_THREADS));
    pid_t child = fork();
    if (!child) {
        alarm(30); // instead of waiting forever
        _exit(does_each_once(100, 1, MOST_THREADS) ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &end, 0), child);
    assert_int_equal(end, 0);
}
