// Loaded before the C library (LD_PRELOAD): a process that opens a file named fault_KIND.rs fails
// in that way, unless a file `disarmed` is next to it. If there is also a file `once`, it fails
// once, and the file is removed. FAULT_FORKS limits how many processes it can start. So Contra
// itself needs no way to fail on purpose.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *block, size_t bytes);

static int is_out_of_memory;

void *malloc(size_t bytes)
{
    return is_out_of_memory ? NULL : __libc_malloc(bytes);
}

void *calloc(size_t count, size_t bytes)
{
    return is_out_of_memory ? NULL : __libc_calloc(count, bytes);
}

void *realloc(void *block, size_t bytes)
{
    return is_out_of_memory ? NULL : __libc_realloc(block, bytes);
}

static int fall(volatile int depth)
{
    volatile char frame[4096];
    frame[depth % 4096] = 1;
    return fall(depth + 1) + frame[0];
}

static void fail(const char *kind)
{
    if (strncmp(kind, "abort", 5) == 0)
        abort();
    if (strncmp(kind, "segv", 4) == 0)
        *(volatile int *)8 = 1;
    if (strncmp(kind, "stack", 5) == 0)
        fall(0);
    if (strncmp(kind, "kill", 4) == 0)
        raise(SIGKILL);
    if (strncmp(kind, "babble", 6) == 0)
        printf("%99999d\r\n\r\n", 0);
    is_out_of_memory |= strncmp(kind, "memory", 6) == 0;
    while (strncmp(kind, "loop", 4) == 0)
        ;
}

FILE *fopen(const char *path, const char *mode)
{
    FILE *(*real)(const char *, const char *) =
        (FILE * (*)(const char *, const char *)) dlsym(RTLD_NEXT, "fopen");
    const char *slash = strrchr(path, '/');
    char disarmed[4096], once[4096];
    int folder = slash ? (int)(slash - path) : 0;
    snprintf(disarmed, sizeof disarmed, "%.*s/disarmed", folder, path);
    snprintf(once, sizeof once, "%.*s/once", folder, path);
    if (slash && strncmp(slash, "/fault_", 7) == 0 && (access(disarmed, F_OK) || !unlink(once)))
        fail(slash + 7);
    return real(path, mode);
}

pid_t fork(void)
{
    static int forks;
    pid_t (*real)(void) = (pid_t(*)(void))dlsym(RTLD_NEXT, "fork");
    const char *most = getenv("FAULT_FORKS");
    return most && forks++ >= atoi(most) ? -1 : real();
}

// A signal to a missing process, or to all processes, is a bug in the caller.
int kill(pid_t process, int with)
{
    int (*real)(pid_t, int) = (int (*)(pid_t, int))dlsym(RTLD_NEXT, "kill");
    if (process <= 0 || (with && real(process, 0) != 0))
        _exit(99);
    return real(process, with);
}

// Shortens the time limit, so that the test does not have to wait for it.
int setitimer(__itimer_which_t which, const struct itimerval *given, struct itimerval *old)
{
    int (*real)(int, const struct itimerval *, struct itimerval *) =
        (int (*)(int, const struct itimerval *, struct itimerval *))dlsym(RTLD_NEXT, "setitimer");
    struct itimerval sooner = *given;
    if (sooner.it_value.tv_sec)
        sooner.it_value.tv_sec = 1;
    return real((int)which, &sooner, old);
}
