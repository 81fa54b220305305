// What fills TRF: a stream, or bytes that come straight from DM.
#ifndef CONTRA_DEVICE_TRF_STORE_H
#define CONTRA_DEVICE_TRF_STORE_H

#include "device/internal.h"

// A load whose bytes reach TRF as they lie in DM, worked out once: what goes where is the same in
// every slice.
typedef struct TrfCopy TrfCopy;

// Requires: all that the pass does to the elements of `chunks`, whole bytes each, is to store them,
// `lanes` a flit. *out stays NULL where they cannot be copied. False: no memory.
bool trf_copy_new(const Device *device, const HwPipeline *pass, const Chunks *chunks, int64_t lanes,
                  TrfCopy **out);
void trf_copy_free(TrfCopy *copy); // NULL: nothing
// Requires: all that is read lies in DM and has a value.
void trf_copy_run(const TrfCopy *copy, Trf *trf, const Memory *dm);

#endif
