// What the chip is told: the commands a program becomes. The device executes them, the schedule
// costs them, an object file holds them. No mapping is in them.
#ifndef CONTRA_COMMAND_COMMAND_H
#define CONTRA_COMMAND_COMMAND_H

#include "command/record.h"
#include "program/program.h"

// How the routers of the Switch Engine forward. Manual: Switch Engine, Architecture.
typedef enum {
    ROUTER_FORWARD,
    ROUTER_BROADCAST01,
    ROUTER_BROADCAST1,
    ROUTER_TRANSPOSE,
    ROUTER_INTER_TRANSPOSE,
    ROUTER_TRANSPOSED_BROADCAST1,
    ROUTER_CUSTOM,
    ROUTER_COUNT
} RouterMode;

typedef enum { MEDIA_HOST, MEDIA_HBM, MEDIA_DM, MEDIA_SPM, MEDIA_COUNT } Media;

#define RECORD(name, doc)                             typedef struct Hw##name {
#define INT(owner, field, doc)                        int64_t field;
#define BOOL(owner, field, doc)                       bool field;
#define TEXT(owner, field, doc)                       Str field;
#define ENUM(owner, field, type, name_of, count, doc) type field;
#define PART(owner, field, type, doc)                 Hw##type field;
#define MAYBE(owner, field, type, doc)                const Hw##type *field;
#define LIST(owner, field, type, doc)                 Hw##type##List field;
#define INTS(owner, field, doc)                       IntList field;
#define BITS(owner, field, doc)                       BitList field;
#define END(name)        \
    }                    \
    Hw##name;            \
    typedef struct {     \
        ARRAY(Hw##name); \
    } Hw##name##List;
#include "command/command.def"

#define RECORD(name, doc) extern const Record record_of_##name;
#define INT(owner, field, doc)
#define BOOL(owner, field, doc)
#define TEXT(owner, field, doc)
#define ENUM(owner, field, type, name_of, count, doc)
#define PART(owner, field, type, doc)
#define MAYBE(owner, field, type, doc)
#define LIST(owner, field, type, doc)
#define INTS(owner, field, doc)
#define BITS(owner, field, doc)
#define END(name)
#include "command/command.def"

#endif
