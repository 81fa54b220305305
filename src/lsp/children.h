// Processes that do the jobs of a server.
#ifndef CONTRA_LSP_CHILDREN_H
#define CONTRA_LSP_CHILDREN_H

#include "lsp/server.h"

enum { MOST_CHILDREN = 8 };

typedef struct {
    int64_t job;
    int process, from; // where its text comes from
    double end;        // when it is ended
    char *text;
    size_t length;
} Child;

// {0} has none.
typedef struct {
    Child items[MOST_CHILDREN];
    int count;
} Children;

// For ServerTools, with the children as their own.
bool children_start(void *children, const ServerJob *job);
void children_stop(void *children, int64_t job);

// Call this first in a child, so that it ends when its parent does.
void children_end_with(int parent);

// Waits until something can be read from `input` (negative: nobody reads it), a child ended, or so
// many milliseconds went by (negative: for ever); hands on what children said. Whether `input` is
// ready.
bool children_wait(Children *children, Server *server, int input, int milliseconds);

#endif
