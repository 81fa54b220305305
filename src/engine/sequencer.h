// The sequencer: nested loops over a memory, derived from where the terms of a stream sit in a
// buffer. Manual: Sequencer; Fetch Engine, Fetch Sequencer; Commit Engine, Commit Sequencer.
//
// Each written element of Time and Packet becomes a loop of one size and one stride (in elements);
// what the buffer does not have is walked with stride 0. The limits of the hardware are those of
// the machine.
#ifndef CONTRA_ENGINE_SEQUENCER_H
#define CONTRA_ENGINE_SEQUENCER_H

#include "base/diag.h"
#include "engine/engine.h"
#include "machine/machine.h"
#include "mapping/expr.h"
#include "mapping/mapping.h"
#include "scalar/scalar.h"

typedef enum {
    SEQUENCE_READ,   // the bare sequencer
    SEQUENCE_WRITE,  // the bare sequencer, the other way
    SEQUENCE_FETCH,  // reading, with the rules of the Fetch Engine
    SEQUENCE_COMMIT, // writing, with the rules of the Commit Engine
} SequenceEngine;

typedef struct {
    const Machine *machine;
    SequenceEngine engine;
    Context context; // main or sub
    const Expr *buffer;
    const Expr *time;
    const Expr *packet;
    Scalar type;        // of the elements in memory
    Scalar cast;        // of the elements in the stream, where a fetch casts them
    bool is_index;      // a table makes something else of them: the packet is not theirs to count
    int64_t base_bytes; // address of the buffer
} SequenceRequest;

typedef struct {
    Str term;               // what it walks, as written
    Mapping mapping;        // the same
    int64_t size;           // iterations
    int64_t stride;         // elements from one iteration to the next
    const int64_t *offsets; // an indirect entry: `size` offsets in elements, instead of a stride
    bool is_packet;         // of Packet, or merged with it
    bool is_hollow;         // steps over nothing but padding
} SequenceEntry;

// One step of the derivation, for explaining it.
typedef struct {
    Str term;
    int64_t first_entry, entry_count; // what it became, among the entries before merging
    Str buffer_after;
} SequenceStep;

typedef struct {
    ARRAY(SequenceEntry);
} SequenceEntries;

typedef struct {
    ARRAY(SequenceStep);
} SequenceSteps;

typedef struct {
    SequenceEntries entries; // outermost first
    SequenceEntries written; // the same before merging
    SequenceSteps steps;
    bool merged;
    int64_t base_offset; // elements from the start of the buffer to the first access
    int64_t time_steps;
    int64_t packet_elements;
    int64_t packet_bytes;     // in memory, before a cast
    int64_t packet_size;      // elements of the innermost entry of the packet
    int64_t contiguous_bytes; // contiguous_sram_access_size
    int64_t access_bytes;     // fetch_size or commit_size
    int64_t commit_in_bytes;  // writing: what is written of each packet
    int64_t accesses_per_packet;
    int64_t cycles;
    Mapping buffer_after; // what the stream does not walk
    bool walks_all;       // nothing of the buffer is left
} Sequence;

// Derives the loop nest. False, with diagnostics, where there is none. Requires: none of the
// expressions is poisoned.
bool sequencer_derive(Arena *arena, const SequenceRequest *request, DiagList *diags,
                      Sequence *sequence);

// Leaves the loops and sizes of a sequence with its stage, without how they were derived.
void sequence_keep(const Verify *verify, const Stage *stage, const Sequence *sequence);

// "[8:32, 8:256, 16:1]:16", outermost first. The suffix is the packet size in elements for
// reading, the bytes of one write for writing; "@ n" is the base offset in elements where it is
// not 0.
void sequencer_print(StrBuf *out, const Sequence *sequence, SequenceEngine engine);

bool sequencer_writes(SequenceEngine engine);

#endif
