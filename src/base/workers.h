// Work on several threads.
//
// A caller does its work itself, and idle workers of the process take parts of it. The caller waits
// only for workers that took a part, never for one that has no core yet: on a busy machine it
// simply does more of the work. Idle workers spin for a moment, in which the next job usually
// comes, and then sleep.
#ifndef CONTRA_BASE_WORKERS_H
#define CONTRA_BASE_WORKERS_H

#include <stdint.h>

// Items [from, to) of the work.
typedef void WorkersTask(void *own, int64_t from, int64_t to);

// Does items [0, count), `part` of them at a time, on at most `threads` threads. Tasks allocate
// from the caller's memory (heap_source). Inside a task, the calling thread does everything itself.
void workers_run(int64_t count, int64_t part, int64_t threads, WorkersTask *task, void *own);

// The number of this thread among those that work on the same job: 0 for the caller, and for a
// thread that is not working on a job.
int workers_thread(void);

// How many threads this thread may use: as many as there are cores, or the limit that was set for
// it (0: no limit). Setting a limit returns the former one.
int workers_most(void);
int workers_limit(int most);

#endif
