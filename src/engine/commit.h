// The Commit Engine: from a stream of flits to a tensor in DM. Manual: Commit Engine.
#ifndef CONTRA_ENGINE_COMMIT_H
#define CONTRA_ENGINE_COMMIT_H

#include "program/build.h"

// commit, commit_view
void commit_verify(const Verify *verify, const Pass *pass, const Stage *stage);
void commit_verify_place(const Verify *verify, const Pass *pass, const Stage *stage);

#endif
