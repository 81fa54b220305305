// The records of the Fetch, Switch and Commit Engine carried out step by step, from what the .def
// files say alone: which bits of a memory a step touches, where a packet comes from, what is
// masked.
#ifndef CONTRA_TESTS_WALK_STREAM_H
#define CONTRA_TESTS_WALK_STREAM_H

#include "command/command.h"

// A slice of the hardware.
typedef struct {
    int64_t chip, cluster, slice;
} WalkUnit;

// Elements that a nest walks, and the bit at which number `at` of them starts.
int64_t walk_nest_count(const HwNest *nest);
int64_t walk_nest_bit(const HwNest *nest, int64_t at);

bool walk_has_unit(const HwClusterBits *rows, int64_t count, WalkUnit unit);

typedef struct {
    int64_t bit;    // where the element starts in the DM of its slice
    int64_t base;   // which of the interleaved tensors it is of
    bool is_masked; // or its slice holds no data
} WalkRead;

WalkRead walk_fetch(const HwFetch *fetch, WalkUnit unit, int64_t packet, int64_t element);

// False: the packet has no source.
bool walk_route(const HwSwitchRoute *route, int64_t slice, int64_t packet, int64_t *from_slice,
                int64_t *from_packet);
bool walk_snoops(const HwSwitchRoute *route, int64_t slice, int64_t source);

// Where element `element` of flit `flit` is written; false: nowhere.
bool walk_commit(const HwCommit *commit, WalkUnit unit, int64_t flit, int64_t element,
                 int64_t flit_elements, int64_t *bit);

#endif
