// The Valid Count Generator: how many elements of each packet are no padding. It tags the packets
// of 8 lanes as they enter the Vector Engine; the intra-slice reduce and BranchMode::ValidCount go
// by the tags. Manual: Valid Count Generator's Interface; Valid Count Generator's Implementation.
//
// In slice s at time step t the first vc(s, t) lanes of a packet are valid:
//
//     vc(s, t)   = packet(t) * gate_0(s, t) * gate_1(s, t) * gate_2(s, t)
//     packet(t)  = min(packet_stride, max(0, packet_valid - index of the packet dim at t))
//     gate(s, t) = s & mask < match   1
//                  s & mask = match   index of the gate at t < valid
//                  s & mask > match   0; transposed: as if equal
//
// The index of a dim is the sum of its counters, each times its stride; the counters count t, the
// first one fastest.
#ifndef CONTRA_ENGINE_VECTOR_VALID_COUNT_H
#define CONTRA_ENGINE_VECTOR_VALID_COUNT_H

#include "machine/machine.h"
#include "program/program.h"

enum { VALID_DIM_NONE = -1, VALID_DIM_PACKET = 0, VALID_DIM_GATE = 1 }; // gate i is GATE + i

typedef struct {
    int64_t limit;
    int64_t stride;
    int32_t dim; // VALID_DIM_*
} ValidCounter;

typedef struct {
    int64_t mask, match, valid;
    bool transposed;
} ValidGate;

// What keeps the generator from telling data from padding.
typedef enum {
    VALID_COUNT_FOUND,
    VALID_COUNT_CLUSTER,      // it depends on the chip or cluster
    VALID_COUNT_SLICE_PACKET, // packets of one time step are cut short differently in the slices
    VALID_COUNT_PACKET_OUTER, // Packet holds an outer part of the axis, Time an inner one
    VALID_COUNT_PACKET_MIXED, // something else lies among the lanes of the axis
    VALID_COUNT_SLICE_ORDER,  // the slices do not count the axis upwards
    VALID_COUNT_SLICE_BITS,   // the axis has no bits of the slice number to itself
    VALID_COUNT_TRANSPOSED,   // Slice counts inside Time, and Time has steps to spare
    VALID_COUNT_INTERLEAVED,  // Slice counts between parts of Time
    VALID_COUNT_TWICE,        // one step of Time is limited in two ways
    VALID_COUNT_COMPOSITE,    // the padding lies inside a composite
    VALID_COUNT_DIMS,         // too many padded axes
    VALID_COUNT_COUNTERS,     // Time has too many parts
} ValidCountProblem;

typedef struct {
    bool needed; // false: no padding, or none that matters; the rest is then empty
    struct {
        ARRAY(ValidCounter);
    } counters; // the fastest first; the slowest may have steps to spare
    int64_t packet_stride, packet_valid;
    struct {
        ARRAY(ValidGate);
    } gates;

    ValidCountProblem problem;
    const Atom *axis;      // problem: of what
    int64_t valid;         // its positions that are no padding
    int64_t lanes;         // SLICE_PACKET, PACKET_*: of it in Packet
    int64_t slices, steps; // TRANSPOSED: of it in Slice and in Time
    int64_t count;         // DIMS, COUNTERS: how many it takes
} ValidCount;

typedef struct {
    const Machine *machine;
    const Dim *const *dims; // of the stream as it enters, LEVEL_COUNT of them
    bool is_way4;           // its packets are already narrowed, and count as trimmed
    const Atom *axis;       // whose padding is to be told from data; NULL: that of every axis
} ValidCountRequest;

// Derives the configuration. False: there is none, and `problem` says why.
bool valid_count_derive(Arena *arena, const ValidCountRequest *request, ValidCount *result);

#endif
