// The engines that a stream passes through, one row each in a table by the kind of stage, and what
// holds for every stage whatever its engine.
#ifndef CONTRA_ENGINE_ENGINE_H
#define CONTRA_ENGINE_ENGINE_H

#include "engine/lower/lower.h"
#include "program/build.h"

// A call that is about to be written: what is known of the stream that it works on, and what an
// engine proposes. The dimensions are those of the stream, then those that the call makes.
typedef struct {
    Arena *arena;
    const Machine *machine;
    StageKind kind;
    Scalar type;               // SCALAR_COUNT: not known
    uint32_t known;            // bit set of levels
    Mapping dims[LEVEL_COUNT]; // of those levels
    const Mapping *weights;    // align: Element of a tensor in TRF; NULL: not known
    AtomList summed;           // accumulate: axes that packets had before contract
    SwitchConfig config;       // switch: the kind, SWITCH_COUNT: none in particular; then its sizes
    Str slice, time;           // switch: what they make of Slice and Time, as written
    Mapping tile_time;         // vector_intra_slice_unzip; of no size: not known
    bool refused;              // the engine takes no such stream, whatever the call says
} Proposal;

typedef struct {
    const char *name;
    const char *manual; // its chapter

    // Mappings, types, configuration: reports, and leaves what it derived with the stage.
    void (*verify)(const Verify *verify, const Pass *pass, const Stage *stage);
    // Addresses and values. NULL: none matter.
    void (*verify_place)(const Verify *verify, const Pass *pass, const Stage *stage);
    // The plainest call that `verify` takes. False: no mappings make one. NULL: those of the stream
    // will do.
    bool (*suggest)(Proposal *proposal);
    // What the engine is told; false with a diagnostic. Reads what verification left with the
    // stage. NULL: another stage of the engine says it all.
    bool (*lower)(const Lower *lower, const Pass *pass, const Stage *stage, HwPipeline *out);
} Engine;

// Asks the engine of its kind. False: nothing is known of the levels that the call sets.
bool engine_suggest(Proposal *proposal);

// Time and Packet of the stream are known.
bool proposal_has_stream(const Proposal *proposal);

void proposal_set(Proposal *proposal, Level level, Mapping mapping);

// Elements of the stream that so many bytes hold; 0: its type is not known.
int64_t proposal_length(const Proposal *proposal, int64_t bytes);

// Never NULL; an input has no functions.
const Engine *engine_of(StageKind kind);

// The rules, as the builder of programs calls them.
extern const Rules engine_rules;

// The rules about a stage whose pass has to be one command.
void stage_verify(const Verify *verify, const Pass *pass, const Stage *stage);

// What verification left with a stage that it verified for this machine, by all rules of the
// manual; NULL: nothing.
const StageFacts *stage_facts(const Stage *stage, const Machine *machine);
const void *stage_derived(const Stage *stage, const Machine *machine);

// Where what is derived of a stage is copied to, to stay with it as `facts->derived`; NULL: nothing
// stays.
Arena *stage_arena(const Verify *verify, const Stage *stage);

// The last stage of a kind in the pass, or at or before a stage; NULL: there is none.
const Stage *pass_stage(const Pass *pass, StageKind kind);
const Stage *stage_before(const Stage *stage, StageKind kind);

// It reads or writes parts of tensors.
bool pass_has_tiles(const Pass *pass);

// Whether a call may come next, by the kind of the stream, its context, and for the Vector Engine
// by the order of the stages, the lanes and the type. Its own arguments may still be wrong.
bool pass_may_follow(RuleSet rules, const Pass *pass, const Stage *from, StageKind kind);

#endif
