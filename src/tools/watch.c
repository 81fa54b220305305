#include "watch.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

// A signal has nowhere else to leave word; there is one terminal.
static volatile sig_atomic_t interrupted;
static volatile double interrupted_at;
static double started, shown_at;
static bool is_shown;

double watch_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// Whoever asks again after a while means it. Twice at once is one wish: who started us may send it
// to us and to all of our group.
static void on_interrupt(int number)
{
    static const double patience_seconds = 0.5;
    double now = watch_seconds();
    if (!interrupted) {
        interrupted = 1;
        interrupted_at = now;
    } else if (now - interrupted_at > patience_seconds) {
        signal(number, SIG_DFL);
        raise(number);
    }
}

void watch_start(void)
{
    struct sigaction action = {.sa_handler = on_interrupt};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    started = watch_seconds();
}

bool watch_interrupted(void)
{
    return interrupted;
}

bool watch_is_cancelled(void *own)
{
    (void)own;
    return interrupted;
}

void watch_progress(void *own, int64_t done, int64_t all)
{
    static const double silent_seconds = 2, pause_seconds = 0.2;
    double now = watch_seconds();
    (void)own;
    if (now - started < silent_seconds || now - shown_at < pause_seconds || !isatty(STDERR_FILENO))
        return;
    shown_at = now;
    is_shown = true;
    dprintf(STDERR_FILENO, "\r\x1b[K%" PRId64 " of %" PRId64 " operations, %.0f s", done, all,
            now - started);
}

void watch_clear(void)
{
    if (is_shown)
        dprintf(STDERR_FILENO, "\r\x1b[K");
    is_shown = false;
}
