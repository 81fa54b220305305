// What printing and reading the text of programs share: the words, and what each line consists of.
#ifndef CONTRA_PROGRAM_TEXT_FORM_H
#define CONTRA_PROGRAM_TEXT_FORM_H

#include "program/program.h"

extern const char *const level_words[LEVEL_COUNT];  // "chip"
extern const char *const tile_methods[LEVEL_COUNT]; // "chip_tile"
extern const char *const tier_words[TIER_COUNT];    // "dm"
extern const char *const group_words[2];            // "Zero", "One"

// Statements that declare a tensor, by its origin; of a result, where no operation stands for it.
enum { ORIGIN_COUNT = ORIGIN_RESHAPE + 1 };
extern const char *const origin_words[ORIGIN_COUNT];

extern const char *const op_kind_words[OP_KIND_COUNT]; // "cluster_shuffle"; NULL of a pass

// Methods of the language, which say the kind of their operation.
typedef struct {
    const char *method;
    OpKind kind;
    Tier target; // where it goes
} OpMethod;

enum { OP_METHOD_COUNT = 15 };
extern const OpMethod op_methods[OP_METHOD_COUNT];

// What a line of a pass consists of, behind the name of its method.
typedef enum {
    ARG_END,
    ARG_STREAM,     // input: CollectTensor i32 chip [..] ..
    ARG_AXIS,       // I
    ARG_SOURCE,     // the first view
    ARG_SOURCE_2,   // the second view
    ARG_TYPE,       // i32
    ARG_DIMS,       // time [..] packet [..]: those in `sets` of the stage
    ARG_ADAPTER,    // table i8 (..) zero_points (..)
    ARG_SWITCH,     // Broadcast01 slice1=256 slice0=1 time0=1
    ARG_TRF,        // %4
    ARG_ACCUMULATE, // Interleaved
    ARG_OP,         // AddFxp, MulF(Mul0)
    ARG_MODE,       // Mode10, or nothing
    ARG_OPERANDS,   // 5 group Zero, %3
    ARG_GROUPS,     // of a pair: true, false
    ARG_WIDTH,      // 31
    ARG_BRANCH,     // AxisToggle I
    ARG_FILTER,     // group Zero, or nothing
    ARG_TILE_TIME,  // tile_time [..]
    ARG_RESULT,     // -> %3 = dm element [..] at 0x100
    ARG_TARGET,     // -> %3.tile<..>(0)
} StageArg;

enum { STAGE_MOST_ARGS = 4 };
extern const StageArg stage_args[STAGE_COUNT][STAGE_MOST_ARGS];

// The operations a stage takes on a stream of this type. FAMILY_COUNT: none.
VectorFamily stage_family(StageKind kind, Scalar type);

// The stages that have an operation of that name: "`vector_logic`, `vector_clip`", each with
// `prefix` before it; empty: none has.
Str stages_of_op(Arena *arena, Str op, const char *prefix);
// The same for a family of operations, by its name.
Str stages_of_family(Arena *arena, const char *family);

// The levels a line of this stage says: those in `sets` but for Row, which comes with the TRF
// tensor.
uint32_t stage_dims(StageKind kind);

// A field of a topology by its name; NULL: there is none of that name.
int64_t *switch_field(SwitchConfig *config, Str name);

// The ALU that an operation names: "Mul0" of the floats, its own name of any other. ALU_COUNT: no
// ALU has this name.
const char *alu_word(VectorAlu alu);
VectorAlu alu_find(Str word);
// The ALUs that MulF and MaskMulF may name; NULL beyond the last.
const char *multiplier_word(int64_t index);

// What the line of a new tensor may leave out, because it has it from what it is made of.
typedef struct {
    Scalar type;
    const Dim *const *dims; // NULL: nothing is known of it
} Inherited;

bool level_is_inherited(Level level);

// A word as it is, anything else in quotes.
void text_print_name(StrBuf *out, const char *name);

// A value with its type, where the number alone does not say it.
void text_print_value(StrBuf *out, Scalar type, uint32_t bits);

// ---- values (literal.c)

// A number that literal_bits reads back to the same bits: decimal, or bits in hexadecimal.
void literal_print(StrBuf *out, Scalar type, uint32_t bits);

// Reads "-5", "1.5e3" or "0x7fc00000". False: not a value of the type.
bool literal_bits(Scalar type, Str text, uint32_t *bits);

#endif
