// What the files of this folder share: the call under examination, the table of methods, and the
// rules by subject.
#ifndef CONTRA_ENGINE_VECTOR_INTERNAL_H
#define CONTRA_ENGINE_VECTOR_INTERNAL_H

#include "engine/report.h"
#include "engine/shape.h"
#include "engine/vector/vector.h"

typedef struct {
    const Verify *verify;
    const Pass *pass;
    Arena *arena; // scratch
    DiagList *diags;
    const Machine *machine;
    const Stage *stage; // the call
    const Stage *from;  // the stream it works on
    const char *method; // its name
    bool is_reference;  // only what the reference library checks
} Call;

// ---- the table (stages.c)

typedef enum { WAY_ANY, WAY_8, WAY_4 } WayNeed;

typedef struct {
    bool moves; // the stream comes to `stage`
    VectorStage stage;
    WayNeed way;   // what it works on
    bool is_typed; // it works on `type` only
    Scalar type;
    VectorFamily i32, f32; // operations it takes; FAMILY_COUNT: none
    int arity;             // arguments of the operation that a mode can choose; 0: none
    bool takes_operands;
    void (*verify)(const Call *call); // rules of its own
} VectorMethod;

extern const VectorMethod vector_methods[STAGE_COUNT];

// ---- the stream

bool vector_is_pair(const Stage *stage);
// A call of the Vector Engine, or a parameter of the function that stands for some; false of NULL.
bool vector_is_inside(const Stage *stage);

// The stage that gave the stream behind `stage` its mapping of `level` broke no rule.
bool vector_level_is_sound(const Stage *stage, Level level);

bool vector_shape_is_sound(const Stage *stage); // of all levels

// The last stage of `kind` at or before `stage`, in the Vector Engine; NULL: none.
const Stage *vector_last_of_kind(const Stage *stage, StageKind kind);

// The call that started the intra-slice block of the stream: a branch, an unzip, or a parameter of
// the function. NULL: none.
const Stage *vector_block_entry(const Stage *stage);

// Time with `inner` inside it: "T, A / 4 % 2", or one of them where the other is 1.
Str vector_pair_words(const Call *call, Str outer, int64_t outer_size, Str inner,
                      int64_t inner_size);

// The stages of the intra-slice block that are meant: "Logic, Fxp, Fp, Clip".
Str vector_stage_words(const Call *call, bool (*is_meant)(const VectorStageInfo *));

// ---- what else the row of the engine names

bool vector_suggest(Proposal *proposal);                                        // ways.c
void vector_verify(const Verify *verify, const Pass *pass, const Stage *stage); // stages.c

// What the two reductions are told (reduce.c).
const HwLaneReduce *lane_reduce_lower(const Lower *lower, const Stage *stage);
const HwSliceReduce *slice_reduce_lower(const Lower *lower, const Pass *pass, const Stage *stage);

// ---- rules by subject

void vector_element_verify(const Call *call);
void vector_types_verify(const Call *call, bool in_order); // in_order: the stage is reached at all
void vector_operands_verify(const Call *call);

void vector_flit_verify(const Call *call); // 8 lanes
void vector_branch_verify(const Call *call);
void vector_stash_verify(const Call *call);
void vector_split_verify(const Call *call);
void vector_trim_verify(const Call *call);
void vector_concat_verify(const Call *call);
void vector_pad_verify(const Call *call);
void vector_width_verify(const Call *call); // int_width of a conversion
void vector_intra_reduce_verify(const Call *call);
void vector_inter_reduce_verify(const Call *call);

// A new packet has as many lanes as the way it is for. False: reported. `expected` NULL: not known.
bool vector_lanes_verify(const Call *call, int64_t lanes, const Mapping *expected);

// Reads of the stash: operands, and in the reference library every ternary operation.
void vector_stash_read_verify(const Call *call, Span span);
void vector_ternary_verify(const Call *call);

// A tensor in VRF that is walked along with the stream. False: reported.
bool vector_vrf_verify(const Call *call, const Tensor *vrf, Span span);

// Warns where `condition` never holds.
void vector_condition_verify(const Call *call, BranchCondition condition, Span span);

// Whether the Valid Count Generator can tell data from padding of `axis` (NULL: of every axis) in
// the stream behind `entry`.
void valid_count_verify(const Call *call, const Stage *entry, const Atom *axis);

#endif
