// Loading the Vector Register File. Manual: Vector Engine, Operands; Memory and Stream.
#ifndef CONTRA_ENGINE_STREAM_VRF_H
#define CONTRA_ENGINE_STREAM_VRF_H

#include "engine/strides.h"
#include "program/build.h"

void to_vrf_verify(const Verify *verify, const Pass *pass, const Stage *stage);
void to_vrf_verify_place(const Verify *verify, const Pass *pass, const Stage *stage);

#endif
