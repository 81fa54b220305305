// Work on several threads.
//
// Whoever has work does it himself, and idle workers of the process take parts of it. He waits only
// for workers that took a part, never for one that has not been given a core yet: on a busy machine
// the caller simply does more of the work. Workers wait for work without using a core, but for a
// moment in which the next piece usually comes.
#ifndef CONTRA_BASE_WORKERS_H
#define CONTRA_BASE_WORKERS_H

#include <stdint.h>

// Items [from, to) of the work.
typedef void WorkersTask(void *own, int64_t from, int64_t to);

// Does items [0, count), `part` of them at a time, on at most `threads` threads. Memory is that of
// the caller (heap_source). Inside of a task it is the thread itself that does everything.
void workers_run(int64_t count, int64_t part, int64_t threads, WorkersTask *task, void *own);

// The number of this thread among those of the work it takes part in: 0 is the caller, and anyone
// outside of any work.
int workers_thread(void);

// How many threads this thread may use: as many as there are cores, or the limit that was set for
// it (0: none). Setting it gives back the former one.
int workers_most(void);
int workers_limit(int most);

#endif
