// The records as data, and the names of their enums.
#include "command/command.h"

static const char *const router_modes[ROUTER_COUNT] = {
    [ROUTER_FORWARD] = "Forwarding",
    [ROUTER_BROADCAST01] = "Broadcast01",
    [ROUTER_BROADCAST1] = "Broadcast1",
    [ROUTER_TRANSPOSE] = "Transpose",
    [ROUTER_INTER_TRANSPOSE] = "InterTranspose",
    [ROUTER_TRANSPOSED_BROADCAST1] = "TransposedBroadcast1",
    [ROUTER_CUSTOM] = "Custom",
};

static const char *const media[MEDIA_COUNT] = {
    [MEDIA_HOST] = "Host",
    [MEDIA_HBM] = "HBM",
    [MEDIA_DM] = "DM",
    [MEDIA_SPM] = "SPM",
};

static const char *const operands[OPERAND_COUNT] = {
    [OPERAND_SKIP] = "none",
    [OPERAND_CONSTANT] = "constant",
    [OPERAND_VRF] = "VRF",
    [OPERAND_STASH] = "stash",
};

static const char *const conditions[CONDITION_COUNT] = {
    [CONDITION_ALWAYS] = "always",
    [CONDITION_GROUP_0] = "group 0",
    [CONDITION_GROUP_1] = "group 1",
};

#define NAMED(function, expression)        \
    static const char *function(int value) \
    {                                      \
        return expression;                 \
    }

NAMED(name_of_scalar, scalar_traits[value].name)
NAMED(name_of_router_mode, router_modes[value])
NAMED(name_of_media, media[value])
NAMED(name_of_operand, operands[value])
NAMED(name_of_condition, conditions[value])
NAMED(name_of_trf_address, trf_address_names[value])
NAMED(name_of_accumulate, accumulate_names[value])
NAMED(name_of_compare, compare_names[value])
NAMED(name_of_branch, branch_names[value])
NAMED(name_of_vector_stage, vector_stages[value].name)
NAMED(name_of_stage, stages[value].method)
NAMED(name_of_alu, vector_alu_names[value])
NAMED(name_of_arg_mode, value ? arg_modes[value].name : "Default")
NAMED(name_of_context, context_names[value])
NAMED(name_of_level, level_names[value])
NAMED(name_of_tier, tiers[value].name)

#define ROW(owner, field, kind, ...) {#field, kind, offsetof(Hw##owner, field), __VA_ARGS__},
#define RECORD(name, text)                    \
    static const char doc_of_##name[] = text; \
    static const Field fields_of_##name[] = {
#define INT(owner, field, doc)  ROW(owner, field, FIELD_INT, NULL, NULL, 0, doc)
#define BOOL(owner, field, doc) ROW(owner, field, FIELD_BOOL, NULL, NULL, 0, doc)
#define TEXT(owner, field, doc) ROW(owner, field, FIELD_TEXT, NULL, NULL, 0, doc)
#define ENUM(owner, field, type, name_of, count, doc) \
    ROW(owner, field, FIELD_ENUM, NULL, name_of, count, doc)
#define PART(owner, field, type, doc) ROW(owner, field, FIELD_PART, &record_of_##type, NULL, 0, doc)
#define MAYBE(owner, field, type, doc) \
    ROW(owner, field, FIELD_MAYBE, &record_of_##type, NULL, 0, doc)
#define LIST(owner, field, type, doc) ROW(owner, field, FIELD_LIST, &record_of_##type, NULL, 0, doc)
#define INTS(owner, field, doc)       ROW(owner, field, FIELD_INTS, NULL, NULL, 0, doc)
#define BITS(owner, field, doc)       ROW(owner, field, FIELD_BITS, NULL, NULL, 0, doc)
#define END(name)                                                                        \
    }                                                                                    \
    ;                                                                                    \
    const Record record_of_##name = {#name, sizeof(Hw##name), fields_of_##name,          \
                                     sizeof fields_of_##name / sizeof *fields_of_##name, \
                                     doc_of_##name};
#include "command/command.def"
#include "command/record_end.h"
