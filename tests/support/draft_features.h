// Features that make an operation of a random program worth running. The rules refuse some drafts,
// so each feature is counted as tried and as accepted: one that is always refused is not tested.
#ifndef CONTRA_TEST_DRAFT_FEATURES_H
#define CONTRA_TEST_DRAFT_FEATURES_H

#include "program/program.h"

// clang-format off
#define FEATURES(X)                                           \
    X(GROUP,           "group of axes that is cut")           \
    X(GROUP_TILE,      "tile of a group")                     \
    X(TILE,            "tile of an axis")                     \
    X(AXIS_OF_ONE,     "axis of size 1")                      \
    X(TWO_PADDED,      "padding on two axes")                 \
    X(UNPADDED_MOVE,   "move that adds padding")              \
    X(UNPADDED_FETCH,  "fetch that adds padding")             \
    X(PADDED_CONTRACT, "padding under a contraction")         \
    X(PADDED_INTRA,    "padding under an intra-slice reduce") \
    X(PADDED_INTER,    "padding under an inter-slice reduce") \
    X(NEUTRAL,         "neutral elements in memory")          \
    X(INTRA,           "intra-slice reduce")                  \
    X(INTER,           "inter-slice reduce")                  \
    X(FLOAT_SUM,       "float sum")                           \
    X(STASH,           "stash")                               \
    X(BRANCH,          "branch with groups")                  \
    X(VALID_COUNT,     "valid count")                         \
    X(FILTER,          "filter")                              \
    X(SWITCH,          "switch")                              \
    X(CUSTOM_SWITCH,   "custom switch")                       \
    X(TRANSPOSE,       "transpose")                           \
    X(CAST,            "cast")                                \
    X(SCATTER,         "scatter")                             \
    X(GATHER,          "gather")
// clang-format on

typedef enum {
#define X(name, text) FEATURE_##name,
    FEATURES(X)
#undef X
        FEATURE_COUNT
} Feature;

extern const char *const feature_names[FEATURE_COUNT];

typedef struct {
    bool has[FEATURE_COUNT];
} FeatureSet;

FeatureSet features_of(const Op *op);

#endif
