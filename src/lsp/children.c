#include "lsp/children.h"

#include "tools/watch.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

// ---- in the child

static void write_all(int to, const char *text)
{
    size_t left = text ? strlen(text) : 0;
    while (left) {
        ssize_t written = write(to, text, left);
        if (written < 0 && errno != EINTR)
            return;
        text += written > 0 ? written : 0;
        left -= written > 0 ? (size_t)written : 0;
    }
}

// Nobody waits for work whose server was killed.
void children_end_with(int parent)
{
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    if (getppid() != parent)
        _exit(1);
}

// Messages are the parent's alone.
_Noreturn static void be_child(const ServerJob *job, int to, pid_t parent)
{
    children_end_with(parent);
    close(STDIN_FILENO);
    close(STDOUT_FILENO);
    write_all(to, job->work(job->own));
    _exit(0);
}

// ---- in the parent

bool children_start(void *own, const ServerJob *job)
{
    Children *children = own;
    int ends[2];
    if (children->count == MOST_CHILDREN || pipe(ends))
        return false;
    pid_t parent = getpid(), process = fork();
    if (process == 0) {
        close(ends[0]);
        be_child(job, ends[1], parent);
    }
    close(ends[1]);
    if (process < 0) {
        close(ends[0]);
        return false;
    }
    children->items[children->count++] = (Child){.job = job->number,
                                                 .process = process,
                                                 .from = ends[0],
                                                 .end = watch_seconds() + job->seconds};
    return true;
}

// It has nothing left to do.
static void end_child(Children *children, int which)
{
    Child *child = &children->items[which];
    kill(child->process, SIGKILL);
    waitpid(child->process, NULL, 0);
    close(child->from);
    free(child->text);
    *child = children->items[--children->count];
}

void children_stop(void *own, int64_t job)
{
    Children *children = own;
    for (int i = 0; i < children->count; i++)
        if (children->items[i].job == job) {
            end_child(children, i);
            return;
        }
}

// False: nothing more comes.
static bool read_some(Child *child)
{
    enum { READ_BYTES = 64 << 10 };
    char *more = realloc(child->text, child->length + READ_BYTES + 1);
    if (!more)
        return false;
    child->text = more;
    ssize_t part = read(child->from, more + child->length, READ_BYTES);
    child->length += part > 0 ? (size_t)part : 0;
    more[child->length] = 0;
    return part > 0 || (part < 0 && errno == EINTR);
}

// Cut off at a deadline, a text is none.
static void finish(Children *children, int which, Server *server, bool is_whole)
{
    Child *child = &children->items[which];
    int64_t job = child->job;
    char *text = child->text;
    bool is_well = is_whole && child->length;
    child->text = NULL;
    end_child(children, which);
    server_finish(server, job, is_well ? text : NULL);
    free(text);
}

static int time_left(const Children *children, int milliseconds)
{
    for (int i = 0; i < children->count; i++) {
        double left = (children->items[i].end - watch_seconds()) * 1000;
        int rounded = left > 0 ? (int)left + 1 : 0;
        if (milliseconds < 0 || rounded < milliseconds)
            milliseconds = rounded;
    }
    return milliseconds;
}

bool children_wait(Children *children, Server *server, int input, int milliseconds)
{
    struct pollfd ready[MOST_CHILDREN + 1] = {{.fd = input, .events = POLLIN}};
    for (int i = 0; i < children->count; i++)
        ready[i + 1] = (struct pollfd){.fd = children->items[i].from, .events = POLLIN};
    int count = poll(ready, (nfds_t)children->count + 1, time_left(children, milliseconds));
    for (int i = children->count - 1; i >= 0; i--) { // the last takes the place of one that ends
        if (count > 0 && ready[i + 1].revents && !read_some(&children->items[i]))
            finish(children, i, server, true);
        else if (children->items[i].end <= watch_seconds())
            finish(children, i, server, false);
    }
    return count > 0 && ready[0].revents;
}
