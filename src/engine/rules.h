// The rules of the hardware, as the builder of programs calls them.
#ifndef CONTRA_ENGINE_RULES_H
#define CONTRA_ENGINE_RULES_H

#include "program/build.h"

extern const Rules engine_rules;

// The rules about a stage whose pass has to be one command.
void stage_verify(const Verify *verify, const Pass *pass, const Stage *stage);

#endif
