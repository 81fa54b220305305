// What the parts of the verifier share.
#ifndef CONTRA_DEVICE_VERIFY_INTERNAL_H
#define CONTRA_DEVICE_VERIFY_INTERNAL_H

#include "command/nest.h"
#include "device/verify.h"
#include "scalar/bits.h"

// Numbers of a file are at most this, and sums of products of them, too: executing one cannot
// overflow.
#define VERIFY_MOST (INT64_C(1) << 48)

// The way from the object to the record at hand.
typedef struct VerifyPath {
    const struct VerifyPath *up;
    const char *name;
    int64_t index; // in a list; -1: it is in none
} VerifyPath;

typedef struct {
    Str file;
    const Machine *machine;
    const VerifyLimits *limits;
    DiagList *diags;
    const VerifyPath *path;
    int64_t chips;
    int64_t steps;     // of what was looked at so far
    int64_t operation; // in which something is wrong; -1: in none
} Verify;

// Says what is wrong with a field of the record at hand: its name, then words. Always false.
bool(verify_wrong)(Verify *verify, const char *field, Message message);
#define verify_wrong(verify, field, ...) verify_wrong(verify, field, MESSAGE(__VA_ARGS__))

// The number of a field must be this, or in this range.
bool verify_equal(Verify *verify, const char *field, int64_t value, int64_t wanted);
bool verify_range(Verify *verify, const char *field, int64_t value, int64_t least, int64_t most);

// Counts work. False: it is more than there may be.
bool verify_spend(Verify *verify, int64_t steps);

// a x b and a + b of numbers that are not negative; VERIFY_MOST where it would be more.
int64_t verify_times(int64_t a, int64_t b);

// The least and the most of a sum.
typedef struct {
    int64_t least, most;
} Interval;

// Adds what a digit from 0 to `last` times `weight` can be.
void interval_add(Interval *sum, int64_t last, int64_t weight);

// ---- relations between the fields of one record, all of whose numbers are in their ranges

bool verify_loop(Verify *verify, const void *record);
bool verify_nest(Verify *verify, const void *record);
bool verify_layout(Verify *verify, const void *record);
bool verify_pass(Verify *verify, const void *record);
bool verify_command(Verify *verify, const void *record);
bool verify_vector(Verify *verify, const void *record);
bool verify_commit_mask(Verify *verify, const void *record);
bool verify_fetch(Verify *verify, const void *record);
bool verify_slice_reduce(Verify *verify, const void *record);
bool verify_vector_step(Verify *verify, const void *record);
bool verify_commit(Verify *verify, const void *record);
bool verify_reduce(Verify *verify, const void *record);
bool verify_vrf_store(Verify *verify, const void *record);

// ---- a pass (verify_pass.c)

// The packets of a slice on the way through a pass.
typedef struct {
    int64_t time, lanes;
    bool is_pair, has_stash;
    int64_t stash; // elements
    bool meets;    // slices have met
} Flow;

bool verify_steps(Verify *verify, const HwPipeline *pass, Flow *flow);

#endif
