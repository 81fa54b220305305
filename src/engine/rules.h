// The rules of the hardware, as the builder of programs calls them.
#ifndef CONTRA_ENGINE_RULES_H
#define CONTRA_ENGINE_RULES_H

#include "program/build.h"

extern const Rules engine_rules;

#endif
