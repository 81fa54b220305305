// What a caller may put into a Contra: memory and threads, somebody who listens, somebody who ends.
#include "api/state.h"

#include "base/checked.h"
#include "base/workers.h"

#include <stdarg.h>
#include <stdio.h>

// ---- the way in and out

Outside enter_contra(Contra *contra)
{
    int most = workers_most(); // of this thread: a callback of another Contra may have limited it
    bool is_less = contra->threads && contra->threads < most;
    Outside outside = {heap_source, workers_limit(is_less ? (int)contra->threads : most)};
    heap_source = contra->memory.allocate ? &contra->memory : NULL;
    atomic_store_explicit(&contra->refused, false, memory_order_relaxed);
    contra->cancel.seen = false;
    contra->cancel.request = (Canceller){0};
    return outside;
}

void leave_contra(Outside *outside)
{
    heap_source = outside->memory;
    workers_limit(outside->threads);
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
