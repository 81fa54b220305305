#include "program/program.h"

#include "base/checked.h"

const char *const level_names[LEVEL_COUNT] = {
    [LEVEL_CHIP] = "Chip",       [LEVEL_CLUSTER] = "Cluster", [LEVEL_SLICE] = "Slice",
    [LEVEL_ROW] = "Row",         [LEVEL_TIME] = "Time",       [LEVEL_PACKET] = "Packet",
    [LEVEL_ELEMENT] = "Element",
};

const TierInfo tiers[TIER_COUNT] = {
    [TIER_HOST] = {"host", "HostTensor", {[LEVEL_ELEMENT] = true}},
    [TIER_HBM] = {"HBM", "HbmTensor", {[LEVEL_CHIP] = true, [LEVEL_ELEMENT] = true}},
    [TIER_DM] = {"DM",
                 "DmTensor",
                 {[LEVEL_CHIP] = true,
                  [LEVEL_CLUSTER] = true,
                  [LEVEL_SLICE] = true,
                  [LEVEL_ELEMENT] = true}},
    [TIER_TRF] = {"TRF",
                  "TrfTensor",
                  {[LEVEL_CHIP] = true,
                   [LEVEL_CLUSTER] = true,
                   [LEVEL_SLICE] = true,
                   [LEVEL_ROW] = true,
                   [LEVEL_ELEMENT] = true}},
    [TIER_VRF] = {"VRF",
                  "VrfTensor",
                  {[LEVEL_CHIP] = true,
                   [LEVEL_CLUSTER] = true,
                   [LEVEL_SLICE] = true,
                   [LEVEL_ELEMENT] = true}},
};

const char *const trf_address_names[TRF_COUNT] = {
    [TRF_FIRST_HALF] = "FirstHalf",
    [TRF_SECOND_HALF] = "SecondHalf",
    [TRF_FULL] = "Full",
};

const char *const context_names[CONTEXT_COUNT] = {
    [CONTEXT_MAIN] = "main",
    [CONTEXT_SUB] = "sub",
    [CONTEXT_TDMA] = "tdma",
    [CONTEXT_PDMA] = "pdma",
};

const char *const position_types[POSITION_COUNT] = {
    [POSITION_BEGIN] = "BeginTensor",
    [POSITION_FETCH] = "FetchTensor",
    [POSITION_SWITCH] = "SwitchTensor",
    [POSITION_COLLECT] = "CollectTensor",
    [POSITION_ALIGN] = "AlignedPair",
    [POSITION_CONTRACT] = "ContractionTensor",
    [POSITION_ACCUMULATE] = "AccumulationTensor",
    [POSITION_VECTOR_INIT] = "VectorInitTensor",
    [POSITION_VECTOR] = "VectorTensor",
    [POSITION_VECTOR_PAIR] = "VectorTensorPair",
    [POSITION_VECTOR_FINAL] = "VectorFinalTensor",
    [POSITION_CAST] = "CastTensor",
    [POSITION_TRANSPOSE] = "TransposeTensor",
    [POSITION_SINK] = "",
};

// The words of stage.def.
enum {
    CHIP = 1 << LEVEL_CHIP,
    CLUSTER = 1 << LEVEL_CLUSTER,
    SLICE = 1 << LEVEL_SLICE,
    ROW = 1 << LEVEL_ROW,
    TIME = 1 << LEVEL_TIME,
    PACKET = 1 << LEVEL_PACKET,
};

#define AFTER(position) (1U << POSITION_##position)
#define AFTER_ANY_STREAM                                                                \
    (AFTER(BEGIN) | AFTER(FETCH) | AFTER(SWITCH) | AFTER(COLLECT) | AFTER(ACCUMULATE) | \
     AFTER(VECTOR_FINAL) | AFTER(CAST) | AFTER(TRANSPOSE))
#define AFTER_VECTOR (AFTER(VECTOR) | AFTER(VECTOR_PAIR))

const StageInfo stages[STAGE_COUNT] = {
    [STAGE_INPUT] = {.method = "", .manual = "Computing Tensors"},
#define STAGE(name, method, from, to, sets, manual) \
    [STAGE_##name] = {method, from, POSITION_##to, sets, manual},
#include "program/stage.def"
#undef STAGE
};

StageKind stage_of_method(const char *method)
{
    Str name = str_from(method);
    static const char *const endings[] = {"_with_mode", "_with_table", "_with_zero_points",
                                          "_with_zero_point", "_with_vrf"};
    for (size_t i = 0; i < COUNT_OF(endings); i++) {
        Str ending = str_from(endings[i]);
        if (name.len > ending.len &&
            str_equal(str_slice(name, name.len - ending.len, name.len), ending))
            name.len -= ending.len;
    }
    for (StageKind kind = STAGE_INPUT + 1; kind < STAGE_COUNT; kind++)
        if (str_equal(str_from(stages[kind].method), name))
            return kind;
    return STAGE_COUNT;
}

const SwitchInfo switches[SWITCH_COUNT] = {
    [SWITCH_BROADCAST01] = {"Broadcast01", {"slice1", "slice0", "time0"}},
    [SWITCH_BROADCAST1] = {"Broadcast1", {"slice1", "slice0"}},
    [SWITCH_TRANSPOSE] = {"Transpose", {"slice1", "slice0"}},
    [SWITCH_INTER_TRANSPOSE] = {"InterTranspose", {"slice1", "slice0", "time0"}},
    [SWITCH_TRANSPOSED_BROADCAST1] = {"TransposedBroadcast1", {"slice1", "slice0"}},
    [SWITCH_CUSTOM_BROADCAST] = {"CustomBroadcast", {"ring_size"}},
};

const char *const accumulate_names[ACCUMULATE_COUNT] = {
    [ACCUMULATE_INTERLEAVED] = "Interleaved",
    [ACCUMULATE_SEQUENTIAL] = "Sequential",
};

int64_t tensor_element_count(const Tensor *tensor)
{
    return tensor->dims[LEVEL_ELEMENT]->mapping.size;
}

bool tensor_bytes(const Tensor *tensor, int64_t *bytes)
{
    int64_t length = tensor_element_count(tensor);
    if (tensor->dims[LEVEL_ROW] &&
        !checked_mul(length, tensor->dims[LEVEL_ROW]->mapping.size, &length))
        return false;
    return scalar_bytes(tensor->type, length, bytes);
}

bool shape_size(const Dim *const dims[LEVEL_COUNT], int64_t *size)
{
    *size = 1;
    for (Level level = 0; level < LEVEL_COUNT; level++)
        if (dims[level] && !checked_mul(*size, dims[level]->mapping.size, size))
            return false;
    return true;
}

Mapping shape_of(Arena *arena, const Dim *const dims[LEVEL_COUNT])
{
    MappingBuilder builder = mapping_build(arena);
    for (int level = LEVEL_COUNT - 1; level >= 0; level--) {
        int64_t size;
        if (dims[level] && checked_mul(builder.size, dims[level]->mapping.size, &size))
            mapping_build_add(&builder, &dims[level]->mapping);
    }
    return mapping_build_done(&builder);
}

bool choices_exclude(const Choice *a, const Choice *b)
{
    for (; a; a = a->outer)
        for (const Choice *other = b; other; other = other->outer)
            if (a->number == other->number && !(a->ways & other->ways))
                return true;
    return false;
}

bool choices_equal(const Choice *a, const Choice *b)
{
    for (; a && b && a != b; a = a->outer, b = b->outer)
        if (a->number != b->number || a->ways != b->ways)
            return false;
    return a == b;
}
