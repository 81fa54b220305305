// A register or a snapshot read along with a stream: which element each lane of each packet gets.
#ifndef CONTRA_ENGINE_ALONG_H
#define CONTRA_ENGINE_ALONG_H

#include "engine/lower.h"

// The walk over `buffer`, one element for each position of [time, packet]; what the buffer lacks is
// read again. False: the buffer holds something that the stream does not.
bool along_lower(const Lower *lower, const Mapping *time, const Mapping *packet,
                 const Mapping *buffer, Scalar type, HwNest *out);

#endif
