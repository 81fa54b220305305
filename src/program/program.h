// A program: a flat list of operations on tensors, as a kernel runs them. Every mapping, type,
// address and source span is in it; loops and functions are not. It is made by the builder
// (build.h), through which source, program text and the C interface all come.
#ifndef CONTRA_PROGRAM_PROGRAM_H
#define CONTRA_PROGRAM_PROGRAM_H

#include "base/array.h"
#include "base/diag.h"
#include "mapping/expr.h"
#include "program/vector.h"
#include "scalar/scalar.h"

// ---- dimensions

// The dimensions of a tensor or stream, outermost first. Manual: Memory and Stream.
typedef enum {
    LEVEL_CHIP,
    LEVEL_CLUSTER,
    LEVEL_SLICE,
    LEVEL_ROW,
    LEVEL_TIME,
    LEVEL_PACKET,
    LEVEL_ELEMENT,
    LEVEL_COUNT
} Level;

extern const char *const level_names[LEVEL_COUNT]; // "Chip"

// The mapping of one dimension. Two with the same address are the same; what is found out about
// one may be kept by its address.
typedef struct {
    const Expr *expr; // as written; never poisoned
    Mapping mapping;
    Span span; // where it is used: the type argument, or what stands for it
} Dim;

// ---- tensors

typedef enum { TIER_HOST, TIER_HBM, TIER_DM, TIER_TRF, TIER_VRF, TIER_COUNT } Tier;

typedef struct {
    const char *name;      // "DM"
    const char *type_name; // "DmTensor"
    bool levels[LEVEL_COUNT];
} TierInfo;

extern const TierInfo tiers[TIER_COUNT];

typedef enum { TRF_FIRST_HALF, TRF_SECOND_HALF, TRF_FULL, TRF_COUNT } TrfAddress;

extern const char *const trf_address_names[TRF_COUNT]; // "FirstHalf"

// A number that tracing may not know: an address handed in by the host, the index of a loop that is
// checked without running it.
typedef struct {
    bool known;
    int64_t value;
} MaybeInt;

typedef enum {
    ORIGIN_PARAM,   // comes with the call of the kernel
    ORIGIN_ADDRESS, // from_addr: whatever lies there
    ORIGIN_RESULT,  // written by an operation
    ORIGIN_RESHAPE, // another name for the bytes of `storage`
} TensorOrigin;

typedef struct Tensor Tensor;
typedef struct Pass Pass;

struct Tensor {
    int32_t id; // its number in the program
    Tier tier;
    TensorOrigin origin;
    Scalar type;
    const Dim *dims[LEVEL_COUNT]; // NULL: the tier has no such level
    MaybeInt address;             // bytes; in HBM of a chip, in DM and VRF of a slice; not of host;
                                  // of a row in TRF, where it is a part of a tensor there
    TrfAddress trf;               // of TRF, instead
    const Pass *load;             // TRF: the pass of this program that fills it; NULL: none
    const Tensor *storage;        // reshape: of whose bytes
    const char *name;             // in the source, NULL: none
    Span span;
    bool is_placed;       // the program leaves its address open, and lowering has chosen it
    Span address_span;    // where its address is written; empty: nowhere
    bool address_fixed;   // it is written as a number or a name, which an edit can replace
    int32_t address_base; // 2, 8, 10 or 16, as it is written; 0: none of these
    bool is_output;       // a `&mut` parameter, which the kernel should write
    bool sound;           // no rule about it was broken
};

// Its address as the program says it.
static inline MaybeInt tensor_given_address(const Tensor *tensor)
{
    return tensor->is_placed ? (MaybeInt){0} : tensor->address;
}

// A tensor with one dimension narrowed to `length` positions of `index` from `start` on.
typedef struct {
    Level level;
    const Dim *index;
    int64_t length;
    MaybeInt start;
    const Dim *dim; // the level with only that left; the builder fills it in
    bool is_split;  // nobody wrote it: one of several commands, of which others do the rest
    Span span;
    Span start_span; // where the start is said; empty: nowhere
} Tile;

// A tensor, or a part of one. Manual: Mapping Expressions, Resize.
typedef struct {
    const Tensor *tensor;
    const Dim *dims[LEVEL_COUNT]; // of the part
    struct {
        ARRAY(Tile);
    } tiles;                       // outermost first: each of the one before
    MaybeInt offsets[LEVEL_COUNT]; // positions of the tensor's level before the part
    bool is_mut;
    Span span;
    bool sound;
} View;

// ---- Tensor Unit passes

typedef enum { CONTEXT_MAIN, CONTEXT_SUB, CONTEXT_TDMA, CONTEXT_PDMA, CONTEXT_COUNT } Context;

extern const char *const context_names[CONTEXT_COUNT]; // "main"

// What kind of stream stands behind a stage: decides which stage may follow.
typedef enum {
    POSITION_BEGIN,
    POSITION_FETCH,
    POSITION_SWITCH,
    POSITION_COLLECT,
    POSITION_ALIGN,
    POSITION_CONTRACT,
    POSITION_ACCUMULATE,
    POSITION_VECTOR_INIT,
    POSITION_VECTOR,
    POSITION_VECTOR_PAIR,
    POSITION_VECTOR_FINAL,
    POSITION_CAST,
    POSITION_TRANSPOSE,
    POSITION_SINK, // nothing follows
    POSITION_COUNT
} Position;

extern const char *const position_types[POSITION_COUNT]; // "CollectTensor"

typedef enum {
    STAGE_INPUT, // a stream that is a parameter of the function
#define STAGE(name, method, from, to, sets, manual) STAGE_##name,
#include "program/stage.def"
#undef STAGE
    STAGE_COUNT
} StageKind;

typedef struct {
    const char *method; // as the language spells it; "" of an input
    uint32_t from;      // bit set of positions it may follow
    Position to;
    uint32_t sets;      // bit set of levels it gives new mappings
    const char *manual; // its chapter
} StageInfo;

extern const StageInfo stages[STAGE_COUNT];

// The stage of a method: by its name without what only tells how it is called. STAGE_COUNT: none.
StageKind stage_of_method(const char *method);

typedef enum {
    SWITCH_BROADCAST01,
    SWITCH_BROADCAST1,
    SWITCH_TRANSPOSE,
    SWITCH_INTER_TRANSPOSE,
    SWITCH_TRANSPOSED_BROADCAST1,
    SWITCH_CUSTOM_BROADCAST,
    SWITCH_COUNT
} SwitchKind;

enum { SWITCH_FIELDS = 3 };

// Which fields a topology has, in the order of the language.
typedef struct {
    const char *name;                  // "Broadcast01"
    const char *fields[SWITCH_FIELDS]; // "slice1", "slice0", "time0"; NULL: no more
} SwitchInfo;

extern const SwitchInfo switches[SWITCH_COUNT];

typedef struct {
    SwitchKind kind;
    int64_t slice1, slice0, time0, ring_size; // those it has
} SwitchConfig;

typedef enum { ACCUMULATE_INTERLEAVED, ACCUMULATE_SEQUENTIAL, ACCUMULATE_COUNT } AccumulateKind;

extern const char *const accumulate_names[ACCUMULATE_COUNT]; // "Interleaved"

typedef enum {
    OPERAND_SKIP, // (): this group of a pair is left alone
    OPERAND_CONSTANT,
    OPERAND_VRF,
    OPERAND_STASH,
} OperandKind;

enum { OPERAND_COUNT = OPERAND_STASH + 1 };

typedef struct {
    OperandKind kind;
    BranchCondition condition;
    Scalar type;       // constant: of the value
    uint32_t bits;     // constant
    const Tensor *vrf; // vrf
    uint32_t second;   // ternary: the other operand, f32
    Span span;
} Operand;

enum { VECTOR_OPERANDS = 5, BRANCH_COMPARISONS = 4, TABLE_ENTRIES = 256 };

// What a fetch does to each element besides its cast. Manual: Fetch Engine, Fetch Adapter.
typedef struct {
    bool has_table;
    Scalar table_type;     // of the entries
    const uint32_t *table; // one per value of the index, `table_count`
    int64_t table_count;
    int32_t zero_point_count; // 0: none; 1; 2: one per interleaved tensor
    int32_t zero_points[2];
} FetchAdapter;

typedef struct Stage Stage;

// Whether a reduction takes in padding that is not neutral.
typedef enum { PADDING_NOT_ASKED, PADDING_IS_NEUTRAL, PADDING_IS_TAKEN } PaddingFound;

// What the rules found out about a chain of stages, which lowering asks again. Equal chains share
// it.
typedef struct {
    const struct Machine *machine; // for which the last stage was verified by all rules; NULL: none
    DiagList limits;               // what of it one command cannot do
    const void *derived;           // by the engine of the last stage; NULL: nothing
    const void *split;             // of a sink: the commands that the pass takes; NULL: not known
    PaddingFound padding;          // of a reduction
} StageFacts;

// One call of a pass: the stream behind it, and what it was told.
struct Stage {
    StageKind kind;
    Span span;           // the name of the method
    Span call_span;      // the name to the closing bracket
    const Stage *before; // NULL: the first
    int64_t index;       // in the pass

    // the stream behind it
    Position position;
    Scalar type;
    const Dim *dims[LEVEL_COUNT]; // Element: NULL; Row: from align to contract only
    bool sound;                   // this stage broke no rule
    StageFacts *facts;            // NULL: nobody has verified it

    // begin, begin_interleaved
    const View *sources[2];
    const Atom
        *axis; // begin_interleaved: I; vector_intra_slice_unzip: I; vector_intra_slice_reduce:
               // the reduced one; AxisToggle: the one that toggles
    FetchAdapter adapter; // fetch*
    SwitchConfig config;  // switch
    const Tensor *trf;    // align
    AccumulateKind accumulate;
    const Tensor *result; // commit, to_trf, to_vrf: the tensor made
    const View *target;   // commit_view: what is written

    // Vector Engine
    VectorStage vector_stage; // of the stream behind it, at POSITION_VECTOR and _PAIR
    bool way4;                // of the stream behind it
    bool inter_first;         // vector_inter_slice_reduce came before the intra-slice block
    bool zipped;              // a _zip was the last but for conversions that keep it
    bool has_stash;           // behind it
    Scalar stash_type;        // of the stash, or of the stream that entered if there is none
    VectorOp op;
    VectorAlu alu; // what the operation uses, if any
    ArgMode mode;
    Operand operands[VECTOR_OPERANDS]; // of a pair: one a group
    int32_t operand_count;
    bool groups[2];    // vector_fp_unary of a pair: which it works on
    int64_t int_width; // vector_fxp_to_fp, vector_fp_to_fxp
    BranchKind branch;
    InputCompare compares[BRANCH_COMPARISONS];
    const Tensor *branch_vrf; // BRANCH_VRF: where the ids lie
    BranchCondition filter;
    const Dim *tile_time; // vector_intra_slice_unzip: Time with I replaced by padding

    // where its arguments are written; empty: they are not
    struct {
        Span axis, table, zero_points, config, op, mode, width, branch;
    } at;
};

struct Pass {
    int32_t id;
    Context context;    // main or sub
    bool context_known; // false: a function over any context, checked as main
    struct {
        ARRAY(Stage *);
    } stages;
    int64_t ops_before; // operations of the program that were there when its last stage was added
    Span span;
};

// ---- operations

typedef enum {
    OP_MOVE,            // a DMA command, or a transfer from or to the host
    OP_PASS,            // a Tensor Unit pass, from begin to its sink
    OP_PARALLEL_COPY,   // DM to DM on the sub context
    OP_CLUSTER_SHUFFLE, // DM or HBM
    OP_CHIP_SHUFFLE,
    OP_CLUSTER_SLICE, // parallel_copy_cluster_slice
    OP_CHIP_SLICE,
    OP_SCATTER,
    OP_GATHER,
    OP_KIND_COUNT
} OpKind;

// Which ways a kernel may have gone where something decides that is not known before it runs. The
// ways of one choice exclude each other.
typedef struct Choice {
    const struct Choice *outer; // made before; NULL: none
    int64_t number;             // of the choice
    int64_t ways;               // a bit for each that leads here
} Choice;

// Can no launch make both?
bool choices_exclude(const Choice *a, const Choice *b);
bool choices_equal(const Choice *a, const Choice *b);

typedef struct {
    OpKind kind;
    int32_t id;
    const Choice *choice; // that it takes to come here; NULL: none
    const char *method;   // as the language spells it
    Span span;            // the name of the method
    const Span *calls;    // of the functions around it, the innermost first
    int64_t call_count;
    Context context;
    const View *source;     // NULL of a pass
    const View *target;     // what is written; NULL of a pass
    const View *index;      // scatter, gather: the index tensor
    const Dim *key;         // scatter: the key; slices: the axis that is sliced
    const Dim *sliced;      // slices: Element with it replaced by padding
    const int64_t *pattern; // shuffles, slices: one a cluster or chip
    int64_t pattern_count;
    Span pattern_span;      // where the pattern is written; empty: nowhere
    int64_t declared_count; // CLUSTER_DIM, CHIP_DIM; 0: not given
    bool scaled;            // scatter
    const Pass *pass;       // pass
    bool sound;
} Op;

// How a program was written, and so how a message about it should be: `m![A / 8]` and
// `collect::<..>()`, or `[A / 8]` and `collect time [..] packet [..]`. By calls: as that text,
// whose lines stand for calls of `contra_collect(stream, time, packet)`.
typedef enum { NOTATION_LANGUAGE, NOTATION_TEXT, NOTATION_CALLS } Notation;

typedef struct {
    const char *name; // of the kernel: "module::function"
    Notation notation;
    Span span;
    MaybeInt chips; // of #[device(chip = N)]
    struct {
        ARRAY(Tensor *);
    } tensors;
    struct {
        ARRAY(Op *);
    } ops;
    struct {
        ARRAY(const Tensor *);
    } results; // what the kernel gives back
    struct {
        ARRAY(Pass *);
    } open;          // passes without a sink: of functions that give back a stream
    bool is_refused; // something is wrong with it that may have been said before, of another one
} Program;

// Elements of a tensor in one place: of Element, or of a host tensor.
int64_t tensor_element_count(const Tensor *tensor);
// Bytes it takes in one place (a chip of HBM, a slice of DM or VRF, all rows of TRF). False: they
// do not come out whole, or do not fit in 63 bits.
bool tensor_bytes(const Tensor *tensor, int64_t *bytes);

// Positions of the whole shape. False: they do not fit in 63 bits; the builder refuses that.
bool shape_size(const Dim *const dims[LEVEL_COUNT], int64_t *size);

// The whole shape, outermost level first, as one mapping. Levels that would carry its size beyond
// 63 bits are left out; nothing sound has such.
Mapping shape_of(Arena *arena, const Dim *const dims[LEVEL_COUNT]);

#endif
