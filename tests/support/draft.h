// Random programs as text, guided by the rules so that most are accepted. A draft is a list of
// operations, each of tensors that those before it left; the rules say which of them are right.
#ifndef CONTRA_TEST_DRAFT_H
#define CONTRA_TEST_DRAFT_H

#include "choices.h"
#include "parts.h"
#include "program/program.h"

enum { DRAFT_AXES = 64, DRAFT_TENSORS = 64, DRAFT_OPS = 64 };

typedef struct {
    char name[8];
    int64_t size;  // declared
    int64_t whole; // padded wherever it stands; `size` where it is not
    const char *base;
} DraftAxis;

typedef struct {
    int64_t label;
    Tier tier;
    Scalar type;
    Parts chip, cluster, slice, element;
    Parts padded; // the element as a stream sees it that pads more of it; empty: as it is
} DraftTensor;

typedef struct {
    Arena *arena;
    Choices *choices;
    int64_t slices, slice_bits; // of a cluster; 2 to the power of that many bits
    DraftAxis axes[DRAFT_AXES];
    int64_t axis_count;
    DraftTensor tensors[DRAFT_TENSORS]; // in DM and HBM, that later operations may read
    int64_t tensor_count;
    int64_t label_count;
    Str ops[DRAFT_OPS]; // each an operation with all its lines
    int64_t op_count;
    StrBuf params;
    int64_t dm_next, hbm_next, vrf_next; // free from here on
    int64_t chips;
    Parts chip, cluster, slice;  // where most tensors lie
    Part rest;                   // of the axes of `slice`, what is not in it; size 0: nothing
    int64_t pool[4], pool_count; // axes that elements are made of
    int64_t inner;               // the innermost of them, mostly
    bool is_large;
    bool is_neutral; // passes that reduce as fetched, padding and all, and nothing else
} Draft;

// Makes up a program of `ops` operations or less, for a machine of so many slices a cluster.
void draft_program(Draft *draft, Arena *arena, Choices *choices, int64_t slices, int64_t ops);
// Its first `ops` operations as a program text.
Str draft_text(const Draft *draft, Arena *arena, int64_t ops);

// ---- for the parts of the draft

int64_t draft_axis(Draft *draft, int64_t size, int64_t whole);
Part draft_part(const Draft *draft, int64_t axis); // whole
const char *draft_print(Draft *draft, const Parts *parts);
void(draft_op)(Draft *draft, Message message);
#define draft_op(draft, ...) draft_op(draft, MESSAGE(__VA_ARGS__))

// A tensor that comes with the call.
DraftTensor draft_param(Draft *draft, Tier tier, Scalar type, const Parts *slice,
                        const Parts *element);
// One that an operation makes: where it lies, and that others may read it.
int64_t draft_address(Draft *draft, Tier tier, Scalar type, const Parts *element);
void draft_keep(Draft *draft, const DraftTensor *tensor);

Parts draft_element(Draft *draft, Scalar type);
// Without the padding of axes and groups that are there as a whole, cut or not.
Parts draft_unpadded(Draft *draft, const Parts *parts);
Parts draft_slices(Draft *draft, Part *rest);
Scalar draft_type(Draft *draft);
void draft_shuffle(Draft *draft, Parts *parts, int64_t from, int64_t count);
int64_t draft_flit(Scalar type);                  // elements of 32 bytes
DraftTensor *draft_pick(Draft *draft, Tier tier); // NULL: there is none

// A view of a tensor, perhaps of a part of it: its text, and what a stream sees of its element.
typedef struct {
    const char *text;
    Parts element;
} DraftView;

DraftView draft_view(Draft *draft, const DraftTensor *tensor, int64_t percent);

// ---- operations; each adds to the draft, or does nothing where it finds nothing to work on

void draft_move(Draft *draft);
void draft_shuffles(Draft *draft);
void draft_indirect(Draft *draft);
void draft_pass(Draft *draft);

// ---- passes

typedef struct {
    StrBuf text; // of its stages so far
    const char *context;
    Scalar type;
    Parts chip, cluster, slice, time, packet;
    bool is_sub;
    bool is_wrong; // it came to nothing: the pass is dropped
} Stream;

void(stage_add)(Stream *stream, Message message);
#define stage_add(stream, ...) stage_add(stream, MESSAGE(__VA_ARGS__))
void stream_collect(Draft *draft, Stream *stream);
void stream_switch(Draft *draft, Stream *stream);
void stream_contract(Draft *draft, Stream *stream);
void stream_vector(Draft *draft, Stream *stream);
void stream_commit(Draft *draft, Stream *stream);

#endif
