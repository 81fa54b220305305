// What a caller may put into a Contra: memory and threads, somebody who listens, somebody who ends.
#include "api/state.h"

#include "base/workers.h"

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

// ---- a log

void contra_set_log(Contra *contra, ContraLog *log, void *own)
{
    if (!contra)
        return;
    contra->log = log;
    contra->log_own = own;
}
