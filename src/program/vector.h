// The Vector Engine in names: ALUs, operations, stages, argument modes, branches. Rows of
// vector.def; the checker, the executors, the prelude of the language and its documentation all
// read the tables here.
#ifndef CONTRA_PROGRAM_VECTOR_H
#define CONTRA_PROGRAM_VECTOR_H

#include "base/str.h"
#include "scalar/scalar.h"

#include <stdbool.h>
#include <stdint.h>

// In the order of the pipeline: a stage goes to any later one.
typedef enum {
    VECTOR_BRANCH,
    VECTOR_LOGIC,
    VECTOR_FXP,
    VECTOR_FXP_TO_FP,
    VECTOR_NARROW,
    VECTOR_FP,
    VECTOR_INTRA_SLICE_REDUCE,
    VECTOR_FP_DIV,
    VECTOR_WIDEN,
    VECTOR_FP_TO_FXP,
    VECTOR_CLIP,
    VECTOR_FILTER,
    VECTOR_INTER_SLICE_REDUCE,
    VECTOR_STAGE_COUNT
} VectorStage;

typedef struct {
    const char *name;  // as in `stage::Fxp`
    bool repeats;      // several operations in a row
    bool stashable;    // vector_stash is allowed here
    bool before_inter; // vector_inter_slice_reduce may follow
} VectorStageInfo;

extern const VectorStageInfo vector_stages[VECTOR_STAGE_COUNT];

typedef enum {
    ALU_NONE,
#define VECTOR_ALU(name, stage) ALU_##name,
#define VECTOR_FAMILY(name, type, doc)
#define VECTOR_OP(family, name, alu, doc)
#include "program/vector.def"
#undef VECTOR_ALU
#undef VECTOR_FAMILY
#undef VECTOR_OP
    ALU_COUNT
} VectorAlu;

extern const char *const vector_alu_names[ALU_COUNT];

typedef enum {
#define VECTOR_ALU(name, stage)
#define VECTOR_FAMILY(name, type, doc) FAMILY_##name,
#define VECTOR_OP(family, name, alu, doc)
#include "program/vector.def"
#undef VECTOR_ALU
#undef VECTOR_FAMILY
#undef VECTOR_OP
    FAMILY_COUNT
} VectorFamily;

typedef struct {
    const char *name; // of the enum
    Scalar type;      // of the stream it works on
    const char *doc;
} VectorFamilyInfo;

extern const VectorFamilyInfo vector_families[FAMILY_COUNT];

typedef enum {
#define VECTOR_ALU(name, stage)
#define VECTOR_FAMILY(name, type, doc)
#define VECTOR_OP(family, name, alu, doc) OP_##family##_##name,
#include "program/vector.def"
#undef VECTOR_ALU
#undef VECTOR_FAMILY
#undef VECTOR_OP
    VECTOR_OP_COUNT
} VectorOp;

typedef struct {
    VectorFamily family;
    const char *name;
    VectorAlu alu; // ALU_NONE: the operation's own argument names it (MulF), or it needs none
    const char *doc;
} VectorOpInfo;

extern const VectorOpInfo vector_ops[VECTOR_OP_COUNT];

// VECTOR_OP_COUNT: the family has no operation of that name.
VectorOp vector_op_find(VectorFamily family, Str name);

// Which arguments an operation gets: 0 is the stream (group 0), 1 and 2 are operands (group 1).
typedef enum {
    MODE_DEFAULT,
    MODE_0,
    MODE_1,
    MODE_00,
    MODE_01,
    MODE_10,
    MODE_11,
    MODE_012,
    MODE_002,
    MODE_102,
    MODE_112,
    MODE_020,
    MODE_021,
    MODE_120,
    MODE_COUNT
} ArgMode;

typedef struct {
    const char *name; // "Mode01"; NULL of MODE_DEFAULT
    int8_t count;     // arguments
    int8_t args[3];
} ArgModeInfo;

extern const ArgModeInfo arg_modes[MODE_COUNT];

// For which elements an operand or a filter counts: bit 3 of their execution id.
typedef enum { CONDITION_ALWAYS, CONDITION_GROUP_0, CONDITION_GROUP_1 } BranchCondition;

enum { CONDITION_COUNT = CONDITION_GROUP_1 + 1 };

typedef enum {
    BRANCH_UNCONDITIONAL,
    BRANCH_AXIS_TOGGLE,
    BRANCH_COMPARISON,
    BRANCH_VALID_COUNT,
    BRANCH_VRF,
    BRANCH_COUNT
} BranchKind;

typedef enum {
    COMPARE_EQUAL,
    COMPARE_LESS,
    COMPARE_GREATER,
    COMPARE_LESS_UNSIGNED,
    COMPARE_GREATER_UNSIGNED,
    COMPARE_TRUE,
    COMPARE_FALSE,
    COMPARE_COUNT
} CompareKind;

extern const char *const compare_names[COMPARE_COUNT]; // "Equal", "LessUnsigned"
extern const char *const branch_names[BRANCH_COUNT];   // "AxisToggle"

typedef struct {
    CompareKind kind;
    Scalar type;       // of the boundary: i32 or f32
    uint32_t boundary; // bits
} InputCompare;

#endif
