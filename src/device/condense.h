// Packets that are fetched again and again only to be multiplied with other weights: the pass as it
// is when each is fetched once, and the Stream Adapter repeats it.
#ifndef CONTRA_DEVICE_CONDENSE_H
#define CONTRA_DEVICE_CONDENSE_H

#include "command/command.h"

typedef struct Condensed Condensed;

// NULL: there is nothing to gain, or no memory for it. The records of `pass` must outlive it.
Condensed *condense(const HwPipeline *pass);
const HwPipeline *condensed_pass(const Condensed *condensed);
void condensed_free(Condensed *condensed); // NULL: nothing

#endif
