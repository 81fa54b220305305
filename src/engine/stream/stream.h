// What the engines of a stream ask each other. Manual: Computing Tensors.
#ifndef CONTRA_ENGINE_STREAM_STREAM_H
#define CONTRA_ENGINE_STREAM_STREAM_H

#include "engine/engine.h"
#include "engine/sequencer.h"
#include "engine/strides.h"

extern const Engine begin_engine, fetch_engine, switch_engine, collect_engine, align_engine,
    contract_engine, accumulate_engine, cast_engine, transpose_engine, commit_engine, trf_engine,
    vrf_engine;

// ---- all stages (pass.c)

// True: the rules of the stage's own engine make sense.
bool pass_verify(const Verify *verify, const Pass *pass, const Stage *stage);

// No part of an axis is given twice by the stream behind the stage. Asked last, when its engine has
// found nothing: what an engine says about a shape is closer to the mistake.
void pass_verify_overlap(const Verify *verify, const Stage *stage);

// A sink stores in the units that the pass reads in. Depends on where tiles start.
// Manual: Fetch Engine, Interface ("each slice independently reads its own DM data").
void pass_verify_units(const Verify *verify, const Pass *pass, const Stage *stage);

// Engines of a slice work on the memory of that slice. Compares the stream that comes into `stage`
// with a tensor of `type` and `dims`: same type, chip, cluster and slice; reports with `code`.
void place_verify(const Verify *verify, const Stage *stage, DiagCode code, Scalar type,
                  const Dim *const dims[LEVEL_COUNT]);

// A move: the same elements in another shape. The reference library makes every stage of one, and
// refuses what loses an axis or, where nothing can be repeated, gains one.
typedef enum {
    MOVE_EXACT,     // the same axes on both sides
    MOVE_BROADCAST, // what the target has besides is filled by repetition
} MoveKind;

// Every term of `from` is found in `to`. Reports with `code` at `span`; true: nothing is wrong.
bool move_verify(const Verify *verify, Span span, DiagCode code, MoveKind kind, const Mapping *from,
                 const Mapping *to);

// The same from one stream to the next, all dimensions together.
bool move_verify_stage(const Verify *verify, const Stage *stage, DiagCode code, MoveKind kind);

// ---- fetch

// What the sequencer of a fetch does, of interleaved tensors for each of them: as verification left
// it with the stage, or else derived in the arena. NULL: it has no loops, and `diags` says why.
const Sequence *fetch_sequence(Arena *arena, const Machine *machine, const Pass *pass,
                               const Stage *stage, DiagList *diags);

// ---- the contraction engine

// The operands of `stage`, an align or a contract, have a type that can be multiplied.
bool contract_verify_type(const Verify *verify, const Stage *stage);

// The two walks of an align, as verification left them with the stage, or else derived in the
// arena.
typedef struct {
    Strides stream;     // where the flits of each packet come from: a position of Time is a flit
    Strides weights;    // how the TRF Sequencer reads: in elements of a row
    int64_t read_bytes; // reg_read_size; 0: no read brings a packet
    bool is_stream, is_read; // false: the Stream Adapter, the TRF Sequencer cannot do it
} AlignPlan;

const AlignPlan *align_plan(Arena *arena, const Machine *machine, const Stage *stage);

// What the accumulator does with the steps of Time.
typedef struct {
    StrideLoops loops; // innermost first; strides in places of the output, 0: added up
    int64_t columns;   // what is left of the packet
    int64_t places;    // of Time'
    int64_t buffered;  // of these, inside the outermost loop that is added up
    int64_t inner;     // the same with what Time ends with: what the buffer is limited by
    bool is_nest;      // false: between two loops there is no whole number of steps
} AccumulatePlan;

// The same for an accumulate. NULL: it is no sum that the accumulator can make.
const AccumulatePlan *accumulate_plan(Arena *arena, const Machine *machine, const Stage *stage);

// ---- padding that a reduction would take in with the data (padding.c)

// Reports padding that no mask keeps out of the sums of an accumulate, or out of an inter-slice
// reduce that fetch can pad for. Says nothing where a stage before it is not sound.
void padding_verify(const Verify *verify, const Pass *pass, const Stage *reduce);

// Relaxing the group `valid-count` says that padding in memory holds the neutral element of a
// reduction of the Vector Engine. Reports padding that it takes in and that is not in memory.
void padding_verify_relaxed(const Verify *verify, const Pass *pass, const Stage *reduce);

// Whether there is none of that, as far as one can tell: something may be computed before.
bool padding_is_in_memory(const Verify *verify, const Pass *pass, const Stage *reduce);

// Leaves with a reduction what was found of it.
void padding_keep(const Verify *verify, const Stage *reduce, PaddingFound found);

// Whether a reduction takes in padding that is not neutral: the user relaxed the rule.
bool padding_is_reduced(const Lower *lower, const Pass *pass, const Stage *reduce);

// ---- register files and memory

// Row is one of the counts that the rows of the MAC array are used in.
bool trf_verify_rows(const Verify *verify, const Stage *stage, const Dim *row);

// Where its rows lie in the banks.
HwTrfLayout trf_layout(const Machine *machine, const Tensor *trf);

// The tensor that a commit writes, and the shape of what is written of it.
const Tensor *commit_tensor(const Stage *stage);
const Dim *const *commit_dims(const Stage *stage);

// ---- switch

// A call of switch, as its rules see it.
typedef struct {
    const Verify *verify;
    const Stage *stage;
    SwitchConfig config;
    const Mapping *in_slice, *in_time, *out_slice, *out_time;
} Switching;

// Where each packet that is put out comes from.
typedef struct {
    ARRAY(HwRouteTerm);
} RouteTerms;

// CustomBroadcast: any permutation and broadcast of slices that the ring can deliver in order
// (switch_custom.c). Requires: as many slices behind as before.
void switch_verify_custom(const Switching *switching);
// Requires: the rules found nothing wrong.
RouteTerms switch_custom_terms(const Switching *switching);

// A help that says a configuration, and puts it in the place of the one given.
void switch_help(const Switching *switching, Diag *diag, const SwitchConfig *config,
                 const char *what);

#endif
