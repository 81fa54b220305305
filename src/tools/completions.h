// What shells complete: a script for each of them, made of the tables of the commands.
#ifndef CONTRA_TOOLS_COMPLETIONS_H
#define CONTRA_TOOLS_COMPLETIONS_H

#include "options.h"

void completions_bash(void);
void completions_zsh(void);
void completions_fish(void);

// Group number `index` of rules, as words are given.
const char *completions_group(int64_t index, const char **what);

#endif
