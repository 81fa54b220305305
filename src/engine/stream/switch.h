// The Switch Engine: data moves between the slices of a cluster. Manual: Switch Engine.
#ifndef CONTRA_ENGINE_STREAM_SWITCH_H
#define CONTRA_ENGINE_STREAM_SWITCH_H

#include "command/command.h"
#include "program/build.h"

void switch_verify(const Verify *verify, const Pass *pass, const Stage *stage);

// A call of switch, as its rules see it.
typedef struct {
    const Verify *verify;
    const Stage *stage;
    SwitchConfig config;
    const Mapping *in_slice, *in_time, *out_slice, *out_time;
} Switching;

typedef struct {
    ARRAY(HwRouteTerm);
} RouteTerms;

// Where each packet that is put out comes from. Require: the rules found nothing wrong.
RouteTerms switch_custom_terms(const Switching *switching);

// CustomBroadcast: any permutation and broadcast of slices that the ring can deliver in order
// (switch_custom.c). Requires: as many slices behind as before.
void switch_verify_custom(const Switching *switching);

// The Slice and Time that a regular topology makes of these, as they are written. False: its sizes
// do not divide them.
bool switch_shape(Arena *arena, const SwitchConfig *config, const Mapping *slice,
                  const Mapping *time, Str *out_slice, Str *out_time);

// A help that says a configuration, and puts it in the place of the one given.
void switch_suggest(const Switching *switching, Diag *diag, const SwitchConfig *config,
                    const char *what);

#endif
